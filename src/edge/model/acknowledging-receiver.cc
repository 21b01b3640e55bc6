/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "acknowledging-receiver.h"

#include "departure-stamp.h"
#include "pair-edge.h"

namespace ns3
{

AcknowledgingReceiver::AcknowledgingReceiver(uint32_t pair, PairEdge& edge)
    : PairReceiver(pair),
      m_edge(edge)
{
}

void
AcknowledgingReceiver::OnReceive(FabricItem& item, int64_t now)
{
    PairReceiver::OnReceive(item, now);
    DepartureStamp::TakeOff(item, m_report);
    m_edge.SendReport(MakeReport(now));
}

} // namespace ns3
