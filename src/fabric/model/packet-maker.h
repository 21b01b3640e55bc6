/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_MAKER_H
#define PACKET_MAKER_H

#include "fabric-item.h"

#include "ns3/ipv4-address.h"
#include "ns3/packet.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Says what the items of a transport look like as bytes.
 *
 * This one serves any transport: an IPv4 and a UDP header, and zeros up to the item's size. A
 * transport whose headers are worth reading derives its own.
 */
class ItemHeaderWriter
{
  public:
    virtual ~ItemHeaderWriter() = default;

    /**
     * @brief Make the packet that an item stands for.
     * @param item an item without a packet and without an outer header
     * @return IPv4 header (see AddIpv4Header()) and what follows; FabricItem::size bytes. nullptr:
     *         the item is another writer's
     */
    virtual Ptr<Packet> MakePacket(const FabricItem& item) const;

  protected:
    /**
     * @brief Put the IPv4 header of an item in front: addresses of its hosts, its ToS, a checksum.
     * @param packet transport header and payload
     * @param item the item
     * @param protocol IP protocol number of the transport
     */
    static void AddIpv4Header(Ptr<Packet> packet, const FabricItem& item, uint8_t protocol);

    /**
     * @brief Put the UDP header of an item in front, with its checksum, and then its IPv4 header.
     * @param packet payload
     * @param item the item
     * @param sourcePort port of its source
     * @param destinationPort port of its destination
     */
    static void AddUdpHeader(Ptr<Packet> packet,
                             const FabricItem& item,
                             uint16_t sourcePort,
                             uint16_t destinationPort);
};

/**
 * @ingroup fabric
 * @brief Turns items into the packets that they stand for, from the IPv4 header on, for whoever
 * wants to see one: a callback of a trace source, a DepartureStage, a capture.
 *
 * @code
 *   const PacketMaker packets = network->MakePacketMaker();
 *   using Drop = Callback<void, const FabricItem*, const char*>;
 *   disc.TraceConnectWithoutContext("ItemDrop", Drop([&](auto item, const char* reason) {
 *       Ipv4Header ip;
 *       packets.MakePacket(*item)->PeekHeader(ip);
 *       std::cout << reason << ": " << ip << std::endl;
 *   }));
 * @endcode
 *
 * An item that carries an ns-3 packet becomes a copy of it, with the ToS that it has in the fabric;
 * any other is written by an ItemHeaderWriter. Either has an outer header (IP in IP, RFC 2003)
 * where the fabric's scheme says so, with the item's ToS like the inner one.
 */
class PacketMaker
{
  public:
    /**
     * @brief Say how some items without a packet become bytes.
     * @param writer asked after those added before, and before the plain ItemHeaderWriter
     */
    void AddHeaderWriter(std::unique_ptr<ItemHeaderWriter> writer);

    /**
     * @brief Says whether an item has an outer header of 20 bytes, and where that leads: an
     * address, or nothing.
     */
    using OuterDestination = std::function<std::optional<Ipv4Address>(const FabricItem&)>;

    /**
     * @brief Say which items have an outer header. Without this none has.
     * @param outer says it of an item; FabricItem::size includes the header
     */
    void SetOuterDestination(OuterDestination outer);

    /**
     * @brief Make the packet that an item stands for now. The item stays as it is.
     * @param item the item
     * @return the packet, from its first IPv4 header on; the caller's own
     */
    Ptr<Packet> MakePacket(const FabricItem& item) const;

  private:
    /**
     * @brief Make the packet within the outer header, if there is one.
     * @param item an item without an outer header
     * @return the packet
     */
    Ptr<Packet> MakeInner(const FabricItem& item) const;

    OuterDestination m_outer; //!< tells the destination of an item's outer header; may be empty

    /// Make bytes of items without a packet; the first that knows an item does it.
    std::vector<std::unique_ptr<ItemHeaderWriter>> m_writers;
};

} // namespace ns3

#endif /* PACKET_MAKER_H */
