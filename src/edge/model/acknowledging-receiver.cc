/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "acknowledging-receiver.h"

#include "departure-stamp.h"
#include "pair-edge.h"

namespace ns3
{

AcknowledgingReceiver::AcknowledgingReceiver(uint32_t pair, PairEdge& edge, uint32_t every)
    : PairReceiver(pair),
      m_edge(edge),
      m_every(every)
{
}

void
AcknowledgingReceiver::OnReceive(FabricItem& item, int64_t now)
{
    PairReceiver::OnReceive(item, now);
    DepartureStamp::TakeOff(item, m_report);
    if (GetBytes() - m_reported >= m_every)
    {
        m_reported = GetBytes();
        m_edge.SendReport(MakeReport(now));
    }
}

} // namespace ns3
