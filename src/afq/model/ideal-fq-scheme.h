/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEAL_FQ_SCHEME_H
#define IDEAL_FQ_SCHEME_H

#include "ns3/port-queue-scheme.h"

namespace ns3
{

/**
 * @ingroup afq
 * @brief Ideal-FQ (AFQ Section 6.2.2): packet-pair hosts, exact bit-by-bit round robin, flow ECMP
 */
class IdealFqScheme : public PortQueueScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    Ptr<Transport> CreateTransport(const std::string& spec) override;

  protected:
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override;

  private:
    std::string m_transport; //!< default transport
    std::string m_queue;     //!< discipline of each port
};

} // namespace ns3

#endif /* IDEAL_FQ_SCHEME_H */
