/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-scoreboard.h"

#include "ns3/assert.h"

namespace ns3
{

namespace
{

constexpr uint64_t INITIAL_SEGMENTS = 16; //!< room of a new ring, a power of two

} // namespace

LeanTcpScoreboard::LeanTcpScoreboard(uint32_t threshold, bool rateMarks, bool likeNs3)
    : m_ring(INITIAL_SEGMENTS),
      m_marks(rateMarks ? INITIAL_SEGMENTS : 0),
      m_mask(INITIAL_SEGMENTS - 1),
      m_threshold(threshold),
      m_rateMarks(rateMarks),
      m_likeNs3(likeNs3)
{
}

void
LeanTcpScoreboard::Grow()
{
    const uint64_t oldMask = m_mask;
    m_mask = 2 * m_mask + 1;
    Ring ring(m_mask + 1);
    std::vector<RateMark> marks(m_rateMarks ? m_mask + 1 : 0);
    for (uint64_t number = m_first; number < m_last; ++number)
    {
        ring[number & m_mask] = m_ring[number & oldMask];
        if (m_rateMarks)
        {
            marks[number & m_mask] = m_marks[number & oldMask];
        }
    }
    m_ring = std::move(ring);
    m_marks = std::move(marks);
}

uint64_t
LeanTcpScoreboard::Append(uint16_t length, int64_t now)
{
    if (m_last - m_first > m_mask)
    {
        Grow();
    }
    At(m_last) = {m_end, now, length, 0};
    m_end += length;
    return m_last++;
}

void
LeanTcpScoreboard::Retransmit(uint64_t number, int64_t now)
{
    Segment& segment = At(number);
    NS_ASSERT(!(segment.flags & SACKED));
    segment.sent = now;
    if (!(segment.flags & RETRANSMITTED))
    {
        m_retransmittedBytes += segment.length;
    }
    segment.flags |= RETRANSMITTED | AMBIGUOUS;
}

uint64_t
LeanTcpScoreboard::Find(uint64_t byte) const
{
    uint64_t low = m_first;
    uint64_t high = m_last;
    while (low < high)
    {
        const uint64_t middle = (low + high) / 2;
        if (At(middle).begin < byte)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

uint64_t
LeanTcpScoreboard::FindLost()
{
    if (m_lostBytes == 0)
    {
        return m_last;
    }
    // Nothing above the edge is lost, except that the head may have been declared so.
    uint64_t end = std::max(m_lostEdge, m_first + 1);
    if (m_likeNs3 && !m_sacked.empty())
    {
        // Condition 1.b, which would keep a sender from repairing what a timeout declared lost.
        end = std::min(end, m_sacked.back().end - 1);
    }
    m_nextLost = std::max(m_nextLost, m_first);
    for (; m_nextLost < end; ++m_nextLost)
    {
        if ((At(m_nextLost).flags & (LOST | RETRANSMITTED)) == LOST)
        {
            return m_nextLost;
        }
    }
    return m_last;
}

uint64_t
LeanTcpScoreboard::FindDoubtful()
{
    uint64_t end = m_first;
    if (!m_sacked.empty())
    {
        end = m_sacked.back().begin;
    }
    else if (m_likeNs3)
    {
        end = m_last; // TcpTxBuffer forgets condition 1.b when nothing is SACKed
    }
    for (uint64_t number = std::max(m_nextLost, m_first); number < end; ++number)
    {
        if (!(At(number).flags & (SACKED | RETRANSMITTED)))
        {
            return number;
        }
    }
    return m_last;
}

void
LeanTcpScoreboard::RecordDelivered(uint64_t number, Delivery& delivery) const
{
    const Segment& segment = At(number);
    delivery.bytes += segment.length;
    const uint64_t end = segment.begin + segment.length;
    if (segment.sent > delivery.newestSent ||
        (segment.sent == delivery.newestSent && end > delivery.newestEnd))
    {
        delivery.newestSent = segment.sent;
        delivery.newestEnd = end;
        delivery.newestAmbiguous = segment.flags & AMBIGUOUS;
        if (m_rateMarks)
        {
            delivery.mark = &m_marks[number & m_mask];
            delivery.markSent = segment.sent;
        }
    }
}

void
LeanTcpScoreboard::Sack(uint64_t begin, uint64_t end, Delivery& delivery)
{
    begin = std::max(begin, m_head);
    end = std::min(end, m_end);
    if (begin >= end)
    {
        return;
    }
    // The block as a range of segments; most often one of those already known.
    Range range{Find(begin), 0};
    auto first = std::lower_bound(m_sacked.begin(),
                                  m_sacked.end(),
                                  range.begin,
                                  [](const Range& r, uint64_t number) { return r.end < number; });
    if (first != m_sacked.end() && first->begin <= range.begin)
    {
        const Segment& last = At(first->end - 1);
        if (last.begin + last.length >= end)
        {
            return;
        }
    }
    range.end = Find(end);
    auto last = first;
    uint64_t next = range.begin;
    for (; last != m_sacked.end() && last->begin <= range.end; ++last)
    {
        SackSegments(next, last->begin, delivery);
        next = std::max(next, last->end);
        range.begin = std::min(range.begin, last->begin);
    }
    SackSegments(next, range.end, delivery);
    range.end = std::max(range.end, next);
    if (first == last)
    {
        m_sacked.insert(first, range);
    }
    else
    {
        *first = range;
        m_sacked.erase(first + 1, last);
    }
}

void
LeanTcpScoreboard::SackSegments(uint64_t begin, uint64_t end, Delivery& delivery)
{
    for (uint64_t number = begin; number < end; ++number)
    {
        Segment& segment = At(number);
        RecordDelivered(number, delivery);
        delivery.sackedBytes += segment.length;
        m_sackedBytes += segment.length;
        if (segment.flags & LOST)
        {
            m_lostBytes -= segment.length;
        }
        segment.flags = static_cast<uint8_t>((segment.flags & ~LOST) | SACKED);
        if ((segment.flags & RETRANSMITTED) && !m_likeNs3)
        {
            // RFC 6675, section 4: SetPipe() counts only what is not SACKed. TcpTxBuffer goes on
            // counting the retransmission until it is acknowledged cumulatively.
            m_retransmittedBytes -= segment.length;
            segment.flags &= static_cast<uint8_t>(~RETRANSMITTED);
        }
    }
}

void
LeanTcpScoreboard::Acknowledge(uint64_t head, Delivery& delivery)
{
    NS_ASSERT(head <= m_end);
    if (head == m_head)
    {
        return;
    }
    uint32_t segments = 0;
    uint32_t timed = 0;
    for (; m_first < m_last && At(m_first).begin < head; ++m_first)
    {
        const Segment& segment = At(m_first);
        ++segments;
        if (!(segment.flags & UNTIMED))
        {
            delivery.latestSent = segment.flags & AMBIGUOUS ? NEVER : segment.sent;
            delivery.earliestSent = timed++ == 0 ? delivery.latestSent : delivery.earliestSent;
        }
        if (segment.flags & RETRANSMITTED)
        {
            m_retransmittedBytes -= segment.length;
            delivery.retransmitted = true;
        }
        if (segment.flags & SACKED)
        {
            m_sackedBytes -= segment.length;
            continue;
        }
        RecordDelivered(m_first, delivery);
        if (segment.flags & LOST)
        {
            m_lostBytes -= segment.length;
        }
    }
    m_head = head;
    NS_ASSERT(IsEmpty() ? m_head == m_end : At(m_first).begin == m_head);
    auto range = m_sacked.begin();
    while (range != m_sacked.end() && range->end <= m_first)
    {
        ++range;
    }
    if (range != m_sacked.begin()) [[unlikely]]
    {
        m_sacked.erase(m_sacked.begin(), range);
    }
    if (m_duplicates > 0) [[unlikely]]
    {
        // All but one of the acknowledged segments had been counted as duplicates: the first one
        // was missing (RFC 6582, section 3.2, partial acknowledgments).
        m_duplicates -= std::min(m_duplicates, segments - 1);
        UpdateDuplicates();
    }
}

void
LeanTcpScoreboard::MarkLost(uint64_t number)
{
    Segment& segment = At(number);
    if (!(segment.flags & (SACKED | LOST)))
    {
        segment.flags |= LOST;
        m_lostBytes += segment.length;
        m_nextLost = std::min(m_nextLost, number);
    }
}

void
LeanTcpScoreboard::DetectLost()
{
    // Counted in segments as Linux and ns-3 do; RFC 6675 counts octets, which differs only for
    // segments that are not full.
    uint32_t above = 0;
    for (auto range = m_sacked.rbegin(); range != m_sacked.rend(); ++range)
    {
        const uint64_t segments = range->end - range->begin;
        if (above + segments < m_threshold)
        {
            above += static_cast<uint32_t>(segments);
            continue;
        }
        const uint64_t edge = range->end - (m_threshold - above);
        for (uint64_t number = std::max(m_lostEdge, m_first); number < edge; ++number)
        {
            MarkLost(number);
        }
        m_lostEdge = std::max(m_lostEdge, edge);
        return;
    }
}

int64_t
LeanTcpScoreboard::DetectLostByTime(int64_t newestSent, uint64_t newestEnd, int64_t deadline)
{
    int64_t waiting = NEVER;
    auto range = m_sacked.begin();
    for (uint64_t number = m_first; number < m_last; ++number)
    {
        if (range != m_sacked.end() && number == range->begin)
        {
            number = range->end - 1;
            ++range;
            continue;
        }
        Segment& segment = At(number);
        const bool after =
            segment.sent > newestSent || (segment.sent == newestSent && segment.begin >= newestEnd);
        if (after)
        {
            if (!(segment.flags & AMBIGUOUS))
            {
                break; // nothing sent behind it was sent earlier
            }
            continue;
        }
        if ((segment.flags & (LOST | RETRANSMITTED)) == LOST)
        {
            continue; // known
        }
        if (segment.sent > deadline)
        {
            waiting = waiting == NEVER ? segment.sent : std::min(waiting, segment.sent);
            continue;
        }
        if (segment.flags & RETRANSMITTED) // the retransmission was lost
        {
            segment.flags &= static_cast<uint8_t>(~RETRANSMITTED);
            m_retransmittedBytes -= segment.length;
            m_nextLost = std::min(m_nextLost, number);
        }
        MarkLost(number);
        m_lostEdge = std::max(m_lostEdge, number + 1);
    }
    return waiting;
}

void
LeanTcpScoreboard::MarkHeadLost()
{
    Segment& head = At(m_first);
    if (head.flags & RETRANSMITTED)
    {
        head.flags &= static_cast<uint8_t>(~RETRANSMITTED);
        m_retransmittedBytes -= head.length;
    }
    MarkLost(m_first);
    m_nextLost = m_first;
}

void
LeanTcpScoreboard::MarkAllLost()
{
    m_retransmittedBytes = 0;
    for (uint64_t number = m_first; number < m_last; ++number)
    {
        MarkLost(number);
        Segment& segment = At(number);
        segment.flags &= static_cast<uint8_t>(~RETRANSMITTED);
        // An acknowledgment may be delayed by the gap before it.
        segment.flags |= static_cast<uint8_t>(m_likeNs3 ? AMBIGUOUS | UNTIMED : AMBIGUOUS);
    }
    m_lostEdge = m_last;
    m_nextLost = m_first;
}

void
LeanTcpScoreboard::AddDuplicate()
{
    ++m_duplicates;
    UpdateDuplicates();
}

void
LeanTcpScoreboard::ClearDuplicates()
{
    if (m_duplicates > 0)
    {
        m_duplicates = 0;
        m_sackedBytes = 0;
    }
}

void
LeanTcpScoreboard::UpdateDuplicates()
{
    // At most all segments but the first are delivered.
    const uint64_t above = IsEmpty() ? 0 : m_last - m_first - 1;
    m_duplicates = static_cast<uint32_t>(std::min<uint64_t>(m_duplicates, above));
    m_sackedBytes = m_duplicates ? static_cast<uint32_t>(At(m_first + m_duplicates).begin +
                                                         At(m_first + m_duplicates).length -
                                                         At(m_first + 1).begin)
                                 : 0;
}

} // namespace ns3
