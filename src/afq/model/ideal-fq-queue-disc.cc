/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ideal-fq-queue-disc.h"

#include "ns3/enum.h"
#include "ns3/former-settings.h"
#include "ns3/input-error.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IdealFqQueueDisc);

/// The threshold was bytes.
static const FormerSettings g_formerIdealFqQueueDiscSettings{
    {"ns3::IdealFqQueueDisc", "MarkThreshold", 1, "B", 0, "4294967295"},
};

TypeId
IdealFqQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::IdealFqQueueDisc")
            .SetParent<FabricQueueDisc>()
            .SetGroupName("Afq")
            .AddConstructor<IdealFqQueueDisc>()
            .AddAttribute("MaxSize",
                          "Buffer of the port, in bytes, packets or time at the link's rate. The "
                          "packet on the wire does not count",
                          QueueLimitValue(QueueLimit("512kB")),
                          MakeQueueLimitAccessor(&IdealFqQueueDisc::m_limit),
                          MakeQueueLimitChecker())
            .AddAttribute("VirtualTime",
                          "How virtual time passes: as in the emulated system (Exact), or it is "
                          "the bid of the packet that left last (SelfClocked: cheaper, later)",
                          EnumValue(IdealFqQueueDisc::EXACT),
                          MakeEnumAccessor<VirtualTime>(&IdealFqQueueDisc::m_virtualTime),
                          MakeEnumChecker(IdealFqQueueDisc::EXACT,
                                          "Exact",
                                          IdealFqQueueDisc::SELF_CLOCKED,
                                          "SelfClocked"))
            // The paper does not say how its Ideal-FQ marks. The threshold of AFQ's default (8
            // rounds of a full packet each) leaves the order of service as the only difference.
            .AddAttribute(
                "MarkThreshold",
                "Mark packets of a flow whose bid is more than this beyond virtual time, in "
                "bytes or time at the link's rate; never: none",
                QueueLimitValue(QueueLimit("12kB")),
                MakeQueueLimitAccessor(&IdealFqQueueDisc::m_markThreshold),
                MakeQueueLimitChecker(LengthUnits::BYTES_OR_TIME));
    return tid;
}

IdealFqQueueDisc::~IdealFqQueueDisc() = default;

void
IdealFqQueueDisc::DoInstall()
{
    ResolveBuffer("MaxSize", m_limit);
    ResolveLimit("MarkThreshold", m_markThreshold);
    const DataRate rate = GetLinkRate();
    if (rate.GetBitRate() == 0 && m_virtualTime == EXACT)
    {
        throw InputError(NameAttribute("LinkRate"),
                         "0bps",
                         "the rate of the link, unless the discipline stands at a fabric port");
    }
    m_bytesPerTimeStep = static_cast<double>(rate.GetBitRate()) / 8 * TimeStep(1).GetSeconds();
}

/**
 * Between two departures of flows from the emulated system, V grows evenly: at the link's rate over
 * the number of flows whose last bid is not yet reached (Section 2.1).
 */
void
IdealFqQueueDisc::AdvanceVirtualTime()
{
    if (m_virtualTime == SELF_CLOCKED)
    {
        return;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    double bytes = static_cast<double>(now - m_updated) * m_bytesPerTimeStep;
    m_updated = now;
    while (!m_backlogged.empty())
    {
        Flow& first = *m_backlogged.begin();
        const auto flows = static_cast<double>(m_backlogged.size());
        const double needed = (first.lastBid - m_now) * flows;
        if (needed > bytes)
        {
            m_now += bytes / flows;
            return;
        }
        bytes -= needed;
        m_now = first.lastBid;
        m_backlogged.erase(m_backlogged.begin());
        ForgetIfIdle(first);
    }
}

double
IdealFqQueueDisc::GetVirtualTime()
{
    AdvanceVirtualTime();
    return m_now;
}

double
IdealFqQueueDisc::GetBid(uint32_t flow)
{
    AdvanceVirtualTime();
    const auto known = m_flows.find(flow);
    return known == m_flows.end() ? 0 : known->second.lastBid;
}

IdealFqQueueDisc::Flow&
IdealFqQueueDisc::FindFlow(uint32_t hash)
{
    if (const auto known = m_flows.find(hash); known != m_flows.end())
    {
        return known->second;
    }
    if (m_spare.empty())
    {
        Flow& flow = m_flows[hash];
        flow.hash = hash;
        return flow;
    }
    auto node = std::move(m_spare.back());
    m_spare.pop_back();
    node.key() = hash;
    node.mapped().hash = hash;
    return m_flows.insert(std::move(node)).position->second;
}

void
IdealFqQueueDisc::ForgetIfIdle(Flow& flow)
{
    if (flow.waiting.empty() && !flow.byLastBid.is_linked())
    {
        flow.lastBid = 0;
        m_spare.push_back(m_flows.extract(flow.hash));
    }
}

void
IdealFqQueueDisc::SetLastBid(Flow& flow, double bid)
{
    if (flow.byLastBid.is_linked())
    {
        m_backlogged.erase(m_backlogged.iterator_to(flow));
    }
    flow.lastBid = bid;
    if (bid > m_now)
    {
        m_backlogged.insert(flow);
    }
}

bool
IdealFqQueueDisc::DoEnqueueItem(FabricItem* item)
{
    AdvanceVirtualTime();
    const auto known = m_flows.find(item->hash);
    const double previous = known == m_flows.end() ? 0 : known->second.lastBid;
    const double bid = std::max(previous, m_now) + item->size;
    if (!MakeRoom(item->size, bid))
    {
        return Drop(item, LIMIT_EXCEEDED_DROP);
    }
    if (bid - m_now > m_markThreshold.GetBytes())
    {
        MarkItem(item, THRESHOLD_MARK);
    }
    Flow& flow = FindFlow(item->hash); // once more: making room may have forgotten it
    SetLastBid(flow, bid);
    const bool first = flow.waiting.empty();
    if (!first)
    {
        m_byLast.erase(m_byLast.iterator_to(flow));
    }
    flow.waiting.push_back({item, bid, m_arrivals++});
    m_byLast.insert(flow);
    if (first)
    {
        m_byFirst.insert(flow);
    }
    return true;
}

/**
 * Discards the packets with the greatest bids until one more fits. Among equal bids the latest
 * comer's is the greatest.
 */
bool
IdealFqQueueDisc::MakeRoom(uint32_t size, double bid)
{
    while (!m_limit.Admits(GetWaitingBytes(), GetWaitingPackets(), size))
    {
        if (m_byLast.empty() || m_byLast.rbegin()->waiting.back().bid <= bid)
        {
            return false; // the packet that comes is itself the one
        }
        Flow& victim = *m_byLast.rbegin();
        FabricItem* last = TakeLast(victim).item;
        SetLastBid(victim, victim.lastBid - last->size);
        ForgetIfIdle(victim);
        DropWaiting(last, LIMIT_EXCEEDED_DROP);
    }
    return true;
}

FabricItem*
IdealFqQueueDisc::DoDequeueItem()
{
    AdvanceVirtualTime();
    if (m_byFirst.empty())
    {
        return nullptr;
    }
    Flow& flow = *m_byFirst.begin();
    const Entry entry = TakeFirst(flow);
    if (m_virtualTime == SELF_CLOCKED)
    {
        m_now = std::max(m_now, entry.bid);
        SetLastBid(flow, flow.lastBid); // no longer backlogged if V has reached its last bid
    }
    ForgetIfIdle(flow);
    return entry.item;
}

IdealFqQueueDisc::Entry
IdealFqQueueDisc::TakeFirst(Flow& flow)
{
    m_byFirst.erase(m_byFirst.iterator_to(flow));
    const Entry entry = flow.waiting.front();
    if (flow.waiting.size() == 1)
    {
        m_byLast.erase(m_byLast.iterator_to(flow));
    }
    flow.waiting.pop_front();
    if (!flow.waiting.empty())
    {
        m_byFirst.insert(flow);
    }
    return entry;
}

IdealFqQueueDisc::Entry
IdealFqQueueDisc::TakeLast(Flow& flow)
{
    m_byLast.erase(m_byLast.iterator_to(flow));
    const Entry entry = flow.waiting.back();
    if (flow.waiting.size() == 1)
    {
        m_byFirst.erase(m_byFirst.iterator_to(flow));
    }
    flow.waiting.pop_back();
    if (!flow.waiting.empty())
    {
        m_byLast.insert(flow);
    }
    return entry;
}

void
IdealFqQueueDisc::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    for (const Flow& flow : m_byFirst)
    {
        for (const Entry& entry : flow.waiting)
        {
            visit(*entry.item);
        }
    }
}

void
IdealFqQueueDisc::DoDispose()
{
    FabricQueueDisc::DoDispose();
    m_backlogged.clear();
    m_byFirst.clear();
    m_byLast.clear();
    m_spare.clear();
    m_flows.clear();
}

} // namespace ns3
