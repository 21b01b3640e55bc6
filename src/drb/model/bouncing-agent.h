/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BOUNCING_AGENT_H
#define BOUNCING_AGENT_H

#include "bouncing-routes.h"
#include "bouncing-selector.h"
#include "topology-update-server.h"
#include "topology-view.h"

#include "ns3/edge-agent.h"
#include "ns3/traced-callback.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief Bounces the packets of a server (Sections 4.2 and 6.1): chooses a point for each packet
 * that leaves its rack, and puts an outer IPv4 header in front that takes the packet there.
 *
 * For each destination the server keeps two numbers, the turn of packets with payload and that of
 * all others: acknowledgments between data packets would spoil the balance of bytes (Section 5).
 * Each starts at a random turn. All connections of a pair share them.
 *
 * Without a selector each connection keeps to a point, which is ECMP whose every path passes the
 * highest layer.
 *
 * Once the server has heard of failures, it skips the points that it believes a packet could not
 * get through. The order stays the full one, so each of the others gets the same share, and turns
 * go on where they were when things change (Section 4.3; how the order adapts is left open there).
 */
class BouncingAgent : public EdgeAgent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    BouncingAgent();

    /// @brief Settings that all servers share.
    struct Settings
    {
        std::shared_ptr<const BouncingRoutes> routes; //!< the fabric's tables, not without points
        Ptr<const BouncingSelector> selector;         //!< nullptr: one point per connection
        uint16_t outerHeader;                         //!< bytes of an outer header
        bool withinRack;                              //!< packets within a rack bounce, too
    };

    /**
     * @brief Say how to bounce, before the agent is installed.
     * @param settings the settings
     */
    void Setup(const Settings& settings);

    /**
     * @brief Say which links the server is to believe in, in place of what it went by.
     * @param view the view; nullptr: everything works
     */
    void SetView(std::shared_ptr<const TopologyView> view);

    /**
     * @brief Go by the advertisements that will come in.
     * @param views makes views; shared by all servers
     * @param down links known not to work, in rising order
     */
    void StartUpdates(const std::shared_ptr<TopologyViews>& views,
                      const std::vector<uint32_t>& down);

    /// @brief The server's daemon; nullptr before StartUpdates().
    const TopologyUpdateServer* GetUpdates() const
    {
        return m_updates.get();
    }

    /// @brief Packets dropped because no point could be bounced at.
    uint64_t GetNoPointDrops() const
    {
        return m_noPoint;
    }

    void Outgoing(FabricItem* item) override;
    void Incoming(FabricItem* item) override;
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief TracedCallback signature: a packet is encapsulated.
     * @param destination receiving host
     * @param point the point at which the packet will bounce
     * @param hasPayload true for a packet with payload
     */
    typedef void (*BounceTracedCallback)(uint32_t destination, uint32_t point, bool hasPayload);

    /**
     * @brief TracedCallback signature: what the server believes has changed.
     * @param down number of links between switches that it takes for failed
     */
    typedef void (*ViewTracedCallback)(uint32_t down);

  protected:
    void DoInstall() override;
    void DoDispose() override;

  private:
    static constexpr uint16_t NOT_STARTED = UINT16_MAX; //!< a turn yet to be drawn

    /**
     * @brief Choose where a packet bounces, as its pair's turn has it.
     * @param destination receiving host
     * @param hasPayload true for a packet with payload
     * @param rack the destination's rack; there is a point to choose
     * @return the point
     */
    uint32_t TakeTurn(uint32_t destination, bool hasPayload, uint16_t rack);

    /**
     * @brief Choose where all packets of a connection bounce, as switches that hash would.
     * @param hash hash of the connection's 5-tuple
     * @param rack the destination's rack; there is a point to choose
     * @return the point
     */
    uint32_t HashConnection(uint32_t hash, uint16_t rack);

    /**
     * @brief True if packets get through, as far as the server knows.
     * @param rack the destination's rack
     * @param point the point at which they would bounce
     * @return true if they do
     */
    bool IsUsable(uint16_t rack, uint32_t point) const
    {
        return !m_view || m_view->IsUsable(m_rack, rack, point);
    }

    /// @brief State of a destination: turn of packets without payload, and with it.
    using Turns = std::array<uint16_t, 2>;

    Settings m_settings{};                                  //!< settings that all servers share
    Ptr<UniformRandomVariable> m_random;                    //!< draws turns and points
    uint16_t m_rack{0};                                     //!< of this server
    std::vector<Turns, PooledAllocator<Turns>> m_turns;     //!< by destination; empty until needed
    std::optional<uint32_t> m_salt;                         //!< of hashes; drawn when one is needed
    std::shared_ptr<const TopologyView> m_view;             //!< nullptr: everything works
    std::unique_ptr<TopologyUpdateServer> m_updates;        //!< nullptr until there are updates
    uint64_t m_noPoint{0};                                  //!< packets without a point
    TracedCallback<uint32_t, uint32_t, bool> m_bounceTrace; //!< trace source Bounce
    TracedCallback<uint32_t> m_viewTrace;                   //!< trace source View
};

} // namespace ns3

#endif /* BOUNCING_AGENT_H */
