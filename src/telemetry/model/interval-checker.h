/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERVAL_CHECKER_H
#define INTERVAL_CHECKER_H

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief Least time between two samples of a recorder and least width of its bins, in ns: less than
 * a full packet takes at 100 Gbit/s. Anything finer says no more, and fills a disk in seconds.
 */
constexpr int64_t LEAST_RECORDING_INTERVAL_NS = 100;

/**
 * @ingroup telemetry
 * @brief A checker for attributes that are the time between samples or the width of bins.
 * @return allows LEAST_RECORDING_INTERVAL_NS and more
 */
inline Ptr<const AttributeChecker>
MakeIntervalChecker()
{
    return MakeTimeChecker(NanoSeconds(LEAST_RECORDING_INTERVAL_NS));
}

} // namespace ns3

#endif /* INTERVAL_CHECKER_H */
