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
 * @brief What schemes with TCP hosts have in common: a congestion control at the hosts.
 */
class TcpHostScheme : public PortQueueScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetTransportSpecs() const override;
    Ptr<Transport> CreateTransport(const std::string& spec) const override;
    void ConfigureFabric(Network& network) override;
    void ConfigureNodes(Network& network) override;

  protected:
    /**
     * @brief The hosts' congestion control.
     * @return TypeId name of a TcpCongestionOps
     */
    virtual std::string GetCongestionOps() const = 0;

    /**
     * @brief How hosts send, unless the user says otherwise.
     * @return specifications for `--transport`
     */
    virtual std::string GetDefaultTransport() const;

    /**
     * @brief Most that hosts wait for data that is late, unless the user says otherwise.
     * @return the time; 0: hosts do not wait
     */
    virtual Time GetDefaultResequencingTimeout() const;

    /**
     * @brief Make what restores the order of data at a host; its timeout is set afterwards.
     * @return the agent
     */
    virtual Ptr<ResequencingBuffer> CreateResequencingBuffer() const;

  private:
    std::string m_transport; //!< attribute Transport
    Time m_resequencing;     //!< most that hosts wait for data that is late; < 0: by default
};

} // namespace ns3

#endif /* TCP_HOST_SCHEME_H */
