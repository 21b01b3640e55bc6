/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEAL_FQ_SCHEME_H
#define IDEAL_FQ_SCHEME_H

#include "packet-pair-scheme.h"

namespace ns3
{

/**
 * @ingroup afq
 * @brief Ideal-FQ (AFQ Section 6.2.2): packet-pair hosts, exact bit-by-bit round robin, flow ECMP
 */
class IdealFqScheme : public PacketPairScheme
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

#endif /* IDEAL_FQ_SCHEME_H */
