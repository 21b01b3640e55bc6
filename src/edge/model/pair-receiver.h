/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_RECEIVER_H
#define PAIR_RECEIVER_H

#include "pair-report.h"

#include "ns3/fabric-item.h"

namespace ns3
{

/**
 * @ingroup edge
 * @brief The receiving end of a VM pair: it counts what arrives and fills in reports.
 */
class PairReceiver
{
  public:
    /**
     * @brief Make a receiver.
     * @param pair number of the pair
     */
    explicit PairReceiver(uint32_t pair)
    {
        m_report.pair = pair;
    }

    virtual ~PairReceiver() = default;
    PairReceiver(const PairReceiver&) = delete;
    PairReceiver& operator=(const PairReceiver&) = delete;

    /**
     * @brief An item of the pair arrived.
     * @param item the item; may be changed, such as its ECN codepoint, once it is counted
     * @param now the current time, in time steps
     */
    virtual void OnReceive(FabricItem& item, int64_t now)
    {
        (void)now;
        m_report.bytes += item.size;
        if (item.GetEcn() == FabricItem::CE)
        {
            m_report.markedBytes += item.size;
        }
    }

    /**
     * @brief Say what has arrived so far.
     * @param now the current time, in time steps
     * @return the pair's next report
     */
    virtual PairReport MakeReport(int64_t now)
    {
        ++m_report.sequence;
        m_report.time = now;
        return m_report;
    }

    /// @brief Bytes received so far.
    uint64_t GetBytes() const
    {
        return m_report.bytes;
    }

    /**
     * @brief The VM pair.
     * @return number of the pair (PairId)
     */
    uint32_t GetPair() const
    {
        return m_report.pair;
    }

  protected:
    PairReport m_report; //!< the counters, and what else the next report says
};

} // namespace ns3

#endif /* PAIR_RECEIVER_H */
