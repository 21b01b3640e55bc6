/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loss-recovery.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * @brief Append, with room for twice as many where it is full.
 * @tparam T type of the elements
 * @param buffer the buffer
 * @param value goes behind its last
 */
template <class T>
void
Append(boost::circular_buffer<T>& buffer, const T& value)
{
    if (buffer.full())
    {
        buffer.set_capacity(std::max<std::size_t>(16, 2 * buffer.capacity()));
    }
    buffer.push_back(value);
}

} // namespace

uint64_t
GoBackN::Send()
{
    ++m_next;
    m_end = std::max(m_end, m_next);
    return m_serial++;
}

LossRecovery::Change
GoBackN::Take(const Answer& answer)
{
    Change change{0, false};
    if (answer.next > m_first)
    {
        change.acknowledged = answer.next - m_first;
        m_first = answer.next;
        m_next = std::max(m_next, m_first); // what was to be sent again came after all
    }
    if (answer.refused && answer.next == m_first && m_next > m_first)
    {
        change.lost = true;
        m_next = m_first;
    }
    return change;
}

void
GoBackN::GiveUp()
{
    m_next = m_first;
}

SelectiveRepeat::SelectiveRepeat(uint32_t threshold)
    : m_threshold(threshold)
{
}

uint64_t
SelectiveRepeat::GetNext() const
{
    return m_repeat.empty() ? m_end : m_repeat.front();
}

uint64_t
SelectiveRepeat::Send()
{
    uint64_t number = m_end;
    if (m_repeat.empty())
    {
        ++m_end;
        Append(m_packets, Packet{m_serial, UNDER_WAY});
    }
    else
    {
        number = m_repeat.front();
        m_repeat.pop_front();
        GetPacket(number) = {m_serial, UNDER_WAY};
        DropLost();
    }
    Append(m_sent, number);
    ++m_inFlight;
    return m_serial++;
}

LossRecovery::Change
SelectiveRepeat::Take(const Answer& answer)
{
    Change change{0, false};
    for (uint64_t number = m_first; number < answer.next; ++number)
    {
        change.acknowledged += Acknowledge(number);
    }
    if (answer.number >= m_first)
    {
        change.acknowledged += Acknowledge(answer.number);
    }
    while (!m_packets.empty() && m_packets.front().state == ACKNOWLEDGED)
    {
        m_packets.pop_front();
        ++m_first;
    }
    m_latest = std::max(m_latest, answer.serial + 1);
    change.lost = FindLost();
    DropLost();
    return change;
}

bool
SelectiveRepeat::Acknowledge(uint64_t number)
{
    Packet& packet = GetPacket(number);
    if (packet.state == ACKNOWLEDGED)
    {
        return false;
    }
    m_inFlight -= packet.state == UNDER_WAY;
    packet.state = ACKNOWLEDGED;
    return true;
}

bool
SelectiveRepeat::FindLost()
{
    bool found = false;
    while (!m_sent.empty() && m_oldest + m_threshold < m_latest)
    {
        const uint64_t number = m_sent.front();
        if (number >= m_first)
        {
            Packet& packet = GetPacket(number);
            if (packet.state == UNDER_WAY && packet.serial == m_oldest)
            {
                packet.state = LOST;
                --m_inFlight;
                Append(m_repeat, number);
                found = true;
            }
        }
        m_sent.pop_front();
        ++m_oldest;
    }
    return found;
}

void
SelectiveRepeat::DropLost()
{
    while (!m_repeat.empty() &&
           (m_repeat.front() < m_first || GetPacket(m_repeat.front()).state != LOST))
    {
        m_repeat.pop_front(); // it came after all
    }
}

void
SelectiveRepeat::GiveUp()
{
    m_repeat.clear();
    for (uint64_t number = m_first; number < m_end; ++number)
    {
        Packet& packet = GetPacket(number);
        if (packet.state != ACKNOWLEDGED)
        {
            packet.state = LOST;
            Append(m_repeat, number);
        }
    }
    m_inFlight = 0;
    m_oldest = m_serial;
    m_sent.clear();
}

bool
PacketReassembly::Add(uint64_t number)
{
    if (number < m_next)
    {
        return false;
    }
    if (number == m_next && m_beyond == 0) // the usual case
    {
        ++m_next;
        return true;
    }
    if (number - m_next >= m_there.size())
    {
        std::vector<bool> larger(std::max<uint64_t>(64, 2 * (number - m_next + 1)));
        for (uint64_t i = 0; i < m_there.size(); ++i)
        {
            larger[(m_next + i) % larger.size()] = m_there[(m_next + i) % m_there.size()];
        }
        m_there.swap(larger);
    }
    if (m_there[number % m_there.size()])
    {
        return false;
    }
    m_there[number % m_there.size()] = true;
    ++m_beyond;
    while (m_beyond > 0 && m_there[m_next % m_there.size()])
    {
        m_there[m_next % m_there.size()] = false;
        ++m_next;
        --m_beyond;
    }
    return true;
}

} // namespace ns3
