/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_NET_DEVICE_H
#define FABRIC_NET_DEVICE_H

#include "fabric.h"

#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Puts a stock ns-3 IPv4 stack on a host of a fabric.
 *
 * What the stack sends is parsed once, into a FabricItem that keeps the packet; what the fabric
 * changed in the ToS byte on the way (an ECN mark) is written back into the IPv4 header before the
 * packet goes up. To the stack the fabric is one IPv4 subnet without ARP: the address of host i is
 * 10.0.0.1 + i, and the time to live counts no switch. The queue is the discipline of the host's
 * port; a packet that the discipline drops shows there, not at the device.
 */
class FabricNetDevice : public NetDevice, private ItemSink
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    FabricNetDevice();
    ~FabricNetDevice() override;

    /**
     * @brief Attach the device to a host.
     * @param fabric the fabric
     * @param host number of the host; it has no device yet
     */
    void Attach(Ptr<Fabric> fabric, uint32_t host);

    /**
     * @brief The IPv4 address of a host.
     * @param host number of the host
     * @return 10.0.0.1 + host
     */
    static Ipv4Address GetHostAddress(uint32_t host)
    {
        return Ipv4Address(FIRST_ADDRESS + host);
    }

    /// @brief The host that the device is attached to.
    uint32_t GetHostIndex() const;

    /**
     * @brief Say which flow the packets of a connection are of, in both directions, for what looks
     * at tags of flows: channels, meters, recorders.
     * @param receiver device of the host that gets the flow's data; this is the sender's
     * @param port the sender's
     * @param receiverPort the receiver's
     * @param tag identity of the flow
     */
    void AddFlow(FabricNetDevice& receiver,
                 uint16_t port,
                 uint16_t receiverPort,
                 const FlowTag& tag);

    /**
     * @brief The connection is over. What is still under way keeps its tag.
     * @param receiver as for AddFlow()
     * @param port as for AddFlow()
     * @param receiverPort as for AddFlow()
     */
    void RemoveFlow(FabricNetDevice& receiver, uint16_t port, uint16_t receiverPort);

    /**
     * @brief Make a packet's IPv4 header say what its item says.
     * @param packet a packet that starts with an IPv4 header
     * @param tos the ToS byte; if the header has another, it is written again, with its checksum if
     *        ns-3 computes checksums
     */
    static void WriteTos(Ptr<Packet> packet, uint8_t tos);

    /// @brief Packets from the stack that went nowhere, by reason.
    struct SendDrops
    {
        uint64_t notIpv4{0};            //!< another protocol, or no whole IPv4 header
        uint64_t unknownDestination{0}; //!< the address of no other host of the fabric
        uint64_t tooLarge{0};           //!< larger than the MTU
        uint64_t linkDown{0};           //!< the host's link does not work
    };

    /// @brief Packets from the stack that went nowhere.
    const SendDrops& GetSendDrops() const;

    /// @brief Items that arrived without a packet in them.
    uint64_t GetReceiveDrops() const;

    // Inherited from NetDevice.
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    static constexpr uint32_t FIRST_ADDRESS = 0x0a000001; //!< of host 0: 10.0.0.1

    /// @brief The flow of a connection.
    struct StackFlow
    {
        uint32_t flow; //!< number from Fabric::AddEndpoints()
        uint8_t kind;  //!< FabricItem::TOWARDS_SENDER, or 0
    };

    void ReceiveItem(FabricItem* item) override;
    std::optional<Payload> GetPayload(FabricItem& item) const override;

    /**
     * @brief Fill an item's fields from a packet's headers.
     * @param item the item
     * @param packet the packet
     * @return nullptr, or the counter of the reason why the packet cannot be sent
     */
    uint64_t* Parse(FabricItem& item, const Packet& packet);

    /**
     * @brief Count and trace a packet that cannot be sent.
     * @param packet the packet
     * @param counter of the reason
     * @return false, so that Send() can `return Refuse(...)`
     */
    bool Refuse(Ptr<const Packet> packet, uint64_t& counter);

    void DeliverUp(Ptr<Packet> packet);
    void HandleLinkState(uint32_t link, bool up);
    void SetDscpPriorities(std::string text);
    std::string GetDscpPriorities() const;

    Ptr<Fabric> m_fabric;                            //!< the fabric
    uint32_t m_host{0};                              //!< number of the host
    uint32_t m_nHosts{0};                            //!< hosts of the fabric
    std::array<uint8_t, 64> m_priorities{};          //!< FabricItem::priority by DSCP
    std::string m_dscpPriorities;                    //!< attribute DscpPriorities
    Ptr<Node> m_node;                                //!< the node
    uint32_t m_ifIndex{0};                           //!< number of the device within the node
    uint16_t m_mtu{1500};                            //!< largest IP datagram in bytes
    Mac48Address m_address;                          //!< only a name: nothing is addressed by it
    std::unordered_map<uint64_t, StackFlow> m_flows; //!< of what is sent, by peer and ports
    SendDrops m_sendDrops;                           //!< packets from the stack that went nowhere
    uint64_t m_receiveDrops{0};                      //!< items without a packet
    ReceiveCallback m_receive;                       //!< the node's
    PromiscReceiveCallback m_receivePromisc;         //!< the node's, if somebody listens so
    std::vector<Callback<void>> m_linkChanges;       //!< called when the link fails or is repaired

    TracedCallback<Ptr<const Packet>> m_macTxTrace;     //!< the stack sends a packet
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace; //!< a packet cannot be sent
    TracedCallback<Ptr<const Packet>> m_macRxTrace;     //!< a packet goes up
    TracedCallback<Ptr<const Packet>> m_snifferTrace;   //!< a packet goes either way
};

} // namespace ns3

#endif /* FABRIC_NET_DEVICE_H */
