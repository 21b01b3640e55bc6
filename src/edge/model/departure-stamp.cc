/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "departure-stamp.h"

#include "pair-report.h"

#include <algorithm>

namespace ns3
{

void
DepartureStamp::PutOn(FabricItem& item, uint64_t end, int64_t now)
{
    if (!item.extension)
    {
        item.extension = new DepartureStamp(end, now);
    }
}

void
DepartureStamp::TakeOff(FabricItem& item, PairReport& report)
{
    if (const auto* stamp = dynamic_cast<const DepartureStamp*>(item.extension))
    {
        report.extra[0] = std::max(report.extra[0], stamp->m_end);
        report.extra[1] = static_cast<uint64_t>(stamp->m_time);
        delete item.extension;
        item.extension = nullptr;
    }
}

uint64_t
DepartureStamp::GetEnd(const PairReport& report)
{
    return report.extra[0];
}

int64_t
DepartureStamp::GetTime(const PairReport& report)
{
    return static_cast<int64_t>(report.extra[1]);
}

} // namespace ns3
