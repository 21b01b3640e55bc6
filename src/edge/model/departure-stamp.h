/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEPARTURE_STAMP_H
#define DEPARTURE_STAMP_H

#include "ns3/fabric-item.h"
#include "ns3/huge-pages.h"

#include <cstdint>

namespace ns3
{

struct PairReport;

/**
 * @ingroup edge
 * @brief A stamp that a channel writes on an item that leaves and the other end sends back: the
 * bytes of the pair that had left by then, and the time. So the sender learns of losses while
 * others go on, and of round-trip times. A field of the tunnel's header; its bytes are not charged.
 */
class DepartureStamp : public ItemExtension, public InHugePages
{
  public:
    /**
     * @brief Stamp an item that carries nothing else.
     * @param item leaves
     * @param end bytes of its pair that have left, its own included
     * @param now the current time, in time steps
     */
    static void PutOn(FabricItem& item, uint64_t end, int64_t now);

    /**
     * @brief Take the stamp off an item that arrived, if it has one.
     * @param item the item
     * @param report of its pair, remembers the stamp
     */
    static void TakeOff(FabricItem& item, PairReport& report);

    /**
     * @brief The bytes that the sender had sent with the last of the items that a report is about.
     * @param report the report
     * @return bytes; 0: the items had no stamps
     */
    static uint64_t GetEnd(const PairReport& report);

    /**
     * @brief The departure time of the item that came last.
     * @param report the report
     * @return time in time steps
     */
    static int64_t GetTime(const PairReport& report);

    /// @brief First element of PairReport::extra that stamps leave free.
    static constexpr int FREE_EXTRA = 2;

  private:
    DepartureStamp(uint64_t end, int64_t time)
        : m_end(end),
          m_time(time)
    {
    }

    uint64_t m_end; //!< bytes that had left
    int64_t m_time; //!< time of the item's departure
};

} // namespace ns3

#endif /* DEPARTURE_STAMP_H */
