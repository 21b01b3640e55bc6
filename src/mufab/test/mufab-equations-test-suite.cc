/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/freeze-window.h"
#include "ns3/max-min-shares.h"
#include "ns3/path-choice.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/window-law.h"

#include <array>
#include <cmath>
#include <vector>

using namespace ns3;

namespace
{

constexpr double GIGABIT = 1e9;      //!< bit/s
constexpr double MICROSECOND = 1e-6; //!< seconds
constexpr int64_t RTT_STEPS = 24000; //!< 24 us in time steps

/// @brief A link, its target given directly: eta is 1 in these examples.
LinkState
MakeLink(double tokens, double window, double tx, double queue, double capacity)
{
    return {tokens, window, tx * GIGABIT, queue, capacity * GIGABIT};
}

/// @brief B_u = 10 Mbps, eta = 1.
constexpr BandwidthShare SHARE{1e7, 1};

} // namespace

/**
 * @ingroup mufab-tests
 * @brief Eqs. 1 to 3 and the test of a path, in numbers worked by hand.
 */
class MufabEquationsTestCase : public TestCase
{
  public:
    MufabEquationsTestCase()
        : TestCase("Eqs. 1 to 3, qualified paths")
    {
    }

  private:
    void DoRun() override
    {
        const BandwidthShare share{1e7, 0.95};
        NS_TEST_EXPECT_MSG_EQ_TOL(share.GetTarget(MakeLink(0, 0, 0, 0, 10)), 9.5e9, 1, "C");
        const double bdp10 = share.GetWindow(1, MakeLink(0, 0, 0, 0, 10), 24 * MICROSECOND);
        NS_TEST_EXPECT_MSG_EQ_TOL(bdp10, 28500, 1e-6, "target BDP at 10 Gbps");
        const double bdp100 = share.GetWindow(1, MakeLink(0, 0, 0, 0, 100), 12 * MICROSECOND);
        NS_TEST_EXPECT_MSG_EQ_TOL(bdp100, 142500, 1e-6, "target BDP at 100 Gbps");
        const double far100 = share.GetWindow(1, MakeLink(0, 0, 0, 0, 100), 24 * MICROSECOND);
        NS_TEST_EXPECT_MSG_EQ_TOL(far100, 285000, 1e-6, "and with 24 us");
        CheckShares();
        CheckWindows();
        CheckQualification();
    }

    void CheckShares()
    {
        const auto getShare = [](double tokens, double sum, double capacity) {
            return SHARE.GetShare(tokens, MakeLink(sum, 0, 0, 0, capacity)) / GIGABIT;
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(getShare(2, 10, 9.5), 1.9, 1e-9, "Eq. 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(getShare(100, 400, 9.5), 2.375, 1e-9, "first link");
        NS_TEST_EXPECT_MSG_EQ_TOL(getShare(100, 900, 95), 10.556, 1e-3, "second link");
        NS_TEST_EXPECT_MSG_EQ_TOL(getShare(100, 60, 9.5), 9.5, 1e-9, "the switch overlooked it");
        NS_TEST_EXPECT_MSG_EQ(getShare(0, 0, 9.5), 0, "no tokens");
        const auto getRate = [](double tokens, double tx, double sum) {
            return SHARE.GetRate(tokens, MakeLink(10, 0, tx, 0, 9.5), sum * GIGABIT) / GIGABIT;
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(getRate(2, 4.75, 4), 1.6, 1e-9, "Eq. 2");
        NS_TEST_EXPECT_MSG_EQ_TOL(getRate(10, 4.5, 9), 9.5, 1e-9, "at most the capacity");
        // Updates in turn on an old rate move the aggregate by 1/rho + (1 - 1/rho) exp(rho).
        for (const auto& [rho, factor] : {std::pair{2.0, 4.19}, {1.1, 1.182}, {0.5, 0.351}})
        {
            constexpr int PAIRS = 1000;
            std::vector<double> rates(PAIRS, 1.0 / PAIRS);
            double sum = 1;
            for (double& rate : rates)
            {
                const double updated = sum / PAIRS * rho;
                sum += updated - rate;
                rate = updated;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(sum, factor, 0.02, "amplification");
        }
    }

    void CheckWindows()
    {
        const auto getWindow = [](double fraction, double window, double tx, double queue) {
            return SHARE.GetWindow(fraction * 100,
                                   MakeLink(100, window, tx, queue, 9.5),
                                   24 * MICROSECOND);
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(getWindow(0.2, 40000, 9.5, 0), 8000, 1e-6, "Eq. 3");
        NS_TEST_EXPECT_MSG_EQ_TOL(getWindow(0.2, 40000, 9.5, 28500), 4000, 1e-6, "a queue");
        NS_TEST_EXPECT_MSG_EQ_TOL(getWindow(1, 28500, 4.75, 0), 28500, 1e-6, "at most a BDP");
        NS_TEST_EXPECT_MSG_EQ_TOL(getWindow(1, 0, 0, 0), 28500, 1e-6, "an idle link");
        NS_TEST_EXPECT_MSG_EQ_TOL(getWindow(0.5, 28500, 9.5, 0), 14250, 1e-6, "hop A");
        const double hopB =
            SHARE.GetWindow(10, MakeLink(100, 300000, 47.5, 0, 95), 24 * MICROSECOND);
        NS_TEST_EXPECT_MSG_EQ_TOL(hopB, 60000, 1e-6, "hop B");
        // Three pairs of 100, 200 and 500 tokens that update at once get there in one step.
        const std::array<double, 3> tokens{100, 200, 500};
        const std::array<double, 3> expected{3562.5, 7125, 17812.5};
        const double sum = 5000 + 12000 + 1234;
        for (std::size_t i = 0; i < tokens.size(); ++i)
        {
            const double tx = sum * 8 / (24 * MICROSECOND) / GIGABIT;
            const double window =
                SHARE.GetWindow(tokens[i], MakeLink(800, sum, tx, 0, 9.5), 24 * MICROSECOND);
            NS_TEST_EXPECT_MSG_EQ_TOL(window, expected[i], 1e-6, "one step");
        }
        // uFAB': 90 pairs that send half of their guarantee have a BDP each in the end.
        double idle = 142500.0 / 90;
        for (int step = 0; step < 20; ++step)
        {
            idle = SHARE.GetWindow(100, MakeLink(9000, 90 * idle, 45, 0, 95), 12 * MICROSECOND);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(idle, 142500, 1e-6, "no first stage");
        const double own = SHARE.GetWindow(50, MakeLink(0, 0, 9.5, 0, 9.5), 24 * MICROSECOND, 3000);
        NS_TEST_EXPECT_MSG_EQ_TOL(own, 3000, 1e-6, "the switch forgot it");
    }

    void CheckQualification()
    {
        const LinkState link = MakeLink(800, 0, 0, 0, 9.5);
        NS_TEST_EXPECT_MSG_EQ(SHARE.IsQualified(link, 150), true, "up to the capacity");
        NS_TEST_EXPECT_MSG_EQ(SHARE.IsQualified(link, 151), false, "one token too many");
        const LinkState shared = MakeLink(900, 0, 0, 0, 9.5);
        NS_TEST_EXPECT_MSG_EQ(SHARE.IsQualified(shared, 500), false, "counted twice");
        NS_TEST_EXPECT_MSG_EQ(SHARE.IsQualified(shared, 0), true, "it is there already");
        // Case-2: subscriptions of 9, 8 and 4 Gbps on links of 10.
        const BandwidthShare share{1e7, 0.95};
        const std::array<double, 3> subscribed{900, 800, 400};
        for (std::size_t path = 0; path < subscribed.size(); ++path)
        {
            const LinkState state = MakeLink(subscribed[path], 0, 0, 0, 10);
            NS_TEST_EXPECT_MSG_EQ(share.IsQualified(state, 500), (path == 2), "5 Gbps");
            NS_TEST_EXPECT_MSG_EQ(share.IsQualified(state, 150), (path >= 1), "1.5 Gbps");
        }
    }
};

/**
 * @ingroup mufab-tests
 * @brief Both scenarios of two-stage admission.
 */
class TwoStageAdmissionTestCase : public TestCase
{
  public:
    TwoStageAdmissionTestCase()
        : TestCase("two-stage admission")
    {
    }

  private:
    void DoRun() override
    {
        TwoStageAdmission lone;
        lone.Join(1500);
        NS_TEST_EXPECT_MSG_EQ(lone.HandleResponse({28500, 28500, false}, 20000, RTT_STEPS),
                              28500,
                              "alone: Eq. 3 after one response");
        NS_TEST_EXPECT_MSG_EQ(lone.GetStage(), TwoStageAdmission::UTILIZATION, "alone");

        // 14 pairs of 500 Mbps: each share is C * T / 14.
        TwoStageAdmission one;
        one.Join(1500);
        const double step = 28500.0 / 14;
        NS_TEST_EXPECT_MSG_EQ_TOL(one.HandleResponse({28500, step, false}, 20000, RTT_STEPS),
                                  3535.7,
                                  0.1,
                                  "first increment");
        NS_TEST_EXPECT_MSG_EQ_TOL(one.HandleResponse({28500, step, false}, 23000, RTT_STEPS),
                                  3535.7,
                                  0.1,
                                  "no second one within a base RTT");
        NS_TEST_EXPECT_MSG_EQ_TOL(one.HandleResponse({28500, step, false}, 44000, RTT_STEPS),
                                  5571.4,
                                  0.1,
                                  "second increment");
        NS_TEST_EXPECT_MSG_EQ_TOL(14 * one.GetRamp(), 78000, 1, "all of them, 2.737 BDP");
        NS_TEST_EXPECT_MSG_EQ(one.HandleResponse({4000, step, false}, 70000, RTT_STEPS),
                              4000,
                              "more than Eq. 3: that from now on");
        NS_TEST_EXPECT_MSG_EQ(one.HandleResponse({9000, step, false}, 94000, RTT_STEPS),
                              9000,
                              "Eq. 3 may rise at once");

        // Tokens of 100 and 300 on the same link of 9.5 Gbps.
        for (const auto& [tokens, increment] : {std::pair{100.0, 7125.0}, {300.0, 21375.0}})
        {
            const double share = SHARE.GetShare(tokens, MakeLink(400, 0, 0, 0, 9.5));
            TwoStageAdmission pair;
            pair.Join(0);
            pair.HandleResponse({1e9, share * 24 * MICROSECOND / 8, false}, 30000, RTT_STEPS);
            NS_TEST_EXPECT_MSG_EQ_TOL(pair.GetRamp(), increment, 1e-6, "r * T");
        }

        // 90 pairs on 95 Gbps, T = 12 us: a BDP together, then another.
        const double ninetieth = 142500.0 / 90;
        TwoStageAdmission many;
        many.Join(0);
        NS_TEST_EXPECT_MSG_EQ_TOL(many.HandleResponse({142500, ninetieth, true}, 0, 12000),
                                  1583,
                                  0.5,
                                  "held at its share");
        NS_TEST_EXPECT_MSG_EQ_TOL(90 *
                                      many.HandleResponse({142500, ninetieth, false}, 20000, 12000),
                                  2 * 142500,
                                  1,
                                  "one base RTT after demand has returned");

        // Scenario 2: r = 4.75 Gbps, so r * T = 14250 bytes.
        TwoStageAdmission idle = one;
        NS_TEST_EXPECT_MSG_EQ(idle.HandleResponse({28500, 14250, true}, 200000, RTT_STEPS),
                              14250,
                              "held at its share");
        NS_TEST_EXPECT_MSG_EQ(idle.HandleResponse({28500, 14250, true}, 300000, RTT_STEPS),
                              14250,
                              "no increments without demand");
        NS_TEST_EXPECT_MSG_EQ(idle.HandleResponse({28500, 14250, false}, 400000, RTT_STEPS),
                              28500,
                              "an increment with demand");
    }
};

/**
 * @ingroup mufab-tests
 * @brief The window on a path of one link of 10 Gbit/s, C T = 28500 bytes, in numbers worked by
 * hand.
 */
class WindowLawTestCase : public TestCase
{
  public:
    WindowLawTestCase()
        : TestCase("the window on a path, and what a link is told")
    {
    }

  private:
    /// @brief Settings with a rule of growth of their own.
    struct Doubling : public WindowLaw::Settings
    {
        double GetGrowth(double ramp, double /* share */) const override
        {
            return ramp;
        }
    };

    /// @brief Fill in what attributes would.
    template <class Settings = WindowLaw::Settings>
    static Settings MakeSettings(bool twoStage, WindowLaw::Advertisement advertisement)
    {
        Settings settings;
        settings.unit = DataRate("10Mbps");
        settings.utilization = 0.95;
        settings.ownRtt = false;
        settings.paced = true;
        settings.twoStage = twoStage;
        settings.advertisement = advertisement;
        settings.windowCap = 1;
        return settings;
    }

    void CheckStages(WindowLaw::Advertisement advertisement, double told)
    {
        const auto settings = MakeSettings(true, advertisement);
        WindowLaw law(settings, RTT_STEPS, 1, 10 * GIGABIT);
        NS_TEST_EXPECT_MSG_EQ_TOL(law.Join(50), 1500, 1e-6, "scenario 1: phi B_u T");
        NS_TEST_EXPECT_MSG_EQ_TOL(law.GetAdvertised(0), 1500, 1e-6, "and so it is told");
        const auto alone = MakeLink(50, 1500, 0.5, 0, 10);
        NS_TEST_EXPECT_MSG_EQ_TOL(law.HandleResponse({alone}, {1500}, {50, 5e8, true}, RTT_STEPS),
                                  28500,
                                  1e-6,
                                  "alone: C T");
        NS_TEST_EXPECT_MSG_EQ(law.GetStage(), TwoStageAdmission::UTILIZATION, "Eq. 3");
        const auto shared = MakeLink(100, 28500, 2, 0, 10);
        const WindowLaw::Sender idle{50, 1e9, false};
        NS_TEST_EXPECT_MSG_EQ_TOL(law.HandleResponse({shared}, {28500}, idle, 3 * RTT_STEPS),
                                  14250,
                                  1e-6,
                                  "scenario 2: r T");
        NS_TEST_EXPECT_MSG_EQ_TOL(law.GetAdvertised(0), told, 1e-6, "window that is told");
        NS_TEST_EXPECT_MSG_EQ_TOL(law.Rejoin(50), 1500, 1e-6, "back: scenario 1");
    }

    void DoRun() override
    {
        CheckStages(WindowLaw::USED, 14250);
        CheckStages(WindowLaw::EQ3, 28500);

        const auto prime = MakeSettings(false, WindowLaw::EQ3);
        WindowLaw single(prime, RTT_STEPS, 1, 10 * GIGABIT);
        NS_TEST_EXPECT_MSG_EQ_TOL(single.Join(50), 28500, 1e-6, "one stage: C T of the first link");

        const auto settings = MakeSettings(true, WindowLaw::USED);
        WindowLaw silent(settings, RTT_STEPS, 0, 10 * GIGABIT);
        silent.Join(50);
        NS_TEST_EXPECT_MSG_EQ_TOL(silent.HandleResponse({}, {}, {100, 0, true}, RTT_STEPS),
                                  3000,
                                  1e-6,
                                  "nobody tells anything: the guarantee");
        NS_TEST_EXPECT_MSG_EQ_TOL(silent.HandleResponse({}, {}, {1, 0, true}, RTT_STEPS),
                                  WindowLaw::LEAST_WINDOW,
                                  1e-6,
                                  "the least window");

        const auto doubling = MakeSettings<Doubling>(true, WindowLaw::USED);
        WindowLaw twice(doubling, RTT_STEPS, 1, 10 * GIGABIT);
        twice.Join(50);
        const auto link = MakeLink(50, 1500, 0.5, 0, 10);
        NS_TEST_EXPECT_MSG_EQ_TOL(twice.HandleResponse({link}, {1500}, {50, 5e8, true}, RTT_STEPS),
                                  3000,
                                  1e-6,
                                  "a rule of its own");
    }
};

/**
 * @ingroup mufab-tests
 * @brief With the window in force told to links, pairs without demand cost the others something;
 * told by link and not by path, pairs limited elsewhere do not.
 */
class AdvertisedWindowTestCase : public TestCase
{
  public:
    AdvertisedWindowTestCase()
        : TestCase("fixed points of what is told as window")
    {
    }

  private:
    /**
     * @brief Windows on a link of capacity and base RTT 1, without a queue.
     * @param silent share of the tokens of pairs that lack data
     * @param demand rate of those pairs
     * @return utilization
     */
    static double GetUtilization(double silent, double demand)
    {
        const double greedy = 1 - silent;
        double window = 0.5;
        for (int step = 0; step < 200; ++step)
        {
            const LinkState link{1, silent + window, 8 * (demand + window), 0, 8};
            window = SHARE.GetWindow(greedy, link, 1);
        }
        return window + demand;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(GetUtilization(0.5, 1.0 / 6), 0.860, 0.001, "half of them");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetUtilization(0.5, 0), 0.809, 0.001, "without data");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetUtilization(0.9, 0), 0.354, 0.001, "nearly all");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetUtilization(0.5, 0.5), 1, 0.001, "at their share");
        // Two pairs of equal tokens, one of which sends at 0.1 for the sake of another link.
        double told = 0.5;
        double free = 0.5;
        for (int step = 0; step < 20; ++step)
        {
            const LinkState link{2, told + free, 8 * (0.1 + free), 0, 8};
            told = SHARE.GetWindow(1, link, 1);
            free = told;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(free, 0.9, 0.001, "the other fills the link");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Eqs. 1 to 3 with two-stage admission, all pairs at once each base RTT, on random links,
 * against weighted max-min shares.
 */
class FluidConvergenceTestCase : public TestCase
{
  public:
    FluidConvergenceTestCase()
        : TestCase("weighted max-min shares on random links")
    {
    }

  private:
    /// @brief A pair.
    struct Pair
    {
        std::vector<uint32_t> links; //!< that it crosses
        double tokens;               //!< phi
        std::vector<double> windows; //!< of Eq. 3, by link
        double window;               //!< in force
        TwoStageAdmission admission; //!< its stage
    };

    /**
     * @brief One base RTT.
     * @param [in,out] links state of the links
     * @param [in,out] pairs the pairs
     * @param now the current time, in time steps
     * @param cap of Eq. 3, in BDPs
     */
    static void Step(std::vector<LinkState>& links,
                     std::vector<Pair>& pairs,
                     int64_t now,
                     double cap)
    {
        const double rtt = 24 * MICROSECOND;
        std::vector<LinkState> seen(links.size());
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            seen[i].capacity = links[i].capacity;
        }
        for (const Pair& pair : pairs)
        {
            const bool ramps = pair.admission.GetStage() == TwoStageAdmission::RAMP;
            for (std::size_t hop = 0; hop < pair.links.size(); ++hop)
            {
                LinkState& link = seen[pair.links[hop]];
                link.tokens += pair.tokens;
                link.window += ramps ? std::min(pair.windows[hop], pair.window) : pair.windows[hop];
                link.rate += 8 * pair.window / rtt;
            }
        }
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            const double excess = (seen[i].rate - links[i].capacity) * rtt / 8;
            seen[i].queue = std::max(0.0, links[i].queue + excess);
            seen[i].rate = std::min(seen[i].rate, links[i].capacity);
        }
        links = seen;
        const BandwidthShare share{1e7, 0.95, cap};
        for (Pair& pair : pairs)
        {
            double least = 1e18;
            double rate = 1e18;
            for (std::size_t hop = 0; hop < pair.links.size(); ++hop)
            {
                const LinkState& link = links[pair.links[hop]];
                pair.windows[hop] = share.GetWindow(pair.tokens, link, rtt);
                least = std::min({least, pair.windows[hop], share.GetBdp(link, rtt)});
                rate = std::min(rate, share.GetShare(pair.tokens, link));
            }
            pair.window =
                pair.admission.HandleResponse({least, rate * rtt / 8, false}, now, RTT_STEPS);
        }
    }

    /**
     * @brief Compare rates with what the cap of Eq. 3 leaves of max-min shares: each pair has a
     * full link on which nobody has more per token, or a link of which it has at least its tokens
     * over the most tokens of a pair there (see "The cap of Eq. 3" of the documentation).
     * @param links the links
     * @param pairs the pairs
     * @return the least, over pairs, of what it has over what it has by that
     */
    static double GetBound(const std::vector<LinkState>& links, const std::vector<Pair>& pairs)
    {
        std::vector<double> used(links.size());
        std::vector<double> level(links.size()); // most per token
        std::vector<double> most(links.size());  // tokens of a pair
        const auto rate = [](const Pair& pair) { return 8 * pair.window / (24 * MICROSECOND); };
        for (const Pair& pair : pairs)
        {
            for (const uint32_t link : pair.links)
            {
                used[link] += rate(pair);
                level[link] = std::max(level[link], rate(pair) / pair.tokens);
                most[link] = std::max(most[link], pair.tokens);
            }
        }
        double least = 1e18;
        for (const Pair& pair : pairs)
        {
            double best = 0;
            for (const uint32_t link : pair.links)
            {
                const double target = 0.95 * links[link].capacity;
                const double part = rate(pair) / (target * pair.tokens / most[link]);
                const double even = rate(pair) / (pair.tokens * level[link]);
                best = std::max({best, part, std::min(even, used[link] / target)});
            }
            least = std::min(least, best);
        }
        return least;
    }

    /// @brief Of all trials, how many are within 2 % of the ideal.
    struct Outcome
    {
        int after20{0};  //!< after 20 base RTTs
        int after60{0};  //!< after 60
        double bound{1}; //!< the least GetBound() after 200
    };

    /**
     * @brief Random links and pairs.
     * @param mostTokens that a pair has
     * @param cap of Eq. 3, in BDPs
     * @return the outcome
     */
    static Outcome RunTrials(uint32_t mostTokens, double cap)
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(11);
        Outcome outcome;
        for (int trial = 0; trial < TRIALS; ++trial)
        {
            std::vector<LinkState> links(random->GetInteger(2, 8));
            std::vector<double> targets;
            for (LinkState& link : links)
            {
                link.capacity = std::array{1e10, 2.5e10, 4e10, 1e11}[random->GetInteger(0, 3)];
                targets.push_back(0.95 * link.capacity);
            }
            std::vector<Pair> pairs(random->GetInteger(2, 30));
            std::vector<MaxMinFlow<double>> flows;
            for (Pair& pair : pairs)
            {
                for (uint32_t link = 0; link < links.size(); ++link)
                {
                    if (random->GetValue() < 2.0 / static_cast<double>(links.size()))
                    {
                        pair.links.push_back(link);
                    }
                }
                if (pair.links.empty())
                {
                    pair.links.push_back(0);
                }
                pair.tokens = random->GetInteger(1, mostTokens);
                pair.window = pair.tokens * 1e7 * 24 * MICROSECOND / 8;
                pair.windows.assign(pair.links.size(), pair.window);
                pair.admission.Join(pair.window);
                flows.push_back({.links = pair.links, .weight = pair.tokens});
            }
            const auto shares = MaxMinSharing<double>::Share(targets, flows);
            const auto isThere = [&] {
                for (std::size_t i = 0; i < pairs.size(); ++i)
                {
                    const double rate = 8 * pairs[i].window / (24 * MICROSECOND);
                    if (std::abs(rate - shares[i].rate) > 0.02 * shares[i].rate)
                    {
                        return false;
                    }
                }
                return true;
            };
            for (int round = 1; round <= 60; ++round)
            {
                Step(links, pairs, round * RTT_STEPS, cap);
                outcome.after20 += round == 20 && isThere();
            }
            outcome.after60 += isThere();
            for (int round = 61; round <= 200; ++round)
            {
                Step(links, pairs, round * RTT_STEPS, cap);
            }
            outcome.bound = std::min(outcome.bound, GetBound(links, pairs));
        }
        return outcome;
    }

    void DoRun() override
    {
        const Outcome equal = RunTrials(1, 1);
        const Outcome printed = RunTrials(30, 1);
        const Outcome uncapped = RunTrials(30, 1000);
        NS_TEST_EXPECT_MSG_EQ(equal.after20, TRIALS, "equal tokens");
        NS_TEST_EXPECT_MSG_EQ(equal.after60, TRIALS, "equal tokens");
        NS_TEST_EXPECT_MSG_GT(uncapped.after20, 0.9 * TRIALS, "any tokens, without the cap");
        NS_TEST_EXPECT_MSG_GT(uncapped.after60, 0.99 * TRIALS, "any tokens, without the cap");
        NS_TEST_EXPECT_MSG_LT(printed.after60, 0.8 * TRIALS, "the cap of Eq. 3 costs some");
        NS_TEST_EXPECT_MSG_GT(printed.bound, 0.98, "but for this bound it is max-min");
        NS_TEST_EXPECT_MSG_GT(equal.bound, 0.98, "which with equal tokens is max-min");
    }

    static constexpr int TRIALS = 300; //!< of each kind
};

/**
 * @ingroup mufab-tests
 * @brief Eq. 2 by all pairs at once is the recursion of Appendix C.2; one by one, with rates that
 * lag, it is stable as long as these lag by less than 0.66 base RTTs.
 */
class RecursionTestCase : public TestCase
{
  public:
    RecursionTestCase()
        : TestCase("Appendix C.2, and updates in turn")
    {
    }

  private:
    void DoRun() override
    {
        // Tokens 1, 2 and 5 on a link of 9.5: one step.
        const LinkState single = MakeLink(8, 0, 56, 0, 9.5);
        for (const auto& [tokens, rate] : {std::pair{1.0, 1.1875}, {2.0, 2.375}, {5.0, 5.9375}})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(SHARE.GetRate(tokens, single, 56 * GIGABIT) / GIGABIT,
                                      rate,
                                      1e-9,
                                      "a link alone");
        }
        // Links of 10 and 4; a flow on both and one on each.
        std::array<double, 2> fair{1, 1};
        const std::array<double, 6> expected{1, 5, 7.1429, 7.8125, 7.9618, 7.9923};
        for (std::size_t step = 0; step < expected.size(); ++step)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(fair[0], expected[step], 1e-4, "step " << step);
            NS_TEST_EXPECT_MSG_EQ_TOL(fair[1], (step == 0 ? 1 : 2), 1e-9, "step " << step);
            const double both = std::min(fair[0], fair[1]);
            const std::array<double, 2> capacities{10, 4};
            for (std::size_t link = 0; link < 2; ++link)
            {
                const LinkState state = MakeLink(2, 0, both + fair[link], 0, capacities[link]);
                fair[link] = SHARE.GetRate(1, state, 2 * fair[link] * GIGABIT) / GIGABIT;
            }
        }
        NS_TEST_EXPECT_MSG_LT(GetDeviation(0.5, 20), 1e-3, "it shrinks");
        NS_TEST_EXPECT_MSG_LT(GetDeviation(0.5, 60), 1e-6, "and shrinks");
        NS_TEST_EXPECT_MSG_GT(GetDeviation(0.7, 20), 0.05, "it grows");
        NS_TEST_EXPECT_MSG_GT(GetDeviation(0.7, 60), 2 * GetDeviation(0.7, 20), "and grows");
    }

    /**
     * @brief 200 pairs, each updates once per base RTT, in turn, from 5 % too much.
     * @param lag of the rate that they see, in base RTTs
     * @param rounds base RTTs
     * @return largest deviation of the sum in the last base RTT, as a share
     */
    static double GetDeviation(double lag, int rounds)
    {
        constexpr int PAIRS = 200;
        const auto behind = static_cast<std::size_t>(lag * PAIRS);
        std::vector<double> windows(PAIRS, 1.05 / PAIRS);
        std::vector<double> sums(behind + 1, 1.05); // in BDPs, by update; those before are as old
        double deviation = 0;
        for (int step = 0; step < rounds * PAIRS; ++step)
        {
            const double old = sums[sums.size() - 1 - behind];
            const LinkState link{PAIRS, sums.back(), 8 * old, 0, 8};
            double& window = windows[step % PAIRS];
            const double updated = SHARE.GetWindow(1, link, 1);
            sums.push_back(sums.back() + updated - window);
            window = updated;
            if (step >= (rounds - 1) * PAIRS)
            {
                deviation = std::max(deviation, std::abs(sums.back() - 1));
            }
        }
        return deviation;
    }
};

/**
 * @ingroup mufab-tests
 * @brief Choice of paths, and times between migrations of a host.
 */
class PathChoiceTestCase : public TestCase
{
  public:
    PathChoiceTestCase()
        : TestCase("choice of paths, freeze window")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        constexpr int DRAWS = 10000;
        std::array<int, 3> taken{};
        const std::vector<PathOffer> offers{{true, 1e9, 2e9}, {true, 3e9, 1e9}, {false, -1e7, 9e9}};
        for (int draw = 0; draw < DRAWS; ++draw)
        {
            ++taken[*ChooseQualified(offers, PathPreference::HEADROOM, 1e7, *random)];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(taken[0] / double(DRAWS), 0.25, 0.02, "a quarter is left there");
        NS_TEST_EXPECT_MSG_EQ_TOL(taken[1] / double(DRAWS), 0.75, 0.02, "three quarters");
        NS_TEST_EXPECT_MSG_EQ(taken[2], 0, "not qualified by a token");
        NS_TEST_EXPECT_MSG_EQ(*ChooseQualified(offers, PathPreference::MOST, 1e7, *random),
                              1,
                              "most left");
        NS_TEST_EXPECT_MSG_EQ(*ChooseFastest(offers), 0, "fastest of the qualified");
        NS_TEST_EXPECT_MSG_EQ(
            ChooseQualified({offers[2]}, PathPreference::UNIFORM, 1e7, *random).has_value(),
            false,
            "none");
        NS_TEST_EXPECT_MSG_EQ(*ChooseLeastBad({{false, -5e9, 0}, {false, -1e9, 0}}), 1, "least");

        CheckBetter(*random);
        CheckFreeze(*random);
    }

    /// @brief A path that stays better for 1000 time steps is taken, also when others are as good.
    void CheckBetter(UniformRandomVariable& random)
    {
        PathSearch search;
        const auto observe =
            [&search](int64_t now, const std::vector<uint16_t>& paths, double fast) {
                search.Begin(0, paths, now);
                for (const uint16_t path : paths)
                {
                    search.Add(path, PathOffer{true, 0, fast});
                }
                return search.ChooseBetter(4, 1.1, 1000);
            };
        NS_TEST_EXPECT_MSG_EQ(observe(100, {1, 2}, 5).has_value(), false, "not for long");
        NS_TEST_EXPECT_MSG_EQ(search.Draw({3, 2, 1}, true, 1, random)[0], 1, "it is asked again");
        NS_TEST_EXPECT_MSG_EQ(observe(600, {2, 1}, 5).has_value(), false, "not for long enough");
        NS_TEST_EXPECT_MSG_EQ(observe(1100, {2, 1}, 5).value_or(0), 1, "the first of equals");
        observe(1200, {2}, 5);
        NS_TEST_EXPECT_MSG_EQ(observe(1300, {2}, 4.3).has_value(),
                              false,
                              "better by less: forgotten");
        NS_TEST_EXPECT_MSG_EQ(observe(2250, {2}, 5).has_value(), false, "and so it begins anew");

        search.Begin(0, {1, 2}, 3000);
        NS_TEST_EXPECT_MSG_EQ(search.Awaits(2, 3000), true, "asked now");
        NS_TEST_EXPECT_MSG_EQ(search.Awaits(2, 2250), false, "an answer that is late");
        search.Add(2, std::nullopt);
        NS_TEST_EXPECT_MSG_EQ(search.Awaits(2, 3000), false, "once");
        NS_TEST_EXPECT_MSG_EQ(search.IsComplete(), false, "the other is awaited");
        NS_TEST_EXPECT_MSG_EQ(search.ChooseLeastBad().has_value(), false, "it was down");
        NS_TEST_EXPECT_MSG_EQ(search.ChooseSilent().value_or(0), 1, "the one without an answer");
    }

    void CheckFreeze(UniformRandomVariable& random)
    {
        constexpr int DRAWS = 10000;
        double sum = 0;
        int64_t now = 0;
        for (int draw = 0; draw < DRAWS; ++draw)
        {
            FreezeWindow freeze;
            freeze.Close(random, 10, RTT_STEPS, now);
            const int64_t gap = freeze.GetOpening() - now;
            NS_TEST_ASSERT_MSG_EQ(gap % RTT_STEPS, 0, "whole base RTTs");
            NS_TEST_ASSERT_MSG_EQ((gap >= RTT_STEPS && gap <= 10 * RTT_STEPS), true, "1 to 10");
            NS_TEST_ASSERT_MSG_EQ(freeze.IsOpen(now + gap - 1), false, "frozen");
            sum += static_cast<double>(gap);
            now += gap;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / DRAWS, 5.5 * RTT_STEPS, 0.02 * 5.5 * RTT_STEPS, "mean");
        FreezeWindow shortest;
        shortest.Close(random, 1, RTT_STEPS, 0);
        NS_TEST_EXPECT_MSG_EQ(shortest.GetOpening(), RTT_STEPS, "exactly one");
    }
};

/**
 * @ingroup mufab-tests
 * @brief The arithmetic of uFAB-E.
 */
class MufabEquationsTestSuite : public TestSuite
{
  public:
    MufabEquationsTestSuite()
        : TestSuite("mufab-equations", Type::UNIT)
    {
        AddTestCase(new MufabEquationsTestCase, Duration::QUICK);
        AddTestCase(new TwoStageAdmissionTestCase, Duration::QUICK);
        AddTestCase(new WindowLawTestCase, Duration::QUICK);
        AddTestCase(new AdvertisedWindowTestCase, Duration::QUICK);
        AddTestCase(new FluidConvergenceTestCase, Duration::QUICK);
        AddTestCase(new RecursionTestCase, Duration::QUICK);
        AddTestCase(new PathChoiceTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static MufabEquationsTestSuite g_mufabEquationsTestSuite;
