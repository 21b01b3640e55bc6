/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCQCN_SCHEME_H
#define DCQCN_SCHEME_H

#include "port-queue-scheme.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief DCQCN (Zhu et al., SIGCOMM 2015): RoCEv2 hosts, random ECN marking, priority flow control,
 * flow ECMP
 *
 * A port marks what arrives at random, by the length of its queue (RedMarkQueueDisc). Kmin and Kmax
 * grow with the rate of the link, as the bandwidth-delay product does; the paper's are for 40
 * Gbit/s. Links lose nothing unless `FlowControl=none` says otherwise.
 */
class DcqcnScheme : public PortQueueScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    std::string GetTransportSpecs() const override;

  protected:
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override;
    std::string GetDefaultFlowControl() const override;

  private:
    std::string m_transport;   //!< attribute Transport
    QueueLimit m_minThreshold; //!< Kmin
    QueueLimit m_maxThreshold; //!< Kmax
    double m_maxProbability;   //!< Pmax
};

} // namespace ns3

#endif /* DCQCN_SCHEME_H */
