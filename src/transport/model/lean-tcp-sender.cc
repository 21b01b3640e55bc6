/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-sender.h"

#include "lean-tcp-connection.h"
#include "lean-transport.h"
#include "tcp-congestion-fork.h"
#include "tcp-flow-state.h"
#include "tcp-ops-compatibility.h"

#include "ns3/log.h"
#include "ns3/logged-item.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("LeanTcpSender");

namespace
{

constexpr uint32_t LEAST_BURST = 2; //!< segments (Linux: tcp_min_tso_segs)

/**
 * @param byte a number in a connection's byte stream
 * @return the same as congestion controls want it
 */
SequenceNumber32
ToSequence(uint64_t byte)
{
    return SequenceNumber32(static_cast<uint32_t>(byte));
}

} // namespace

LeanTcpSender::LeanTcpSender(LeanTcpConnection& connection)
    : m_connection(connection),
      m_settings(connection.GetSettings()),
      m_state(CreateObject<TcpSocketState>()),
      m_congestion(ForkCongestionOps(*m_settings.m_congestionPrototype)),
      m_recovery(m_settings.m_recoveryPrototype->Fork()),
      m_board(m_settings.m_reTxThreshold, m_congestion->HasCongControl(), m_settings.LikeNs3()),
      m_retransmit(DirectEvent::Call<&LeanTcpSender::HandleTimeout>,
                   this,
                   connection.GetSource().GetContext(),
                   m_settings.LikeNs3()),
      m_reordering(DirectEvent::Call<&LeanTcpSender::HandleReorderingTimeout>,
                   this,
                   connection.GetSource().GetContext(),
                   m_settings.LikeNs3()),
      m_pacing(DirectEvent::Call<&LeanTcpSender::SendPending>,
               this,
               connection.GetSource().GetContext(),
               m_settings.LikeNs3()),
      m_rto(m_settings.m_initialRto.GetTimeStep()),
      m_rateControl(m_congestion->HasCongControl())
{
    m_tcb.m_segmentSize = m_settings.m_segmentSize;
    m_tcb.m_initialCWnd = m_settings.m_initialCwnd;
    m_tcb.m_initialSsThresh = m_settings.m_initialSsThresh;
    m_tcb.m_pacing = m_settings.m_pacing;
    m_tcb.m_paceInitialWindow = m_settings.m_paceInitialWindow;
    m_tcb.m_maxPacingRate = m_settings.m_maxPacingRate;
    m_tcb.m_pacingRate = m_settings.m_maxPacingRate;
    m_tcb.m_useEcn = m_settings.m_ecn;
    SetSackEnabled(*m_state, m_settings.m_sack);
    if (m_rateControl)
    {
        SetRateOps(*m_congestion, CreateObject<LeanTcpRateOps>(m_rate));
    }
    m_congestion->Init(m_state);
    m_tcb.m_cWnd = m_settings.m_initialCwnd * m_settings.m_segmentSize;
    m_tcb.m_cWndInfl = m_tcb.m_cWnd;
    m_tcb.m_ssThresh = m_settings.m_initialSsThresh;
    if (!m_settings.m_backlog.IsNever())
    {
        m_smallQueue = std::make_unique<SmallQueue>(connection.GetSource(),
                                                    m_settings.m_backlog,
                                                    DirectEvent::Call<&LeanTcpSender::SendPending>,
                                                    this);
    }
}

LeanTcpSender::~LeanTcpSender() = default;

FlowState
LeanTcpSender::GetFlowState() const
{
    return GetTcpFlowState(m_tcb, m_congestion);
}

void
LeanTcpSender::Close()
{
    m_phase = CLOSED;
    m_retransmit.Cancel();
    m_reordering.Cancel();
    m_pacing.Cancel();
    if (m_smallQueue)
    {
        m_smallQueue->Close();
    }
}

void
LeanTcpSender::ReceiveItem(FabricItem* item)
{
    const auto& header = item->As<LeanTcpHeader>();
    if (header.flags & LeanTcpHeader::SYN) [[unlikely]]
    {
        HandleSynAck(header);
    }
    else if (m_phase == ESTABLISHED)
    {
        if (m_settings.m_dctcp && m_settings.LikeNs3())
        {
            UpdateEcnState(item->GetEcn() == FabricItem::CE);
        }
        HandleAcknowledgment(header);
    }
    item->Release();
}

void
LeanTcpSender::OnDeparture(FabricItem& item)
{
    const uint32_t payload = item.As<LeanTcpHeader>().length;
    if (m_smallQueue && payload > 0)
    {
        m_smallQueue->Remove(GetPacketSize(payload));
    }
}

// ---- Opening ----

void
LeanTcpSender::SetStreamEnd(uint64_t end)
{
    m_streamEnd = end;
    if (m_phase == ESTABLISHED)
    {
        RestartAfterIdle();
        SendPending();
    }
    else
    {
        Open();
    }
}

void
LeanTcpSender::Open()
{
    if (m_phase != CLOSED)
    {
        return;
    }
    if (m_settings.m_handshake)
    {
        m_phase = SYN_SENT;
        m_rto = m_settings.m_connTimeout.GetTimeStep();
        SendSyn();
        return;
    }
    Establish(m_settings.m_rcvWindow);
}

void
LeanTcpSender::SendSyn()
{
    FabricItem* item = m_connection.MakeItem(0);
    auto& header = item->As<LeanTcpHeader>();
    header.flags = LeanTcpHeader::SYN;
    header.sequence = 0;
    header.length = 0;
    header.sackBlocks = 0;
    header.timestamp = DirectEvent::Now();
    item->size = static_cast<uint16_t>(m_connection.GetSynSize());
    m_synSent = m_synAmbiguous ? m_synSent : header.timestamp;
    m_lastSent = header.timestamp;
    m_retransmit.Set(m_rto);
    m_connection.Send(item);
}

void
LeanTcpSender::HandleSynAck(const LeanTcpHeader& header)
{
    // To one that was sent twice TcpSocketBase does not answer.
    if (m_phase == CLOSED || (m_phase == ESTABLISHED && m_settings.LikeNs3()))
    {
        return;
    }
    FabricItem* item = m_connection.MakeItem(0);
    auto& answer = item->As<LeanTcpHeader>();
    answer.flags = LeanTcpHeader::ACK;
    answer.sequence = 0;
    answer.acknowledgment = 0;
    answer.length = 0;
    answer.sackBlocks = 0;
    item->size = static_cast<uint16_t>(
        LeanTcpHeader::GetSize((m_settings.m_timestamps ? LeanTcpHeader::TIMESTAMP_OPTION : 0) +
                               m_settings.m_acknowledgmentOption));
    m_connection.Send(item);
    if (m_phase == ESTABLISHED)
    {
        return; // it was sent twice
    }
    m_retransmit.Cancel();
    m_rto = m_settings.m_initialRto.GetTimeStep();
    const int64_t rtt = DirectEvent::Now() - m_synSent;
    // Karn's rule (RFC 6298, section 3). TcpSocketBase takes the first SYN for the one answered.
    if (!m_synAmbiguous || m_settings.LikeNs3())
    {
        SetLastRtt(m_tcb, TimeStep(rtt));
        AddRttSample(rtt);
    }
    else
    {
        // RFC 6298, rule 5.7 has the timeout of data begin at 3 s where a SYN timed out after less.
        // What fits any ConnTimeout: the round trip is no longer than what passed since the first
        // SYN, and rule 2.2 makes of that a timeout three times as long.
        RttEstimate longest;
        longest.Add(rtt);
        m_rto = std::max(m_rto, GetRto(longest));
    }
    Establish(header.window);
}

void
LeanTcpSender::Establish(uint32_t window)
{
    m_phase = ESTABLISHED;
    m_peerWindow = window;
    m_tcb.m_ecnState =
        m_settings.m_useEcn ? TcpSocketState::ECN_IDLE : TcpSocketState::ECN_DISABLED;
    // Where there is no handshake it has to wait: some congestion controls, BBR for one, start from
    // the RTT that they find now.
    if (m_rtt.GetSamples() > 0)
    {
        SetCongestionState(TcpSocketState::CA_OPEN);
    }
    UpdatePacingRate();
    SendPending();
    m_connection.OnEstablished();
}

void
LeanTcpSender::RestartAfterIdle()
{
    if (!m_settings.m_restartAfterIdle || !m_board.IsEmpty() ||
        DirectEvent::Now() - m_lastSent <= m_rto)
    {
        return;
    }
    // RFC 5681, section 4.1: what the window says of the path is no longer true.
    const uint32_t restart = m_settings.m_initialCwnd * m_settings.m_segmentSize;
    m_tcb.m_cWnd = std::min(restart, m_tcb.m_cWnd.Get());
    m_tcb.m_cWndInfl = m_tcb.m_cWnd;
    m_congestion->CwndEvent(m_state, TcpSocketState::CA_EVENT_CWND_RESTART);
}

// ---- Acknowledgments ----

void
LeanTcpSender::HandleAcknowledgment(const LeanTcpHeader& header)
{
    const uint64_t oldHead = m_board.GetHead();
    const uint64_t head = header.acknowledgment;
    if (head < oldHead)
    {
        return; // a later one overtook it
    }
    const uint32_t priorLost = m_board.GetLostBytes();
    const uint32_t priorInFlight = m_tcb.m_bytesInFlight;
    const bool advanced = head > oldHead;
    if (advanced || header.window > m_peerWindow)
    {
        m_peerWindow = header.window;
    }

    // RFC 6675, section 5: the scoreboard first.
    LeanTcpScoreboard::Delivery delivery;
    for (uint32_t i = 0; i < header.sackBlocks; ++i)
    {
        m_board.Sack(head + header.sack[i].begin, head + header.sack[i].end, delivery);
    }
    if (delivery.sackedBytes > 0 && !m_settings.m_rack)
    {
        m_board.DetectLost();
    }
    m_board.Acknowledge(head, delivery);
    if (m_settings.m_multipath)
    {
        m_connection.OnDataAcknowledgment(header);
    }
    if (m_rateControl)
    {
        m_rate.RecordDelivered(delivery, DirectEvent::Now());
    }
    SampleRtt(header, delivery);
    m_tcb.m_lastAckedSeq = ToSequence(head);
    m_tcb.m_lastAckedSackedBytes = delivery.bytes;
    m_tcb.m_isRetransDataAcked =
        delivery.retransmitted && Is(TcpSocketState::CA_RECOVERY) && head < m_recover;
    if (m_settings.m_rack)
    {
        DetectLostByTime(delivery);
    }

    if (Is(TcpSocketState::CA_CWR) && head > m_recover)
    {
        ExitCwr();
    }
    HandleEcnEcho(header, advanced, delivery.bytes);
    if (m_probeEnd > 0)
    {
        EndProbe(advanced, delivery.bytes);
    }
    UpdateInFlight();
    const bool duplicate =
        m_settings.m_sack ? delivery.sackedBytes > 0 : !advanced && !m_board.IsEmpty();
    const uint32_t duplicates = m_duplicates;
    if (duplicate)
    {
        HandleDuplicate(delivery.bytes);
    }
    if (advanced)
    {
        HandleAdvance(delivery.bytes, head - oldHead, duplicate, duplicates);
    }
    else if (!m_board.IsEmpty())
    {
        ReportAcked(1);
    }
    if (m_settings.m_rack && m_board.GetLostBytes() > 0 && MayEnterRecovery())
    {
        EnterRecovery(delivery.bytes);
    }
    if (m_tcb.m_nextTxSequence < ToSequence(head))
    {
        m_tcb.m_nextTxSequence.Set(ToSequence(head));
    }
    UpdatePacingRate();
    m_tcb.m_isRetransDataAcked = false;
    if (m_rateControl)
    {
        const uint32_t lost = m_board.GetLostBytes();
        const auto& sample = m_rate.MakeSample(delivery.bytes,
                                               lost > priorLost ? lost - priorLost : 0,
                                               priorInFlight,
                                               m_tcb.m_minRtt);
        m_congestion->CongControl(m_state, m_rate.GetConnection(), sample);
    }
    SendPending();
    if (advanced || m_settings.m_multipath)
    {
        m_connection.OnAcknowledged(head);
    }
}

void
LeanTcpSender::SampleRtt(const LeanTcpHeader& header, const LeanTcpScoreboard::Delivery& delivery)
{
    int64_t sent = delivery.earliestSent;
    int64_t latest = delivery.latestSent;
    if (m_settings.m_timestamps && header.acknowledgment == m_board.GetHead() &&
        delivery.bytes > delivery.sackedBytes)
    {
        sent = header.timestamp; // unambiguous even for a retransmission
        latest = header.timestamp;
    }
    const int64_t now = DirectEvent::Now();
    if (latest != LeanTcpScoreboard::NEVER)
    {
        SetLastRtt(m_tcb, TimeStep(now - latest));
    }
    if (sent != LeanTcpScoreboard::NEVER)
    {
        AddRttSample(now - sent);
    }
}

void
LeanTcpSender::AddRttSample(int64_t rtt)
{
    m_rtt.Add(rtt);
    if (!m_settings.m_roundTripTrace.IsEmpty())
    {
        m_settings.m_roundTripTrace(TimeStep(rtt));
    }
    UpdateRto();
    const Time smoothed = TimeStep(m_rtt.GetSmoothed());
    SmoothedRtt(m_tcb).Set(smoothed);
    m_tcb.m_minRtt = std::min(smoothed, m_tcb.m_minRtt);
    if (m_rtt.GetSamples() == 1 && m_phase == ESTABLISHED)
    {
        SetCongestionState(m_tcb.m_congState); // without a handshake: see Establish()
    }
}

void
LeanTcpSender::UpdateRto()
{
    if (m_rtt.GetSamples() == 0)
    {
        m_rto = m_settings.m_initialRto.GetTimeStep();
        return;
    }
    m_rto = GetRto(m_rtt);
}

int64_t
LeanTcpSender::GetRto(const RttEstimate& rtt) const
{
    // RFC 6298, rules 2.2 to 2.5.
    const int64_t variation =
        std::max(m_settings.m_clockGranularity.GetTimeStep(), 4 * rtt.GetVariation());
    const int64_t rto = std::max(rtt.GetSmoothed() + variation, m_settings.m_minRto.GetTimeStep());
    return std::min(rto, m_settings.m_maxRto.GetTimeStep());
}

void
LeanTcpSender::StartTimer()
{
    // TcpSocketBase lets the timer run while there is something to send, even if nothing is
    // outstanding.
    const bool waiting = m_settings.LikeNs3() && m_board.GetEnd() < m_streamEnd;
    if (m_board.IsEmpty() && !waiting)
    {
        m_retransmit.Cancel();
        return;
    }
    if (m_settings.LikeNs3())
    {
        UpdateRto(); // the RFC keeps a backed-off timeout until there is a sample (rule 5.7)
    }
    m_retransmit.Set(ChooseTimeout());
}

void
LeanTcpSender::ReportAcked(uint32_t segments)
{
    m_congestion->PktsAcked(m_state, segments, SmoothedRtt(m_tcb));
}

uint32_t
LeanTcpSender::CountSegments(uint32_t bytes)
{
    m_unprocessed += bytes;
    const uint32_t segments = m_unprocessed / m_settings.m_segmentSize;
    m_unprocessed -= segments * m_settings.m_segmentSize;
    return segments;
}

void
LeanTcpSender::UpdateEcnState(bool marked)
{
    // TcpSocketBase has one state for what it sends and what it receives, so that a marked
    // acknowledgment makes it forget an echo. All of them have one number, and only the first mark
    // on a number counts.
    if (marked && !m_wasMarked)
    {
        m_wasMarked = true;
        m_announceReduction = false;
        m_tcb.m_ecnState.Set(TcpSocketState::ECN_CE_RCVD);
    }
    else if (m_tcb.m_ecnState == TcpSocketState::ECN_CE_RCVD)
    {
        m_tcb.m_ecnState.Set(TcpSocketState::ECN_IDLE);
    }
}

void
LeanTcpSender::HandleEcnEcho(const LeanTcpHeader& header, bool advanced, uint32_t delivered)
{
    if (!m_settings.m_useEcn)
    {
        return;
    }
    if (header.flags & LeanTcpHeader::ECE)
    {
        if (!advanced)
        {
            return;
        }
        m_tcb.m_ecnState.Set(TcpSocketState::ECN_ECE_RCVD);
        if (m_settings.LikeNs3())
        {
            m_announceReduction = m_board.GetHead() > m_announced;
        }
        // Once per window of data, losses counted (RFC 3168, section 6.1.2).
        const bool reducing = Is(TcpSocketState::CA_RECOVERY) || Is(TcpSocketState::CA_LOSS);
        if (!Is(TcpSocketState::CA_CWR) && (!reducing || m_settings.LikeNs3()))
        {
            EnterCwr(delivered);
        }
    }
    else if (m_tcb.m_ecnState == TcpSocketState::ECN_ECE_RCVD)
    {
        m_tcb.m_ecnState.Set(TcpSocketState::ECN_IDLE);
        m_announceReduction &= !m_settings.LikeNs3();
    }
}

void
LeanTcpSender::AnnounceReduction()
{
    // RFC 3168, section 6.1.2: CWR tells of every reduction, for whatever reason, where ECN is on.
    // TcpSocketBase sets it in answer to echoes only.
    m_announceReduction |= m_settings.m_useEcn && !m_settings.LikeNs3();
}

bool
LeanTcpSender::MayEnterRecovery() const
{
    return Is(TcpSocketState::CA_OPEN) || Is(TcpSocketState::CA_DISORDER) ||
           (Is(TcpSocketState::CA_CWR) && !m_settings.LikeNs3());
}

void
LeanTcpSender::HandleDuplicate(uint32_t delivered)
{
    if (Is(TcpSocketState::CA_LOSS))
    {
        return; // after a timeout it may be due to what was sent again
    }
    if (Is(TcpSocketState::CA_RECOVERY))
    {
        if (!m_settings.m_sack)
        {
            m_board.AddDuplicate();
        }
        if (!m_rateControl)
        {
            DoRecovery(*m_recovery, m_state, delivered, true);
        }
        return;
    }
    ++m_duplicates;
    if (Is(TcpSocketState::CA_OPEN))
    {
        SetCongestionState(TcpSocketState::CA_DISORDER);
    }
    if (m_settings.m_rack || !MayEnterRecovery())
    {
        return;
    }
    // RFC 6675, section 5, steps 1 and 2; RFC 6582, section 3.2, step 2.
    if ((m_duplicates >= m_settings.m_reTxThreshold && m_board.GetHead() >= m_reenter) ||
        m_board.IsHeadLost())
    {
        EnterRecovery(delivered);
    }
    else if (!m_settings.m_sack && m_settings.m_limitedTransmit)
    {
        m_board.AddDuplicate();
    }
}

void
LeanTcpSender::HandleAdvance(uint32_t delivered,
                             uint64_t advance,
                             bool duplicate,
                             uint32_t duplicates)
{
    const uint64_t head = m_board.GetHead();
    uint32_t segments = CountSegments(delivered);
    if (!duplicate)
    {
        m_duplicates = 0;
    }
    if (head < m_recover && Is(TcpSocketState::CA_RECOVERY))
    {
        HandlePartial(delivered, segments);
        return;
    }
    if (head < m_recover && Is(TcpSocketState::CA_LOSS))
    {
        ReportAcked(segments);
        m_congestion->IncreaseWindow(m_state, segments);
        StartTimer();
        return;
    }
    switch (m_tcb.m_congState)
    {
    case TcpSocketState::CA_CWR:
        ReportAcked(segments);
        if (!m_rateControl && segments >= 1)
        {
            DoRecovery(*m_recovery, m_state, delivered, false);
        }
        StartTimer();
        return;
    case TcpSocketState::CA_DISORDER:
        if (segments >= duplicates)
        {
            // Each duplicate was reported as one segment before.
            ReportAcked(segments - duplicates);
        }
        if (duplicate)
        {
            if (!m_settings.LikeNs3())
            {
                StartTimer(); // RFC 6298, rule 5.3
            }
            return;
        }
        Reopen();
        break;
    case TcpSocketState::CA_RECOVERY:
        // What was not reported by partial acknowledgments.
        segments = static_cast<uint32_t>(advance / m_settings.m_segmentSize);
        ReportAcked(segments);
        m_congestion->CwndEvent(m_state, TcpSocketState::CA_EVENT_COMPLETE_CWR);
        Reopen();
        m_tcb.m_cWnd = m_tcb.m_ssThresh.Get();
        m_recovery->ExitRecovery(m_state);
        break;
    case TcpSocketState::CA_LOSS:
        segments = static_cast<uint32_t>((head - m_recover) / m_settings.m_segmentSize);
        ReportAcked(segments);
        Reopen();
        break;
    default:
        ReportAcked(segments);
        break;
    }
    m_congestion->IncreaseWindow(m_state, segments);
    m_tcb.m_cWndInfl = m_tcb.m_cWnd;
    StartTimer();
}

void
LeanTcpSender::HandlePartial(uint32_t delivered, uint32_t segments)
{
    if (!m_settings.m_sack)
    {
        m_board.MarkHeadLost();
        UpdateInFlight();
    }
    if (!m_rateControl && segments >= 1)
    {
        DoRecovery(*m_recovery, m_state, delivered, false);
    }
    // RFC 6582, section 3.2: the first unacknowledged segment at once. RFC 6675 leaves it to the
    // window; TcpSocketBase does not.
    if ((!m_settings.m_sack || m_settings.LikeNs3()) && !m_board.IsHeadRetransmitted())
    {
        RetransmitNext();
    }
    ReportAcked(1);
    // RFC 6582, section 3.2 restarts the timer for the first only; RFC 6298, rule 5.3 for each.
    if (m_firstPartial || (m_settings.m_sack && !m_settings.LikeNs3()))
    {
        StartTimer();
    }
    m_firstPartial = false;
}

// ---- Congestion states ----

void
LeanTcpSender::SetCongestionState(TcpSocketState::TcpCongState_t state)
{
    m_congestion->CongestionStateSet(m_state, state);
    m_tcb.m_congState = state;
}

void
LeanTcpSender::Reopen()
{
    SetCongestionState(TcpSocketState::CA_OPEN);
    ForgetDuplicates();
    m_firstPartial = true;
}

void
LeanTcpSender::ForgetDuplicates()
{
    m_duplicates = 0;
    m_board.ClearDuplicates();
}

void
LeanTcpSender::EnterCwr(uint32_t delivered)
{
    ++m_connection.GetStatistics().windowReductions;
    m_tcb.m_ssThresh = m_congestion->GetSsThresh(m_state, UpdateInFlight());
    m_tcb.m_cWndInfl = m_tcb.m_ssThresh;
    m_tcb.m_congState = TcpSocketState::CA_CWR;
    m_recover = m_board.GetEnd();
    AnnounceReduction();
    StartWindowReduction(delivered);
}

void
LeanTcpSender::StartWindowReduction(uint32_t delivered)
{
    if (!m_rateControl)
    {
        StartRecovery(*m_recovery,
                      m_state,
                      m_duplicates,
                      GetOutstanding(),
                      delivered,
                      m_board.GetSackedBytes());
    }
}

void
LeanTcpSender::ExitCwr()
{
    m_tcb.m_congState = TcpSocketState::CA_OPEN;
    ForgetDuplicates(); // those of CWR must not be taken for a loss later
    if (!m_rateControl)
    {
        m_tcb.m_cWnd = m_tcb.m_ssThresh.Get();
        m_recovery->ExitRecovery(m_state);
        m_congestion->CwndEvent(m_state, TcpSocketState::CA_EVENT_COMPLETE_CWR);
    }
}

uint32_t
LeanTcpSender::GetLossThreshold(uint32_t inFlight)
{
    if (m_settings.m_dctcp && m_settings.m_dctcpReactsToLoss)
    {
        // RFC 8257, section 3.5: as conventional TCP does (RFC 5681, equation 4).
        return std::max(inFlight / 2, 2 * m_settings.m_segmentSize);
    }
    return m_congestion->GetSsThresh(m_state, inFlight);
}

void
LeanTcpSender::EnterRecovery(uint32_t delivered)
{
    // Losses and marks of one window of data call for one reduction (RFC 3168, section 6.1.2), but
    // DCTCP's for marks may be a small one.
    const bool reduced = Is(TcpSocketState::CA_CWR) && !m_settings.m_dctcp;
    if (!m_settings.m_sack)
    {
        m_board.AddDuplicate();
        m_board.MarkHeadLost();
    }
    else if (!m_settings.m_rack && !m_board.IsHeadLost())
    {
        m_board.MarkHeadLost();
    }
    m_recover = m_board.GetEnd();
    SetReentry();
    SetCongestionState(TcpSocketState::CA_RECOVERY);
    m_firstPartial = true;
    m_probeEnd = 0;
    ++m_connection.GetStatistics().fastRecoveries;
    NS_LOG_LOGIC(m_connection.GetTag() << ": fast recovery, first byte " << m_board.GetHead());
    uint32_t inFlight = UpdateInFlight();
    if (!m_settings.m_sack)
    {
        inFlight += m_settings.m_segmentSize; // the head counts into FlightSize (RFC 6582)
    }
    if (!reduced)
    {
        m_tcb.m_ssThresh = GetLossThreshold(inFlight);
        AnnounceReduction();
    }
    StartWindowReduction(delivered);
    const uint64_t number = m_settings.m_rack ? m_board.FindLost() : m_board.GetFirst(); // step 4.3
    if (number < m_board.GetLast())
    {
        Retransmit(number);
    }
}

void
LeanTcpSender::SetReentry()
{
    // RFC 6582, section 3.2, step 2: "covers more than recover"; RFC 6675, section 5.1: "greater
    // than or equal to RecoveryPoint".
    m_reenter = m_recover + (m_settings.m_sack || m_settings.LikeNs3() ? 0 : 1);
}

void
LeanTcpSender::HandleTimeout()
{
    if (m_timerIsProbe)
    {
        SendProbe();
        return;
    }
    m_probeEnd = 0;
    ++m_connection.GetStatistics().timeouts;
    NS_LOG_LOGIC(m_connection.GetTag() << ": timeout, first byte " << m_board.GetHead());
    m_rto = std::min(2 * m_rto, m_settings.m_maxRto.GetTimeStep()); // RFC 6298, rule 5.5
    if (m_phase == SYN_SENT)
    {
        m_synAmbiguous = true;
        SendSyn();
        return;
    }
    const uint32_t inFlight = m_board.GetPipe();
    const bool again = Is(TcpSocketState::CA_LOSS) && m_board.IsHeadRetransmitted();
    ForgetDuplicates();
    m_board.MarkAllLost();
    m_recover = m_board.GetEnd();
    SetReentry();
    if (!again || m_settings.LikeNs3())
    {
        // RFC 5681, section 3.1: held constant if the segment was sent again by a timeout before.
        m_tcb.m_ssThresh = GetLossThreshold(inFlight);
    }
    m_congestion->CwndEvent(m_state, TcpSocketState::CA_EVENT_LOSS);
    SetCongestionState(TcpSocketState::CA_LOSS);
    m_tcb.m_cWnd = m_settings.m_segmentSize;
    m_tcb.m_cWndInfl = m_tcb.m_cWnd;
    AnnounceReduction();
    m_pacing.Cancel();
    m_reordering.Cancel();
    SendPending();
    m_connection.OnTimeout();
}

void
LeanTcpSender::DetectLostByTime(const LeanTcpScoreboard::Delivery& delivery)
{
    const int64_t now = DirectEvent::Now();
    // RFC 8985, section 6.2, step 2: an answer sooner than the least RTT is one to the original.
    const bool spurious = delivery.newestAmbiguous && m_tcb.m_minRtt != Time::Max() &&
                          now - delivery.newestSent < m_tcb.m_minRtt.GetTimeStep();
    if (delivery.newestSent != LeanTcpScoreboard::NEVER && !spurious)
    {
        m_rackRtt = now - delivery.newestSent;
        if (delivery.newestSent > m_rackSent ||
            (delivery.newestSent == m_rackSent && delivery.newestEnd > m_rackEnd))
        {
            m_rackSent = delivery.newestSent;
            m_rackEnd = delivery.newestEnd;
        }
    }
    if (m_board.IsEmpty())
    {
        m_reordering.Cancel();
        return;
    }
    int64_t window = m_settings.m_rackReorderingWindow.GetTimeStep();
    if (window == 0 && m_tcb.m_minRtt != Time::Max())
    {
        window = m_tcb.m_minRtt.GetTimeStep() / 4;
    }
    const int64_t waiting =
        m_board.DetectLostByTime(m_rackSent, m_rackEnd, now - m_rackRtt - window);
    if (waiting == LeanTcpScoreboard::NEVER)
    {
        m_reordering.Cancel();
    }
    else
    {
        m_reordering.Set(waiting + m_rackRtt + window - now);
    }
}

void
LeanTcpSender::HandleReorderingTimeout()
{
    DetectLostByTime({});
    if (m_board.GetLostBytes() > 0 && MayEnterRecovery())
    {
        EnterRecovery(0);
    }
    SendPending();
}

int64_t
LeanTcpSender::ChooseTimeout()
{
    m_timerIsProbe = MayProbe();
    if (!m_timerIsProbe)
    {
        return m_rto;
    }
    // RFC 8985, section 7.2.
    Time timeout = TimeStep(2 * m_rtt.GetSmoothed());
    if (GetOutstanding() <= m_settings.m_segmentSize)
    {
        timeout += m_settings.m_probeDelay;
    }
    const int64_t probe = std::max(timeout, m_settings.m_minProbeTimeout).GetTimeStep();
    m_timerIsProbe = probe < m_rto;
    return std::min(probe, m_rto);
}

bool
LeanTcpSender::MayProbe() const
{
    return m_settings.m_tailLossProbe && m_probeEnd == 0 && Is(TcpSocketState::CA_OPEN) &&
           m_rtt.GetSamples() > 0 && m_board.GetSackedBytes() == 0;
}

void
LeanTcpSender::SendProbe()
{
    // RFC 8985, section 7.3: what is new, else the last segment.
    ++m_connection.GetStatistics().probes;
    m_timerIsProbe = false;
    UpdateStreamEnd();
    const uint64_t end = m_board.GetEnd();
    const uint32_t outstanding = GetOutstanding();
    m_probeIsOld = end == m_streamEnd || outstanding >= m_peerWindow;
    m_probeEnd = end;
    if (m_probeIsOld)
    {
        Retransmit(m_board.GetLast() - 1);
    }
    else
    {
        SendNew(GetNewSize(m_settings.m_segmentSize));
        m_probeEnd = m_board.GetEnd();
    }
    m_retransmit.Set(m_rto);
}

void
LeanTcpSender::EndProbe(bool advanced, uint32_t delivered)
{
    // RFC 8985, section 7.4.2. A duplicate says that both the segment and its probe have arrived;
    // if none has come when later data is acknowledged, the probe repaired a loss.
    const uint64_t head = m_board.GetHead();
    const bool repeated = head == m_probeEnd && !advanced;
    if (head < m_probeEnd || (head == m_probeEnd && m_probeIsOld && !repeated))
    {
        return;
    }
    m_probeEnd = 0;
    if (m_probeIsOld && !repeated && MayEnterRecovery() && !Is(TcpSocketState::CA_CWR))
    {
        EnterCwr(delivered);
    }
}

// ---- Sending ----

uint32_t
LeanTcpSender::UpdateInFlight()
{
    const uint32_t pipe = m_board.GetPipe();
    // Set(): what is assigned to a TracedValue is made one first, with a list of callbacks.
    m_tcb.m_bytesInFlight.Set(pipe);
    return pipe;
}

uint32_t
LeanTcpSender::GetWindow() const
{
    uint32_t congestionWindow = m_tcb.m_cWnd;
    if (!m_settings.LikeNs3())
    {
        // RFC 3168, section 6.1.2: at one segment a congestion window is not reduced any more. Some
        // of ns-3's objects do, DCTCP's for one, and with less nothing would ever be sent.
        congestionWindow = std::max(congestionWindow, m_settings.m_segmentSize);
    }
    const uint32_t window = std::min(m_peerWindow, congestionWindow);
    return m_settings.m_maxWindow ? std::min(window, m_settings.m_maxWindow) : window;
}

void
LeanTcpSender::SendPending()
{
    UpdateInFlight();
    while (SendNext())
    {
    }
    m_burst = 0;
}

bool
LeanTcpSender::SendNext()
{
    const uint32_t inFlight = m_board.GetPipe();
    const uint32_t window = GetWindow();
    const bool within = m_burst > 0; // a burst that has begun goes out in one
    if (inFlight >= window || (!within && IsPaced() && m_pacing.IsPending()))
    {
        return false;
    }
    const Choice choice = ChooseNext(window - inFlight);
    if (choice.size == 0 || (!within && !BeginBurst(choice, window, inFlight)))
    {
        return false;
    }
    if (inFlight == 0)
    {
        m_congestion->CwndEvent(m_state, TcpSocketState::CA_EVENT_TX_START);
    }
    if (choice.number == m_board.GetLast())
    {
        SendNew(choice.size);
    }
    else
    {
        Retransmit(choice.number);
        const LeanTcpScoreboard::Segment& sent = m_board.GetSegment(choice.number);
        SetBackNextSequence(sent.begin + sent.length);
    }
    return true;
}

bool
LeanTcpSender::BeginBurst(const Choice& choice, uint32_t window, uint32_t inFlight)
{
    uint32_t burst = choice.size; // what is sent again goes segment by segment
    if (m_settings.m_burstSize > 0 && choice.number == m_board.GetLast())
    {
        burst = std::max(choice.size, ChooseBurst(window, inFlight));
        if (IsHeldForBurst(burst, window, inFlight))
        {
            return false;
        }
    }
    if (m_smallQueue)
    {
        const uint32_t segments = (burst + m_settings.m_segmentSize - 1) / m_settings.m_segmentSize;
        if (!m_smallQueue->Admits(GetDatagramBytes(burst), segments, GetBacklog(burst)))
        {
            return false;
        }
    }
    m_burst = burst;
    return true;
}

uint32_t
LeanTcpSender::ChooseBurst(uint32_t window, uint32_t inFlight) const
{
    const uint32_t segment = m_settings.m_segmentSize;
    const uint32_t allowed = std::min(window - inFlight, m_peerWindow - GetOutstanding());
    const uint64_t data = m_streamEnd - m_board.GetEnd();
    const uint64_t whole = data <= allowed ? data : allowed / segment * segment;
    return static_cast<uint32_t>(std::min<uint64_t>(whole, GetMostPerBurst()));
}

uint32_t
LeanTcpSender::GetMostPerBurst() const
{
    uint32_t most = m_settings.m_burstSize;
    if (!m_settings.m_burstTime.IsZero())
    {
        most = std::min(most, GetBytesIn(m_settings.m_burstTime));
    }
    return std::max(LEAST_BURST, most / m_settings.m_segmentSize) * m_settings.m_segmentSize;
}

bool
LeanTcpSender::IsHeldForBurst(uint32_t burst, uint32_t window, uint32_t inFlight)
{
    // Linux's deferral: better wait for more acknowledgments than send a small burst. Something is
    // in flight, so that one will come. What ends the data waits for nothing.
    const uint32_t share = m_settings.m_burstWindowShare;
    if (share == 0 || inFlight == 0 || m_streamEnd - m_board.GetEnd() <= burst ||
        burst >= std::min(GetMostPerBurst(), window / share) || Is(TcpSocketState::CA_RECOVERY) ||
        Is(TcpSocketState::CA_LOSS))
    {
        return false;
    }
    m_tcb.m_isCwndLimited |= window < m_peerWindow;
    return true;
}

QueueLimit
LeanTcpSender::GetBacklog(uint32_t burst) const
{
    const QueueLimit& most = m_smallQueue->GetLimit();
    if (m_settings.m_smallQueueTime.IsZero())
    {
        return most;
    }
    // Linux: what the pacing rate lets out in about 1 ms, and at least two bursts.
    const uint32_t least = 2 * GetDatagramBytes(std::max(burst, m_settings.m_segmentSize));
    const uint32_t bytes = std::max(least, GetBytesIn(m_settings.m_smallQueueTime));
    return QueueSize(QueueSizeUnit::BYTES, std::min(most.GetBytes(), bytes));
}

void
LeanTcpSender::SetBackNextSequence(uint64_t byte)
{
    // SND.NXT never goes back in the RFCs. TcpSocketBase's does, and DCTCP takes the end of its
    // observation window from it.
    if (m_settings.LikeNs3())
    {
        m_tcb.m_nextTxSequence.Set(ToSequence(byte));
    }
}

void
LeanTcpSender::UpdateStreamEnd()
{
    if (m_settings.m_multipath)
    {
        m_streamEnd = m_connection.GetStreamEnd();
    }
}

LeanTcpSender::Choice
LeanTcpSender::ChooseNext(uint32_t available)
{
    // NextSeg() of RFC 6675, section 4. Its rule 1:
    uint64_t number = m_board.FindLost();
    if (number < m_board.GetLast())
    {
        return ChooseOld(number, available);
    }
    // Rule 2: new data.
    UpdateStreamEnd();
    const uint64_t end = m_board.GetEnd();
    if (end < m_streamEnd)
    {
        const uint32_t outstanding = GetOutstanding();
        // RFC 3042 leaves limited transmit to the sender; TcpSocketBase with SACK has it always.
        const bool limited =
            m_settings.m_limitedTransmit || (m_settings.m_sack && m_settings.LikeNs3());
        const bool held = !limited && Is(TcpSocketState::CA_DISORDER);
        if (outstanding >= m_peerWindow || held || WouldCut(available, end))
        {
            return {number, 0};
        }
        return {number, GetNewSize(available)};
    }
    if (m_rateControl)
    {
        m_rate.RecordAppLimited(m_tcb.m_bytesInFlight);
    }
    // Rule 3: a segment that may be lost.
    if (m_settings.m_sack && !m_settings.m_rack && Is(TcpSocketState::CA_RECOVERY))
    {
        number = m_board.FindDoubtful();
        if (number < m_board.GetLast())
        {
            return ChooseOld(number, available);
        }
    }
    return {number, 0};
}

LeanTcpSender::Choice
LeanTcpSender::ChooseOld(uint64_t number, uint32_t available) const
{
    const LeanTcpScoreboard::Segment& segment = m_board.GetSegment(number);
    return {number, WouldCut(available, segment.begin) ? 0U : segment.length};
}

uint32_t
LeanTcpSender::GetNewSize(uint32_t available) const
{
    const uint64_t data = m_streamEnd - m_board.GetEnd();
    const uint32_t window = std::min(available, m_peerWindow - GetOutstanding());
    return static_cast<uint32_t>(
        std::min<uint64_t>(data, std::min(window, m_settings.m_segmentSize)));
}

bool
LeanTcpSender::WouldCut(uint32_t available, uint64_t begin) const
{
    // Silly window syndrome (RFC 9293, section 3.8.6.2.1): a segment that is not full only at the
    // end of the data.
    return available < m_settings.m_segmentSize && m_streamEnd - begin > available;
}

void
LeanTcpSender::RetransmitNext()
{
    const uint64_t number = m_board.FindLost();
    UpdateStreamEnd();
    if (number < m_board.GetLast())
    {
        Retransmit(number);
        SetBackNextSequence(m_board.GetSegment(number).begin);
    }
    else if (m_board.GetEnd() < m_streamEnd && GetOutstanding() < m_peerWindow)
    {
        SendNew(GetNewSize(m_settings.m_segmentSize));
    }
    else
    {
        Retransmit(m_board.GetFirst());
        SetBackNextSequence(m_board.GetHead());
    }
}

void
LeanTcpSender::SendNew(uint32_t size)
{
    const bool idle = m_rateControl && m_board.GetPipe() == 0;
    const int64_t now = DirectEvent::Now();
    const uint64_t number = m_board.Append(static_cast<uint16_t>(size), now);
    if (m_rateControl)
    {
        m_rate.RecordSent(m_board.GetRateMark(number), idle, now);
    }
    m_tcb.m_highTxMark.Set(ToSequence(m_board.GetEnd()));
    m_connection.OnSent(m_board.GetEnd());
    Transmit(number, false);
    m_tcb.m_nextTxSequence.Set(ToSequence(m_board.GetEnd()));
}

void
LeanTcpSender::Retransmit(uint64_t number)
{
    const bool idle = m_rateControl && m_board.GetPipe() == 0;
    const int64_t now = DirectEvent::Now();
    m_board.Retransmit(number, now);
    NS_LOG_LOGIC(m_connection.GetTag()
                 << ": sends " << m_board.GetSegment(number).begin << " again");
    if (m_rateControl)
    {
        m_rate.RecordSent(m_board.GetRateMark(number), idle, now);
    }
    ++m_connection.GetStatistics().retransmissions;
    Transmit(number, true);
}

void
LeanTcpSender::Transmit(uint64_t number, bool again)
{
    const LeanTcpScoreboard::Segment& segment = m_board.GetSegment(number);
    FabricItem* item = m_connection.MakeDataItem(again);
    auto& header = item->As<LeanTcpHeader>();
    header.sequence = segment.begin;
    header.length = segment.length;
    header.timestamp = segment.sent;
    header.flags = LeanTcpHeader::ACK;
    header.sackBlocks = 0;
    if (m_announceReduction && !again) [[unlikely]]
    {
        m_announceReduction = false;
        m_announced = segment.begin;
        header.flags |= LeanTcpHeader::CWR;
        if (m_tcb.m_ecnState == TcpSocketState::ECN_ECE_RCVD)
        {
            m_tcb.m_ecnState.Set(TcpSocketState::ECN_CWR_SENT);
        }
    }
    if (m_settings.m_multipath)
    {
        m_connection.MapData(number, header);
    }
    item->size = static_cast<uint16_t>(GetPacketSize(segment.length));
    m_lastSent = segment.sent;
    ++m_connection.GetStatistics().segments;
    if (!m_retransmit.IsPending() || m_timerIsProbe) // RFC 8985, section 7.2: anew with each
    {
        m_retransmit.Set(ChooseTimeout());
    }
    if (IsPaced() && !m_pacing.IsPending())
    {
        const uint32_t burst = std::max<uint32_t>(m_burst, segment.length);
        m_pacing.Set(m_tcb.m_pacingRate.Get().CalculateBytesTxTime(burst).GetTimeStep());
    }
    m_burst -= std::min<uint32_t>(m_burst, segment.length);
    if (m_smallQueue)
    {
        m_smallQueue->Add(item->size);
    }
    m_connection.Send(item);
    m_tcb.m_isCwndLimited = m_tcb.m_cWnd < UpdateInFlight() + m_settings.m_segmentSize;
    if (Is(TcpSocketState::CA_RECOVERY) || Is(TcpSocketState::CA_CWR))
    {
        m_recovery->UpdateBytesSent(segment.length);
    }
}

bool
LeanTcpSender::IsPaced() const
{
    const uint64_t initial = m_settings.m_initialCwnd * uint64_t{m_settings.m_segmentSize};
    // TcpSocketBase counts the SYN into the window.
    const uint64_t sent = m_board.GetEnd() + (m_settings.LikeNs3() ? 1 : 0);
    return m_tcb.m_pacing && (m_tcb.m_paceInitialWindow || sent > initial);
}

uint32_t
LeanTcpSender::GetPacketSize(uint32_t payload) const
{
    const uint32_t options =
        (m_settings.m_timestamps ? LeanTcpHeader::TIMESTAMP_OPTION : 0) + m_settings.m_dataOption;
    return LeanTcpHeader::GetSize(options) + payload;
}

uint32_t
LeanTcpSender::GetDatagramBytes(uint32_t payload) const
{
    const uint32_t segments = (payload + m_settings.m_segmentSize - 1) / m_settings.m_segmentSize;
    return payload + segments * GetPacketSize(0);
}

uint32_t
LeanTcpSender::GetBytesIn(Time time) const
{
    const DataRate rate = IsPaced() ? m_tcb.m_pacingRate.Get() : GetWindowRate();
    const double bytes = time.GetSeconds() * static_cast<double>(rate.GetBitRate()) / 8;
    return static_cast<uint32_t>(std::min<double>(bytes, UINT32_MAX));
}

void
LeanTcpSender::UpdatePacingRate()
{
    if (m_tcb.m_pacing && !m_rateControl)
    {
        m_tcb.m_pacingRate = GetWindowRate();
    }
}

DataRate
LeanTcpSender::GetWindowRate() const
{
    const Time rtt = SmoothedRtt(m_tcb);
    if (rtt.IsZero())
    {
        return m_tcb.m_maxPacingRate;
    }
    const bool slowStart = m_tcb.m_cWnd < m_tcb.m_ssThresh / 2;
    const double factor = (slowStart ? m_tcb.m_pacingSsRatio : m_tcb.m_pacingCaRatio) / 100.0;
    const double window = std::max(m_tcb.m_cWnd, m_tcb.m_bytesInFlight);
    const auto rate = DataRate(static_cast<uint64_t>(8 * window * factor / rtt.GetSeconds()));
    return std::min(rate, m_tcb.m_maxPacingRate);
}

} // namespace ns3
