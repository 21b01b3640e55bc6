/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRINITY_COLOURS_H
#define TRINITY_COLOURS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup trinity
 * @brief The two colours of Trinity's traffic (Section 3.2) as differentiated services codepoints.
 *
 * The paper leaves their values to the operator. Here green is Expedited Forwarding and red best
 * effort, so that a switch that knows nothing of Trinity puts them in this order, too.
 */
enum class TrinityColour : uint8_t
{
    GREEN = 46, //!< within the guarantee: high priority in the network
    RED = 0,    //!< beyond it: low priority
};

/**
 * @ingroup trinity
 * @param colour a colour
 * @return the DSCP
 */
constexpr uint8_t
GetDscp(TrinityColour colour)
{
    return static_cast<uint8_t>(colour);
}

} // namespace ns3

#endif /* TRINITY_COLOURS_H */
