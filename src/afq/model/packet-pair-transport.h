/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_TRANSPORT_H
#define PACKET_PAIR_TRANSPORT_H

#include "packet-pair-connection.h"
#include "packet-pair-settings.h"

#include "ns3/connection-pool.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/transport.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup packet-pair
 * @brief Packet-pair flow control over UDP (AFQ, NSDI 2018, Sec. 5 and App. A, Fig. 13).
 *
 * Where every port queues fairly, two packets sent back to back leave the bottleneck one MSS apart
 * at the flow's share. The receiver measures that gap and reports it; the sender paces pairs at the
 * rate it tells, bounds the bytes in flight, and yields to ECN marks as DCTCP does. See
 * packet-pair.rst for the model and for what the paper leaves open.
 */
class PacketPairTransport : public Transport, private PacketPairSettings
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    PacketPairTransport();
    ~PacketPairTransport() override;

    std::string GetSummary() const override;
    void StopFlow(FlowId flow) override;
    PacketSizes GetPacketSizes() const override;
    std::vector<FlowState> GetStates(FlowId flow) const override;
    void ConfigurePackets(PacketMaker& packets) const override;
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief Packets sent more than once, of all flows.
     * @return number of transmissions beyond the first
     */
    uint64_t GetRetransmissions() const;

    std::optional<uint64_t> CountRetransmissions() const override
    {
        return GetRetransmissions();
    }

    /**
     * @brief Times that nothing was acknowledged for too long, of all flows.
     * @return number of timeouts
     */
    uint64_t GetTimeouts() const;

    /**
     * @brief The connection of a flow.
     * @param flow the flow
     * @return the connection, or nullptr if the flow is over or waits for its turn
     */
    const PacketPairConnection* GetConnection(FlowId flow) const;

    /**
     * @brief Signature of the trace source Estimate.
     * @param flow the flow
     * @param estimator its sender's estimates now
     */
    typedef void (*EstimateTracedCallback)(FlowId flow, const PacketPairEstimator& estimator);

    /**
     * @brief Signature of the trace source Retransmission.
     * @param flow the flow
     * @param sequence first byte of payload that is sent again
     */
    typedef void (*RetransmissionTracedCallback)(FlowId flow, uint64_t sequence);

    /**
     * @brief Signature of the trace source Timeout.
     * @param flow the flow
     */
    typedef void (*TimeoutTracedCallback)(FlowId flow);

    // ---- For connections ----

    /**
     * @brief Settings.
     * @return the settings that all connections share
     */
    const PacketPairSettings& GetSettings() const
    {
        return *this;
    }

    /**
     * @brief The hosts.
     * @return the fabric
     */
    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /**
     * @brief Draw the error of a measured gap.
     * @return time steps, from 0 to the attribute TimestampJitter
     */
    int64_t DrawTimestampError()
    {
        return m_jitterSteps ? static_cast<int64_t>(m_jitter->GetValue(0, m_jitterSteps)) : 0;
    }

    /**
     * @brief A sender has learned from a pair.
     * @param connection of the flow
     */
    void HandleEstimate(const PacketPairConnection& connection);

    /**
     * @brief A sender sends a packet again.
     * @param connection of the flow
     * @param sequence first byte of its payload
     */
    void HandleRetransmission(const PacketPairConnection& connection, uint64_t sequence);

    /**
     * @brief A sender has waited too long.
     * @param connection of the flow
     */
    void HandleTimeout(const PacketPairConnection& connection);

    /**
     * @brief Payload of a flow was delivered in order.
     * @param record of the flow
     * @param bytes payload
     */
    void HandleDelivered(FlowRecord& record, uint32_t bytes)
    {
        NotifyDelivered(record, bytes);
    }

    /**
     * @brief A flow is over.
     * @param connection of the flow; sends nothing any more
     */
    void HandleFinished(PacketPairConnection& connection);

  protected:
    void DoAttach() override;
    void DoStartFlow(const FlowRecord& record) override;
    void DoDispose() override;

  private:
    /// @brief A connection that outlives its flows.
    struct Line
    {
        PacketPairPorts ports;                        //!< of all its flows, which so have one path
        std::deque<FlowRecord> flows;                 //!< under way in front, those behind wait
        std::optional<PacketPairKnowledge> knowledge; //!< of the flow before
        Time idleSince;                               //!< end of the flow before

        /// @brief True if no flow is under way.
        bool IsIdle() const
        {
            return flows.empty();
        }
    };

    /**
     * @brief Make an attribute of a setting.
     * @tparam T its type
     * @param setting the setting
     * @return the same as a member of this class
     */
    template <typename T>
    static T PacketPairTransport::* Setting(T PacketPairSettings::* setting)
    {
        return setting;
    }

    PacketPairPorts TakePorts(uint32_t host);
    Line& ChooseLine(const FlowRequest& request);
    void Begin(const FlowRecord& record,
               PacketPairPorts ports,
               const std::optional<PacketPairKnowledge>& knowledge = {});
    void BeginNext(Line& line);
    void LeaveLine(const PacketPairConnection& connection);
    void StopWaiting(FlowId flow);
    void DeleteClosed();

    std::vector<std::unique_ptr<PacketPairConnection>>
        m_connections;                                           //!< by flow; nullptr once over
    std::vector<std::unique_ptr<PacketPairConnection>> m_closed; //!< over, maybe on the call stack
    std::vector<uint32_t> m_opened;                              //!< ports taken, by source
    std::deque<Line> m_lines;                                    //!< persistent connections
    ConnectionPool<Line> m_pool;                                 //!< the same by host pair
    std::unordered_map<FlowId, Line*> m_lineOf; //!< of flows on persistent connections
    DirectTimer m_deletion;              //!< deletes m_closed when no connection is on the stack
    Ptr<UniformRandomVariable> m_jitter; //!< errors of measured gaps
    double m_jitterSteps{0};             //!< largest error in time steps
    uint64_t m_retransmissions{0};       //!< transmissions beyond the first
    uint64_t m_timeouts{0};              //!< timeouts
    TracedCallback<FlowId, const PacketPairEstimator&> m_estimateTrace; //!< a pair was acknowledged
    TracedCallback<FlowId, uint64_t> m_retransmissionTrace;             //!< a packet is sent again
    TracedCallback<FlowId> m_timeoutTrace;                              //!< a timeout
};

} // namespace ns3

#endif /* PACKET_PAIR_TRANSPORT_H */
