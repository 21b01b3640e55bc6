/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_SENDER_H
#define LEAN_TCP_SENDER_H

#include "flow.h"
#include "lean-tcp-header.h"
#include "lean-tcp-rate.h"
#include "lean-tcp-scoreboard.h"
#include "lean-tcp-settings.h"
#include "rtt-estimate.h"
#include "small-queue.h"

#include "ns3/direct-timer.h"
#include "ns3/fabric-item.h"
#include "ns3/tcp-socket-state.h"

#include <memory>

namespace ns3
{

class LeanTcpConnection;

/**
 * @ingroup lean-tcp
 * @brief The end of a connection that sends data: reliability is its own, the window is that of an
 *        ns-3 congestion control object.
 *
 * The object sees what TcpSocketBase would show it: a TcpSocketState, the same events, the same
 * counts of acknowledged segments. The congestion state (open, disorder, CWR, recovery, loss) is
 * that of the TcpSocketState.
 */
class LeanTcpSender : public ItemSink
{
  public:
    /**
     * @brief Set up; nothing is sent yet.
     * @param connection the connection whose end this is
     */
    explicit LeanTcpSender(LeanTcpConnection& connection);
    ~LeanTcpSender() override;

    void ReceiveItem(FabricItem* item) override;
    void OnDeparture(FabricItem& item) override;

    /**
     * @brief Set how much there is to send. Sends what the window allows, after the handshake.
     * @param end end of the byte stream; at least what was sent
     */
    void SetStreamEnd(uint64_t end);

    /// @brief Begin the handshake, or with none send at once. No effect after the first time.
    void Open();

    /**
     * @brief True if data may be sent.
     * @return true after the handshake
     */
    bool IsEstablished() const
    {
        return m_phase == ESTABLISHED;
    }

    /// @brief Nothing is sent any more.
    void Close();

    /**
     * @brief First byte never sent.
     * @return SND.NXT
     */
    uint64_t GetNextNew() const
    {
        return m_board.GetEnd();
    }

    /// @brief Segments outstanding.
    const LeanTcpScoreboard& GetScoreboard() const
    {
        return m_board;
    }

    /// @brief State that the congestion control sees: window, threshold, RTT, with ns-3's trace
    /// sources.
    Ptr<TcpSocketState> GetState() const
    {
        return m_state;
    }

    /**
     * @brief The congestion control.
     * @return this connection's own object
     */
    Ptr<TcpCongestionOps> GetCongestionOps() const
    {
        return m_congestion;
    }

    /**
     * @brief The same for recorders.
     * @return window, RTT, ...
     */
    FlowState GetFlowState() const;

    /**
     * @brief The connection.
     * @return the connection whose end this is
     */
    const LeanTcpConnection& GetConnection() const
    {
        return m_connection;
    }

  private:
    /// @brief Phases of the handshake.
    enum Phase : uint8_t
    {
        CLOSED,
        SYN_SENT,
        ESTABLISHED,
    };

    /// @brief Next segment to send.
    struct Choice
    {
        uint64_t number; //!< of the segment; LeanTcpScoreboard::GetLast() for new data
        uint32_t size;   //!< payload in bytes; 0: nothing
    };

    // Opening
    void SendSyn();
    void HandleSynAck(const LeanTcpHeader& header);
    void Establish(uint32_t window);
    void RestartAfterIdle();

    // Acknowledgments
    void HandleAcknowledgment(const LeanTcpHeader& header);
    void SampleRtt(const LeanTcpHeader& header, const LeanTcpScoreboard::Delivery& delivery);
    void AddRttSample(int64_t rtt);
    void UpdateEcnState(bool marked);
    void HandleEcnEcho(const LeanTcpHeader& header, bool advanced, uint32_t delivered);
    void HandleDuplicate(uint32_t delivered);
    void HandleAdvance(uint32_t delivered, uint64_t advance, bool duplicate, uint32_t duplicates);
    void HandlePartial(uint32_t delivered, uint32_t segments);
    void DetectLostByTime(const LeanTcpScoreboard::Delivery& delivery);
    void ReportAcked(uint32_t segments);
    uint32_t CountSegments(uint32_t bytes);

    // Congestion states
    void SetCongestionState(TcpSocketState::TcpCongState_t state);
    void Reopen();
    void ForgetDuplicates();
    void EnterCwr(uint32_t delivered);
    void StartWindowReduction(uint32_t delivered);
    void ExitCwr();
    void AnnounceReduction();
    bool MayEnterRecovery() const;
    void EnterRecovery(uint32_t delivered);
    void SetReentry();
    uint32_t GetLossThreshold(uint32_t inFlight);
    void HandleTimeout();
    void HandleReorderingTimeout();
    int64_t ChooseTimeout();
    bool MayProbe() const;
    void SendProbe();
    void EndProbe(bool advanced, uint32_t delivered);

    // Sending
    void SendPending();
    bool SendNext();
    bool BeginBurst(const Choice& choice, uint32_t window, uint32_t inFlight);
    uint32_t ChooseBurst(uint32_t window, uint32_t inFlight) const;
    bool IsHeldForBurst(uint32_t burst, uint32_t window, uint32_t inFlight);
    uint32_t GetMostPerBurst() const;
    QueueLimit GetBacklog(uint32_t burst) const;
    void UpdateStreamEnd();
    Choice ChooseNext(uint32_t available);
    Choice ChooseOld(uint64_t number, uint32_t available) const;
    bool WouldCut(uint32_t available, uint64_t begin) const;
    uint32_t GetNewSize(uint32_t available) const;
    uint32_t GetWindow() const;
    void SetBackNextSequence(uint64_t byte);
    void RetransmitNext();
    void SendNew(uint32_t size);
    void Retransmit(uint64_t number);
    void Transmit(uint64_t number, bool again);
    uint32_t UpdateInFlight();
    uint32_t GetPacketSize(uint32_t payload) const;
    uint32_t GetDatagramBytes(uint32_t payload) const;
    uint32_t GetBytesIn(Time time) const;
    DataRate GetWindowRate() const;
    void UpdatePacingRate();
    bool IsPaced() const;
    void UpdateRto();
    int64_t GetRto(const RttEstimate& rtt) const;
    void StartTimer();

    uint32_t GetOutstanding() const
    {
        return static_cast<uint32_t>(m_board.GetEnd() - m_board.GetHead());
    }

    bool Is(TcpSocketState::TcpCongState_t state) const
    {
        return m_tcb.m_congState.Get() == state;
    }

    LeanTcpConnection& m_connection;    //!< the connection whose end this is
    const LeanTcpSettings& m_settings;  //!< the transport's
    Ptr<TcpSocketState> m_state;        //!< state that the congestion control sees
    TcpSocketState& m_tcb{*m_state};    //!< the same, without a check at each use
    Ptr<TcpCongestionOps> m_congestion; //!< sets the window
    Ptr<TcpRecoveryOps> m_recovery;     //!< sets the window during recovery
    RttEstimate m_rtt;                  //!< for the timeout and the congestion control
    LeanTcpScoreboard m_board;          //!< outstanding segments
    LeanTcpRate m_rate;                 //!< for congestion controls that are rate-based
    DirectTimer m_retransmit;           //!< RTO
    DirectTimer m_reordering;           //!< RACK
    DirectTimer m_pacing;               //!< pending: nothing may be sent
    uint64_t m_streamEnd{0};            //!< end of the data to send
    uint64_t m_recover{0};              //!< recovery ends when this is acknowledged
    uint64_t m_reenter{0};              //!< least head at which duplicates tell of another loss
    uint64_t m_announced{0};            //!< first byte of the latest segment that carried CWR
    uint32_t m_peerWindow{0};           //!< bytes the receiver accepts beyond the head
    uint32_t m_duplicates{0};           //!< duplicate acknowledgments in a row (DupAcks)
    uint32_t m_unprocessed{0};          //!< bytes acknowledged that did not make a segment
    uint32_t m_burst{0};                //!< payload that is still to be handed over in one
    int64_t m_rto{0};                   //!< retransmission timeout in time steps
    int64_t m_lastSent{0};              //!< time of the last transmission in time steps
    int64_t m_synSent{0};               //!< time of the first SYN in time steps
    int64_t m_rackSent{0};              //!< RACK.xmit_ts
    uint64_t m_rackEnd{0};              //!< RACK.end_seq
    uint64_t m_probeEnd{0};             //!< TLP.end_seq; 0: no probe is unanswered
    int64_t m_rackRtt{0};               //!< RACK.rtt
    Phase m_phase{CLOSED};              //!< of the handshake
    bool m_rateControl;                 //!< true if the congestion control is rate-based
    bool m_firstPartial{true};          //!< no partial acknowledgment in this recovery yet
    bool m_announceReduction{false};    //!< the next new segment carries CWR
    bool m_synAmbiguous{false};         //!< the SYN was sent more than once
    bool m_wasMarked{false};            //!< an acknowledgment was marked
    bool m_timerIsProbe{false};         //!< a probe is sent when m_retransmit fires
    bool m_probeIsOld{false};           //!< TLP.is_retrans

    std::unique_ptr<SmallQueue> m_smallQueue; //!< nullptr: the host's port takes all at once
};

} // namespace ns3

#endif /* LEAN_TCP_SENDER_H */
