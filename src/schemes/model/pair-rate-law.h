/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_RATE_LAW_H
#define PAIR_RATE_LAW_H

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief The rate of one VM pair, by its reports and regardless of other pairs.
 *
 * All rates are in bit/s of IP datagrams.
 */
class PairRateLaw
{
  public:
    virtual ~PairRateLaw() = default;

    /**
     * @brief The guarantee of the pair is known for the first time, or has changed.
     * @param guarantee the guarantee, above 0
     */
    virtual void SetGuarantee(double guarantee) = 0;

    /**
     * @brief The pair sends again after a time without traffic.
     */
    virtual void Restart() = 0;

    /**
     * @brief A report came.
     * @param congested share of the traffic since the last report that was marked or lost
     * @param now the current time
     */
    virtual void Update(double congested, Time now) = 0;

    /**
     * @brief The rate at which the pair may send now.
     * @return the rate; never below the guarantee
     */
    virtual double GetRate() const = 0;
};

} // namespace ns3

#endif /* PAIR_RATE_LAW_H */
