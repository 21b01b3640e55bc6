/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEAL_FQ_DCTCP_SCHEME_H
#define IDEAL_FQ_DCTCP_SCHEME_H

#include "ns3/tcp-host-scheme.h"

namespace ns3
{

/**
 * @ingroup afq
 * @brief Ideal fair queueing under DCTCP hosts, what AFQ's Appendix B measures deviations from
 */
class IdealFqDctcpScheme : public TcpHostScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  protected:
    std::string GetCongestionOps() const override;
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override;
};

} // namespace ns3

#endif /* IDEAL_FQ_DCTCP_SCHEME_H */
