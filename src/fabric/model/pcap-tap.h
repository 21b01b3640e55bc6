/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCAP_TAP_H
#define PCAP_TAP_H

#include "edge-agent.h"
#include "fabric-host.h"
#include "fabric-port.h"

#include "ns3/ipv4-address.h"
#include "ns3/pcap-file-wrapper.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Says what the items of a transport look like as bytes.
 *
 * This one serves any transport: an IPv4 and a UDP header, and zeros up to the item's size. A
 * transport whose headers are worth reading in a capture derives its own.
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
};

/**
 * @ingroup fabric
 * @brief Writes what crosses ports to a pcap file that Wireshark reads.
 *
 * Packets are raw IPv4 (LINKTYPE_RAW) with time stamps in nanoseconds. A packet is written when its
 * first bit leaves the port; on a host's receiving side, when its last bit has arrived. An item
 * that carries an ns-3 packet is written byte for byte, with the ToS that it has in the fabric;
 * any other is written by an ItemHeaderWriter. Either has an outer header (IP in IP, RFC 2003)
 * where the fabric's scheme says so, with the item's ToS like the inner one.
 *
 * Several ports may share a file.
 */
class PcapTap
{
  public:
    /**
     * @brief Open a capture file.
     * @param fileName the file; written anew
     * @param snapLength most bytes of a packet that are kept
     * @throws InputError if the file cannot be written
     */
    explicit PcapTap(const std::string& fileName, uint32_t snapLength = 65535);

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
     * @brief Write what a port sends, before there is traffic. The tap must outlive the port's use.
     * @param port the port
     */
    void TapPort(FabricPort& port);

    /**
     * @brief Write what a host sends and receives, at its port: below the edge agents installed so
     * far. The tap must outlive the host's use.
     * @param host the host
     */
    void TapHost(FabricHost& host);

    /**
     * @brief Write an item now.
     * @param item the item
     */
    void Write(const FabricItem& item);

  private:
    /**
     * @brief Make the packet that an item stands for.
     * @param item an item without an outer header
     * @return the packet, from its IPv4 header on
     */
    Ptr<Packet> MakePacket(const FabricItem& item) const;

    Ptr<PcapFileWrapper> m_file; //!< the file
    OuterDestination m_outer;    //!< whether and where outer headers lead, or empty

    /// Make bytes of items without a packet; the first that knows an item does it.
    std::vector<std::unique_ptr<ItemHeaderWriter>> m_writers;
};

} // namespace ns3

#endif /* PCAP_TAP_H */
