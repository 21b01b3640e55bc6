/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RELIABLE_FLOW_H
#define RELIABLE_FLOW_H

#include "flow.h"
#include "loss-recovery.h"
#include "small-queue.h"

#include "ns3/direct-timer.h"
#include "ns3/fabric-host.h"
#include "ns3/huge-pages.h"

#include <cstdint>
#include <memory>

namespace ns3
{

class ReliableTransport;

/**
 * @ingroup transport
 * @brief Contents of FabricItem::transport of a packet of ReliableTransport.
 */
struct ReliableHeader
{
    /// @brief Kinds of packets.
    enum Kind : uint8_t
    {
        DATA,           //!< payload
        ACKNOWLEDGMENT, //!< a packet arrived
        REFUSAL,        //!< a packet came too early for go-back-N: a negative acknowledgment
        NOTIFICATION,   //!< of congestion; the control law's own
    };

    uint64_t number;    //!< of the packet; of an answer: of the packet that it answers
    uint64_t serial;    //!< of the packet's transmission
    uint64_t next;      //!< answers: first packet that is missing
    int64_t sent;       //!< departure of the data from its host's port, in time steps
    int64_t arrived;    //!< answers: when the data arrived at the host, in time steps
    int64_t atReceiver; //!< answers: time from that until the answer left the host, in time steps
    uint16_t hops;      //!< answers: switches that the data passed
    Kind kind;          //!< see Kind
};

static_assert(sizeof(ReliableHeader) <= 64);

/**
 * @ingroup transport
 * @brief Both ends of a flow of ReliableTransport. A subclass adds the control law: it says when
 * the next packet may go, and hears of answers, losses and timeouts.
 *
 * The sender has one timer for all: the next packet, the law's own deadlines, the retransmission
 * timeout. What it hands to its host's port is bounded (SmallQueue), so that a port shared by
 * several flows serves them by turns, and a packet is time-stamped when its transmission starts, as
 * by a network card.
 */
class ReliableFlow : public InHugePages
{
  public:
    static constexpr int64_t NEVER = INT64_MAX / 2; //!< a time that does not come

    /**
     * @brief Make both ends.
     * @param transport outlives the flow
     * @param record id, request and request time are set
     */
    ReliableFlow(ReliableTransport& transport, const FlowRecord& record);
    virtual ~ReliableFlow();

    /**
     * @brief A receiving host has come to a data packet that had arrived there: it goes to its
     * flow.
     * @param fabric the network
     * @param item the packet
     */
    static void Process(const Fabric& fabric, FabricItem* item);

    /// @brief Begin to send.
    void Start();

    /// @brief The flow is over before its time. The flow is gone afterwards.
    void Stop();

    /**
     * @brief The flow's life.
     * @return as far as it has come
     */
    const FlowRecord& GetRecord() const
    {
        return m_record;
    }

    /**
     * @brief The sender's state, for recorders; a law adds its own.
     * @return RTT and bytes in flight, all packets taken to be full ones
     */
    virtual FlowState GetState() const;

    /**
     * @brief Packets under way.
     * @return sent, neither acknowledged nor known to be lost
     */
    uint64_t GetInFlight() const
    {
        return m_recovery->GetInFlight();
    }

  protected:
    // The control law.

    /**
     * @brief Earliest time of the next packet.
     * @param now the current time, in time steps
     * @return a time, maybe past; NEVER: not before something happens
     */
    virtual int64_t GetReleaseTime(int64_t now) = 0;

    /**
     * @brief A packet goes.
     * @param size IP datagram in bytes
     * @param now the current time, in time steps
     */
    virtual void OnSent(uint32_t size, int64_t now)
    {
        (void)size;
        (void)now;
    }

    /**
     * @brief An answer came to a packet.
     * @param header the answer
     * @param acknowledged packets acknowledged for the first time
     * @param now the current time, in time steps
     */
    virtual void OnAnswer(const ReliableHeader& header, uint64_t acknowledged, int64_t now)
    {
        (void)header;
        (void)acknowledged;
        (void)now;
    }

    /**
     * @brief Packets turned out to be lost, by what was answered to others.
     * @param now the current time, in time steps
     */
    virtual void OnLoss(int64_t now)
    {
        (void)now;
    }

    /**
     * @brief Nothing was acknowledged for too long.
     * @param now the current time, in time steps
     */
    virtual void OnTimeout(int64_t now)
    {
        (void)now;
    }

    /**
     * @brief A data packet is about to be handed to its host's port: a law that has switches write
     * into packets gives it room for that.
     * @param item the packet
     */
    virtual void AttachExtension(FabricItem& item)
    {
        (void)item;
    }

    /**
     * @brief An answer is about to be told of, and brings what its data packet carried.
     * @param carried the extension of that packet
     */
    virtual void OnExtension(const ItemExtension& carried)
    {
        (void)carried;
    }

    /**
     * @brief A notification of congestion came.
     * @param now the current time, in time steps
     */
    virtual void OnNotification(int64_t now)
    {
        (void)now;
    }

    /**
     * @brief The next deadline of the law's own.
     * @return time in time steps; NEVER: there is none
     */
    virtual int64_t GetDeadline() const
    {
        return NEVER;
    }

    /**
     * @brief The deadline has come.
     * @param now the current time, in time steps
     */
    virtual void OnDeadline(int64_t now)
    {
        (void)now;
    }

    /**
     * @brief At the receiver: a data packet arrived.
     * @param item the packet
     * @param now the current time, in time steps
     */
    virtual void OnData(const FabricItem& item, int64_t now)
    {
        (void)item;
        (void)now;
    }

    /**
     * @brief At the receiver: send a notification of congestion to the sender.
     * @param size IP datagram in bytes
     * @param priority class in the fabric
     */
    void SendNotification(uint32_t size, uint8_t priority);

    /// @brief The sending host's port.
    FabricPort& GetPort() const
    {
        return m_source.GetNicPort();
    }

    /**
     * @brief Size of a full packet.
     * @return IP datagram in bytes
     */
    uint32_t GetFullPacketSize() const;

    /// @brief Round-trip time of a full packet on the flow's path without load.
    Time GetBaseRtt() const
    {
        return m_baseRtt;
    }

    /// @brief Smoothed round-trip time, in time steps; before the first sample that without load.
    int64_t GetSmoothedRtt() const
    {
        return m_smoothedRtt;
    }

  private:
    /// @brief Gets what goes towards the sender.
    struct Sender : public ItemSink
    {
        explicit Sender(ReliableFlow& f)
            : flow(f)
        {
        }

        void ReceiveItem(FabricItem* item) override;
        void OnDeparture(FabricItem& item) override;
        void OnHostDrop(FabricItem& item) override;

        ReliableFlow& flow;
    };

    /// @brief Gets the data.
    struct Receiver : public ItemSink
    {
        explicit Receiver(ReliableFlow& f)
            : flow(f)
        {
        }

        void ReceiveItem(FabricItem* item) override;
        void Process(FabricItem* item);
        void OnDeparture(FabricItem& item) override;
        std::optional<Payload> GetPayload(FabricItem& item) const override;

        ReliableFlow& flow;
    };

    // The sender.
    void SendAll();
    void SendPacket(int64_t now);
    void SetTimer();
    void HandleDeparture(ReliableHeader& header);
    void HandleTimer();
    void HandleTimeout(int64_t now);
    void TakeAnswer(const ReliableHeader& header);
    void TakeRttSample(int64_t rtt);

    /**
     * @brief Time at which all under way is given up: counted from the last acknowledgment of
     * something new, or from when the first unacknowledged packet left the host's port.
     * @return time in time steps; NEVER: nothing is under way
     */
    int64_t GetTimeoutAt() const;

    void Finish();

    // The receiver.
    void HandleArrival(FabricItem* item);
    void HandleData(FabricItem* item);
    void HoldBack(FabricItem* item);
    void ReleaseHeld();
    void AnswerHeld();
    void Answer(FabricItem* item, ReliableHeader::Kind kind);
    void Deliver(uint64_t first, uint64_t end, int64_t now);

    uint32_t GetPayload(uint64_t number) const;
    uint32_t GetPacketSize(uint64_t number) const;
    void SendToSender(const ReliableHeader& header,
                      uint32_t size,
                      uint8_t priority,
                      ItemExtension* carried = nullptr);

    ReliableTransport& m_transport; //!< settings
    FlowRecord m_record;            //!< the flow's life
    FabricHost& m_source;           //!< sending host
    FabricHost& m_destination;      //!< receiving host
    uint64_t m_total;               //!< packets of the flow
    Time m_baseRtt;                 //!< see GetBaseRtt()
    uint32_t m_dataHash;            //!< of the data's 5-tuple
    uint32_t m_answerHash;          //!< of the answers' 5-tuple
    uint32_t m_flow;                //!< the fabric's name for the flow
    Sender m_sender{*this};         //!< the sender's endpoint
    Receiver m_receiver{*this};     //!< the receiver's endpoint

    std::unique_ptr<LossRecovery> m_recovery; //!< chooses the packet to send next
    SmallQueue m_smallQueue;                  //!< packets in the host's port
    DirectTimer m_timer;                      //!< the next thing to do
    int64_t m_release{NEVER};                 //!< earliest time of the next packet
    int64_t m_notBefore{0};                   //!< the host drops: when its line would be free
    int64_t m_progress{0};                    //!< see GetTimeoutAt()
    int64_t m_smoothedRtt;                    //!< SRTT (RFC 6298)
    int64_t m_rttVariation;                   //!< RTTVAR (RFC 6298)
    bool m_sampled{false};                    //!< true if there was a sample of it
    uint32_t m_backoff{0};                    //!< timeouts since then

    PacketReassembly m_reassembly;           //!< packets that the receiver has
    uint32_t m_unanswered{0};                //!< packets in order since the last answer
    FabricItem* m_held{nullptr};             //!< the latest of them
    std::unique_ptr<DirectTimer> m_answerAt; //!< the first has waited enough; nullptr: none waits
    bool m_refused{false};                   //!< true if the gap was reported
};

} // namespace ns3

#endif /* RELIABLE_FLOW_H */
