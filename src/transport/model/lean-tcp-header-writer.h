/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_HEADER_WRITER_H
#define LEAN_TCP_HEADER_WRITER_H

#include "lean-tcp-header.h"
#include "lean-tcp-settings.h"

#include "ns3/packet-maker.h"

#include <cstdint>
#include <unordered_map>

namespace ns3
{

class Fabric;

/**
 * @ingroup lean-tcp
 * @brief Turns lean TCP's segments into bytes: IPv4, a TCP header with the options
 * that the segment's size has room for, zeros.
 *
 * As in TCP the SYN has a number: the first byte of payload is number 1. What the model does not
 * send is written as a stack at rest would: the window of the sending end, which gets no data, and
 * the codepoints with which a SYN negotiates ECN. The options MP_CAPABLE and MP_JOIN, of whose keys
 * the model knows nothing, are padding.
 */
class LeanTcpHeaderWriter : public ItemHeaderWriter
{
  public:
    /// @param fabric the owner of the items written; outlives the writer
    explicit LeanTcpHeaderWriter(const Fabric& fabric);

    Ptr<Packet> MakePacket(const FabricItem& item) const override;

  private:
    /// @brief Settings and ports of a connection's segments.
    struct Connection
    {
        const LeanTcpSettings* settings; //!< the transport's
        uint16_t source;                 //!< port of the sender of data
        uint16_t destination;            //!< port of its receiver
    };

    /**
     * @brief The connection of a segment.
     * @param item any item
     * @return the connection, or nullptr if the item is not lean TCP's
     */
    const Connection* Find(const FabricItem& item) const;

    const Fabric& m_fabric; //!< knows who gets an item

    /// Connections by flow: a late segment may come when its flow is over.
    mutable std::unordered_map<uint32_t, Connection> m_connections;
};

} // namespace ns3

#endif /* LEAN_TCP_HEADER_WRITER_H */
