/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_QUEUE_SCHEME_H
#define PORT_QUEUE_SCHEME_H

#include "scheme.h"

#include "ns3/host-model.h"
#include "ns3/queue-limit.h"
#include "ns3/shared-buffer.h"

#include <map>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief A network whose switches are ports with a buffer each and paths chosen among equals.
 *
 * Buffer sizes are those of AFQ's cluster (NSDI 2018, Section 6.2.1). The hosts' own queue, which
 * the paper leaves open, is large, so that hosts are not where packets are lost.
 */
class PortQueueScheme : public Scheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetTransportSpecs() const override;
    void ConfigureFabric(Network& network) override;
    void ConfigurePackets(const Network& network, PacketMaker& packets) const override;

  protected:
    /**
     * @brief Make a port's discipline where the attributes Queue and HostQueue name none.
     * @param port the port
     * @param buffer most that may wait there; by default four thresholds if that is more
     * @return the discipline; a FIFO, marking above MarkThreshold, unless a subclass says otherwise
     */
    virtual Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                                 QueueSize buffer) const;

    /**
     * @brief The discipline of a host's own port.
     * @return its specification; empty: as at the other ports
     */
    virtual std::string GetHostQueue() const;

    /**
     * @brief Tell whether the scheme needs a discipline of its own at hosts' ports.
     * @return true if the host model has no say there
     */
    virtual bool OwnsHostPorts() const;

    /**
     * @brief The buffer of a port that marks: by default four thresholds if that is more.
     * @param port the port
     * @param buffer most that may wait there
     * @return most that may wait there
     */
    QueueSize GetMarkingBuffer(const FabricPort::Description& port, QueueSize buffer) const;

    /**
     * @brief The threshold above which ports mark.
     * @return attribute MarkThreshold
     */
    const QueueLimit& GetMarkThreshold() const
    {
        return m_markThreshold;
    }

  private:
    /**
     * @brief Tell whether links have flow control.
     * @return false for none
     */
    bool HasFlowControl() const;

    /**
     * @brief Make a port's discipline: the one that the user asks for, or the scheme's own.
     * @param port the port
     * @return the discipline
     */
    Ptr<FabricQueueDisc> CreatePortQueueDisc(const FabricPort::Description& port) const;

    /**
     * @brief Make the discipline that the host model asks for.
     * @param port a host's own port
     * @param buffer most that may wait there
     * @return the discipline; nullptr: the host model leaves it to the scheme
     */
    Ptr<FabricQueueDisc> CreateHostQueueDisc(const FabricPort::Description& port,
                                             QueueSize buffer) const;

    /// @brief Tell where hosts' ports depart from the host model.
    void CheckHostModel() const;

    /**
     * @brief The memory that a port of a switch shares with the others.
     * @param port the port
     * @param [in,out] buffers made so far, by switch
     * @return the buffer; nullptr: the port has one of its own
     */
    Ptr<SharedBuffer> GetSharedBuffer(
        const FabricPort::Description& port,
        std::map<const FabricNode*, Ptr<SharedBuffer>>& buffers) const;

    /**
     * @brief The buffer of a port.
     * @param port the port
     * @return most that may wait there
     */
    QueueSize GetBuffer(const FabricPort::Description& port) const;

    /**
     * @brief Tell whether the user says nothing of the buffer of a switch's port.
     * @param port the port
     * @return true if its size is the default
     */
    bool HasDefaultBuffer(const FabricPort::Description& port) const;

    /**
     * @brief Make the discipline that the user asks for.
     * @param attribute what asks for it
     * @param spec its specification
     * @param port the port
     * @param buffer most that may wait there, unless the specification says otherwise
     * @return the discipline
     * @throws InputError if the specification cannot be used
     */
    Ptr<FabricQueueDisc> CreateRequestedQueueDisc(const std::string& attribute,
                                                  const std::string& spec,
                                                  const FabricPort::Description& port,
                                                  QueueSize buffer) const;

    /**
     * @brief Refuse a buffer that no full packet of the hosts fits into: what happens then would
     * differ from discipline to discipline.
     * @param attribute the attribute that says how large it is
     * @param limit how large it is
     * @param rate of the link
     * @return the buffer in bytes or packets
     * @throws InputError if it is too small
     */
    QueueSize CheckBuffer(const std::string& attribute,
                          const QueueLimit& limit,
                          DataRate rate) const;

    std::string m_transport;    //!< attribute Transport
    std::string m_paths;        //!< how switches choose paths
    std::string m_queue;        //!< discipline of each port; empty: CreateQueueDisc()
    std::string m_hostQueue;    //!< discipline of a host's port; empty: as the others
    std::string m_flowControl;  //!< flow control of the links
    QueueLimit m_markThreshold; //!< above which ports mark
    QueueLimit m_hostBuffer;    //!< at a host's port
    QueueLimit m_edgeBuffer;    //!< at a port of a switch that hosts are attached to
    QueueLimit m_coreBuffer;    //!< at a port of any other switch
    uint64_t m_sharedBuffer;    //!< of each switch, in bytes; 0: ports have a buffer each
    double m_sharedAlpha;       //!< share of the free memory that a port may take
    uint32_t m_fullPacket{0};   //!< of the hosts, in bytes
    Ptr<HostModel> m_hosts;     //!< what stands between applications and links
};

} // namespace ns3

#endif /* PORT_QUEUE_SCHEME_H */
