/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMALL_QUEUE_H
#define SMALL_QUEUE_H

#include "ns3/direct-timer.h"
#include "ns3/fabric-host.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Keeps what one flow has in its host's own port small (TCP small queues, Linux 3.6).
 *
 * A sender asks Admits() before it hands over, counts what it hands over with Add() and, told by
 * ItemSink::HandleDeparture(), what has left with Remove(). One that was refused is called when it
 * may go on: by an event of its own, as Linux does it in a tasklet.
 */
class SmallQueue
{
  public:
    /**
     * @brief Set up, and have the host tell of departures.
     * @param host the sender's host, part of a built fabric
     * @param resume what to call when a sender that was refused may go on
     * @param sender what it is called with
     */
    SmallQueue(FabricHost& host, DirectEvent::Handler resume, void* sender)
        : m_resume(resume, sender, host.GetContext())
    {
        host.NotifyDepartures();
    }

    /**
     * @brief Ask whether more may be handed over. If not, the sender is called when it may.
     * @param bytes what is to be handed over
     * @param limit most that the flow may have in the port; but what is handed over to an empty
     *        port may be more
     * @return true if it may
     */
    bool Admits(uint32_t bytes, uint32_t limit)
    {
        const uint32_t room = limit > bytes ? limit - bytes : 0;
        m_waiting = m_bytes > room;
        m_room = room;
        return !m_waiting;
    }

    /**
     * @brief Count what is handed over.
     * @param bytes size of the item
     */
    void Add(uint32_t bytes)
    {
        m_bytes += bytes;
    }

    /**
     * @brief Count what has left the port.
     * @param bytes the same as when it was handed over
     */
    void Remove(uint32_t bytes)
    {
        m_bytes -= bytes;
        if (m_waiting && m_bytes <= m_room)
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
     * @brief What the flow has in the port.
     * @return bytes
     */
    uint32_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    DirectTimer m_resume;  //!< calls the sender
    uint32_t m_bytes{0};   //!< in the port
    uint32_t m_room{0};    //!< most bytes in the port at which the sender may go on
    bool m_waiting{false}; //!< whether the sender was refused
};

} // namespace ns3

#endif /* SMALL_QUEUE_H */
