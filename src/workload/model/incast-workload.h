/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INCAST_WORKLOAD_H
#define INCAST_WORKLOAD_H

#include "workload.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Several hosts answer one request at once (AFQ, Section 6.2.4).
 *
 * Each of the senders, drawn anew for each request, sends an equal part of the answer to the
 * receiver. The time of the request packets is not modeled. Each request is a group of its own.
 */
class IncastWorkload : public Workload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    UnstartedFlows GetUnstarted() const override;

  private:
    void DoPrepare() override;
    std::optional<FlowArrival> DoNext() override;

    /**
     * @brief The hosts that can answer.
     * @param receiver index of the host that asks
     * @return indices of the others; of VMs, those on other hosts
     */
    std::vector<uint32_t> GetOthers(uint32_t receiver) const;

    /**
     * @brief Plan the answers to a request.
     * @param receiver index of the host that asks
     * @param group number of the request
     */
    void PlanAnswers(uint32_t receiver, uint32_t group);

    uint32_t m_senders;  //!< senders per request
    double m_bytes;      //!< size of the whole answer in bytes
    uint32_t m_receiver; //!< index of the receiving host
    bool m_allAsk;       //!< every host asks
    uint32_t m_requests; //!< number of requests
    Time m_interval;     //!< time between them
    Time m_maxDelay;     //!< answers start within so long
    uint32_t m_answered; //!< requests planned so far
};

} // namespace ns3

#endif /* INCAST_WORKLOAD_H */
