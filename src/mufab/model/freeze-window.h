/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FREEZE_WINDOW_H
#define FREEZE_WINDOW_H

#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief Lets a host migrate one pair per window of 1 to N base RTTs, drawn anew each time (uFAB
 * Section 3.5): at least one RTT passes, so that the effect of the last migration is seen.
 */
class FreezeWindow
{
  public:
    /**
     * @brief True if a pair may migrate.
     * @param now the current time, in time steps
     * @return true if the window has passed
     */
    bool IsOpen(int64_t now) const
    {
        return now >= m_opens;
    }

    /**
     * @brief Earliest time at which a pair may migrate.
     * @return in time steps
     */
    int64_t GetOpening() const
    {
        return m_opens;
    }

    /**
     * @brief A pair migrates.
     * @param random draws the length of the window
     * @param most N, in base RTTs
     * @param rtt the largest base RTT, in time steps
     * @param now the current time, in time steps
     */
    void Close(UniformRandomVariable& random, uint32_t most, int64_t rtt, int64_t now)
    {
        m_opens = now + rtt * random.GetInteger(1, most);
    }

  private:
    int64_t m_opens{INT64_MIN}; //!< earliest time at which a pair may migrate
};

} // namespace ns3

#endif /* FREEZE_WINDOW_H */
