/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-share.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param value not negative
 * @return the nearest integer
 */
uint64_t
ToInteger(double value)
{
    return static_cast<uint64_t>(std::llround(value));
}

} // namespace

LinkState
LinkState::Round(const IntUnits& units) const
{
    const IntRecord record = units.Encode({static_cast<uint64_t>(std::ceil(window)),
                                           static_cast<uint64_t>(std::ceil(tokens)),
                                           ToInteger(rate),
                                           ToInteger(queue),
                                           ToInteger(capacity)});
    const IntValues values = units.Decode(record);
    return {static_cast<double>(values.tokens),
            static_cast<double>(values.window),
            static_cast<double>(values.rate),
            static_cast<double>(values.queue),
            static_cast<double>(values.capacity)};
}

double
BandwidthShare::GetFraction(double tokens, const LinkState& link)
{
    return tokens > 0 ? tokens / std::max(tokens, link.tokens) : 0;
}

double
BandwidthShare::GetShare(double tokens, const LinkState& link) const
{
    return GetFraction(tokens, link) * GetTarget(link);
}

double
BandwidthShare::GetRate(double tokens, const LinkState& link, double sum) const
{
    const double target = GetTarget(link);
    return link.rate > 0 ? std::min(GetFraction(tokens, link) * sum * target / link.rate, target)
                         : target;
}

double
BandwidthShare::GetWindow(double tokens, const LinkState& link, double rtt, double own) const
{
    const double bdp = GetBdp(link, rtt);
    const double underWay = link.rate * rtt / 8 + link.queue;
    const double window = GetFraction(tokens, link) * std::max(link.window, own) * bdp / underWay;
    return underWay > 0 ? std::min(window, windowCap * bdp) : bdp;
}

double
BandwidthShare::PredictRate(double tokens, const LinkState& link, double extra, double own) const
{
    const double target = GetTarget(link);
    const double share = tokens > 0 ? tokens / std::max(tokens, link.tokens + extra) * target : 0;
    return std::max(share, target - std::max(0.0, link.rate - own));
}

} // namespace ns3
