/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ECN_LIMITER_CHANNEL_H
#define ECN_LIMITER_CHANNEL_H

#include "ns3/limiter-channel.h"
#include "ns3/tenant-ecn.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief A limited channel whose packets switches may mark, whatever the tenant's stack does.
 */
class EcnLimiterChannel : public LimiterChannel
{
  public:
    using LimiterChannel::LimiterChannel;

    FabricItem* Dequeue(int64_t now) override
    {
        FabricItem* item = LimiterChannel::Dequeue(now);
        HideTenantEcn(*item);
        return item;
    }
};

} // namespace ns3

#endif /* ECN_LIMITER_CHANNEL_H */
