/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A burst of senders on a fluid link under the two controls of uFAB's Appendix C.2 (SIGCOMM 2022):
// primal, where senders sum up windows in the switch and follow Eq. 3, and dual, where the switch
// finds a rate for all by Eq. 7, R = R C / y, once per RTT, and senders send at it. One pair has
// the link; at time 0 others with equal tokens, which switches know but which sent nothing, have
// data without end. Half an RTT leads to the link, half back. Simulates no packets.

#include "ns3/calculation.h"
#include "ns3/csv-writer.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"
#include "ns3/window-law.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

using namespace ns3;

namespace
{

constexpr int64_t RTT = 400;      //!< steps
constexpr int64_t WAY = RTT / 2;  //!< steps from a sender to the link, and from there back
constexpr int64_t END = 40 * RTT; //!< steps
constexpr int64_t MEAN = RTT / 8; //!< steps over which the load is a mean
constexpr double CAPACITY = 1;    //!< bytes per step; a BDP is RTT * CAPACITY

/// All of the link may be used. Rates are bits per step here, and a pair has one token.
constexpr BandwidthShare EQUATIONS{.unit = 0, .utilization = 1};

/// @brief The link: what arrives, leaves and waits, first in, first out.
class Link
{
  public:
    /// @param senders number of senders
    explicit Link(std::size_t senders)
        : m_arrived(senders, std::vector<double>(1, 0))
    {
    }

    /**
     * @brief Another step.
     * @param sent bytes of each sender that arrive in it
     */
    void Advance(const std::vector<double>& sent)
    {
        double sum = 0;
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            m_arrived[i].push_back(m_arrived[i].back() + sent[i]);
            sum += sent[i];
        }
        m_all.push_back(m_all.back() + sum);
        m_left.push_back(std::min(m_all.back(), m_left.back() + CAPACITY));
        while (m_all[m_origin] < m_left.back() - 1e-9)
        {
            ++m_origin;
        }
        m_origins.push_back(m_origin);
    }

    /// @return bytes that wait
    double GetQueue() const
    {
        return m_all.back() - m_left.back();
    }

    /**
     * @param steps length of a time that ends now
     * @return bytes that arrived in it, by step
     */
    double GetArrivalRate(int64_t steps) const
    {
        return (m_all.back() - At(m_all, steps)) / static_cast<double>(steps);
    }

    /**
     * @param steps length of a time that ends now
     * @return bytes that left in it, by step
     */
    double GetRate(int64_t steps) const
    {
        return (m_left.back() - At(m_left, steps)) / static_cast<double>(steps);
    }

    /**
     * @param sender its index
     * @param steps steps before now
     * @return its bytes that had left then
     */
    double GetLeft(std::size_t sender, int64_t steps) const
    {
        return m_arrived[sender][static_cast<std::size_t>(At(m_origins, steps))];
    }

  private:
    template <class T>
    static double At(const std::vector<T>& past, int64_t steps)
    {
        return static_cast<double>(
            past[past.size() - 1 - std::min<std::size_t>(past.size() - 1, steps)]);
    }

    std::vector<std::vector<double>> m_arrived; //!< bytes by sender and step
    std::vector<double> m_all{0};               //!< bytes by step
    std::vector<double> m_left{0};              //!< bytes by step
    std::size_t m_origin{0};                    //!< step in which what leaves now arrived
    std::vector<std::size_t> m_origins{0};      //!< the same by step
};

/// @brief Base of both controls.
class Control
{
  public:
    virtual ~Control() = default;

    /**
     * @brief Bytes that senders send in a step.
     * @param now the step
     * @param link the link
     * @return bytes by sender
     */
    virtual std::vector<double> Send(int64_t now, const Link& link) = 0;

    /**
     * @brief A step at the link.
     * @param now the step
     * @param link the link
     */
    virtual void Observe(int64_t now, const Link& link) = 0;

    /// @return bytes per RTT that all senders are allowed, as of the last Send()
    virtual double GetAllowed() const = 0;
};

/// @brief Eq. 3 and two-stage admission: senders have windows.
class Primal : public Control
{
  public:
    /**
     * @param senders number of senders, the first of which has the link
     * @param phase time in a RTT at which the first probe leaves, of a RTT
     * @param waits true if probes wait at the link as data do; the paper does not say
     */
    Primal(std::size_t senders, double phase, bool waits)
        : m_pairs(senders),
          m_share(RTT * CAPACITY / static_cast<double>(senders)),
          m_waits(waits)
    {
        for (std::size_t i = 0; i < senders; ++i)
        {
            Pair& pair = m_pairs[i];
            // The others hold their share (scenario 2) and have told nothing of it yet.
            pair.window = i == 0 ? RTT * CAPACITY : m_share;
            pair.told = i == 0 ? pair.window : 0;
            pair.admission.Join(m_share);
            // Who sends nothing sends no probes; who has the link is somewhere in its round.
            pair.probeAt = i == 0 ? std::lround(phase * RTT) : 0;
        }
    }

    std::vector<double> Send(int64_t now, const Link& link) override
    {
        std::vector<double> sent;
        for (std::size_t i = 0; i < m_pairs.size(); ++i)
        {
            Pair& pair = m_pairs[i];
            if (now == pair.respondedAt)
            {
                Respond(i, now);
            }
            if (now == pair.probeAt)
            {
                pair.probed = pair.window;
                pair.stampAt = now + WAY;
            }
            const double inFlight = pair.sent - link.GetLeft(i, WAY);
            const double may = std::min(pair.window / RTT, pair.window - inFlight);
            sent.push_back(std::max(0.0, may));
            pair.sent += sent.back();
        }
        return sent;
    }

    void Observe(int64_t now, const Link& link) override
    {
        for (Pair& pair : m_pairs)
        {
            if (pair.stampAt == now)
            {
                // It is stamped when it leaves.
                pair.stampAt = -1;
                pair.leavesAt = now + (m_waits ? std::lround(link.GetQueue() / CAPACITY) : 0);
            }
            if (pair.leavesAt == now)
            {
                pair.told = pair.probed;
                double sum = 0;
                for (const Pair& other : m_pairs)
                {
                    sum += other.told;
                }
                const LinkState state{.tokens = static_cast<double>(m_pairs.size()),
                                      .window = sum,
                                      .rate = 8 * link.GetRate(RTT),
                                      .queue = link.GetQueue(),
                                      .capacity = 8 * CAPACITY};
                pair.answer = EQUATIONS.GetWindow(1, state, RTT);
                pair.respondedAt = now + WAY;
            }
        }
    }

    double GetAllowed() const override
    {
        double sum = 0;
        for (const Pair& pair : m_pairs)
        {
            sum += pair.window;
        }
        return sum;
    }

  private:
    /// @brief A sender.
    struct Pair
    {
        double window{0};            //!< in force
        double told{0};              //!< window that the switch knows
        double probed{0};            //!< window that its probe tells
        double answer{0};            //!< window that its response says
        double sent{0};              //!< bytes
        int64_t probeAt{-1};         //!< time at which its next probe leaves
        int64_t stampAt{-1};         //!< time at which that is at the link
        int64_t leavesAt{-1};        //!< time at which it leaves the link
        int64_t respondedAt{-1};     //!< arrival of the response
        TwoStageAdmission admission; //!< its stage
    };

    void Respond(std::size_t i, int64_t now)
    {
        Pair& pair = m_pairs[i];
        // The pair that has the link is past the first stage.
        const double window =
            pair.admission.HandleResponse({pair.answer, m_share, false}, now, RTT);
        pair.window = i == 0 ? pair.answer : window;
        pair.probeAt = now;
    }

    std::vector<Pair> m_pairs; //!< by sender
    double m_share;            //!< r * T
    bool m_waits;              //!< true if probes wait at the link as data do
};

/// @brief Eq. 7: the switch has a rate, packets carry it there and back.
class Dual : public Control
{
  public:
    /**
     * @param senders number of senders, the first of which has the link
     * @param phase time in a RTT at which the switch looks, of a RTT
     */
    Dual(std::size_t senders, double phase)
        : m_senders(senders),
          m_phase(std::lround(phase * RTT))
    {
    }

    std::vector<double> Send(int64_t now, const Link& /* link */) override
    {
        const double rate = GetRate(now - WAY);
        m_sentAt.push_back(rate);
        return std::vector<double>(m_senders, rate);
    }

    void Observe(int64_t now, const Link& link) override
    {
        m_rates.push_back(m_rates.back());
        if (now % RTT != m_phase)
        {
            return;
        }
        // The rate at which what arrived was sent, which it carries, is what is corrected.
        double sum = 0;
        for (int64_t back = 0; back < RTT; ++back)
        {
            const int64_t sent = now - WAY - back;
            sum += sent < 0 ? CAPACITY : m_sentAt[static_cast<std::size_t>(sent)];
        }
        m_rates.back() = std::min(CAPACITY, sum / RTT * CAPACITY / link.GetArrivalRate(RTT));
    }

    double GetAllowed() const override
    {
        return static_cast<double>(m_senders) * m_sentAt.back() * RTT;
    }

  private:
    double GetRate(int64_t at) const
    {
        return at < 0 ? CAPACITY : m_rates[static_cast<std::size_t>(at) + 1];
    }

    std::size_t m_senders;                 //!< number of senders
    int64_t m_phase;                       //!< step in a RTT at which it looks
    std::vector<double> m_rates{CAPACITY}; //!< R by step
    std::vector<double> m_sentAt;          //!< rate of senders by step
};

/// @brief Outcome of a run.
struct Outcome
{
    double known{0};     //!< RTTs until senders first are allowed no more than 1.1 BDP together
    double settled{0};   //!< RTTs until they send 0.9 to 1.1 of C for good
    double confirmed{0}; //!< RTTs until the switch, once per RTT, finds that in the RTT before
    double spike{1};     //!< longest latency, in RTTs
};

/**
 * @brief A burst.
 * @param control the control
 * @param senders number of senders
 * @param phase time in a RTT at which the switch looks, of a RTT
 * @param csv takes load and queue by step; nullptr: nobody does
 * @return the outcome
 */
Outcome
Run(Control& control, std::size_t senders, double phase, CsvWriter* csv)
{
    Link link(senders);
    std::vector<std::vector<double>> onTheWay;
    std::vector<double> alone(senders, 0);
    alone[0] = CAPACITY;
    for (int64_t step = -2 * RTT; step < 0; ++step)
    {
        link.Advance(alone);
    }
    Outcome outcome;
    std::vector<double> sent{0}; // by all until a step
    for (int64_t now = 0; now < END; ++now)
    {
        onTheWay.push_back(control.Send(now, link));
        link.Advance(now < WAY ? alone : onTheWay[static_cast<std::size_t>(now - WAY)]);
        control.Observe(now, link);
        sent.push_back(sent.back() +
                       std::accumulate(onTheWay.back().begin(), onTheWay.back().end(), 0.0));
        const auto last = static_cast<std::size_t>(std::min(now + 1, MEAN));
        const double load =
            (sent.back() - sent[sent.size() - 1 - last]) / static_cast<double>(last) / CAPACITY;
        const double rtts = static_cast<double>(now + 1) / RTT;
        if (outcome.known == 0 && now > WAY && control.GetAllowed() <= 1.1 * RTT * CAPACITY)
        {
            outcome.known = rtts;
        }
        outcome.settled = std::abs(load - 1) > 0.1 ? rtts : outcome.settled;
        if (now % RTT == std::lround(phase * RTT) && std::abs(link.GetArrivalRate(RTT) - 1) > 0.1)
        {
            outcome.confirmed = static_cast<double>(now + RTT) / RTT; // at the next look
        }
        outcome.spike = std::max(outcome.spike, 1 + link.GetQueue() / CAPACITY / RTT);
        if (csv && now % (RTT / 20) == 0)
        {
            csv->Row(static_cast<double>(now) / RTT, load, link.GetQueue() / CAPACITY / RTT);
        }
    }
    return outcome;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string name = "primal";
    uint32_t senders = 8;
    uint32_t phases = 8;
    Calculation calculation("mufab-burst", "a burst under primal and dual control");
    calculation.AddOption("control",
                          "primal (Eq. 3), primal-ahead (no data delay its probes) or dual (Eq. 7)",
                          name);
    calculation.AddOption("senders",
                          "that begin, beside one that has the link",
                          senders,
                          MakeUintegerChecker<uint32_t>(1, 1000));
    calculation.AddOption("phases",
                          "times within a RTT at which the burst comes",
                          phases,
                          MakeUintegerChecker<uint32_t>(1, 100));
    return calculation.Main(argc, argv, [&] {
        if (name != "primal" && name != "primal-ahead" && name != "dual")
        {
            throw InputError("--control", name, "primal, primal-ahead or dual");
        }
        const std::string& out = calculation.GetOutputFolder();
        Outcome mean{.spike = 0};
        Outcome most;
        for (uint32_t phase = 0; phase < phases; ++phase)
        {
            const double at = phase / static_cast<double>(phases);
            std::unique_ptr<Control> control;
            if (name == "dual")
            {
                control = std::make_unique<Dual>(senders + 1, at);
            }
            else
            {
                control = std::make_unique<Primal>(senders + 1, at, name == "primal");
            }
            std::unique_ptr<CsvWriter> csv;
            if (phase == phases / 2 && !out.empty())
            {
                using Columns = std::initializer_list<std::string_view>;
                csv = std::make_unique<CsvWriter>(out + "/burst.csv",
                                                  Columns{"rtts", "load", "queue"});
            }
            const Outcome outcome = Run(*control, senders + 1, at, csv.get());
            if (csv)
            {
                csv->Close();
            }
            mean.known += outcome.known / phases;
            most.known = std::max(most.known, outcome.known);
            mean.settled += outcome.settled / phases;
            mean.confirmed += outcome.confirmed / phases;
            most.confirmed = std::max(most.confirmed, outcome.confirmed);
            mean.spike += outcome.spike / phases;
            most.settled = std::max(most.settled, outcome.settled);
            most.spike = std::max(most.spike, outcome.spike);
        }
        calculation.Report("known_rtts", mean.known);
        calculation.Report("known_most_rtts", most.known);
        calculation.Report("settled_rtts", mean.settled);
        calculation.Report("settled_most_rtts", most.settled);
        calculation.Report("confirmed_rtts", mean.confirmed);
        calculation.Report("confirmed_most_rtts", most.confirmed);
        calculation.Report("spike_rtts", mean.spike);
        calculation.Report("spike_most_rtts", most.spike);
    });
}
