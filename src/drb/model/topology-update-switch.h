/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_UPDATE_SWITCH_H
#define TOPOLOGY_UPDATE_SWITCH_H

#include "topology-message.h"

#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/// @ingroup drb
/// @brief Settings that the switches of a fabric share in the topology update protocol.
struct TopologyUpdateSettings
{
    /// @brief Ways to find that a link has failed or works again.
    enum Detection
    {
        HELLO,    //!< by hellos that stay away or come again
        LINK_DOWN //!< its port tells it at once
    };

    /// @brief Scope of advertisements.
    enum Flooding
    {
        SCOPED,      //!< as the paper's rules say (Section 4.3)
        UNRESTRICTED //!< over all links, from all switches; servers only receive
    };

    Detection detection;        //!< way to find failures
    Flooding flooding;          //!< scope of advertisements
    Time helloInterval;         //!< from hello to hello of a switch
    Time advertisementInterval; //!< from one periodic advertisement to the next; 0: there are none
};

/**
 * @ingroup drb
 * @brief The daemon of a switch (Sections 4.3 and 6.1): it watches the switch's links to other
 * switches, and makes and forwards link-state advertisements.
 *
 * The rules of Section 4.3 that concern switches: a rack's switch tells its own servers alone (2);
 * what comes from above is forwarded only downward (3). What comes from below, which the paper
 * leaves open, goes to all links but that. Nothing is sent over a link that counts as failed.
 *
 * Messages take their turn in the queues of ports like all packets, for a port has no other way.
 */
class TopologyUpdateSwitch : public IngressStage
{
  public:
    /// @brief Counters of the daemon.
    struct Counts
    {
        uint64_t hellos{0};         //!< sent
        uint64_t originated{0};     //!< advertisements made and sent, however many copies
        uint64_t broadcast{0};      //!< of these those not for the switch's own servers alone
        uint64_t advertisements{0}; //!< copies sent, own and others'
        uint64_t duplicates{0};     //!< advertisements received that were not new
    };

    /**
     * @brief Set up.
     * @param fabric the fabric
     * @param index number of the switch there; it gets the daemon as an ingress stage
     * @param settings common to all switches; outlive the daemon
     */
    TopologyUpdateSwitch(const Fabric& fabric,
                         uint32_t index,
                         const TopologyUpdateSettings& settings);

    TopologyUpdateSwitch(const TopologyUpdateSwitch&) = delete;
    TopologyUpdateSwitch& operator=(const TopologyUpdateSwitch&) = delete;

    /**
     * @brief Say how things are with a link, before Start(). Without this call it works.
     * @param port the switch's port
     * @param up true if it works
     * @param heard time of the last hello over it
     */
    void SetInitialState(uint16_t port, bool up, Time heard);

    /**
     * @brief Begin.
     * @param hello time until the first hello
     * @param advertisement time until the first periodic advertisement
     */
    void Start(Time hello, Time advertisement);

    bool Process(FabricItem* item) override;

    /**
     * @brief A link was found to have failed or to work again: if that is news, all are told.
     * @param port the switch's port
     * @param up true if it works
     */
    void SetPortUp(uint16_t port, bool up);

    /// @brief Counters of the daemon.
    const Counts& GetCounts() const
    {
        return m_counts;
    }

  private:
    /// @brief A link to another switch.
    struct Link
    {
        uint16_t port; //!< the switch's port
        LinkEnd end;   //!< the switch's end of the link
        bool leadsUp;  //!< true if the other switch is of a higher tier
        bool up;       //!< true if it works, as far as the switch can tell
        Time heard;    //!< time of the last hello
    };

    Link* Find(uint16_t port);
    void Call(Time delay, void (TopologyUpdateSwitch::*method)());
    void SendHellos();
    void ReceiveHello(Link& link);
    void AwaitHello(std::size_t link);
    void CheckHello(std::size_t link);
    void HandleAdvertisementTimer();
    void ScheduleAdvertisement();
    void Advertise();
    void ReceiveAdvertisement(const std::shared_ptr<const LinkStateAdvertisement>& advertisement,
                              const Link& from);

    /**
     * @brief Send an advertisement on.
     * @param advertisement the advertisement
     * @param from the link it came by; nullptr: it is the switch's own
     * @return copies sent to other switches
     */
    uint32_t Forward(const std::shared_ptr<const LinkStateAdvertisement>& advertisement,
                     const Link* from);

    /**
     * @brief True if the rules let an advertisement pass to another switch.
     * @param from the link it came by; nullptr: it is the switch's own
     * @param to the link that it may be sent over
     * @return true if it is to be sent
     */
    bool MayPass(const Link* from, const Link& to) const;

    /**
     * @brief Send a message.
     * @param port the port
     * @param advertisement contents of the message; nullptr: it is a hello
     * @return number of messages that went out: none if the port has no carrier, else 1
     */
    uint32_t Send(uint16_t port,
                  const std::shared_ptr<const LinkStateAdvertisement>& advertisement);

    FabricSwitch& m_node;                     //!< the switch
    uint32_t m_index;                         //!< its number in the fabric
    const TopologyUpdateSettings& m_settings; //!< common to all switches
    std::vector<Link> m_links;                //!< links to other switches
    std::vector<uint16_t> m_servers;          //!< ports that lead to servers
    std::vector<uint32_t> m_sequences;        //!< last advertisement heard, by switch
    bool m_advertisePending{false};           //!< true if Advertise() will be called now
    Counts m_counts;                          //!< counters so far
};

} // namespace ns3

#endif /* TOPOLOGY_UPDATE_SWITCH_H */
