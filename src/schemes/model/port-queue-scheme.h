/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_QUEUE_SCHEME_H
#define PORT_QUEUE_SCHEME_H

#include "scheme.h"

#include "ns3/queue-limit.h"
#include "ns3/shared-buffer.h"

#include <map>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief What schemes have in common whose switches are ports with a buffer each and paths chosen
 * among equals.
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

    void ConfigureFabric(Network& network) override;

  protected:
    /**
     * @brief Make a port's discipline, unless the user asks for another (attributes Queue and
     * HostQueue).
     * @param port the port
     * @param buffer most that may wait there
     * @return the discipline; a drop-tail FIFO unless a subclass says otherwise
     */
    virtual Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                                 QueueSize buffer) const;

    /**
     * @brief Make a FIFO that marks while more than a threshold waits.
     * @param port the port
     * @param buffer most that may wait there; four thresholds if that is more and the user says
     * nothing of the buffer
     * @param threshold the threshold
     * @return the discipline
     */
    Ptr<FabricQueueDisc> CreateMarkingQueueDisc(const FabricPort::Description& port,
                                                QueueSize buffer,
                                                QueueLimit threshold) const;

    /**
     * @brief How switches choose among equal-cost paths, unless the user says otherwise (attribute
     * Paths).
     * @return the specification of a PathSelector; flow-hash unless a subclass says otherwise
     */
    virtual std::string GetDefaultPaths() const;

    /**
     * @brief The discipline of a host's own port, unless the user asks for another (attribute
     * HostQueue).
     * @return its specification; empty, unless a subclass says otherwise: as at the other ports
     */
    virtual std::string GetDefaultHostQueue() const;

    /**
     * @brief The flow control of the links, unless the user asks for another (attribute
     * FlowControl).
     * @return its specification; empty, unless a subclass says otherwise: there is none
     */
    virtual std::string GetDefaultFlowControl() const;

  private:
    /**
     * @brief What the links' flow control is to be.
     * @return its specification; empty: there is none
     */
    std::string GetFlowControl() const;

    /**
     * @brief Make a port's discipline: the one that the user asks for, or the scheme's own.
     * @param port the port
     * @return the discipline
     */
    Ptr<FabricQueueDisc> CreatePortQueueDisc(const FabricPort::Description& port) const;

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
    QueueSize CheckBuffer(const std::string& attribute, QueueLimit limit, DataRate rate) const;

    std::string m_paths;       //!< how switches choose paths
    std::string m_queue;       //!< discipline of each port; empty: the scheme's own
    std::string m_hostQueue;   //!< discipline of a host's port; empty: as the others
    std::string m_flowControl; //!< flow control of the links; empty: the scheme's own
    QueueLimit m_hostBuffer;   //!< at a host's port
    QueueLimit m_edgeBuffer;   //!< at a port of a switch that hosts are attached to
    QueueLimit m_coreBuffer;   //!< at a port of any other switch
    uint64_t m_sharedBuffer;   //!< of each switch, in bytes; 0: ports have a buffer each
    double m_sharedAlpha;      //!< share of the free memory that a port may take
    uint32_t m_fullPacket{0};  //!< of the hosts, in bytes
};

} // namespace ns3

#endif /* PORT_QUEUE_SCHEME_H */
