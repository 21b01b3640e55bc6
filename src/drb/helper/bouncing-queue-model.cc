/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bouncing-queue-model.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3
{

namespace
{

/// @brief A server, seen from the queue that is looked at.
class Source
{
  public:
    /**
     * @param settings settings of the model
     * @param random source of randomness
     */
    Source(const BouncingQueueModel::Settings& settings, UniformRandomVariable& random)
        : m_isRandom(settings.order == BouncingQueueModel::RANDOM)
    {
        const uint32_t half = settings.ports / 2;
        const bool isFirst = settings.hop == 1;
        // Of how many generated packets how many in a row come to the queue: Appendix B.
        m_period =
            isFirst && settings.order != BouncingQueueModel::ROUND_ROBIN ? half : half * half;
        m_run = isFirst && settings.order == BouncingQueueModel::ROUND_ROBIN ? half : 1;
        const double load = m_isRandom ? settings.load / m_period : settings.load;
        m_isMostlyIdle = load < 0.5;
        m_rare = m_isMostlyIdle ? load : 1 - load;
        m_wait = DrawWait(random);
        m_turn = settings.isAligned ? 0 : random.GetInteger(0, m_period - 1);
    }

    /**
     * @brief A slot passes.
     * @param random source of randomness
     * @return 1 if a packet is sent to the queue that is looked at, 0 otherwise
     */
    uint32_t Send(UniformRandomVariable& random)
    {
        if (!Generate(random))
        {
            return 0;
        }
        if (m_isRandom)
        {
            return 1;
        }
        const bool isSent = m_turn < m_run;
        m_turn = m_turn + 1 < m_period ? m_turn + 1 : 0;
        return isSent ? 1 : 0;
    }

  private:
    /**
     * @brief A slot passes.
     * @param random source of randomness
     * @return true if a packet is generated; under random bouncing only those to the queue are
     */
    bool Generate(UniformRandomVariable& random)
    {
        if (m_wait > 0)
        {
            --m_wait;
            return !m_isMostlyIdle;
        }
        m_wait = DrawWait(random);
        return m_isMostlyIdle;
    }

    /**
     * @brief Draw how many slots pass before the rarer of the two happens: a packet, or none. It
     * takes far fewer draws than one per slot.
     * @param random source of randomness
     * @return number of slots (geometric)
     */
    uint64_t DrawWait(UniformRandomVariable& random) const
    {
        if (m_rare <= 0)
        {
            return UINT64_MAX;
        }
        const double slots = std::log1p(-random.GetValue()) / std::log1p(-m_rare);
        return static_cast<uint64_t>(std::min(slots, 1e18));
    }

    bool m_isRandom;      //!< true if only packets to the queue are generated
    uint32_t m_period{1}; //!< generated packets until the pattern repeats
    uint32_t m_run{1};    //!< of these, how many come to the queue
    uint32_t m_turn{0};   //!< place in the pattern
    bool m_isMostlyIdle;  //!< true if a slot with a packet is the rarer case
    double m_rare;        //!< probability of the rarer case
    uint64_t m_wait;      //!< slots until it happens
};

/// @brief Mean and variance of what is added.
class QueueMoments
{
  public:
    /// @param packets a sample
    void Add(double packets)
    {
        ++m_count;
        m_sum += packets;
        m_squares += packets * packets;
    }

    /// @return the mean
    double GetMean() const
    {
        return m_sum / m_count;
    }

    /// @return the variance
    double GetVariance() const
    {
        return m_squares / m_count - GetMean() * GetMean();
    }

  private:
    double m_count{0};   //!< samples
    double m_sum{0};     //!< of them
    double m_squares{0}; //!< sum of their squares
};

/// @brief The queues that lead to the one that is looked at.
class Tree
{
  public:
    /**
     * @param settings settings of the model
     * @param random draws phases and, for hop 3, ways
     */
    Tree(const BouncingQueueModel::Settings& settings, UniformRandomVariable& random)
    {
        const uint32_t half = settings.ports / 2;
        if (settings.hop == 1)
        {
            AddLevel(1, 1);
            m_first.assign(half, 0);
        }
        else
        {
            const uint32_t seconds = settings.hop == 2 ? 1 : settings.ports;
            AddLevel(seconds * half, half);
            AddLevel(seconds, seconds);
            for (uint32_t flow = 0; flow < half * half; ++flow)
            {
                m_first.push_back(settings.hop == 2 ? flow / half
                                                    : random.GetInteger(0, seconds * half - 1));
            }
            if (settings.hop == 3)
            {
                AddLevel(1, 1);
            }
        }
        m_sources.reserve(m_first.size());
        for (std::size_t i = 0; i < m_first.size(); ++i)
        {
            m_sources.emplace_back(settings, random);
        }
    }

    /**
     * @brief A slot passes.
     * @param random source of randomness
     */
    void Step(UniformRandomVariable& random)
    {
        for (std::size_t level = m_levels.size(); level-- > 0;)
        {
            // From the last level on, so that each queue sends what it had before this slot.
            for (std::size_t i = 0; i < m_levels[level].length.size(); ++i)
            {
                uint32_t& length = m_levels[level].length[i];
                const uint32_t departure = length > 0 ? 1 : 0;
                length -= departure;
                if (level + 1 < m_levels.size())
                {
                    Arrive(level + 1, i / m_levels[level].fanIn, departure);
                }
                else
                {
                    m_departures += departure;
                }
            }
        }
        for (std::size_t i = 0; i < m_sources.size(); ++i)
        {
            Arrive(0, m_first[i], m_sources[i].Send(random));
        }
    }

    /// @brief Length of the queue that is looked at, in packets.
    uint32_t GetLength() const
    {
        return m_levels.back().length[0];
    }

    uint64_t m_arrivals{0};   //!< at the queue that is looked at
    uint64_t m_departures{0}; //!< from there

  private:
    /// @brief Queues of one hop.
    struct Level
    {
        std::vector<uint32_t> length; //!< of each queue
        uint32_t fanIn;               //!< so many in a row feed the same queue of the next hop
    };

    void AddLevel(uint32_t queues, uint32_t fanIn)
    {
        m_levels.push_back({std::vector<uint32_t>(queues), fanIn});
    }

    void Arrive(std::size_t level, std::size_t queue, uint32_t packets)
    {
        m_levels[level].length[queue] += packets;
        m_arrivals += level + 1 == m_levels.size() ? packets : 0;
    }

    std::vector<Level> m_levels;   //!< from the servers to the queue that is looked at
    std::vector<uint32_t> m_first; //!< first queue of each source
    std::vector<Source> m_sources; //!< the servers
};

} // namespace

BouncingQueueModel::Order
BouncingQueueModel::ReadOrder(const std::string& argument, const std::string& name)
{
    static const std::map<std::string, Order> ORDERS{{"drb", DIGIT_REVERSAL},
                                                     {"rrb", ROUND_ROBIN},
                                                     {"rb", RANDOM}};
    const auto order = ORDERS.find(name);
    if (order == ORDERS.end())
    {
        throw InputError(argument, name, "drb, rrb or rb");
    }
    return order->second;
}

Ptr<BouncingSelector>
BouncingQueueModel::CreateSelector(Order order)
{
    switch (order)
    {
    case DIGIT_REVERSAL:
        return CreateObject<DigitReversalBouncingSelector>();
    case ROUND_ROBIN:
        return CreateObject<RoundRobinBouncingSelector>();
    default:
        return CreateObject<RandomBouncingSelector>();
    }
}

BouncingQueueModel::Result
BouncingQueueModel::Simulate(const Settings& settings, uint32_t runs, UniformRandomVariable& random)
{
    Result result;
    QueueMoments queue;
    QueueMoments backlog;
    for (uint32_t run = 0; run < runs; ++run)
    {
        Tree tree(settings, random);
        for (uint32_t slot = 0; slot < settings.warmUp + settings.slots; ++slot)
        {
            tree.Step(random);
            if (slot >= settings.warmUp)
            {
                const uint32_t length = tree.GetLength();
                queue.Add(length);
                backlog.Add(length > 0 ? length - 1 : 0);
                result.max = std::max(result.max, length);
            }
        }
        result.arrivals += tree.m_arrivals;
        result.departures += tree.m_departures;
        result.left += tree.GetLength();
    }
    result.mean = queue.GetMean();
    result.variance = queue.GetVariance();
    result.backlogMean = backlog.GetMean();
    result.backlogVariance = backlog.GetVariance();
    return result;
}

// With A packets arriving per slot, W = max(q - 1, 0) has the generating function
// (1 - load) (1 - z) / (A(z) - z), and q = W + A. Its moments follow from E[A(A-1)] and
// E[A(A-1)(A-2)].

double
BouncingQueueModel::GetRandomMean(uint32_t ports, double load)
{
    const double m = ports / 2;
    return load + (m - 1) / m * load * load / (2 * (1 - load));
}

double
BouncingQueueModel::GetRandomVariance(uint32_t ports, double load)
{
    const double p = load / (ports / 2);
    return GetRandomBacklogVariance(ports, load) + load * (1 - p);
}

double
BouncingQueueModel::GetRandomBacklogVariance(uint32_t ports, double load)
{
    const double m = ports / 2;
    const double p = load / m;
    const double second = m * (m - 1) * p * p;
    const double third = second * (m - 2) * p;
    const double idle = 1 - load;
    return third / (3 * idle) + second * second / (4 * idle * idle) + second / (2 * idle);
}

} // namespace ns3
