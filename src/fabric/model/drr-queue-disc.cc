/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "drr-queue-disc.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DrrQueueDisc);

TypeId
DrrQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DrrQueueDisc")
            .SetParent<ClassfulQueueDisc>()
            .SetGroupName("Fabric")
            .AddConstructor<DrrQueueDisc>()
            .AddAttribute("Queues",
                          "Number of queues; 0, with Classify=Flow only: one for each flow that "
                          "has packets waiting",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DrrQueueDisc::m_nQueues),
                          MakeUintegerChecker<uint32_t>(0, 65535))
            .AddAttribute("Classify",
                          "What decides the queue of a packet. In a stock ns-3 program, Priority "
                          "means what packet filters say, or Dscp if there are none",
                          EnumValue(ClassfulQueueDisc::FLOW),
                          MakeEnumAccessor<Classify>(&DrrQueueDisc::m_classify),
                          MakeEnumChecker(ClassfulQueueDisc::FLOW,
                                          "Flow",
                                          ClassfulQueueDisc::PRIORITY,
                                          "Priority",
                                          ClassfulQueueDisc::DSCP,
                                          "Dscp"))
            .AddAttribute("PerturbInterval",
                          "Time after which another hash function spreads the flows over a fixed "
                          "number of queues (McKenney, INFOCOM 1990); what waits stays where it "
                          "is, so a flow may be reordered then. 0: never",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&DrrQueueDisc::m_perturbInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Quantum",
                          "Bytes that a queue of weight 1 is granted per turn",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&DrrQueueDisc::m_quantum),
                          MakeUintegerChecker<uint32_t>(1, 1 << 24))
            .AddAttribute("Weights",
                          "Weight of each class, as a list such as '4,2,1'; empty: all 1. Not with "
                          "Classify=Flow",
                          StringValue(""),
                          MakeStringAccessor(&DrrQueueDisc::m_weights),
                          MakeStringChecker())
            .AddAttribute("DropPolicy",
                          "What goes if a packet does not fit: what is first in the longest queue "
                          "(lengths told apart to within a quantum), or the packet that comes",
                          EnumValue(DrrQueueDisc::LONGEST_QUEUE),
                          MakeEnumAccessor<DropPolicy>(&DrrQueueDisc::m_dropPolicy),
                          MakeEnumChecker(DrrQueueDisc::LONGEST_QUEUE,
                                          "LongestQueue",
                                          DrrQueueDisc::TAIL,
                                          "Tail"))
            .AddAttribute(
                "MarkThreshold",
                "Mark packets that find more than this in their own queue, in bytes, packets or "
                "time at the link's rate",
                QueueLimitValue(QueueLimit()),
                MakeQueueLimitAccessor(&DrrQueueDisc::m_threshold),
                MakeQueueLimitChecker())
            .AddAttribute("PortMarkThreshold",
                          "Also mark packets that find more than this in all queues, in bytes, "
                          "packets or time at the link's rate",
                          QueueLimitValue(QueueLimit()),
                          MakeQueueLimitAccessor(&DrrQueueDisc::m_portThreshold),
                          MakeQueueLimitChecker());
    return tid;
}

DrrQueueDisc::DrrQueueDisc()
    : m_buckets(new Flows::bucket_type[m_nBuckets]),
      m_flows(Flows::bucket_traits(m_buckets.get(), m_nBuckets))
{
}

void
DrrQueueDisc::DoInstall()
{
    m_perFlow = m_nQueues == 0;
    if (m_perFlow && m_classify != FLOW)
    {
        throw InputError(NameAttribute("Queues"), "0", "at least 1 unless Classify is Flow");
    }
    if (m_classify == FLOW && !m_weights.empty())
    {
        throw InputError(NameAttribute("Weights"), m_weights, "empty if Classify is Flow");
    }
    ClassfulQueueDisc::DoInstall();
    ResolveThreshold("MarkThreshold", m_threshold, m_limit);
    ResolveThreshold("PortMarkThreshold", m_portThreshold, m_limit);
    const auto weights = SpreadOverQueues("Weights", m_weights, ReadWeights(), 1.0);
    for (double weight : weights)
    {
        m_queues.emplace_back();
        m_queues.back().quantum = static_cast<uint32_t>(std::lround(m_quantum * weight));
    }
}

std::vector<double>
DrrQueueDisc::ReadWeights() const
{
    std::vector<double> weights;
    for (const std::string& entry : CutList(m_weights))
    {
        weights.push_back(ParseNumber(NameAttribute("Weights"), entry));
        const double quantum = m_quantum * weights.back();
        if (quantum < 1 || quantum > 1 << 30)
        {
            throw InputError(NameAttribute("Weights"),
                             m_weights,
                             "positive numbers, which times Quantum give 1 to 2^30 bytes");
        }
    }
    return weights;
}

DrrQueueDisc::Queue&
DrrQueueDisc::FindQueue(const FabricItem& item)
{
    if (m_perFlow)
    {
        return FindFlow(item.hash);
    }
    if (m_perturbInterval.IsStrictlyPositive()) [[unlikely]]
    {
        m_perturbation =
            static_cast<uint32_t>(Simulator::Now().GetTimeStep() / m_perturbInterval.GetTimeStep());
    }
    return m_queues[GetQueueOf(item)];
}

DrrQueueDisc::Queue&
DrrQueueDisc::FindFlow(uint32_t flow)
{
    if (const auto known = m_flows.find(flow); known != m_flows.end())
    {
        return *known;
    }
    if (m_unused.empty())
    {
        m_queues.emplace_back();
        m_queues.back().quantum = m_quantum;
        m_unused.push_back(&m_queues.back());
        GrowFlowTable();
    }
    Queue& queue = *m_unused.back();
    m_unused.pop_back();
    queue.flow = flow;
    m_flows.insert(queue);
    return queue;
}

void
DrrQueueDisc::GrowFlowTable()
{
    if (m_queues.size() <= m_nBuckets)
    {
        return;
    }
    const std::size_t size = 2 * m_nBuckets;
    std::unique_ptr<Flows::bucket_type[]> buckets(new Flows::bucket_type[size]);
    m_flows.rehash(Flows::bucket_traits(buckets.get(), size));
    m_buckets = std::move(buckets);
    m_nBuckets = size;
}

void
DrrQueueDisc::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    for (const Queue& queue : m_turns)
    {
        queue.fifo.ForEach(visit);
    }
}

bool
DrrQueueDisc::DoEnqueueItem(FabricItem* item)
{
    Queue& queue = FindQueue(*item);
    if (!MakeRoom(queue, item->size))
    {
        if (queue.fifo.IsEmpty())
        {
            Deactivate(queue);
        }
        return Drop(item, LIMIT_EXCEEDED_DROP);
    }
    if (m_threshold.IsExceededBy(queue.fifo) ||
        m_portThreshold.IsExceededBy(GetWaitingBytes(), GetWaitingPackets()))
    {
        MarkItem(item, THRESHOLD_MARK);
    }
    queue.fifo.Push(item);
    Activate(queue);
    UpdateLength(queue);
    return true;
}

/**
 * The longest queue gives way, as in McKenney's stochastic fairness queueing (INFOCOM 1990), and
 * loses its first packet, so that a TCP sender learns early (Suter et al., INFOCOM 1998).
 */
bool
DrrQueueDisc::MakeRoom(Queue& queue, uint32_t size)
{
    while (!m_limit.Admits(GetWaitingBytes(), GetWaitingPackets(), size))
    {
        Queue* victim = m_dropPolicy == LONGEST_QUEUE ? GetLongest() : nullptr;
        if (!victim)
        {
            return false;
        }
        if (queue.fifo.GetBytes() + size > victim->fifo.GetBytes())
        {
            victim = &queue; // the longest, counting the packet that comes
        }
        FabricItem* first = victim->fifo.Pop();
        if (!first)
        {
            return false;
        }
        UpdateLength(*victim);
        DropWaiting(first, LIMIT_EXCEEDED_DROP);
        if (victim->fifo.IsEmpty() && victim != &queue)
        {
            Deactivate(*victim);
        }
    }
    return true;
}

FabricItem*
DrrQueueDisc::DoDequeueItem()
{
    while (!m_turns.empty())
    {
        Queue& queue = m_turns.front();
        if (!m_turnBegun)
        {
            queue.deficit += queue.quantum;
            m_turnBegun = true;
        }
        if (queue.fifo.Front()->size > queue.deficit)
        {
            EndTurn();
            continue;
        }
        FabricItem* item = queue.fifo.Pop();
        queue.deficit -= item->size;
        UpdateLength(queue);
        if (queue.fifo.IsEmpty())
        {
            Deactivate(queue);
        }
        else if (queue.fifo.Front()->size > queue.deficit)
        {
            EndTurn(); // now, ahead of queues that fill before the next departure
        }
        return item;
    }
    return nullptr;
}

void
DrrQueueDisc::EndTurn()
{
    m_turns.splice(m_turns.end(), m_turns, m_turns.begin());
    m_turnBegun = false;
}

void
DrrQueueDisc::Activate(Queue& queue)
{
    if (!queue.backlogged)
    {
        queue.backlogged = true;
        m_turns.push_back(queue);
    }
}

void
DrrQueueDisc::Deactivate(Queue& queue)
{
    if (queue.backlogged)
    {
        if (&queue == &m_turns.front())
        {
            m_turnBegun = false;
        }
        m_turns.erase(m_turns.iterator_to(queue));
        queue.backlogged = false;
        queue.deficit = 0; // a queue that runs empty saves nothing up
    }
    if (m_perFlow)
    {
        m_flows.erase(m_flows.iterator_to(queue));
        m_unused.push_back(&queue);
    }
}

DrrQueueDisc::Queue*
DrrQueueDisc::GetLongest()
{
    while (m_longest > 0 && m_byLength[m_longest - 1].empty())
    {
        --m_longest;
    }
    return m_longest > 0 ? &m_byLength[m_longest - 1].front() : nullptr;
}

void
DrrQueueDisc::UpdateLength(Queue& queue)
{
    if (m_dropPolicy != LONGEST_QUEUE)
    {
        return;
    }
    // List i - 1 holds queues of i quanta, rounded up; a queue that holds nothing is in no list.
    const uint32_t quanta = (queue.fifo.GetBytes() + m_quantum - 1) / m_quantum;
    if (quanta == queue.quanta)
    {
        return;
    }
    if (queue.quanta > 0)
    {
        SameLength& before = m_byLength[queue.quanta - 1];
        before.erase(before.iterator_to(queue));
    }
    if (quanta > 0)
    {
        if (quanta > m_byLength.size())
        {
            m_byLength.resize(quanta);
        }
        m_byLength[quanta - 1].push_back(queue);
        m_longest = std::max(m_longest, quanta);
    }
    queue.quanta = quanta;
}

void
DrrQueueDisc::DoDispose()
{
    ClassfulQueueDisc::DoDispose();
    m_turns.clear();
    m_byLength.clear();
    m_flows.clear();
    m_unused.clear();
    m_queues.clear();
}

} // namespace ns3
