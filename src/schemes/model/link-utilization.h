/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_UTILIZATION_H
#define LINK_UTILIZATION_H

#include "ns3/fabric-port.h"
#include "ns3/nstime.h"
#include "ns3/port-stage.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief The recent utilization of the link of one port: a discounting rate estimator (CONGA,
 * SIGCOMM 2014, Section 3.2), which in-band telemetry would tell the edge.
 */
class LinkUtilization : public PortStage
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Make an estimator.
     * @param time constant in which the past fades
     */
    explicit LinkUtilization(Time time);

    void Depart(FabricItem* item, const FabricPort& port) override;

    /**
     * @brief The utilization.
     * @param now the current time, in time steps
     * @return about 1: the link is full
     */
    double Get(int64_t now) const;

  private:
    double m_time;     //!< time constant, in time steps
    double m_busy{0};  //!< time that the link was busy, faded, in time steps
    int64_t m_last{0}; //!< time for which m_busy holds, in time steps
};

} // namespace ns3

#endif /* LINK_UTILIZATION_H */
