/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GLOBAL_SHARE_H
#define GLOBAL_SHARE_H

#include "allocation-problem.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Rates such that classes share the whole network's throughput by their weights, as far as
 * their ports allow: what Figure 2(b) of Nimble (SOSR 2021) asks for.
 *
 * Algorithm 2 shares each bottleneck, which gives Figure 2(a), and the paper has no algorithm for
 * Figure 2(b). This one runs Algorithm 2 again and again and multiplies the weight of each class by
 * how much its total is short of its target, the weighted share of all totals of its priority. A
 * class that cannot reach the target ends at the largest factor.
 */
class GlobalShare
{
  public:
    static constexpr uint32_t MOST_ROUNDS = 100;   //!< of Algorithm 2
    static constexpr double LARGEST_FACTOR = 1024; //!< of a weight; its inverse is the smallest
    static constexpr double TOLERANCE = 0.001;     //!< of a total, relative to its target

    /// @brief Result of an allocation, with its rounds.
    struct Outcome
    {
        AllocationResult<double> result;         //!< of the last round
        std::vector<std::vector<double>> totals; //!< by round, then class
    };

    /**
     * @brief Allocate.
     * @param problem ports, classes and paths
     * @return the last round's rates and limits
     */
    static Outcome Allocate(AllocationProblem<double> problem);
};

} // namespace ns3

#endif /* GLOBAL_SHARE_H */
