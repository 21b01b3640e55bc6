/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pair-channel.h"

#include "pair-queue-disc.h"

#include "ns3/results.h"

namespace ns3
{

PairChannel::PairChannel(const FlowQueues::Terms& terms)
{
    m_queues.SetTerms(terms);
}

PairChannel::~PairChannel() = default;

bool
PairChannel::Enqueue(FabricItem* item, int64_t /* now */)
{
    return m_queues.Push(item);
}

int64_t
PairChannel::GetReleaseTime(int64_t now)
{
    return now;
}

FabricItem*
PairChannel::Dequeue(int64_t /* now */)
{
    return m_queues.Pop();
}

FabricItem*
PairChannel::Flush()
{
    return m_queues.Pop();
}

void
PairChannel::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    m_queues.ForEach(visit);
}

void
PairChannel::ReportState(int64_t /* now */, const StateVisitor& visit) const
{
    visit("waiting_packets", m_waiting);
}

void
PairChannel::ReportResults(Results& results) const
{
    results.Add("pair_sent_bytes", static_cast<double>(m_statistics.sentBytes));
    results.Add("pair_sent_packets", m_statistics.sentPackets);
    results.Add("pair_dropped_packets", m_statistics.droppedPackets);
}

void
PairChannel::Wake()
{
    if (m_home && m_waiting > 0)
    {
        m_home->Wake(*this);
    }
}

void
PairChannel::SendControl(FabricItem* item)
{
    m_home->SendControl(item);
}

} // namespace ns3
