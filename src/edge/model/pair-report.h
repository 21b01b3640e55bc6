/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_REPORT_H
#define PAIR_REPORT_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup edge
 * @brief A report of the receiving end of a VM pair to the sending end.
 *
 * Counters run from the start of the pair, so a report that is lost costs time and nothing else:
 * the sender takes the difference to the last one that came. It travels in FabricItem::transport.
 */
struct PairReport
{
    uint32_t pair{0};        //!< number of the pair (PairId)
    uint32_t sequence{0};    //!< of the pair's reports, from 1
    int64_t time{0};         //!< time of its making, in time steps
    uint64_t bytes{0};       //!< bytes received so far
    uint64_t markedBytes{0}; //!< those of them with Congestion Experienced
    double share{-1}; //!< rate that the receiver grants the pair, in bit/s; below 0: says nothing
    uint64_t extra[3]{}; //!< free for a kind of controller
};

static_assert(sizeof(PairReport) == 64);

} // namespace ns3

#endif /* PAIR_REPORT_H */
