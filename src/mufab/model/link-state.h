/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_STATE_H
#define LINK_STATE_H

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

} // namespace ns3

#endif /* LINK_STATE_H */
