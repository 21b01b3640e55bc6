/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RELIABLE_TRANSPORT_H
#define RELIABLE_TRANSPORT_H

#include "host-engine.h"
#include "loss-recovery.h"
#include "transport.h"

#include <memory>
#include <unordered_map>

namespace ns3
{

class ReliableFlow;

/**
 * @ingroup transport
 * @brief Base of transports that network cards or user-space stacks run: numbered packets without a
 * handshake, each flow a message of its own, sent when a control law says so.
 *
 * A subclass makes flows (ReliableFlow) whose control law says when the next packet may go.
 */
class ReliableTransport : public Transport
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    ReliableTransport();
    ~ReliableTransport() override;

    void StopFlow(FlowId flow) override;
    PacketSizes GetPacketSizes() const override;
    std::optional<uint64_t> CountRetransmissions() const override;
    std::vector<FlowState> GetStates(FlowId flow) const override;
    void ReportResults(Results& results) const override;

    /**
     * @brief The network.
     * @return the fabric that the transport is attached to
     */
    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /**
     * @brief Round-trip time of a full packet without load.
     * @param source sending host
     * @param destination receiving host
     * @return from the start of its transmission to the arrival of the acknowledgment
     */
    Time GetBaseRtt(uint32_t source, uint32_t destination) const;

    /**
     * @brief A flow under way, for tests and recorders.
     * @param flow the flow
     * @return its two ends; nullptr if it is over
     */
    ReliableFlow* FindFlow(FlowId flow) const;

    /**
     * @brief Server for the packets that arrive at a host.
     * @param host the host
     * @return nullptr: packets take no time there
     */
    HostEngine* GetEngine(uint32_t host) const
    {
        return m_engines.empty() ? nullptr : m_engines[host].get();
    }

    /**
     * @brief Times that flows gave up all that was under way.
     * @return number of timeouts
     */
    uint64_t GetTimeouts() const
    {
        return m_timeouts;
    }

  protected:
    /**
     * @brief Make a flow's two ends.
     * @param record id, request and request time are set
     * @return the flow, not yet sending
     */
    virtual std::unique_ptr<ReliableFlow> CreateFlow(const FlowRecord& record) = 0;

    void DoAttach() override;
    void DoStartFlow(const FlowRecord& record) override;
    void DoDispose() override;

    uint32_t m_payload{0};        //!< of a full packet in bytes; a subclass says it
    uint32_t m_header{0};         //!< of a data packet in bytes; a subclass says it
    uint32_t m_acknowledgment{0}; //!< IP datagram in bytes; a subclass says it
    LossRecovery::Kind m_recovery{LossRecovery::SELECTIVE}; //!< a subclass says it
    Time m_minTimeout; //!< least time without progress; a subclass says it

  private:
    friend class ReliableFlow;

    /**
     * @brief A flow is over.
     * @param flow the flow; gone afterwards
     */
    void Forget(ReliableFlow& flow);

    uint32_t m_acknowledgeEvery;   //!< packets
    QueueLimit m_backlog;          //!< most of a flow in its host's port
    uint8_t m_priority;            //!< class in the fabric of data and acknowledgments
    Time m_maxTimeout;             //!< most time without progress
    Time m_processingTime;         //!< of a packet at its receiver
    uint64_t m_retransmissions{0}; //!< data packets sent again
    uint64_t m_timeouts{0};        //!< see GetTimeouts()

    std::vector<std::unique_ptr<HostEngine>> m_engines; //!< by host; empty: there are none
    std::unordered_map<FlowId, std::unique_ptr<ReliableFlow>> m_flows; //!< under way
};

} // namespace ns3

#endif /* RELIABLE_TRANSPORT_H */
