/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bouncing-network-model.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t HOPS = BouncingNetworkModel::HOPS; //!< short for it
constexpr uint32_t NONE = UINT32_MAX;                 //!< the end of a list

/// @brief A packet on its way.
struct SlotPacket
{
    uint32_t source;      //!< sending server
    uint32_t destination; //!< receiving server
    uint32_t point;       //!< core where it bounces
    uint32_t next;        //!< packet behind it in the queue, or in the list of free ones
};

/// @brief A first-in first-out queue of packets, which are known by their places in a pool.
struct SlotQueue
{
    uint32_t head{NONE}; //!< next to leave
    uint32_t tail{NONE}; //!< last to come; stale when the queue is empty
    uint32_t length{0};  //!< packets
};

/// @brief A fat-tree in slots.
class SlotNetwork
{
  public:
    /**
     * @param settings settings of the model
     * @param random source of randomness
     */
    SlotNetwork(const BouncingQueueModel::Settings& settings, UniformRandomVariable& random)
        : m_half(settings.ports / 2),
          m_load(settings.load),
          m_random(random),
          m_selector(BouncingQueueModel::CreateSelector(settings.order)),
          m_isOrdered(settings.isOrdered)
    {
        const uint32_t servers = 2 * m_half * m_half * m_half;
        m_selector->SetLayers({m_half, m_half});
        DrawPermutation(servers);
        for (uint32_t i = 0; i < servers; ++i)
        {
            const uint32_t start = random.GetInteger(0, m_half * m_half - 1);
            m_turns.push_back(static_cast<uint16_t>(settings.isAligned ? 0 : start));
        }
        m_queues.fill(std::vector<SlotQueue>(servers));
        m_order.resize(servers); // there are as many queues at each hop as servers
        std::iota(m_order.begin(), m_order.end(), 0);
    }

    /// @brief A slot passes.
    void Step()
    {
        if (!m_isOrdered)
        {
            for (uint32_t i = static_cast<uint32_t>(m_order.size()) - 1; i > 0; --i)
            {
                std::swap(m_order[i], m_order[m_random.GetInteger(0, i)]);
            }
        }
        // From the last hop on, so that each queue sends what it had before this slot.
        for (uint32_t hop = HOPS; hop-- > 0;)
        {
            for (const uint32_t number : m_order)
            {
                SlotQueue& queue = m_queues[hop][number];
                if (queue.length > 0)
                {
                    ++m_results[hop].departures;
                    --queue.length;
                    Advance(std::exchange(queue.head, m_pool[queue.head].next), hop + 1);
                }
            }
        }
        for (const uint32_t server : m_order)
        {
            if (m_random.GetValue() < m_load)
            {
                Advance(MakePacket(server), 0);
            }
        }
    }

    /// @brief Take the lengths of all queues down.
    void Look()
    {
        ++m_looks;
        for (uint32_t hop = 0; hop < HOPS; ++hop)
        {
            auto& result = m_results[hop];
            for (const SlotQueue& queue : m_queues[hop])
            {
                const double length = queue.length;
                result.mean += length;
                result.variance += length * length;
                result.max = std::max(result.max, queue.length);
            }
        }
    }

    /**
     * @brief Results so far.
     * @return by hop
     */
    std::array<BouncingQueueModel::Result, HOPS> GetResults() const
    {
        auto results = m_results;
        const double samples = static_cast<double>(m_looks) * static_cast<double>(m_turns.size());
        for (uint32_t hop = 0; hop < HOPS; ++hop)
        {
            auto& result = results[hop];
            result.mean /= samples;
            result.variance = result.variance / samples - result.mean * result.mean;
            for (const SlotQueue& queue : m_queues[hop])
            {
                result.left += queue.length;
            }
        }
        return results;
    }

  private:
    /**
     * @brief Draw who sends to whom; nobody sends within a rack.
     * @param servers number of servers
     */
    void DrawPermutation(uint32_t servers)
    {
        m_destinations.resize(servers);
        std::iota(m_destinations.begin(), m_destinations.end(), 0);
        for (uint32_t i = servers - 1; i > 0; --i)
        {
            std::swap(m_destinations[i], m_destinations[m_random.GetInteger(0, i)]);
        }
        const auto isWithin = [this](uint32_t source) {
            return source / m_half == m_destinations[source] / m_half;
        };
        for (uint32_t i = 0; i < servers; ++i)
        {
            while (isWithin(i))
            {
                const uint32_t other = m_random.GetInteger(0, servers - 1);
                std::swap(m_destinations[i], m_destinations[other]);
                if (isWithin(other)) // one more would be within its rack
                {
                    std::swap(m_destinations[i], m_destinations[other]);
                }
            }
        }
    }

    /**
     * @brief A server generates a packet.
     * @param server the server
     * @return its place in the pool
     */
    uint32_t MakePacket(uint32_t server)
    {
        if (m_free == NONE)
        {
            m_free = static_cast<uint32_t>(m_pool.size());
            m_pool.push_back({0, 0, 0, NONE});
        }
        const uint32_t place = std::exchange(m_free, m_pool[m_free].next);
        const uint32_t point = m_selector->Choose(m_turns[server], m_random);
        m_pool[place] = {server, m_destinations[server], point, NONE};
        return place;
    }

    /**
     * @brief The output queue that a packet takes at a hop.
     * @param packet the packet
     * @param hop counted from 0
     * @return number of the queue among those of the hop
     */
    uint32_t GetQueue(const SlotPacket& packet, uint32_t hop) const
    {
        const uint32_t m = m_half;
        const uint32_t aggregation = packet.point / m;
        const uint32_t pod = packet.destination / (m * m);
        switch (hop)
        {
        case 0: // rack to aggregation
            return packet.source / m * m + aggregation;
        case 1: // aggregation to core
            return packet.source / (m * m) * m * m + packet.point;
        case 2: // core to pod
            return packet.point * 2 * m + pod;
        case 3: // aggregation to rack
            return (pod * m + aggregation) * m + packet.destination / m % m;
        default: // rack to server
            return packet.destination;
        }
    }

    /**
     * @brief A packet comes to its next queue, or to its destination.
     * @param place of the packet in the pool
     * @param hop counted from 0
     */
    void Advance(uint32_t place, uint32_t hop)
    {
        SlotPacket& packet = m_pool[place];
        if (hop == HOPS)
        {
            packet.next = std::exchange(m_free, place);
            return;
        }
        packet.next = NONE;
        SlotQueue& queue = m_queues[hop][GetQueue(packet, hop)];
        (queue.length > 0 ? m_pool[queue.tail].next : queue.head) = place;
        queue.tail = place;
        ++queue.length;
        ++m_results[hop].arrivals;
    }

    uint32_t m_half;                                        //!< half of a switch's ports
    double m_load;                                          //!< probability of a packet per slot
    UniformRandomVariable& m_random;                        //!< source of randomness
    Ptr<BouncingSelector> m_selector;                       //!< chooses cores
    bool m_isOrdered;                                       //!< see Settings::isOrdered
    std::vector<uint32_t> m_order;                          //!< in which a slot goes through queues
    std::vector<uint32_t> m_destinations;                   //!< by server
    std::vector<uint16_t> m_turns;                          //!< by server
    std::array<std::vector<SlotQueue>, HOPS> m_queues;      //!< by hop
    std::vector<SlotPacket> m_pool;                         //!< all packets, free ones included
    uint32_t m_free{NONE};                                  //!< first of the free ones
    uint32_t m_looks{0};                                    //!< calls of Look()
    std::array<BouncingQueueModel::Result, HOPS> m_results; //!< sums so far, not yet means
};

} // namespace

std::array<BouncingQueueModel::Result, HOPS>
BouncingNetworkModel::Simulate(const BouncingQueueModel::Settings& settings,
                               UniformRandomVariable& random)
{
    SlotNetwork network(settings, random);
    for (uint32_t slot = 0; slot < settings.warmUp + settings.slots; ++slot)
    {
        network.Step();
        if (slot >= settings.warmUp)
        {
            network.Look();
        }
    }
    return network.GetResults();
}

} // namespace ns3
