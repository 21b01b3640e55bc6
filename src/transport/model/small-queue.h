/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMALL_QUEUE_H
#define SMALL_QUEUE_H

#include "ns3/direct-timer.h"
#include "ns3/fabric-host.h"
#include "ns3/queue-limit.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Keeps what one flow has in its host's own port small (TCP small queues, Linux 3.6).
 *
 * A sender asks Admits() before it hands over, counts what it hands over with Add() and, told by
 * ItemSink::OnDeparture(), what has left with Remove(). One that was refused is called when it
 * may go on: by an event of its own, as Linux does it in a tasklet.
 */
class SmallQueue
{
  public:
    /**
     * @brief Set up, and have the host tell of departures.
     * @param host the sender's host, part of a built fabric
     * @param limit most that the flow may have in the port; a time is one at the port's rate
     * @param resume called when a sender that was refused may go on
     * @param sender argument of resume
     */
    SmallQueue(FabricHost& host, const QueueLimit& limit, DirectEvent::Handler resume, void* sender)
        : m_limit(Resolve("Backlog", limit, host)),
          m_resume(resume, sender, host.GetContext())
    {
        host.TrackDepartures();
    }

    /**
     * @brief The limit at a host.
     * @param argument the attribute that was set, for the error
     * @param limit most that a flow may have in the host's port
     * @param host part of a built fabric
     * @return the same in bytes or packets
     * @throws InputError for a time that comes to 4 GiB or more
     */
    static QueueLimit Resolve(const std::string& argument,
                              const QueueLimit& limit,
                              FabricHost& host)
    {
        return limit.Resolve(argument, host.GetNicPort().GetDescription().rate);
    }

    /**
     * @brief The limit.
     * @return most that the flow may have in the port
     */
    const QueueLimit& GetLimit() const
    {
        return m_limit;
    }

    /**
     * @brief Ask whether more may be handed over. If not, the sender is called when it may.
     * @param bytes size of the data to be handed over
     * @param packets in how many packets
     * @param limit most that the flow may have in the port; but what is handed over to an empty
     *        port may be more
     * @return true if it may
     */
    bool Admits(uint32_t bytes, uint32_t packets, const QueueLimit& limit)
    {
        m_waiting = !IsRoomFor(bytes, packets, limit);
        if (m_waiting)
        {
            m_next = {bytes, packets, limit};
        }
        return !m_waiting;
    }

    /**
     * @brief Count a packet that is handed over.
     * @param bytes its size
     */
    void Add(uint32_t bytes)
    {
        m_bytes += bytes;
        ++m_packets;
    }

    /**
     * @brief Count a packet that has left the port.
     * @param bytes the same as when it was handed over
     */
    void Remove(uint32_t bytes)
    {
        m_bytes -= bytes;
        --m_packets;
        if (m_waiting && IsRoomFor(m_next.bytes, m_next.packets, m_next.limit))
        {
            m_waiting = false;
            m_resume.Set(0);
        }
    }

    /// @brief Do not call the sender any more.
    void Close()
    {
        m_waiting = false;
        m_resume.Cancel();
    }

    /**
     * @brief The packets of the flow in the port.
     * @return their number
     */
    uint32_t GetPackets() const
    {
        return m_packets;
    }

  private:
    /// @brief A request that was refused.
    struct Next
    {
        uint32_t bytes{0};   //!< its size
        uint32_t packets{0}; //!< in how many packets
        QueueLimit limit;    //!< most in the port
    };

    /// @return true if as much may join what is in the port
    bool IsRoomFor(uint32_t bytes, uint32_t packets, const QueueLimit& limit) const
    {
        return m_packets == 0 || limit.Admits(m_bytes, m_packets + packets - 1, bytes);
    }

    QueueLimit m_limit;    //!< most in the port
    DirectTimer m_resume;  //!< calls the sender
    uint32_t m_bytes{0};   //!< in the port
    uint32_t m_packets{0}; //!< in the port
    bool m_waiting{false}; //!< true if the sender was refused
    Next m_next;           //!< the request that was refused
};

} // namespace ns3

#endif /* SMALL_QUEUE_H */
