/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_MESSAGE_H
#define TOPOLOGY_MESSAGE_H

#include "ns3/fabric-item.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief One end of a link: twice the link's number in the fabric, and 1 more for the end that
 * Fabric::GetLink() gives second.
 */
using LinkEnd = uint32_t;

/**
 * @ingroup drb
 * @brief A link-state advertisement (LSA, Section 4.3): what a switch finds of its own links. The
 * paper leaves the format open; this is the least that serves. Copies share it.
 */
struct LinkStateAdvertisement
{
    /// @brief A port of the switch. Who is at the other end all know from the baseline topology.
    struct PortState
    {
        LinkEnd end; //!< the switch's end of the link
        bool up;     //!< true if the link works, as far as the switch can tell
    };

    uint32_t origin;              //!< number of the switch in the fabric
    uint32_t sequence;            //!< counts the switch's advertisements, from 1
    std::vector<PortState> ports; //!< those that lead to other switches
};

/**
 * @ingroup drb
 * @brief Makes an item a message of the topology update protocol.
 */
class TopologyMessage : public ItemExtension
{
  public:
    /**
     * @brief Set up.
     * @param content the advertisement; nullptr: the message is a hello
     */
    explicit TopologyMessage(std::shared_ptr<const LinkStateAdvertisement> content)
        : advertisement(std::move(content))
    {
    }

    /**
     * @brief The message that an item is.
     * @param item the item
     * @return the message, or nullptr if the item is none
     */
    static const TopologyMessage* Find(const FabricItem& item)
    {
        return item.extension ? dynamic_cast<const TopologyMessage*>(item.extension) : nullptr;
    }

    const std::shared_ptr<const LinkStateAdvertisement> advertisement; //!< nullptr: a hello
};

} // namespace ns3

#endif /* TOPOLOGY_MESSAGE_H */
