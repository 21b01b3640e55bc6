/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IPV4_HEADER_FILTER_H
#define IPV4_HEADER_FILTER_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-packet-filter.h"
#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief One rule by addresses, protocol, ports and DSCP, for any queue disc of a stock ns-3
 * program that has packet filters.
 *
 * A packet matches if all fields do that the rule names. Of several filters of a queue disc the
 * first that matches counts. ns-3 itself has the base class only.
 */
class Ipv4HeaderFilter : public Ipv4PacketFilter
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

  private:
    int32_t DoClassify(Ptr<QueueDiscItem> item) const override;
    bool MatchesPorts(Ptr<const Packet> packet, const Ipv4Header& header) const;

    uint32_t m_class;           //!< attribute Class
    Ipv4Address m_source;       //!< attribute Source
    Ipv4Mask m_sourceMask;      //!< attribute SourceMask
    Ipv4Address m_destination;  //!< attribute Destination
    Ipv4Mask m_destinationMask; //!< attribute DestinationMask
    uint16_t m_protocol;        //!< attribute Protocol
    uint16_t m_sourcePort;      //!< attribute SourcePort
    uint16_t m_destinationPort; //!< attribute DestinationPort
    int16_t m_dscp;             //!< attribute Dscp
};

} // namespace ns3

#endif /* IPV4_HEADER_FILTER_H */
