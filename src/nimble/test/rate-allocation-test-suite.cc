/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/abort.h"
#include "ns3/limiter-switch.h"
#include "ns3/max-min-shares.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rate-allocation.h"
#include "ns3/test.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

using Rational = boost::multiprecision::cpp_rational;

constexpr double TOLERANCE = 1e-3; //!< of rates: what a last pass may leave, and rounding

/**
 * @brief Say limits in words.
 * @param limits the limits
 * @return class@port=rate, in tenths
 */
std::string
DescribeLimits(const std::vector<PortLimit>& limits)
{
    std::ostringstream text;
    for (const auto& [port, trafficClass, rate] : limits)
    {
        text << trafficClass << "@" << port << "=" << std::round(10 * rate) / 10 << " ";
    }
    return text.str();
}

/**
 * @brief Say rates of paths in words.
 * @param result has them
 * @return the rates, in tenths
 */
std::string
DescribeRates(const AllocationResult& result)
{
    std::ostringstream text;
    for (const double rate : result.rates)
    {
        text << std::round(10 * rate) / 10 << " ";
    }
    return text.str();
}

/**
 * @brief The leaf-spine of the paper's Section 6.3.2, and who sends in one of its intervals.
 *
 * Ports 0 and 1: leaf 1 to the spines; 2 and 3: leaf 2 to the spines; 4 to 7: spine 1 to leaf 2 and
 * 3, spine 2 to leaf 2 and 3; 8 and 9: leaf 2 to its hosts; 10: leaf 3 to its first host. 11 to 14:
 * hosts 1 and 2 of leaf 1, of leaf 2. Tenant 1 goes first; tenants 2 and 3 have weights 2 and 3.
 * Leaf 2's own traffic to its first host crosses the leaf only.
 *
 * @param interval 1 to 4
 * @return paths of tenant 1 (two), 2 and 3
 */
AllocationProblem
MakeInterval(int interval)
{
    AllocationProblem problem;
    problem.capacities.assign(15, 100);
    problem.classes = {{1, 1}, {2, 0}, {3, 0}};
    constexpr uint32_t T1_UP = 0;
    const std::vector<uint32_t> toLeaf3{11, T1_UP, 5, 10}; // by spine 1
    const std::vector<uint32_t> toHost1{11, T1_UP, 4, 8};  // of leaf 2, by spine 1
    const std::vector<uint32_t> toHost2{11, T1_UP, 4, 9};  // of leaf 2, by spine 1
    // Tenant 2 from the second host of leaf 2, tenant 3 from that of leaf 1, by spine 2.
    const std::vector<uint32_t> local{14, 8};
    const std::vector<uint32_t> across{12, 1, 6, 8};
    // Alone tenant 2 leaves by leaf 2's up-link to spine 1, tenant 3 by leaf 1's to spine 2.
    const std::vector<uint32_t> apart2{14, 2, 5, 10};
    const std::vector<uint32_t> apart3{12, 1, 7, 10};
    switch (interval)
    {
    case 1:
        problem.paths = {{0, toHost1}, {0, toLeaf3}, {1, local}, {2, across}};
        break;
    case 2: // tenants 2 and 3 meet without tenant 1
        problem.paths = {{0, toHost2}, {0, toLeaf3}, {1, local}, {2, across}};
        break;
    case 3: // a path of tenant 1 meets tenant 3, tenant 2 is alone
        problem.paths = {{0, toHost1}, {0, toHost2}, {1, {13, 2, 5, 10}}, {2, across}};
        break;
    default: // a path of tenant 1 meets tenant 2, tenant 3 is alone
        problem.paths = {{0, toHost1}, {0, toHost2}, {1, local}, {2, apart3}};
        break;
    }
    return problem;
}

/// @brief Turn limits into what switches are told.
LimiterSettings
MakeLimiters(const AllocationResult& result, uint32_t switchPorts)
{
    LimiterSettings settings;
    for (const auto& limit : result.limits)
    {
        if (limit.port < switchPorts)
        {
            settings[{limit.port, limit.trafficClass + 1}].rate =
                DataRate(static_cast<uint64_t>(limit.rate * 1e9));
        }
    }
    return settings;
}

/**
 * @brief A problem with integer capacities, weights and limits.
 * @param random draws it
 * @param alike one path per class, all of the same weight and priority, without limits
 * @return the problem
 */
AllocationProblem
DrawProblem(UniformRandomVariable& random, bool alike)
{
    AllocationProblem problem;
    const uint32_t ports = random.GetInteger(2, 8);
    for (uint32_t i = 0; i < ports; ++i)
    {
        problem.capacities.push_back(random.GetInteger(10, 100));
    }
    const uint32_t classes = random.GetInteger(1, 6);
    for (uint32_t i = 0; i < classes; ++i)
    {
        ShareRule rule;
        if (!alike)
        {
            rule.weight = random.GetInteger(1, 5);
            rule.priority = random.GetInteger(0, 2);
            if (random.GetInteger(0, 3) == 0)
            {
                rule.limit = random.GetInteger(5, 40);
            }
        }
        problem.classes.push_back(rule);
        const uint32_t paths = alike ? 1 : random.GetInteger(1, 3);
        for (uint32_t j = 0; j < paths; ++j)
        {
            RoutingPath path{i, {}};
            for (uint32_t port = 0; port < ports; ++port)
            {
                if (random.GetInteger(0, 2) == 0)
                {
                    path.ports.push_back(port);
                }
            }
            if (path.ports.empty())
            {
                path.ports.push_back(random.GetInteger(0, ports - 1));
            }
            problem.paths.push_back(path);
        }
    }
    return problem;
}

/**
 * @brief Sum of the rates of a class's paths through the port.
 * @param problem the problem
 * @param rates of its paths
 * @param port the port
 * @param trafficClass the class; nothing: of all
 * @return the sum
 */
template <class T>
T
SumAt(const AllocationProblem& problem,
      const std::vector<T>& rates,
      uint32_t port,
      std::optional<uint32_t> trafficClass = std::nullopt)
{
    T sum{0};
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const RoutingPath& path = problem.paths[i];
        if (std::ranges::find(path.ports, port) != path.ports.end() &&
            (!trafficClass || path.trafficClass == *trafficClass))
        {
            sum += rates[i];
        }
    }
    return sum;
}

} // namespace

/**
 * @ingroup nimble-tests
 * @brief Algorithm 2 on the paper's networks and those that its printed form cannot do.
 */
class RateAllocationExamplesTestCase : public TestCase
{
  public:
    RateAllocationExamplesTestCase()
        : TestCase("Algorithm 2 on examples")
    {
    }

  private:
    /**
     * @brief Allocate and compare.
     * @param problem the problem
     * @param rates expected of the paths
     * @param workConserving as for AllocateRates()
     * @return the result
     */
    AllocationResult Check(const AllocationProblem& problem,
                           const std::string& rates,
                           bool workConserving = true)
    {
        const AllocationResult result = AllocateRates(problem, workConserving);
        NS_TEST_EXPECT_MSG_EQ(DescribeRates(result), rates, "rates of paths");
        return result;
    }

    void DoRun() override
    {
        CheckPorts();
        CheckNetworks();
        CheckIntervals();
        CheckLocal();
    }

    /// @brief Weights, priorities and limits at one port of 100.
    void CheckPorts()
    {
        const auto makePort = [](const std::vector<ShareRule>& classes) {
            AllocationProblem problem;
            problem.capacities = {100};
            problem.classes = classes;
            for (uint32_t i = 0; i < classes.size(); ++i)
            {
                problem.paths.push_back({i, {0}});
            }
            return problem;
        };
        // T1 goes first, but its host has 50.
        AllocationProblem first = makePort({{1, 2}, {2, 1}, {3, 1}});
        first.capacities.push_back(50);
        first.paths[0].ports.push_back(1);
        Check(first, "50 20 30 ");
        Check(makePort({{1}, {1}, {2, 0, 20}}), "40 40 20 ");
        Check(makePort({{1, 2, 40}, {1, 1}, {3, 1}}), "40 15 45 ");
        Check(makePort({{1, 0, 60}, {1}}), "50 50 ");
        Check(makePort({{1, 0, 20}, {1}}), "20 80 ");
        // Hard limits: configured as they are, what is left is shared.
        auto hard = Check(makePort({{1, 0, 10, true}, {1, 5}, {1}}), "10 90 0 ");
        NS_TEST_EXPECT_MSG_EQ(DescribeLimits(hard.limits), "0@0=10 1@0=90 2@0=0 ", "hard");
        hard = Check(makePort({{1, 0, 40, true}, {1, 0, 40, true}, {1, 0, 40, true}, {1}}),
                     "40 40 40 0 ");
        NS_TEST_EXPECT_MSG_EQ(DescribeLimits(hard.limits),
                              "0@0=40 1@0=40 2@0=40 3@0=0 ",
                              "not refused");
        // A local policy: 75 to 25 there, 50 to 50 elsewhere.
        AllocationProblem local;
        local.capacities = {100, 100};
        local.classes = {{1}, {1}};
        local.local[{0, 0}] = {3};
        local.paths = {{0, {0}}, {1, {0}}, {0, {1}}, {1, {1}}};
        Check(local, "75 25 50 50 ");
        local.local[{0, 0}] = {1, 0, 10, true};
        const auto limits = Check(local, "10 90 50 50 ").limits;
        NS_TEST_EXPECT_MSG_EQ(DescribeLimits(limits), "0@0=10 1@0=90 0@1=50 1@1=50 ", "local");
    }

    /// @brief Paths over several ports.
    void CheckNetworks()
    {
        AllocationProblem partial;
        partial.capacities = {20, 100};
        partial.classes = {{1}, {1}};
        partial.paths = {{0, {0, 1}}, {0, {1}}, {1, {1}}};
        NS_TEST_EXPECT_MSG_EQ(DescribeLimits(Check(partial, "20 30 50 ").limits),
                              "0@0=20 0@1=50 1@1=50 ",
                              "a limit covers all paths of its class through the port");
        AllocationProblem settled;
        settled.capacities = {100, 100, 10};
        settled.classes = {{1}, {1}};
        settled.paths = {{0, {0, 2}}, {0, {1}}, {1, {0}}};
        Check(settled, "10 100 90 ");
        AllocationProblem parking;
        parking.capacities = {100, 100, 50};
        parking.classes = {{1}, {1}, {1}, {1}};
        parking.paths = {{0, {0, 1, 2}}, {1, {0}}, {2, {1}}, {3, {2}}};
        Check(parking, "25 75 75 25 ");
        AllocationProblem residual;
        residual.capacities = {100, 100.0 / 3, 100.0 / 3, 100.0 / 3};
        residual.classes = {{1}, {1}};
        residual.paths = {{0, {0, 1}}, {1, {0, 2}}, {1, {0, 3}}};
        Check(residual, "33.3 33.3 33.3 ");
        Check(residual, "33.3 25 25 ", false);
        // Figure 2: red over two branches, blue over three.
        AllocationProblem branches;
        branches.capacities = {100, 100, 100};
        branches.classes = {{1}, {1}};
        branches.paths = {{0, {0}}, {0, {1}}, {1, {0}}, {1, {1}}, {1, {2}}};
        Check(branches, "50 50 50 50 100 ");
        const auto outcome = AllocateGlobalShares(branches);
        NS_TEST_EXPECT_MSG_EQ(outcome.totals.size(), 9, "rounds");
        const double expected[][2] = {{100, 200}, {133.3, 166.7}, {142.9, 157.1}, {146.7, 153.3}};
        for (int round = 0; round < 4; ++round)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(outcome.totals[round][0], expected[round][0], 0.05, "red");
            NS_TEST_EXPECT_MSG_EQ_TOL(outcome.totals[round][1], expected[round][1], 0.05, "blue");
        }
        const auto& rates = outcome.result.rates;
        for (int i = 0; i < 2; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[i], 75, 0.1, "red on a shared branch");
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[2 + i], 25, 0.1, "blue on a shared branch");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[4], 100, 1e-6, "blue on its own branch");
    }

    /// @brief Section 6.3.2, and what switches are told from interval to interval.
    void CheckIntervals()
    {
        const std::map<int, std::string> expected{{1, "50 50 20 30 "},
                                                  {2, "50 50 40 60 "},
                                                  {3, "50 50 100 50 "},
                                                  {4, "50 50 50 100 "}};
        // Added, removed, modified.
        const std::map<int, std::string> updates{{1, "3 0 0"},
                                                 {2, "0 0 2"},
                                                 {3, "1 1 1"},
                                                 {4, "2 2 0"}};
        constexpr uint32_t SWITCH_PORTS = 11;
        LimiterSettings before;
        for (int interval = 1; interval <= 4; ++interval)
        {
            const AllocationProblem problem = MakeInterval(interval);
            const AllocationResult result = Check(problem, expected.at(interval));
            NS_TEST_EXPECT_MSG_EQ(DescribeRates(AllocateGlobalShares(problem).result),
                                  expected.at(interval),
                                  "with the extension");
            const LimiterSettings after = MakeLimiters(result, SWITCH_PORTS);
            const LimiterDelta delta(before, after, 0.001);
            std::ostringstream counts;
            counts << delta.added.size() << " " << delta.removed.size() << " "
                   << delta.modified.size();
            NS_TEST_EXPECT_MSG_EQ(counts.str(), updates.at(interval), "interval " << interval);
            NS_TEST_EXPECT_MSG_EQ(
                LimiterDelta(after,
                             MakeLimiters(Check(problem, expected.at(interval)), SWITCH_PORTS),
                             0)
                    .Count(),
                0,
                "the same again");
            before = after;
        }
    }

    /// @brief Ports that share by themselves.
    void CheckLocal()
    {
        const std::map<int, std::string> expected{{1, "50 50 0 0 "},
                                                  {2, "50 50 40 60 "},
                                                  {3, "50 50 100 0 "},
                                                  {4, "50 50 0 100 "}};
        for (const auto& [interval, rates] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(DescribeRates(AllocatePortRates(MakeInterval(interval))),
                                  rates,
                                  "interval " << interval);
        }
        const auto limits = DescribeLimits(AllocatePortRates(MakeInterval(1)).limits);
        for (const auto* limit : {"0@0=100 ", "0@8=100 ", "1@8=0 ", "2@8=0 "})
        {
            NS_TEST_EXPECT_MSG_NE(limits.find(limit), std::string::npos, limit);
        }
    }
};

/**
 * @ingroup nimble-tests
 * @brief Algorithm 2 on random networks.
 */
class RateAllocationRandomTestCase : public TestCase
{
  public:
    RateAllocationRandomTestCase()
        : TestCase("Algorithm 2 on random networks")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (uint32_t i = 0; i < 200; ++i)
        {
            CheckAlike(DrawProblem(*random, true));
            CheckAny(DrawProblem(*random, false));
        }
    }

    /// @brief If all are alike, Algorithm 2 is max-min fair.
    void CheckAlike(const AllocationProblem& problem)
    {
        const auto result = AllocateRates(problem);
        std::vector<MaxMinFlow<double>> flows;
        for (const RoutingPath& path : problem.paths)
        {
            flows.push_back({path.ports, 1, std::nullopt, 0});
        }
        const auto shares = MaxMinSharing<double>::Share(problem.capacities, flows);
        for (std::size_t i = 0; i < shares.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(result.rates[i], shares[i].rate, TOLERANCE, "path " << i);
        }
    }

    /// @brief No port is overbooked, nobody could have more, and priorities do not feel lower ones.
    void CheckAny(const AllocationProblem& problem)
    {
        const auto result = AllocateRates(problem);
        NS_TEST_EXPECT_MSG_LT(result.passes, MOST_ALLOCATION_PASSES, "passes");
        for (uint32_t port = 0; port < problem.capacities.size(); ++port)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(SumAt(problem, result.rates, port),
                                        problem.capacities[port] + TOLERANCE,
                                        "capacity of port " << port);
        }
        for (std::size_t i = 0; i < result.rates.size(); ++i)
        {
            // The optimum of this path alone, all others staying: its least slack, 0.
            const RoutingPath& path = problem.paths[i];
            const bool isStuck = std::ranges::any_of(path.ports, [&](uint32_t port) {
                const auto& limit = problem.classes[path.trafficClass].limit;
                return IsReached(SumAt(problem, result.rates, port), problem.capacities[port]) ||
                       (limit &&
                        IsReached(SumAt(problem, result.rates, port, path.trafficClass), *limit));
            });
            NS_TEST_EXPECT_MSG_EQ(isStuck, true, "path " << i << " could have more");
        }
        for (const auto& limit : result.limits)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(limit.rate,
                                      SumAt(problem, result.rates, limit.port, limit.trafficClass),
                                      TOLERANCE,
                                      "a limit is what the class has there");
        }
        NS_TEST_EXPECT_MSG_EQ((AllocateRates(problem).limits == result.limits),
                              true,
                              "the same again, to the bit");
        AllocationProblem upper = problem;
        std::erase_if(upper.paths, [&problem](const RoutingPath& path) {
            return problem.classes[path.trafficClass].priority < 2;
        });
        const auto alone = AllocateRates(upper);
        std::size_t next = 0;
        for (std::size_t i = 0; i < problem.paths.size(); ++i)
        {
            if (problem.classes[problem.paths[i].trafficClass].priority == 2)
            {
                NS_TEST_EXPECT_MSG_EQ(result.rates[i],
                                      alone.rates[next++],
                                      "lower priorities are not felt");
            }
        }
    }

    /// @brief True if a sum is what it may be.
    static bool IsReached(double sum, double most)
    {
        return std::abs(sum - most) <= TOLERANCE;
    }
};

/**
 * @ingroup nimble-tests
 * @brief Solve a linear program exactly: maximise a sum of terms under sums that are bounded from
 * above, by the simplex method with Bland's rule, in rational numbers.
 */
class LinearProgram
{
  public:
    /// @param variables none of which is negative
    explicit LinearProgram(uint32_t variables)
        : m_objective(variables + 1, 0)
    {
    }

    /**
     * @brief Add a constraint.
     * @param terms coefficients of the variables
     * @param most the sum's bound, not negative: the origin is allowed
     */
    void Bound(std::vector<Rational> terms, const Rational& most)
    {
        NS_ABORT_MSG_IF(most < 0, "the origin must be allowed");
        terms.push_back(most);
        m_rows.push_back(std::move(terms));
    }

    /**
     * @brief Maximise one of the variables, which must be bounded.
     * @param variable its index
     * @return its largest value
     */
    Rational Maximise(uint32_t variable)
    {
        m_objective[variable] = -1;
        const auto width = static_cast<uint32_t>(m_objective.size());
        // A slack variable per row, then the bounds.
        for (uint32_t i = 0; i < m_rows.size(); ++i)
        {
            m_basis.push_back(width - 1 + i);
            m_rows[i].insert(m_rows[i].end() - 1, m_rows.size(), Rational(0));
            m_rows[i][width - 1 + i] = 1;
        }
        m_objective.insert(m_objective.end() - 1, m_rows.size(), Rational(0));
        while (Pivot())
        {
        }
        return m_objective.back();
    }

  private:
    /// @brief Go to a better corner; false if there is none.
    bool Pivot()
    {
        const auto entering = std::find_if(m_objective.begin(),
                                           m_objective.end() - 1,
                                           [](const Rational& cost) { return cost < 0; });
        if (entering == m_objective.end() - 1)
        {
            return false;
        }
        const auto column = static_cast<uint32_t>(entering - m_objective.begin());
        std::optional<uint32_t> leaving;
        for (uint32_t i = 0; i < m_rows.size(); ++i)
        {
            if (m_rows[i][column] <= 0)
            {
                continue;
            }
            const auto ratio = [&](uint32_t row) {
                return std::pair(Rational(m_rows[row].back() / m_rows[row][column]), m_basis[row]);
            };
            if (!leaving || ratio(i) < ratio(*leaving))
            {
                leaving = i;
            }
        }
        NS_ABORT_MSG_IF(!leaving, "unbounded");
        const Rational pivot = m_rows[*leaving][column];
        for (Rational& term : m_rows[*leaving])
        {
            term /= pivot;
        }
        const auto eliminate = [&](std::vector<Rational>& row) {
            const Rational factor = row[column];
            for (std::size_t j = 0; j < row.size(); ++j)
            {
                row[j] -= factor * m_rows[*leaving][j];
            }
        };
        for (uint32_t i = 0; i < m_rows.size(); ++i)
        {
            if (i != *leaving)
            {
                eliminate(m_rows[i]);
            }
        }
        eliminate(m_objective);
        m_basis[*leaving] = column;
        return true;
    }

    std::vector<std::vector<Rational>> m_rows; //!< constraints, with their bounds at the end
    std::vector<Rational> m_objective;         //!< reduced costs, and the value at the end
    std::vector<uint32_t> m_basis;             //!< variable of each row
};

/**
 * @ingroup nimble-tests
 * @brief Algorithm 2 against exact linear programs: random topologies, one path per class,
 * priorities and limits.
 *
 * With equal weights it is max-min fair, level by level. With others it is not (of two classes that
 * meet, the smaller path rate is decided first, not the tighter class); but the class that has the
 * least for its weight has as much as anybody could have as the least.
 */
class RateAllocationProgramTestCase : public TestCase
{
  public:
    RateAllocationProgramTestCase()
        : TestCase("Algorithm 2 against exact linear programs")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        uint32_t others = 0;
        for (uint32_t i = 0; i < 300; ++i)
        {
            AllocationProblem problem = DrawProblem(*random, false);
            KeepOnePathEach(problem);
            CheckLeast(problem);
            const auto weighted = AllocateRates(problem).rates;
            for (auto& rule : problem.classes)
            {
                rule.weight = 1;
            }
            const auto equal = AllocateRates(problem).rates;
            const auto expected = FindMaxMin(problem);
            bool differs = false;
            for (std::size_t path = 0; path < equal.size(); ++path)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(equal[path],
                                          static_cast<double>(expected[path]),
                                          TOLERANCE,
                                          "topology " << i << " path " << path);
                differs = differs || std::abs(weighted[path] - equal[path]) > TOLERANCE;
            }
            others += differs;
        }
        NS_TEST_EXPECT_MSG_GT(others, 50, "weights matter");
    }

    static void KeepOnePathEach(AllocationProblem& problem)
    {
        std::set<uint32_t> seen;
        std::erase_if(problem.paths, [&seen](const RoutingPath& path) {
            return !seen.insert(path.trafficClass).second;
        });
    }

    /**
     * @brief The program of one level: each of some paths has its weight times variable 0, and
     * variable i beyond.
     * @param problem ports, classes and paths
     * @param rates of paths that are decided
     * @param open the others of the level
     * @param least least value of variable 0 so far
     * @return the program, in what is beyond that
     */
    static LinearProgram MakeProgram(const AllocationProblem& problem,
                                     const std::vector<Rational>& rates,
                                     const std::vector<uint32_t>& open,
                                     const Rational& least)
    {
        const auto width = static_cast<uint32_t>(open.size() + 1);
        LinearProgram program(width);
        const auto addBound = [&](const auto& concerns, Rational most) {
            std::vector<Rational> terms(width, 0);
            for (uint32_t i = 0; i < open.size(); ++i)
            {
                if (concerns(open[i]))
                {
                    const Rational weight(
                        problem.classes[problem.paths[open[i]].trafficClass].weight);
                    terms[0] += weight;
                    terms[i + 1] = 1;
                    most -= weight * least;
                }
            }
            program.Bound(terms, std::max(most, Rational(0))); // rates may be rounded up
        };
        for (uint32_t port = 0; port < problem.capacities.size(); ++port)
        {
            const auto uses = [&](uint32_t path) {
                return std::ranges::find(problem.paths[path].ports, port) !=
                       problem.paths[path].ports.end();
            };
            addBound(uses, Rational(problem.capacities[port]) - SumAt(problem, rates, port));
        }
        for (const uint32_t own : open)
        {
            if (const auto& limit = problem.classes[problem.paths[own].trafficClass].limit)
            {
                addBound([own](uint32_t path) { return path == own; }, Rational(*limit));
            }
        }
        return program;
    }

    /// @brief Paths whose class has a priority.
    static std::vector<uint32_t> ListLevel(const AllocationProblem& problem, uint32_t priority)
    {
        std::vector<uint32_t> level;
        for (uint32_t i = 0; i < problem.paths.size(); ++i)
        {
            if (problem.classes[problem.paths[i].trafficClass].priority == priority)
            {
                level.push_back(i);
            }
        }
        return level;
    }

    /// @brief Max-min fair rates: raise all that are open, decide those that cannot rise alone.
    static std::vector<Rational> FindMaxMin(const AllocationProblem& problem)
    {
        std::vector<Rational> rates(problem.paths.size(), 0);
        for (const uint32_t priority : {2, 1, 0})
        {
            std::vector<uint32_t> open = ListLevel(problem, priority);
            while (!open.empty())
            {
                const Rational level = MakeProgram(problem, rates, open, 0).Maximise(0);
                std::vector<uint32_t> rest;
                std::vector<Rational> decided = rates;
                for (uint32_t i = 0; i < open.size(); ++i)
                {
                    const Rational more = MakeProgram(problem, rates, open, level).Maximise(i + 1);
                    if (more == 0)
                    {
                        decided[open[i]] = level;
                    }
                    else
                    {
                        rest.push_back(open[i]);
                    }
                }
                rates = decided;
                open = rest;
            }
        }
        return rates;
    }

    /// @brief The least of each level for its weight, given what the levels above have.
    void CheckLeast(const AllocationProblem& problem)
    {
        const auto result = AllocateRates(problem).rates;
        std::vector<Rational> above(problem.paths.size(), 0);
        for (const uint32_t priority : {2, 1, 0})
        {
            const auto level = ListLevel(problem, priority);
            if (level.empty())
            {
                continue;
            }
            const auto forWeight = [&](uint32_t path) {
                return result[path] / problem.classes[problem.paths[path].trafficClass].weight;
            };
            double least = forWeight(level.front());
            for (const uint32_t path : level)
            {
                least = std::min(least, forWeight(path));
            }
            const Rational most = MakeProgram(problem, above, level, 0).Maximise(0);
            NS_TEST_EXPECT_MSG_EQ_TOL(least,
                                      static_cast<double>(most),
                                      TOLERANCE,
                                      "the least of priority " << priority);
            for (const uint32_t path : level)
            {
                above[path] = Rational(result[path]);
            }
        }
    }
};

/**
 * @ingroup nimble-tests
 * @brief Rates of classes.
 */
class RateAllocationTestSuite : public TestSuite
{
  public:
    RateAllocationTestSuite()
        : TestSuite("rate-allocation", Type::UNIT)
    {
        AddTestCase(new RateAllocationExamplesTestCase, Duration::QUICK);
        AddTestCase(new RateAllocationRandomTestCase, Duration::QUICK);
        AddTestCase(new RateAllocationProgramTestCase, Duration::QUICK);
    }
};

static RateAllocationTestSuite g_rateAllocationTestSuite; //!< registers itself
