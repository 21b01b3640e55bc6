/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DERANGEMENT_H
#define DERANGEMENT_H

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Permutations of VMs in which none is sent to itself, nor to another on its host.
 */
class Derangement
{
  public:
    /// @brief Tells whether two VMs are on one host, or are the same.
    using IsLocal = std::function<bool(uint32_t, uint32_t)>;

    /**
     * @brief True if a permutation has a pair on one host.
     * @param destinations destination by source
     * @param isLocal tells of two VMs
     * @return true if it has
     */
    static bool HasLocalPair(const std::vector<uint32_t>& destinations, const IsLocal& isLocal);

    /**
     * @brief True if there is any permutation without such a pair.
     * @param count of VMs
     * @param isLocal tells of two VMs
     * @return false if too many VMs are on one host
     */
    static bool IsPossible(uint32_t count, const IsLocal& isLocal);

    /**
     * @brief Draw one, all equally likely; there must be any.
     * @param count of VMs
     * @param isLocal tells of two VMs
     * @param random draws
     * @return destination by source
     */
    static std::vector<uint32_t> Draw(uint32_t count,
                                      const IsLocal& isLocal,
                                      Ptr<UniformRandomVariable> random);
};

} // namespace ns3

#endif /* DERANGEMENT_H */
