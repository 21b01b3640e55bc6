/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_RATE_H
#define FLOW_RATE_H

#include "ns3/data-rate.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Arrival rate of flows that loads a tier of links to a given share (AFQ, Section 6.2.1).
 *
 * The rate is load * capacity / (8 * mean * crossing).
 *
 * @param load share of the tier's capacity that payload shall take, 1 for all of it
 * @param capacity of the tier's links together, in one direction
 * @param crossing probability that a flow crosses the tier
 * @param mean flow size in bytes
 * @return flows per second
 */
double FlowRateForLoad(double load, DataRate capacity, double crossing, double mean);

} // namespace ns3

#endif /* FLOW_RATE_H */
