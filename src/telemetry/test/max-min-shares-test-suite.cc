/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/max-min-shares.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <set>

using namespace ns3;

namespace
{

using Rational = boost::multiprecision::cpp_rational; ///< an exact number
using Flow = MaxMinFlow<Rational>;
using Flows = std::vector<Flow>;

/// @brief A network and what uses it.
struct Network
{
    std::vector<Rational> capacities; ///< of the links
    Flows flows;                      ///< flows over them
};

/**
 * @brief Make a small random network, with numbers that often tie.
 * @param random the random numbers
 * @param links most links
 * @param flows most flows
 * @return the network; its minimums fit
 */
Network
MakeNetwork(UniformRandomVariable& random, uint32_t links, uint32_t flows)
{
    Network network;
    const uint32_t nLinks = random.GetInteger(1, links);
    const uint32_t nFlows = random.GetInteger(1, flows);
    for (uint32_t i = 0; i < nLinks; ++i)
    {
        network.capacities.push_back(random.GetInteger(2, 12));
    }
    for (uint32_t i = 0; i < nFlows; ++i)
    {
        Flow flow;
        std::set<uint32_t> path;
        for (uint32_t hops = random.GetInteger(1, nLinks); path.size() < hops;)
        {
            path.insert(random.GetInteger(0, nLinks - 1));
        }
        flow.links.assign(path.begin(), path.end());
        flow.weight = Rational(random.GetInteger(1, 4)) / 2;
        if (random.GetInteger(0, 3) == 0)
        {
            flow.minimum = Rational(random.GetInteger(1, 4)) / nFlows;
        }
        if (random.GetInteger(0, 2) == 0)
        {
            flow.demand = flow.minimum + Rational(random.GetInteger(0, 6)) / 2;
        }
        network.flows.push_back(flow);
    }
    for (const Flow& flow : network.flows)
    {
        for (const uint32_t link : flow.links)
        {
            network.capacities[link] += flow.minimum; // so that they fit in any case
        }
    }
    return network;
}

/**
 * @brief The definition of max-min fairness: every flow has all it wants, or crosses a full link on
 * which nobody above a minimum has more per weight. There is one such allocation only.
 * @param network the network
 * @param rates of its flows
 * @return true if they are the max-min fair shares
 */
bool
IsMaxMinFair(const Network& network, const std::vector<Rational>& rates)
{
    const auto& [capacities, flows] = network;
    std::vector<Rational> loads(capacities.size());
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        if (rates[i] < flows[i].minimum || (flows[i].demand && rates[i] > *flows[i].demand))
        {
            return false;
        }
        for (const uint32_t link : flows[i].links)
        {
            loads[link] += rates[i];
        }
    }
    const auto limits = [&](std::size_t i, uint32_t link) {
        bool limited = loads[link] == capacities[link];
        for (std::size_t j = 0; j < flows.size() && limited; ++j)
        {
            const auto& links = flows[j].links;
            const bool crosses = std::find(links.begin(), links.end(), link) != links.end();
            limited = !crosses || rates[j] == flows[j].minimum ||
                      rates[j] * flows[i].weight <= rates[i] * flows[j].weight;
        }
        return limited;
    };
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const bool satisfied = flows[i].demand && rates[i] == *flows[i].demand;
        const auto& links = flows[i].links;
        if (!satisfied && std::none_of(links.begin(), links.end(), [&](uint32_t link) {
                return limits(i, link);
            }))
        {
            return false;
        }
    }
    for (std::size_t link = 0; link < capacities.size(); ++link)
    {
        if (loads[link] > capacities[link])
        {
            return false;
        }
    }
    return true;
}

/**
 * @brief Solve for the levels of links, given what limits each flow, by elimination.
 * @param network the network
 * @param limits of each flow: a link, or one of the two numbers behind them: demand, minimum
 * @return the rates; nothing if the equations do not determine them
 */
std::optional<std::vector<Rational>>
SolveLevels(const Network& network, const std::vector<uint32_t>& limits)
{
    const auto& [capacities, flows] = network;
    const auto nLinks = static_cast<uint32_t>(capacities.size());
    std::vector<Rational> rates(flows.size());
    std::vector<std::vector<Rational>> rows; // levels of the links, then the right-hand side
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        if (limits[i] == nLinks && !flows[i].demand)
        {
            return std::nullopt;
        }
        rates[i] = limits[i] < nLinks    ? Rational(0)
                   : limits[i] == nLinks ? *flows[i].demand
                                         : flows[i].minimum;
    }
    const std::set<uint32_t> full(limits.begin(), limits.end());
    for (const uint32_t link : full)
    {
        if (link >= nLinks)
        {
            continue;
        }
        std::vector<Rational> row(nLinks + 1);
        row[nLinks] = capacities[link];
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            if (std::count(flows[i].links.begin(), flows[i].links.end(), link) > 0)
            {
                (limits[i] < nLinks ? row[limits[i]] : row[nLinks]) +=
                    limits[i] < nLinks ? flows[i].weight : Rational(-rates[i]);
            }
        }
        rows.push_back(row);
    }
    std::vector<Rational> levels(nLinks);
    std::size_t done = 0;
    std::vector<uint32_t> pivots;
    for (uint32_t column = 0; column < nLinks && done < rows.size(); ++column)
    {
        auto pivot = std::find_if(rows.begin() + done, rows.end(), [column](const auto& row) {
            return row[column] != 0;
        });
        if (pivot == rows.end())
        {
            continue;
        }
        std::swap(*pivot, rows[done]);
        for (std::size_t r = 0; r < rows.size(); ++r)
        {
            const Rational factor = rows[r][column] / rows[done][column];
            for (uint32_t c = 0; r != done && c <= nLinks; ++c)
            {
                rows[r][c] -= factor * rows[done][c];
            }
        }
        pivots.push_back(column);
        ++done;
    }
    if (done < rows.size())
    {
        return std::nullopt;
    }
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        levels[pivots[r]] = rows[r][nLinks] / rows[r][pivots[r]];
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        rates[i] += limits[i] < nLinks ? Rational(levels[limits[i]] * flows[i].weight) : 0;
    }
    return rates;
}

/**
 * @brief Try every way in which flows can be limited.
 * @param network the network
 * @return the max-min fair rates
 */
std::vector<Rational>
SolveByBruteForce(const Network& network)
{
    const std::size_t choices = network.capacities.size() + 2;
    std::vector<uint32_t> limits(network.flows.size());
    while (true)
    {
        const auto rates = SolveLevels(network, limits);
        if (rates && IsMaxMinFair(network, *rates))
        {
            return *rates;
        }
        std::size_t digit = 0;
        while (digit < limits.size() && ++limits[digit] == choices)
        {
            limits[digit++] = 0;
        }
        if (digit == limits.size())
        {
            return {};
        }
    }
}

/**
 * @brief Share a network.
 * @param network the network
 * @return the rates of its flows
 */
std::vector<Rational>
GetRates(const Network& network)
{
    std::vector<Rational> rates;
    for (const auto& share : MaxMinSharing<Rational>::Share(network.capacities, network.flows))
    {
        rates.push_back(share.rate);
    }
    return rates;
}

} // namespace

/**
 * @ingroup telemetry-tests
 * @brief Shares worked out by hand.
 */
class MaxMinExampleTestCase : public TestCase
{
  public:
    MaxMinExampleTestCase()
        : TestCase("examples")
    {
    }

  private:
    void DoRun() override
    {
        // Weights, and a demand whose rest goes to the others (Nimble).
        Check({{100}, {{{0}, 1}, {{0}, 1}, {{0}, 2, Rational(20)}}}, {40, 40, 20});
        Check({{60}, {{{0}, 1}, {{0}, 3}}}, {15, 45});
        // Parking lot (Nimble).
        Check({{100, 100, 50}, {{{0, 1, 2}}, {{0}}, {{1}}, {{2}}}}, {25, 75, 75, 25});
        Check({{20, 100}, {{{0, 1}}, {{1}}, {{1}}}}, {20, 40, 40});
        // One link, guarantees of 1, 2 and 5 (uFAB, Appendix C).
        Check({{Rational(19) / 2}, {{{0}, 1}, {{0}, 2}, {{0}, 5}}},
              {Rational(19) / 16, Rational(19) / 8, Rational(95) / 16});
        // A minimum is held against the weights; the others share the rest.
        Check({{10}, {{{0}, 1, {}, 6}, {{0}, 1}, {{0}, 1}}}, {6, 2, 2});
        Check({{10}, {{{0}, 1, {}, 3}, {{0}, 1}}}, {5, 5});
        // Of two minimums the higher one binds first, and then the other one does as well.
        Check({{12}, {{{0}, 1, {}, 7}, {{0}, 1, {}, 3}, {{0}, 1}}}, {7, 3, 2});
        // A demand without a link, a flow of nothing.
        Check({{}, {{{}, 1, Rational(3)}}}, {3});
        Check({{5}, {{{0}, 1, Rational(0)}, {{0}}}}, {0, 5});
        Check({{0}, {{{0}}}}, {0});
        Check({{7}, {}}, {});

        const auto shares = MaxMinSharing<double>::Share({10, 4}, {{{0, 1}}, {{0}}, {{1}, 1, 1.0}});
        NS_TEST_EXPECT_MSG_EQ(shares[0].bottleneck, 1, "full below the others' demand");
        NS_TEST_EXPECT_MSG_EQ(shares[1].bottleneck, 0, "takes the rest");
        NS_TEST_EXPECT_MSG_EQ(shares[2].bottleneck, MaxMinShare<double>::DEMAND, "has enough");
        NS_TEST_EXPECT_MSG_EQ(shares[1].rate, 7, "of 10");

        CheckError({{10}, {{{0}, 0}}}, "weight of a flow = '0': larger than 0");
        CheckError({{10}, {{{0}, 1, Rational(2), 3}}},
                   "minimum of a flow = '3': at most its demand");
        CheckError({{10}, {{{}}}},
                   "links of flow = '0': one at least, for a flow without a demand");
        CheckError({{10, 5}, {{{0, 1}, 1, {}, 3}, {{1}, 1, {}, 4}}},
                   "sum of guaranteed minimums = '7': at most the capacity of link 1, 5");
    }

    /**
     * @brief Check shares.
     * @param network the network
     * @param expected the rates
     */
    void Check(const Network& network, const std::vector<Rational>& expected)
    {
        const auto rates = GetRates(network);
        NS_TEST_ASSERT_MSG_EQ(rates.size(), expected.size(), "flows");
        for (std::size_t i = 0; i < rates.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(rates[i], expected[i], "flow " << i);
        }
    }

    /**
     * @brief Check that a network is refused.
     * @param network the network
     * @param error the error
     */
    void CheckError(const Network& network, const std::string& error)
    {
        NS_TEST_EXPECT_MSG_EQ(ErrorText([&network] { GetRates(network); }), error, "error");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Random networks.
 */
class MaxMinRandomTestCase : public TestCase
{
  public:
    MaxMinRandomTestCase()
        : TestCase("random networks: brute force, and the definition")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (int i = 0; i < 300; ++i)
        {
            const Network network = MakeNetwork(*random, 3, 4);
            NS_TEST_ASSERT_MSG_EQ((GetRates(network) == SolveByBruteForce(network)),
                                  true,
                                  "small network " << i);
        }
        for (int i = 0; i < 300; ++i)
        {
            const Network network = MakeNetwork(*random, 20, 30);
            const auto rates = GetRates(network);
            NS_TEST_ASSERT_MSG_EQ(IsMaxMinFair(network, rates), true, "network " << i);
            CheckDoubles(network, rates);
        }
    }

    /**
     * @brief Doubles give the same up to rounding.
     * @param network the network
     * @param exact the rates
     */
    void CheckDoubles(const Network& network, const std::vector<Rational>& exact)
    {
        std::vector<double> capacities;
        for (const Rational& capacity : network.capacities)
        {
            capacities.push_back(static_cast<double>(capacity));
        }
        std::vector<MaxMinFlow<double>> flows;
        for (const Flow& flow : network.flows)
        {
            flows.push_back({flow.links,
                             static_cast<double>(flow.weight),
                             std::nullopt,
                             static_cast<double>(flow.minimum) * (1 - 1e-12)});
            if (flow.demand)
            {
                flows.back().demand = static_cast<double>(*flow.demand);
            }
        }
        const auto shares = MaxMinSharing<double>::Share(capacities, flows);
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ_TOL(shares[i].rate, static_cast<double>(exact[i]), 1e-9, i);
        }
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Weighted max-min shares.
 */
class MaxMinSharesTestSuite : public TestSuite
{
  public:
    MaxMinSharesTestSuite()
        : TestSuite("max-min-shares", Type::UNIT)
    {
        AddTestCase(new MaxMinExampleTestCase);
        AddTestCase(new MaxMinRandomTestCase);
    }
};

static MaxMinSharesTestSuite g_maxMinSharesTestSuite; ///< the suite
