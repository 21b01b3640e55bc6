/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-rate.h"

#include "ns3/assert.h"

namespace ns3
{

double
FlowRateForLoad(double load, DataRate capacity, double crossing, double mean)
{
    NS_ASSERT(crossing > 0 && mean > 0);
    return load * capacity.GetBitRate() / (8 * mean * crossing);
}

} // namespace ns3
