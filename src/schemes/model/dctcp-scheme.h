/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCTCP_SCHEME_H
#define DCTCP_SCHEME_H

#include "tcp-host-scheme.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief DCTCP (Alizadeh et al., SIGCOMM 2010), ECN step marking, flow ECMP
 *
 * A port marks what arrives while more than K packets wait. K grows with the rate of the link, as
 * the bandwidth-delay product does: AFQ's 20 packets at 10 Gbit/s are its 80 packets at 40 Gbit/s.
 */
class DctcpScheme : public TcpHostScheme
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

  private:
    QueueLimit m_markThreshold; //!< attribute MarkThreshold
};

} // namespace ns3

#endif /* DCTCP_SCHEME_H */
