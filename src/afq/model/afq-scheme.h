/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AFQ_SCHEME_H
#define AFQ_SCHEME_H

#include "packet-pair-scheme.h"

namespace ns3
{

/**
 * @ingroup afq
 * @brief AFQ (NSDI 2018): packet-pair hosts, approximate fair queueing, flow ECMP
 *
 * Hosts' own ports run the discipline, too, or a host's long flows would hide what AFQ does for its
 * short ones (the paper does not say).
 */
class AfqScheme : public PacketPairScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  protected:
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override;
};

} // namespace ns3

#endif /* AFQ_SCHEME_H */
