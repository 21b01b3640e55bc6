/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REQUEST_WORKLOAD_H
#define REQUEST_WORKLOAD_H

#include "poisson-workload.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Clients ask servers: responses from random servers to random clients arrive as a Poisson
 * process (AFQ, Section 6.1.3).
 *
 * The first hosts are clients, the others servers. A flow is a response; the request itself, a
 * small packet in the other direction, is not simulated.
 */
class RequestWorkload : public PoissonWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    void DoPrepare() override;
    void DrawPair(FlowRequest& request) override;

    uint32_t m_clients; //!< how many of the first hosts are clients
};

} // namespace ns3

#endif /* REQUEST_WORKLOAD_H */
