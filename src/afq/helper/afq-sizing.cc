/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-sizing.h"

#include <cmath>
#include <numbers>

namespace ns3
{

double
AfqSizing::GetBytesPerRound(DataRate rate, Time rtt, uint32_t queues)
{
    return GetQueueDemand(rate, rtt) / queues;
}

double
AfqSizing::GetQueueDemand(DataRate rate, Time rtt)
{
    return static_cast<double>(rate.GetBitRate()) / 8 * rtt.GetSeconds() / 6;
}

AfqSizing::Sketch
AfqSizing::GetSketch(double epsilon, double delta)
{
    return {static_cast<uint32_t>(std::ceil(std::log(1 / delta))),
            static_cast<uint32_t>(std::ceil(std::numbers::e / epsilon))};
}

double
AfqSizing::GetEpsilon(uint32_t columns)
{
    return std::numbers::e / columns;
}

double
AfqSizing::GetDelta(uint32_t rows)
{
    return std::exp(-static_cast<double>(rows));
}

uint64_t
AfqSizing::GetMemory(Sketch sketch, uint32_t cellBits)
{
    return uint64_t{sketch.rows} * sketch.columns * cellBits / 8;
}

} // namespace ns3
