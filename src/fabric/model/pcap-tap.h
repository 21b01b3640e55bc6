/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCAP_TAP_H
#define PCAP_TAP_H

#include "edge-agent.h"
#include "fabric-host.h"
#include "fabric-port.h"
#include "packet-maker.h"

#include "ns3/pcap-file-wrapper.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Writes what crosses ports to a pcap file that Wireshark reads.
 *
 * Packets are raw IPv4 (LINKTYPE_RAW) with time stamps in nanoseconds. A packet is written when its
 * first bit leaves the port; on a host's receiving side, when its last bit has arrived.
 *
 * Several ports may share a file.
 */
class PcapTap
{
  public:
    /**
     * @brief Open a capture file.
     * @param fileName the file; written anew
     * @param packets makes the bytes of items
     * @param snapLength most bytes of a packet that are kept
     * @throws InputError if the file cannot be written
     */
    explicit PcapTap(const std::string& fileName,
                     PacketMaker packets = {},
                     uint32_t snapLength = 65535);

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
     * @throws InputError naming --out if it cannot be written (a full disk, for example)
     */
    void Write(const FabricItem& item);

    /**
     * @brief End the file; nothing may be written afterwards.
     * @throws InputError naming --out if writing failed
     */
    void Close();

  private:
    /// @throws InputError naming --out if writing failed
    void CheckWritten() const;

    std::string m_fileName;      //!< its path
    Ptr<PcapFileWrapper> m_file; //!< the file
    PacketMaker m_packets;       //!< makes what is written
};

} // namespace ns3

#endif /* PCAP_TAP_H */
