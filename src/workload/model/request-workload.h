/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REQUEST_WORKLOAD_H
#define REQUEST_WORKLOAD_H

#include "poisson-workload.h"

#include "ns3/spec.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Clients ask servers: requests and responses, to one server or several, in an open or a
 * closed loop.
 *
 * The first hosts are clients, the others servers. In the open loop, requests of random clients to
 * random servers arrive as a Poisson process (AFQ, Section 6.1.3). In the closed loop, every client
 * keeps a number of requests outstanding and thinks before the next (uFAB, Section 5.3). A request
 * is a task: it is over when all responses have arrived (Trinity, Section 5.3: eight servers are
 * asked). Without sizes of requests, only the responses are simulated.
 */
class RequestWorkload : public PoissonWorkload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    bool IsOver() const override;
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief As there, but responses only go from servers to clients: the busiest link decides.
     * @param fabric the network
     * @param role role of the tier's ports
     * @return the link that carries most for its rate, over equal shares of all shortest paths
     */
    LoadedLinks GetLoadedLinks(Fabric& fabric, const std::string& role) const override;

  private:
    void DoDispose() override;
    void DoPrepare() override;
    void DoStart() override;
    void DrawPair(FlowRequest& request) override;
    std::optional<FlowArrival> DoNext() override;
    void Launch(const FlowArrival& arrival) override;
    void DoTaskFinished(uint32_t client) override;

    /**
     * @param hosts number of hosts
     * @throws InputError if not even one of them would be a server
     */
    void CheckClients(uint32_t hosts) const;

    /**
     * @brief The number of hosts that are clients.
     * @return their number
     */
    uint32_t GetClientCount() const;

    /**
     * @brief Servers that a client can ask.
     * @param client index of the client
     * @return indices of the servers on other hosts
     */
    std::vector<uint32_t> GetServers(uint32_t client) const;

    /**
     * @brief Sizes of requests.
     * @return the distribution; null if requests are not simulated
     */
    Ptr<FlowSizeDistribution> GetRequestSizes() const;

    /**
     * @brief Draw a client's request to a first server.
     * @param client index of the client
     * @return the response
     */
    FlowRequest Draw(uint32_t client);

    /**
     * @brief Send a request.
     * @param response of the first server
     */
    void Ask(const FlowRequest& response);

    /**
     * @brief A client has thought: send its next request.
     * @param client index of the client
     */
    void Continue(uint32_t client);

    uint32_t m_clients; //!< number of hosts, the first ones, that are clients
    Spec m_requestSpec; //!< attribute RequestSizes
    mutable Ptr<FlowSizeDistribution> m_requestSizes; //!< the distribution; null until first needed
    uint32_t m_fanOut;                                //!< servers that are asked; 0: all
    uint32_t m_outstanding;                           //!< requests of a client; 0: open loop
    Time m_thinkTime;                                 //!< mean pause of a client
    Time m_maxDelay;                                  //!< first requests start within so long
};

} // namespace ns3

#endif /* REQUEST_WORKLOAD_H */
