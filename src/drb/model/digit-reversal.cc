/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "digit-reversal.h"

namespace ns3
{

uint32_t
ReverseDigits(uint32_t turn, const std::vector<uint32_t>& radices)
{
    uint32_t point = 0;
    for (const uint32_t radix : radices)
    {
        point = point * radix + turn % radix;
        turn /= radix;
    }
    return point;
}

} // namespace ns3
