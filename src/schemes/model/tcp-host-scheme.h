/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_HOST_SCHEME_H
#define TCP_HOST_SCHEME_H

#include "port-queue-scheme.h"

#include "ns3/resequencing-buffer.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief A network with TCP hosts: a congestion control and, where paths differ, an order restored.
 */
class TcpHostScheme : public PortQueueScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<Transport> CreateTransport(
        const std::string& spec,
        const std::map<std::string, std::string>& defaults = {}) const override;
    void ConfigureFabric(Network& network) override;
    void ConfigureNodes(Network& network) override;

  protected:
    /**
     * @brief Make what restores the order of data at a host; its timeout is set afterwards.
     * @return the agent
     */
    virtual Ptr<ResequencingBuffer> CreateResequencingBuffer() const;

  private:
    std::string m_congestionOps; //!< attribute CongestionOps
    Time m_resequencing;         //!< most that hosts wait for data that is late
};

} // namespace ns3

#endif /* TCP_HOST_SCHEME_H */
