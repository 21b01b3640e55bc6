/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOSE_PARTITION_H
#define HOSE_PARTITION_H

#include <vector>

namespace ns3
{

/**
 * @ingroup edge
 * @brief Divide the guarantee of a VM among its active pairs, max-min by demand (ElasticSwitch's
 * guarantee partitioning).
 *
 * Progressive filling: a pair that can use less than its equal share gets what it can use, the
 * others divide the rest. What is left when all have enough is divided equally, so that each can
 * grow.
 *
 * @param hose the guarantee
 * @param bounds most that each pair can use: its demand, or what the other end grants it; infinity
 *        if it can use all
 * @return a share for each, the hose in sum; empty if there is no pair
 */
std::vector<double> PartitionHose(double hose, const std::vector<double>& bounds);

} // namespace ns3

#endif /* HOSE_PARTITION_H */
