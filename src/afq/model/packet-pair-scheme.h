/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_SCHEME_H
#define PACKET_PAIR_SCHEME_H

#include "ns3/port-queue-scheme.h"

namespace ns3
{

/**
 * @ingroup afq
 * @brief What schemes with packet-pair hosts have in common (AFQ Section 5).
 */
class PacketPairScheme : public PortQueueScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetTransportSpecs() const override;
    void ConfigurePackets(const Network& network, PacketMaker& packets) const override;

  private:
    std::string m_transport; //!< default transport
};

} // namespace ns3

#endif /* PACKET_PAIR_SCHEME_H */
