/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_UPDATE_SERVER_H
#define TOPOLOGY_UPDATE_SERVER_H

#include "topology-message.h"
#include "topology-view.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief The daemon of a server (Sections 4.3 and 6.1): it hears the switches' advertisements and
 * keeps the topology that the server goes by. It never says anything.
 *
 * A link is taken to work unless the switch at one of its ends, or both, have said last that it
 * does not.
 */
class TopologyUpdateServer
{
  public:
    /**
     * @brief Set up.
     * @param views makes views; shared by all servers
     * @param switches number of switches in the fabric
     * @param down links known not to work, in rising order
     */
    TopologyUpdateServer(std::shared_ptr<TopologyViews> views,
                         uint32_t switches,
                         const std::vector<uint32_t>& down);

    /**
     * @brief Hear an advertisement.
     * @param advertisement an advertisement from the server's switch
     * @return true if the view has changed
     */
    bool Receive(const LinkStateAdvertisement& advertisement);

    /// @brief View of the network that the server has; nullptr: everything works.
    const std::shared_ptr<const TopologyView>& GetView() const
    {
        return m_view;
    }

    /**
     * @brief Advertisements heard.
     * @return number of messages
     */
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /**
     * @brief Advertisements heard that were not new.
     * @return number of messages
     */
    uint64_t GetDuplicates() const
    {
        return m_duplicates;
    }

  private:
    std::vector<uint32_t> GetDownLinks() const;

    std::shared_ptr<TopologyViews> m_views;     //!< makes views
    std::vector<uint32_t> m_sequences;          //!< last one heard, by switch
    std::vector<LinkEnd> m_down;                //!< ends that are said not to work, in rising order
    std::shared_ptr<const TopologyView> m_view; //!< view that follows from that
    uint64_t m_received{0};                     //!< messages
    uint64_t m_duplicates{0};                   //!< of these not new
};

} // namespace ns3

#endif /* TOPOLOGY_UPDATE_SERVER_H */
