/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DIGIT_REVERSAL_H
#define DIGIT_REVERSAL_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @defgroup drb Digit-reversal bouncing
 * Per-packet load-balanced routing for Clos networks (Cao et al., CoNEXT 2013).
 */

/**
 * @ingroup drb
 * @brief The order of Digit-Reversal Bouncing (DRB, Section 3.1.2): which highest-layer switch the
 * packet of a turn bounces at.
 *
 * A bouncing switch is known by the up-links that lead to it, a digit per layer: its number is
 * written with the first layer's digit in front. A turn is written the other way round, so
 * successive turns differ in the first layer's digit, and a link of layer i comes again after
 * exactly r_1 * ... * r_i turns (Theorem 2). With two digits and one radix m = n/2 it is the
 * paper's DR(a1*m + a2) = a2*m + a1. The paper leaves open what happens where radices differ, as in
 * VL2 with d0 up-links of a rack and d1/2 of an aggregation switch; reversal in mixed radix keeps
 * Theorem 2.
 *
 * @param turn a number below the product of the radices
 * @param radices number of up-links per switch in each layer, from the racks up
 * @return number of the bouncing switch, below the same product
 */
uint32_t ReverseDigits(uint32_t turn, const std::vector<uint32_t>& radices);

} // namespace ns3

#endif /* DIGIT_REVERSAL_H */
