/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_COALESCER_H
#define LEAN_TCP_COALESCER_H

#include "lean-tcp-header.h"
#include "lean-tcp-settings.h"

#include "ns3/direct-timer.h"
#include "ns3/fabric-item.h"

#include <utility>

namespace ns3
{

/**
 * @ingroup lean-tcp
 * @brief Segments of a connection that came in and that its TCP is still to see, as one: what a
 *        host's interrupt coalescing and generic receive offload (GRO) do.
 */
class LeanTcpCoalescer
{
  public:
    /**
     * @brief Set up.
     * @param settings time and size of coalescing; outlive this object
     * @param handUp called when the first segment has waited long enough
     * @param receiver argument of handUp
     * @param context of the receiver's host
     */
    LeanTcpCoalescer(const LeanTcpSettings& settings,
                     DirectEvent::Handler handUp,
                     void* receiver,
                     uint32_t context)
        : m_settings(settings),
          m_timer(handUp, receiver, context)
    {
    }

    ~LeanTcpCoalescer()
    {
        while (FabricItem* item = m_items.Pop())
        {
            item->Release();
        }
    }

    LeanTcpCoalescer(const LeanTcpCoalescer&) = delete;
    LeanTcpCoalescer& operator=(const LeanTcpCoalescer&) = delete;

    /**
     * @brief True if a segment may join those that wait. As in Linux: if it is the next one, is
     * marked as they are, and does not carry CWR.
     * @param item the segment
     * @return true if it may, or if none waits
     */
    bool Continues(FabricItem& item) const
    {
        const auto& header = item.As<LeanTcpHeader>();
        return m_items.IsEmpty() ||
               (header.sequence == m_end && !(header.flags & LeanTcpHeader::CWR) &&
                item.GetEcn() == m_items.Front()->GetEcn());
    }

    /**
     * @brief Add a segment.
     * @param item the segment, now this object's
     * @return true if another full segment would be too much, so that it is time to hand up
     */
    bool Add(FabricItem* item)
    {
        const auto& header = item->As<LeanTcpHeader>();
        if (m_items.IsEmpty())
        {
            m_begin = header.sequence;
            m_timer.Set(m_settings.m_coalesceTime.GetTimeStep());
        }
        m_end = header.sequence + header.length;
        m_items.Push(item);
        return m_end - m_begin + m_settings.m_segmentSize > m_settings.m_coalesceSize;
    }

    /**
     * @brief Take all segments.
     * @return the segments, now the caller's, the first one first
     */
    ItemFifo TakeAll()
    {
        m_timer.Cancel();
        return std::exchange(m_items, ItemFifo());
    }

  private:
    const LeanTcpSettings& m_settings; //!< time and size of coalescing
    DirectTimer m_timer;               //!< the first segment has waited long enough
    ItemFifo m_items;                  //!< the segments
    uint64_t m_begin{0};               //!< first byte of the first segment
    uint64_t m_end{0};                 //!< first byte behind the last segment
};

} // namespace ns3

#endif /* LEAN_TCP_COALESCER_H */
