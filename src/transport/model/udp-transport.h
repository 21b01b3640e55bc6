/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UDP_TRANSPORT_H
#define UDP_TRANSPORT_H

#include "transport.h"

#include "ns3/data-rate.h"
#include "ns3/random-variable-stream.h"

#include <memory>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Datagrams at a constant rate, never sent again.
 *
 * A flow sends a packet of PacketSize at its start and then one every PacketSize / Rate, the last
 * one with what is left. It is over when all its packets have arrived, or else Timeout after the
 * last one was sent: then what has not arrived counts as lost. Either way FlowRecord::delivered is
 * when the last packet to arrive did; nothing is acknowledged. With SendBuffer the host's port
 * pulls: a flow that finds too much of itself there waits, and never sends faster than Rate
 * afterwards.
 */
class UdpTransport : public Transport
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    UdpTransport();
    ~UdpTransport() override;

    std::string GetSummary() const override;
    void StopFlow(FlowId flow) override;
    PacketSizes GetPacketSizes() const override;

    /**
     * @brief As Transport::GetIdealCompletionTime(), at the flow's rate.
     * @param request the flow; bytes > 0
     * @return from first transmission to the last byte's arrival
     */
    Time GetIdealCompletionTime(const FlowRequest& request) const override;
    int64_t AssignStreams(int64_t stream) override;
    std::vector<FlowState> GetStates(FlowId flow) const override;

    /// @brief Packets sent by all flows.
    uint64_t GetSentPackets() const;

    /// @brief Packets that arrived, of all flows.
    uint64_t GetReceivedPackets() const;

    /**
     * @brief Packets that had not arrived when their flow was over.
     * @return number of packets; of a stopped flow, those still under way included
     */
    uint64_t GetLostPackets() const;

  protected:
    void DoAttach() override;
    void DoStartFlow(const FlowRecord& record) override;
    void DoDispose() override;

  private:
    class Sender;

    /**
     * @brief A flow is over.
     * @param sender of the flow; gone afterwards
     */
    void Forget(Sender& sender);

    /**
     * @brief Time that full packets take at the flow's rate.
     * @param packets number of packets
     * @return from the first one's transmission to that of the one after the last
     */
    Time GetSendingTime(uint64_t packets) const;

    /**
     * @brief Packets that are sent in one.
     * @return at least 1
     */
    uint32_t GetPacketsPerBurst() const;

    /**
     * @brief Draw the delay of a burst beyond its due time.
     * @return between 0 and Jitter
     */
    Time DrawJitter() const;

    DataRate m_rate;                                               //!< attribute Rate
    uint32_t m_packetSize;                                         //!< attribute PacketSize
    uint32_t m_burstSize;                                          //!< attribute BurstSize
    QueueLimit m_sendBuffer;                                       //!< attribute SendBuffer
    Time m_jitter;                                                 //!< attribute Jitter
    Ptr<UniformRandomVariable> m_random;                           //!< for Jitter
    Time m_timeout;                                                //!< attribute Timeout
    uint64_t m_sent{0};                                            //!< packets sent
    uint64_t m_received{0};                                        //!< packets that arrived
    uint64_t m_lost{0};                                            //!< packets that did not
    std::unordered_map<FlowId, std::unique_ptr<Sender>> m_senders; //!< flows under way
};

} // namespace ns3

#endif /* UDP_TRANSPORT_H */
