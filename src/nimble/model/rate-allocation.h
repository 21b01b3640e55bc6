/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATE_ALLOCATION_H
#define RATE_ALLOCATION_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Network policy of a traffic class (Nimble, SOSR 2021, Section 3.2).
 */
struct ShareRule
{
    double weight{1};              //!< its part against classes of the same priority, larger than 0
    uint32_t priority{0};          //!< the larger is served first
    std::optional<double> limit{}; //!< rate limit at a port; none: no limit
    bool hard{false}; //!< true if the limit is reserved, and configured whatever is free
};

/**
 * @ingroup nimble
 * @brief A way through the network that a class uses: the output ports along it.
 */
struct RoutingPath
{
    uint32_t trafficClass;       //!< index of the class
    std::vector<uint32_t> ports; //!< indices of the ports, at least one

    auto operator<=>(const RoutingPath&) const = default;
};

/**
 * @ingroup nimble
 * @brief Input of an allocation of rates: the paper's sets P, C and W.
 */
struct AllocationProblem
{
    std::vector<double> capacities; //!< p.rate; ties go to the port that stands first
    std::vector<ShareRule> classes; //!< the global policy, by class
    std::map<std::pair<uint32_t, uint32_t>, ShareRule> local; //!< by port and class: instead
    std::vector<RoutingPath> paths;                           //!< in use

    /**
     * @brief Policy of a class at a port.
     * @param port index of the port
     * @param trafficClass index of the class
     * @return the local policy, or else the global one
     */
    const ShareRule& GetRule(uint32_t port, uint32_t trafficClass) const;
};

/**
 * @ingroup nimble
 * @brief A limit of a class at a port: r(c, p).
 */
struct PortLimit
{
    uint32_t port;         //!< index of the port
    uint32_t trafficClass; //!< index of the class
    double rate;           //!< of all paths of the class through the port together

    bool operator==(const PortLimit&) const = default;
};

/**
 * @ingroup nimble
 * @brief Result of an allocation.
 */
struct AllocationResult
{
    static constexpr uint32_t NOWHERE = UINT32_MAX; //!< no port

    std::vector<double> rates;         //!< r(w), by path
    std::vector<uint32_t> bottlenecks; //!< by path: the port that decided
    std::vector<PortLimit> limits;     //!< by port, then class
    uint32_t passes{0};                //!< most passes that a level of priority took
};

/// @ingroup nimble
/// @brief Passes over a level of priority, at most, in case rounding never ends.
inline constexpr uint32_t MOST_ALLOCATION_PASSES = 64;

/**
 * @ingroup nimble
 * @brief Network-wide rates for traffic classes (Nimble, SOSR 2021, Section 4.2, Algorithm 2).
 *
 * The port and the class are found whose share, divided by its paths there, is the smallest; these
 * paths have that rate, and the search begins again. Classes are limited where their paths got
 * their rates, nowhere else. Priorities are dealt with level by level over the whole network.
 *
 * The printed algorithm is mended where it cannot work: the search begins with an infinite rate; a
 * port stays until no class waits there (else the last class of the example in Section 6.3.2 would
 * get 100 of a port that has 30 left); what a class holds at a port is subtracted from its share;
 * a class counts as settled at a port when its paths through that port are, wherever else it has
 * paths; only one level of priority is looked at at a time; a limit covers all paths of its class
 * through the port, since the meter sees them all.
 *
 * One run is still not work-conserving: the smallest path rate need not be the tightest class (two
 * paths of a class that come first with 25 each may leave 16.7 that a third path, limited at
 * its host, cannot use). With work conservation what is left is shared again, until nothing is.
 *
 * A hard limit is reserved at each port where it applies before anything else, evenly over the
 * class's paths there, and configured as it is. A local priority holds at its port; a path is dealt
 * with at the lowest priority that it has at any of its ports.
 *
 * @param problem ports, classes and paths
 * @param workConserving true to share again what one run leaves, which Fig. 16 needs; false: as
 *        printed
 * @return rates of paths, and limits of classes at ports
 */
AllocationResult AllocateRates(const AllocationProblem& problem, bool workConserving = true);

/**
 * @ingroup nimble
 * @brief The comparison: each port shares its rate among the classes present, blind to all other
 * ports, and limits each of them (Nimble, SOSR 2021, Section 6.3.2).
 * @param problem ports, classes and paths
 * @return limits at all ports; a path has the least that any port grants it
 */
AllocationResult AllocatePortRates(const AllocationProblem& problem);

/**
 * @ingroup nimble
 * @brief Result of AllocateGlobalShares().
 */
struct GlobalShares
{
    AllocationResult result;                 //!< of the last round
    std::vector<std::vector<double>> totals; //!< of classes, by round
};

/**
 * @ingroup nimble
 * @brief Rates such that classes share the whole network's throughput by their weights, as far as
 * their ports allow: what Figure 2(b) of Nimble (SOSR 2021) asks for.
 *
 * Algorithm 2 shares each bottleneck, which gives Figure 2(a), and the paper has no algorithm for
 * Figure 2(b). This one runs Algorithm 2 again and again and multiplies the weight of each class by
 * how much its total is short of its target, the weighted share of all totals of its priority. A
 * class that cannot reach the target ends at the largest factor.
 *
 * @param problem ports, classes and paths
 * @return the last round's rates and limits
 */
GlobalShares AllocateGlobalShares(AllocationProblem problem);

/**
 * @ingroup nimble
 * @brief A class that takes part in sharing a port.
 */
struct ShareClaim
{
    double weight;               //!< its part
    uint32_t priority;           //!< the larger first
    std::optional<double> limit; //!< most that it can take
    double share{0};             //!< the share that it gets
};

/**
 * @ingroup nimble
 * @brief Share a rate: strictly by priority, by weight among equals; what a limited class cannot
 * take goes to the others (water filling).
 * @param free the rate to share
 * @param claims get their shares
 */
void ShareByPolicy(double free, std::vector<ShareClaim>& claims);

} // namespace ns3

#endif /* RATE_ALLOCATION_H */
