/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-sender.h"

#include "packet-pair-transport.h"

#include "ns3/assert.h"
#include "ns3/direct-event.h"
#include "ns3/fabric-host.h"
#include "ns3/log.h"
#include "ns3/logged-item.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PacketPairSender");

namespace
{

constexpr uint32_t DUP_THRESH = 3;  //!< packets above that tell of a loss (RFC 6675)
constexpr uint8_t MAX_BACKOFF = 30; //!< doublings of the timeout

} // namespace

PacketPairSender::PacketPairSender(PacketPairConnection& connection,
                                   uint64_t bytes,
                                   const PacketPairKnowledge& knowledge)
    : m_connection(connection),
      m_settings(connection.GetSettings()),
      m_estimator(knowledge.estimator),
      m_rtt(knowledge.rtt),
      m_pacing(DirectEvent::Call<&PacketPairSender::HandlePacingTimer>,
               this,
               connection.GetSource().GetContext()),
      m_timeout(DirectEvent::Call<&PacketPairSender::HandleTimeout>,
                this,
                connection.GetSource().GetContext()),
      m_end(bytes),
      m_state(m_estimator.IsReady() ? NORMAL : STARTUP)
{
}

void
PacketPairSender::Start()
{
    SendPacketPair();
}

void
PacketPairSender::Close()
{
    m_pacing.Cancel();
    m_timeout.Cancel();
}

uint64_t
PacketPairSender::GetBytesInFlight() const
{
    // What was lost and not sent again is not in the network, nor what has arrived.
    const uint64_t lost = m_arrived.CountMissing(m_again, m_lossEdge);
    const uint64_t payload = m_highest - m_head - m_arrived.GetReceived() - lost;
    const uint64_t packets = (payload + m_settings.m_segmentSize - 1) / m_settings.m_segmentSize;
    return payload + packets * PacketPairSegment::HEADERS;
}

FlowState
PacketPairSender::GetState() const
{
    FlowState state;
    state.alpha = m_estimator.GetAlpha();
    state.inFlight = static_cast<double>(GetBytesInFlight());
    if (m_state == NORMAL)
    {
        state.window = m_estimator.GetInFlightBound();
        state.rate = m_estimator.GetRate();
        state.rtt = TimeStep(m_rtt.GetSmoothed()).GetSeconds();
    }
    return state;
}

uint64_t
PacketPairSender::FindNext() const
{
    if (m_again < m_lossEdge) [[unlikely]]
    {
        const uint64_t hole = m_arrived.FindHole(m_again);
        if (hole < m_lossEdge)
        {
            return hole;
        }
    }
    return m_highest;
}

Time
PacketPairSender::GetIntraPairSpacing(uint32_t bytesPerRound,
                                      uint32_t packetSize,
                                      DataRate lineRate)
{
    // The paper asks for it above 2 MSS and says that none is needed up to 1 MSS; between the two
    // the packets of a pair may share a round as well.
    return bytesPerRound > packetSize ? lineRate.CalculateBytesTxTime(bytesPerRound - packetSize)
                                      : Time(0);
}

bool
PacketPairSender::IsBlocked() const
{
    return FindNext() >= m_end || GetBytesInFlight() > m_estimator.GetInFlightBound();
}

void
PacketPairSender::SendPacketPair()
{
    // Bound inflight bytes to roughly bdp: of those in flight already, so that the pair may exceed
    // the bound, and the first pair of all (bdp = 0) is sent. Fig. 13 returns for good; here
    // ReceiveItem() comes back as soon as there is room.
    if (IsBlocked())
    {
        return;
    }
    ++m_pair;
    m_pairSent = DirectEvent::Now();
    const uint64_t next = FindNext();
    const bool again = next < m_highest && m_state == NORMAL;
    const bool last = m_end - next <= m_settings.m_segmentSize;
    if (again || last)
    {
        SendNext(0); // alone, so it measures nothing
        ScheduleNextPair(m_settings.GetPacketSize());
        return;
    }
    SendNext(PacketPairHeader::FIRST);
    // Add delay if necessary: to every pair, not only the first, for each one measures.
    if (m_settings.m_bytesPerRound > m_settings.GetPacketSize()) [[unlikely]]
    {
        const FabricPort& port = m_connection.GetSource().GetNicPort();
        const Time spacing = GetIntraPairSpacing(m_settings.m_bytesPerRound,
                                                 m_settings.GetPacketSize(),
                                                 port.GetDescription().rate);
        m_secondDue = true;
        m_pacing.Set(port.GetTransmissionSteps(m_settings.GetPacketSize()) + spacing.GetTimeStep());
        return;
    }
    SendSecond();
}

void
PacketPairSender::SendSecond()
{
    m_secondDue = false;
    if (FindNext() < m_end) // else it was injected meanwhile
    {
        SendNext(0);
    }
    ScheduleNextPair(2 * m_settings.GetPacketSize());
}

void
PacketPairSender::ScheduleNextPair(uint32_t sent)
{
    if (m_state == STARTUP)
    {
        return; // wait for AckReceive
    }
    // nextSendTime = now() + 2 * MSS / rate, where Fig. 13 counts from the second packet. That
    // would add the spacing inside the pair to the period and so fall short of the rate.
    const int64_t due = m_pairSent + m_estimator.GetSendingTime(sent);
    m_pacing.Set(std::max<int64_t>(due - DirectEvent::Now(), 0));
}

void
PacketPairSender::HandlePacingTimer()
{
    if (m_secondDue)
    {
        SendSecond();
    }
    else if (m_skipped > 0)
    {
        --m_skipped;
        m_pacing.Set(m_estimator.GetSendingTime(2 * m_settings.GetPacketSize()));
    }
    else
    {
        SendPacketPair();
    }
}

void
PacketPairSender::SendNext(uint8_t flags)
{
    const uint64_t next = FindNext();
    if (next < m_highest)
    {
        m_again = std::min(m_end, next + m_settings.m_segmentSize);
    }
    SendFrom(next, flags);
    if (!m_timeout.IsPending())
    {
        RestartTimeout();
    }
}

void
PacketPairSender::SendFrom(uint64_t sequence, uint8_t flags)
{
    const uint64_t end = std::min(m_end, sequence + m_settings.m_segmentSize);
    if (sequence < m_highest)
    {
        flags |= PacketPairHeader::RETRANSMISSION;
        NS_LOG_LOGIC(m_connection.GetRecord().GetTag() << ": sends " << sequence << " again");
        m_connection.GetTransport().HandleRetransmission(m_connection, sequence);
    }
    m_highest = std::max(m_highest, end);
    FabricItem* item = m_connection.MakeItem(0);
    auto& data = item->As<PacketPairSegment>();
    data.sequence = sequence;
    data.timestamp = DirectEvent::Now();
    data.gap = 0;
    data.blockBegin = 0;
    data.blockEnd = 0;
    data.pair = m_pair & PacketPairHeader::MAX_PAIR;
    data.length = static_cast<uint16_t>(end - sequence);
    data.flags = flags | (end == m_end ? PacketPairHeader::LAST : 0);
    data.congestion = false;
    item->size = static_cast<uint16_t>(data.length + PacketPairSegment::HEADERS);
    m_connection.GetSource().Send(item);
}

void
PacketPairSender::ReceiveItem(FabricItem* item)
{
    const PacketPairSegment answer = item->As<PacketPairSegment>();
    item->Release();
    if (answer.sequence < m_head)
    {
        return; // a later one overtook it
    }
    const int64_t rtt = DirectEvent::Now() - answer.timestamp;
    m_rtt.Add(rtt); // echoed, so retransmissions give samples as well
    const bool both = m_settings.m_ackPolicy == PacketPairSettings::PER_PAIR && answer.gap > 0;
    m_estimator.AddAcknowledged((both ? 2 : 1) * m_settings.GetPacketSize(), answer.congestion);
    const double formerGap = m_estimator.GetGap();
    if (answer.gap > 0)
    {
        HandlePairSample(answer, rtt);
    }
    if (answer.sequence == m_end)
    {
        m_head = m_end;
        m_connection.HandleAcknowledged(); // the flow is over
        return;
    }
    if (answer.sequence > m_head)
    {
        HandleNewlyAcknowledged(answer.sequence);
    }
    if (answer.blockEnd > 0) [[unlikely]]
    {
        HandleOutOfOrder(answer.sequence + answer.blockBegin, answer.sequence + answer.blockEnd);
    }
    if (m_settings.m_rateChangeCompensation && formerGap > 0) [[unlikely]]
    {
        CompensateRateChange(formerGap);
    }
    // Unless it waits for its time, what was blocked goes on. At start-up the pair's acknowledgment
    // is awaited; if its packets have come in the wrong order, no gap was measured, and another
    // pair is needed.
    if (!m_pacing.IsPending() && (m_state == NORMAL || m_head == m_highest))
    {
        SendPacketPair();
    }
}

void
PacketPairSender::HandlePairSample(const PacketPairSegment& answer, int64_t rtt)
{
    uint32_t second = m_settings.GetPacketSize();
    if (m_highest == m_end && answer.timestamp == m_pairSent)
    {
        // Only the last packet of the flow may be shorter than MSS. It is in the latest pair.
        const uint64_t last = (m_end - 1) % m_settings.m_segmentSize + 1;
        second = static_cast<uint32_t>(last) + PacketPairSegment::HEADERS;
    }
    // Fig. 13 computes linkRate, bdp and rate in NORMAL only, although the pair sent on leaving
    // STARTUP needs them.
    m_estimator.AddPair(answer.gap, second, rtt);
    if (m_state == STARTUP)
    {
        m_state = NORMAL;
        m_secondDue = false;
        m_pacing.Cancel();
    }
    m_connection.GetTransport().HandleEstimate(m_connection);
}

void
PacketPairSender::CompensateRateChange(double formerGap)
{
    // Sec. 5, after Keshav: what the former rate put too much into the network is not sent for a
    // while, what it put too little is sent at once.
    const double excess = m_estimator.GetExcess(formerGap);
    const double mss = m_settings.GetPacketSize();
    if (excess > 0)
    {
        m_skipped += static_cast<uint32_t>(excess / (2 * mss));
        return;
    }
    auto packets = static_cast<uint32_t>(-excess / mss);
    const uint32_t spared = std::min(m_skipped, packets / 2); // pairs yet to be skipped are not
    m_skipped -= spared;
    for (packets -= 2 * spared; packets > 0 && !IsBlocked(); --packets)
    {
        ++m_pair;
        SendNext(0);
    }
}

void
PacketPairSender::HandleNewlyAcknowledged(uint64_t next)
{
    m_backoff = 0;
    m_head = next;
    m_again = std::max(m_again, m_head);
    m_arrived.Advance(m_head);
    if (m_head < m_highest)
    {
        RestartTimeout();
    }
    else
    {
        m_timeout.Cancel();
    }
}

void
PacketPairSender::HandleOutOfOrder(uint64_t begin, uint64_t end)
{
    m_arrived.Add(begin, end);
    const bool known = m_lossEdge > m_head;
    // More than DupThresh - 1 full packets above: the last packet of a flow may be short.
    const uint64_t enough = uint64_t{DUP_THRESH - 1} * m_settings.m_segmentSize + 1;
    m_lossEdge = std::max(m_lossEdge, m_arrived.GetLossEdge(enough));
    if (!known && m_lossEdge > m_head && m_again <= m_head)
    {
        // Fast retransmit: the first hole at once, the others when there is room and time.
        ++m_pair;
        SendNext(0);
        RestartTimeout();
    }
}

void
PacketPairSender::HandleTimeout()
{
    NS_ASSERT(m_head < m_highest);
    NS_LOG_LOGIC(m_connection.GetRecord().GetTag() << ": timeout, first byte " << m_head);
    m_connection.GetTransport().HandleTimeout(m_connection);
    m_backoff = std::min<uint8_t>(m_backoff + 1, MAX_BACKOFF);
    // All that has not arrived is deemed lost and leaves the bytes in flight; rate and gap stay.
    m_again = m_head;
    m_lossEdge = m_highest;
    if (m_state == STARTUP)
    {
        m_arrived.Clear(); // to have a pair to send
    }
    m_skipped = 0;
    m_secondDue = false;
    m_pacing.Cancel();
    SendPacketPair();
}

void
PacketPairSender::RestartTimeout()
{
    Time timeout = m_settings.m_initialRto;
    if (m_state == NORMAL)
    {
        const Time estimate = TimeStep(m_rtt.GetSmoothed() + 4 * m_rtt.GetVariation());
        timeout = std::max(estimate, m_settings.m_minRto);
    }
    const int64_t longest = m_settings.m_maxRto.GetTimeStep();
    const int64_t backedOff = timeout.GetTimeStep() > (longest >> m_backoff)
                                  ? longest
                                  : timeout.GetTimeStep() << m_backoff;
    m_timeout.Set(backedOff);
}

} // namespace ns3
