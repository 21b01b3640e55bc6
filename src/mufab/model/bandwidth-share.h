/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BANDWIDTH_SHARE_H
#define BANDWIDTH_SHARE_H

#include "ns3/int-stack.h"

namespace ns3
{

/**
 * @ingroup mufab
 * @brief State that a switch tells of one of its links (uFAB Section 3.2), with nothing rounded.
 */
struct LinkState
{
    double tokens{0};   //!< Phi: sum of the tokens of the active pairs
    double window{0};   //!< W: sum of their windows, in bytes
    double rate{0};     //!< tx: what the link sends, in bit/s
    double queue{0};    //!< q: what waits for it, in bytes
    double capacity{0}; //!< rate of the link, in bit/s; C is a share of it

    /**
     * @brief Round the state as a probe's fields do.
     * @param units of the fields
     * @return the values, rounded as the fields say
     */
    LinkState Round(const IntUnits& units) const;
};

/**
 * @ingroup mufab
 * @brief The edge's arithmetic for one link: Eqs. 1 to 3 and whether it can keep what it promised
 * (uFAB Sections 3.3 and 3.4). Rates in bit/s, windows in bytes, times in seconds.
 */
struct BandwidthShare
{
    double unit;         //!< B_u: what one token is guaranteed at least
    double utilization;  //!< eta: share of a link's rate that is to be used
    double windowCap{1}; //!< most that Eq. 3 gives, in C * T

    /**
     * @brief C, the capacity that is shared.
     * @param link the link
     * @return bit/s
     */
    double GetTarget(const LinkState& link) const
    {
        return utilization * link.capacity;
    }

    /**
     * @brief phi / Phi. At most 1: a pair that the switch overlooked is not in Phi.
     * @param tokens of the pair
     * @param link the link
     * @return the fraction
     */
    static double GetFraction(double tokens, const LinkState& link);

    /**
     * @brief Eq. 1: what the pair may use at least.
     * @param tokens of the pair
     * @param link the link
     * @return bit/s
     */
    double GetShare(double tokens, const LinkState& link) const;

    /**
     * @brief Eq. 2: what the pair may use, the link's rate considered.
     * @param tokens of the pair
     * @param link the link
     * @param sum of what Eq. 2 gave the link's pairs last, in bit/s
     * @return bit/s
     */
    double GetRate(double tokens, const LinkState& link, double sum) const;

    /**
     * @brief Eq. 3: what the pair may have under way.
     * @param tokens of the pair
     * @param link the link
     * @param rtt base RTT
     * @param own window that the pair has told the link: if the switch overlooked the pair, W may
     * be less
     * @return bytes
     */
    double GetWindow(double tokens, const LinkState& link, double rtt, double own = 0) const;

    /**
     * @brief C * T, what a pair may have under way at most, whatever Eq. 3 gives.
     * @param link the link
     * @param rtt base RTT
     * @return bytes
     */
    double GetBdp(const LinkState& link, double rtt) const
    {
        return GetTarget(link) * rtt / 8;
    }

    /**
     * @brief Capacity that is left when each pair gets its guarantee.
     * @param link the link
     * @param extra tokens of pairs that would come to it
     * @return bit/s; below 0: the link could not keep its promises
     */
    double GetHeadroom(const LinkState& link, double extra) const
    {
        return GetTarget(link) - (link.tokens + extra) * unit;
    }

    /**
     * @brief True if a link keeps its promises. Sums of fractions of tokens are not exact.
     * @param link the link
     * @param extra tokens of pairs that would come to it
     * @return true up to the capacity
     */
    bool IsQualified(const LinkState& link, double extra) const
    {
        return GetHeadroom(link, extra) >= -1e-9 * link.capacity;
    }

    /**
     * @brief Rate that a pair that is not there may hope for: its share, or what nobody uses. Eq. 2
     * is not defined for it.
     * @param tokens of the pair
     * @param link the link
     * @param extra tokens of these that the link does not know yet
     * @param own part of the link's rate that is the pair's own, in bit/s
     * @return bit/s
     */
    double PredictRate(double tokens, const LinkState& link, double extra, double own) const;
};

} // namespace ns3

#endif /* BANDWIDTH_SHARE_H */
