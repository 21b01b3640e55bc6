/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UNSEEDED_HASH_PATH_SELECTOR_H
#define UNSEEDED_HASH_PATH_SELECTOR_H

#include "path-selector.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Flow-level ECMP with the same hash in all switches, as in chips to which nobody has given
 * a seed.
 *
 * Flows that leave a switch by one port choose alike at the next (hash polarisation).
 */
class UnseededHashPathSelector : public PathSelector
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint32_t Choose(const FabricItem& item, uint32_t group, uint32_t count) override;
    int64_t AssignStreams(int64_t stream) override;
};

} // namespace ns3

#endif /* UNSEEDED_HASH_PATH_SELECTOR_H */
