/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NANOSECOND_CLOCK_H
#define NANOSECOND_CLOCK_H

#include "direct-event.h"

#include "ns3/assert.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup kernel
 * @brief The simulation time in whole nanoseconds, for what counts in them whatever the resolution
 * of Time is (token buckets and meters do).
 */
class NanosecondClock
{
  public:
    /// Made when the resolution of Time is set: NS, PS or FS.
    NanosecondClock()
        : m_steps(NanoSeconds(1).GetTimeStep())
    {
        NS_ASSERT_MSG(m_steps > 0, "Time must resolve nanoseconds");
    }

    /// @return the whole nanoseconds that have passed
    int64_t Now() const
    {
        const int64_t now = DirectEvent::Now();
        return m_steps == 1 ? now : now / m_steps;
    }

    /**
     * @param nanoseconds a point in time that has not passed
     * @return the delay until then, in time steps
     */
    int64_t GetDelayUntil(int64_t nanoseconds) const
    {
        return nanoseconds * m_steps - DirectEvent::Now();
    }

  private:
    int64_t m_steps; ///< time steps of a nanosecond
};

} // namespace ns3

#endif /* NANOSECOND_CLOCK_H */
