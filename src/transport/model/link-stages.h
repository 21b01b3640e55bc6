/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_STAGES_H
#define LINK_STAGES_H

#include "ns3/fabric.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Links that a flow's packets cross at the same distance from the source, side by side.
 */
struct LinkStage
{
    const FabricPort* fastest{nullptr};                 //!< of them
    int64_t delay{std::numeric_limits<int64_t>::max()}; //!< the least of them, in time steps
    uint64_t rate{0};                                   //!< of all together, in bit/s
    uint32_t links{0};                                  //!< number of links

    /**
     * @brief Number of packets that cross the stage at a time.
     * @return links of the fastest one's rate that carry as much together, rounded up
     */
    int64_t GetWidth() const;

    /**
     * @brief Add a link.
     * @param port sends to it
     */
    void Add(const FabricPort& port);
};

/**
 * @brief The stages of all shortest paths between two hosts.
 * @param fabric the hosts
 * @param path one of those paths
 * @param destination the second host
 * @return the stages, the first host's own link first
 */
std::vector<LinkStage> FindLinkStages(const Fabric& fabric,
                                      const std::vector<const FabricPort*>& path,
                                      uint32_t destination);

/**
 * @brief True if packets may go side by side.
 * @param stages of all shortest paths between two hosts
 * @return true if there is more than one path
 */
bool HaveSeveralPaths(const std::vector<LinkStage>& stages);

/**
 * @brief The same without the stages, which take time to find.
 * @param fabric the hosts
 * @param path one of the shortest paths
 * @param destination the second host
 * @return true if there is another path
 */
bool HasSeveralPaths(const Fabric& fabric,
                     const std::vector<const FabricPort*>& path,
                     uint32_t destination);

} // namespace ns3

#endif /* LINK_STAGES_H */
