/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Says how far a simulation is, once a second of wall time, as long as it exists.
 *
 * It writes what percentage of the expected simulated time has passed into the file that the
 * environment variable SUITE_PROGRESS names; without that it does nothing. It is driven by a signal
 * of a timer (SIGALRM), not by events: their number and order stay what they are. There can be one
 * at a time.
 */
class Progress
{
  public:
    /**
     * @brief Begin.
     * @param end expected end of the simulation; it may end before or after
     */
    explicit Progress(Time end);
    ~Progress();

    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
};

} // namespace ns3

#endif /* PROGRESS_H */
