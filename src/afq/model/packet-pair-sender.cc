/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-sender.h"

#include "packet-pair-transport.h"

#include "ns3/assert.h"
#include "ns3/direct-event.h"
#include "ns3/fabric-host.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint32_t DUPLICATES = 3;  //!< acknowledgments that tell of a loss (RFC 5681, Sec. 3.2)
constexpr uint8_t MAX_BACKOFF = 30; //!< doublings of the timeout

} // namespace

PacketPairSender::PacketPairSender(PacketPairConnection& connection, uint64_t bytes)
    : m_connection(connection),
      m_settings(connection.GetSettings()),
      m_estimator(m_settings),
      m_rtt(CreateObject<RttMeanDeviation>()),
      m_pacing(DirectEvent::Call<&PacketPairSender::HandlePacingTimer>,
               this,
               connection.GetSource().GetContext()),
      m_timeout(DirectEvent::Call<&PacketPairSender::HandleTimeout>,
                this,
                connection.GetSource().GetContext()),
      m_end(bytes)
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
PacketPairSender::CountPackets(uint64_t begin, uint64_t end) const
{
    return (end - begin + m_settings.m_segmentSize - 1) / m_settings.m_segmentSize;
}

uint64_t
PacketPairSender::GetBytesInFlight() const
{
    const uint64_t packets = CountPackets(m_head, m_next);
    const uint64_t bytes = m_next - m_head + packets * PacketPairSegment::HEADERS;
    // A hole that was deemed lost is sent again at once, so it still counts.
    const uint64_t arrived = static_cast<uint64_t>(m_arrived) * m_settings.GetPacketSize();
    return bytes - std::min(bytes, arrived);
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
    return m_next >= m_end || GetBytesInFlight() > m_estimator.GetInFlightBound();
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
    const bool again = m_next < m_highest && m_state == NORMAL; // after a timeout
    const bool last = m_end - m_next <= m_settings.m_segmentSize;
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
    if (m_next < m_end) // else it was injected meanwhile
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
    const uint64_t sequence = m_next;
    m_next = std::min(m_end, m_next + m_settings.m_segmentSize);
    SendFrom(sequence, flags);
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
        m_connection.GetTransport().HandleRetransmission(m_connection, sequence);
    }
    m_highest = std::max(m_highest, end);
    FabricItem* item = m_connection.CreateItem(0);
    auto& data = item->As<PacketPairSegment>();
    data.sequence = sequence;
    data.timestamp = DirectEvent::Now();
    data.gap = 0;
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
    m_rtt->Measurement(TimeStep(rtt)); // echoed, so retransmissions give samples as well
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
    else if (m_head < m_next)
    {
        HandleDuplicate();
    }
    if (m_settings.m_rateChangeCompensation && formerGap > 0) [[unlikely]]
    {
        CompensateRateChange(formerGap);
    }
    // Unless it waits for its time, what was blocked goes on. At start-up the pair's acknowledgment
    // is awaited; if its packets have come in the wrong order, no gap was measured, and another
    // pair is needed.
    if (!m_pacing.IsPending() && (m_state == NORMAL || m_head == m_next))
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
        const uint64_t last = m_end - (CountPackets(0, m_end) - 1) * m_settings.m_segmentSize;
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
    const uint64_t packets = CountPackets(m_head, next);
    m_head = next;
    m_next = std::max(m_next, m_head); // late acknowledgments after a timeout
    if (m_recovering && m_head < m_recover)
    {
        // RFC 6582, partial acknowledgment: all but the first of these were told of by duplicates.
        m_arrived -= std::min<uint64_t>(m_arrived, packets - 1);
        RetransmitHole();
    }
    else
    {
        m_recovering = false;
        m_arrived = 0;
    }
    if (m_head < m_next)
    {
        RestartTimeout();
    }
    else
    {
        m_timeout.Cancel();
    }
}

void
PacketPairSender::HandleDuplicate()
{
    if (m_state == STARTUP || (!m_recovering && m_head < m_recover))
    {
        return; // of what was in the network when the timeout came (RFC 6582, Sec. 4)
    }
    ++m_arrived;
    if (!m_recovering && m_arrived >= DUPLICATES)
    {
        m_recovering = true;
        m_recover = m_highest;
        RetransmitHole();
        RestartTimeout();
    }
}

void
PacketPairSender::RetransmitHole()
{
    ++m_pair; // a number of its own, so that it makes a pair with no other
    SendFrom(m_head, 0);
}

void
PacketPairSender::HandleTimeout()
{
    NS_ASSERT(m_head < m_next);
    m_connection.GetTransport().HandleTimeout(m_connection);
    m_backoff = std::min<uint8_t>(m_backoff + 1, MAX_BACKOFF);
    m_recover = m_highest;
    m_recovering = false;
    m_arrived = 0;
    m_skipped = 0;
    m_secondDue = false;
    m_next = m_head; // all is deemed lost and leaves the bytes in flight; rate and gap stay
    m_pacing.Cancel();
    SendPacketPair();
}

void
PacketPairSender::RestartTimeout()
{
    Time timeout = m_settings.m_initialRto;
    if (m_state == NORMAL)
    {
        timeout = std::max(m_rtt->GetEstimate() + m_rtt->GetVariation() * 4, m_settings.m_minRto);
    }
    const int64_t longest = m_settings.m_maxRto.GetTimeStep();
    const int64_t backedOff = timeout.GetTimeStep() > (longest >> m_backoff)
                                  ? longest
                                  : timeout.GetTimeStep() << m_backoff;
    m_timeout.Set(backedOff);
}

} // namespace ns3
