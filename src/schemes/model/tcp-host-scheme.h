/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_HOST_SCHEME_H
#define TCP_HOST_SCHEME_H

#include "scheme.h"

#include "ns3/queue-size.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief What schemes with TCP hosts have in common: a congestion control at the hosts, one FIFO
 * per port, paths chosen per flow.
 *
 * Buffer sizes are those of AFQ's cluster (NSDI 2018, Section 6.2.1). The hosts' own queue, which
 * the paper leaves open, is large, so that hosts are not where packets are lost.
 */
class TcpHostScheme : public Scheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void ConfigureFabric(Fabric& fabric) override;
    void ConfigureNodes(Fabric& fabric) override;
    Ptr<Transport> CreateTransport(const std::string& spec) override;

  protected:
    /**
     * @brief The hosts' congestion control.
     * @return TypeId name of a TcpCongestionOps
     */
    virtual std::string GetCongestionOps() const = 0;

    /**
     * @brief Make a port's discipline.
     * @param port the port
     * @param buffer most that may wait there
     * @return the discipline; a drop-tail FIFO unless a subclass says otherwise
     */
    virtual Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                                 QueueSize buffer) const;

    void DoDispose() override;

  private:
    /**
     * @brief The buffer of a port.
     * @param port the port
     * @return most that may wait there
     */
    QueueSize GetBuffer(const FabricPort::Description& port) const;

    std::string m_transport;        //!< default transport
    std::string m_paths;            //!< how switches choose paths
    Time m_resequencing;            //!< most that hosts wait for data that is late; 0: not at all
    QueueSize m_hostBuffer;         //!< at a host's port
    QueueSize m_edgeBuffer;         //!< at a port of a switch that hosts are attached to
    QueueSize m_coreBuffer;         //!< at a port of any other switch
    Ptr<Transport> m_hostTransport; //!< what CreateTransport() made
};

} // namespace ns3

#endif /* TCP_HOST_SCHEME_H */
