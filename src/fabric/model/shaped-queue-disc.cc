/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shaped-queue-disc.h"

#include "ns3/input-parse.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ShapedQueueDisc);

TypeId
ShapedQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ShapedQueueDisc")
            .SetParent<FabricQueueDisc>()
            .SetGroupName("Fabric")
            .AddConstructor<ShapedQueueDisc>()
            .AddAttribute("Inner",
                          "The discipline of each class, with its attributes. The default holds "
                          "400 KB (Nimble, SOSR 2021, Section 5)",
                          SpecValue("drop-tail:MaxSize=409600B"),
                          MakeSpecAccessor(&ShapedQueueDisc::m_innerSpec),
                          MakeSpecChecker<FabricQueueDisc>())
            .AddAttribute("Classifier",
                          "What says the class of a packet, such as 'table:Key=Dscp,Map=\"46=1\"'. "
                          "In a stock ns-3 program the key must be the DSCP, unless the discipline "
                          "has packet filters: the number that these say is the priority",
                          SpecValue("table"),
                          MakeSpecAccessor(&ShapedQueueDisc::m_classifierSpec),
                          MakeSpecChecker<ItemClassifier>())
            .AddAttribute("Rates",
                          "Rates of the classes from 1 on, as a list such as '50Gbps,10Gbps'",
                          StringValue(""),
                          MakeStringAccessor(&ShapedQueueDisc::m_rates),
                          MakeStringChecker())
            .AddAttribute("Depth",
                          "Depth in bytes of the token bucket of each class (Nimble, SOSR 2021, "
                          "does not say; the default is two full packets). Longer packets are "
                          "dropped",
                          UintegerValue(3000),
                          MakeUintegerAccessor(&ShapedQueueDisc::m_depth),
                          MakeUintegerChecker<uint32_t>(1, MAX_BURST))
            .AddAttribute("Quantum",
                          "Bytes that a class may send in its turn while others may send as well",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&ShapedQueueDisc::m_quantum),
                          MakeUintegerChecker<uint32_t>(1, 65535));
    return tid;
}

ShapedQueueDisc::ShapedQueueDisc()
    : m_timer(DirectEvent::Call<&ShapedQueueDisc::HandleRelease>, this)
{
}

ShapedQueueDisc::~ShapedQueueDisc() = default;

void
ShapedQueueDisc::SetClassifier(Ptr<ItemClassifier> classifier)
{
    m_classifier = classifier;
}

void
ShapedQueueDisc::SetInnerFactory(std::function<Ptr<FabricQueueDisc>()> make)
{
    m_makeInner = std::move(make);
}

void
ShapedQueueDisc::DoInstall()
{
    const std::string name = GetInstanceTypeId().GetName();
    m_clock = NanosecondClock();
    if (!m_classifier)
    {
        m_classifier = CreateFromSpec<ItemClassifier>(name + "::Classifier", m_classifierSpec);
    }
    m_classifier->Install(GetFabric(), HasStockHome() && !HasPacketFilters());
    AddQueue(); // of no class
    uint32_t number = 0;
    for (const std::string& rate : CutList(m_rates))
    {
        SetRate(++number, ParseRate(name + "::Rates", rate));
    }
    CheckClasses(*m_classifier, PeekPointer(m_queues.front().inner), "Rates", number);
}

ShapedQueueDisc::Queue&
ShapedQueueDisc::AddQueue()
{
    // First, because it refuses a specification that is wrong: no queue is without a discipline.
    const auto inner =
        m_makeInner ? m_makeInner()
                    : CreateFromSpec<FabricQueueDisc>(GetInstanceTypeId().GetName() + "::Inner",
                                                      m_innerSpec);
    Queue& queue = m_queues.emplace_back();
    queue.number = static_cast<uint32_t>(m_queues.size() - 1);
    queue.inner = inner;
    queue.inner->SetOuter(this);
    return queue;
}

void
ShapedQueueDisc::SetRate(uint32_t number, DataRate rate)
{
    NS_ASSERT_MSG(number != ItemClassifier::NO_CLASS, "classes count from 1");
    const int64_t now = m_clock.Now();
    while (number >= m_queues.size())
    {
        AddQueue().bucket = TokenBucket(DataRate(0), m_depth, now);
    }
    Queue& queue = m_queues[number];
    queue.bucket.SetRate(now, rate);
    if (queue.state == Queue::WITHHELD)
    {
        Withhold(queue, now);
        WakePort(); // the timer must be set anew
    }
}

void
ShapedQueueDisc::SetInner(uint32_t number, Ptr<FabricQueueDisc> inner)
{
    Queue& queue = m_queues.at(number);
    NS_ASSERT_MSG(queue.state == Queue::IDLE, "something of class " << number << " waits");
    queue.inner->Dispose();
    queue.inner = inner;
    queue.inner->SetOuter(this);
}

FabricQueueDisc&
ShapedQueueDisc::GetInner(uint32_t number) const
{
    return *m_queues.at(number).inner;
}

bool
ShapedQueueDisc::DoEnqueueItem(FabricItem* item)
{
    uint32_t number = m_classifier->Classify(*item);
    number = number < m_queues.size() ? number : ItemClassifier::NO_CLASS;
    if (number != ItemClassifier::NO_CLASS && item->size > m_depth)
    {
        return Drop(item, TOO_LONG_DROP);
    }
    Queue& queue = m_queues[number];
    if (!queue.inner->EnqueueItem(item))
    {
        return false;
    }
    if (queue.state == Queue::IDLE)
    {
        AwaitTurn(queue);
    }
    return true;
}

void
ShapedQueueDisc::AwaitTurn(Queue& queue)
{
    queue.state = Queue::IN_TURN;
    queue.next = nullptr;
    (m_first ? m_last->next : m_first) = &queue;
    m_last = &queue;
}

ShapedQueueDisc::Queue&
ShapedQueueDisc::TakeTurn()
{
    Queue& queue = *m_first;
    m_first = queue.next;
    return queue;
}

FabricItem*
ShapedQueueDisc::DoDequeueItem()
{
    const int64_t now = m_clock.Now();
    ReleaseDueQueues(now);
    RetryBlockedQueues();
    while (m_first)
    {
        Queue& queue = *m_first;
        if (!FetchHead(queue))
        {
            continue;
        }
        const uint32_t size = queue.head->size;
        if (queue.deficit < size)
        {
            queue.deficit += m_quantum;
            AwaitTurn(TakeTurn());
        }
        else if (&queue != &m_queues.front() && !queue.bucket.Take(now, size))
        {
            Withhold(TakeTurn(), now);
        }
        else
        {
            queue.deficit -= size;
            return std::exchange(queue.head, nullptr);
        }
    }
    ArmTimer();
    return nullptr;
}

bool
ShapedQueueDisc::FetchHead(Queue& queue)
{
    if (!queue.head)
    {
        queue.head = queue.inner->DequeueItem();
    }
    if (queue.head)
    {
        return true;
    }
    const bool blocked = queue.inner->GetWaitingPackets() > 0;
    m_nBlocked += blocked;
    TakeTurn().state = blocked ? Queue::BLOCKED : Queue::IDLE;
    queue.deficit = 0;
    return false;
}

void
ShapedQueueDisc::Withhold(Queue& queue, int64_t now)
{
    queue.state = Queue::WITHHELD;
    queue.release = queue.bucket.GetReleaseTime(now, queue.head->size);
    if (queue.release != TokenBucket::NEVER)
    {
        m_releases.emplace(queue.release, queue.number);
    }
}

void
ShapedQueueDisc::ReleaseDueQueues(int64_t now)
{
    while (!m_releases.empty())
    {
        const auto [release, number] = m_releases.top();
        Queue& queue = m_queues[number];
        const bool stale = queue.state != Queue::WITHHELD || queue.release != release;
        if (!stale && release > now)
        {
            return;
        }
        m_releases.pop();
        if (!stale)
        {
            AwaitTurn(queue);
        }
    }
}

void
ShapedQueueDisc::RetryBlockedQueues()
{
    for (auto queue = m_queues.begin(); m_nBlocked > 0; ++queue)
    {
        if (queue->state == Queue::BLOCKED)
        {
            --m_nBlocked;
            AwaitTurn(*queue);
        }
    }
}

void
ShapedQueueDisc::ArmTimer()
{
    if (m_releases.empty())
    {
        m_timer.Cancel();
        return;
    }
    m_timer.Set(m_clock.GetDelayUntil(m_releases.top().first));
}

void
ShapedQueueDisc::HandleRelease()
{
    WakePort();
}

FabricItem*
ShapedQueueDisc::DoFlushItem()
{
    for (Queue& queue : m_queues)
    {
        FabricItem* item = std::exchange(queue.head, nullptr);
        item = item ? item : queue.inner->FlushItem();
        if (item)
        {
            return item;
        }
        queue.deficit = 0;
        queue.state = Queue::IDLE;
    }
    m_first = nullptr;
    m_nBlocked = 0;
    m_releases = {};
    m_timer.Cancel();
    return nullptr;
}

void
ShapedQueueDisc::ReportResults(Results& results) const
{
    for (const Queue& queue : m_queues)
    {
        results.ReportPart("class" + std::to_string(queue.number),
                           [&queue, &results] { queue.inner->ReportResults(results); });
    }
}

int64_t
ShapedQueueDisc::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    for (Queue& queue : m_queues)
    {
        stream += queue.inner->AssignStreams(stream);
    }
    return stream - first;
}

void
ShapedQueueDisc::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    for (const Queue& queue : m_queues)
    {
        if (queue.head)
        {
            visit(*queue.head);
        }
        queue.inner->ForEachWaiting(visit);
    }
}

void
ShapedQueueDisc::SetPausedPriorities(uint8_t priorities)
{
    for (Queue& queue : m_queues)
    {
        queue.inner->SetPausedPriorities(priorities);
    }
}

void
ShapedQueueDisc::DoDispose()
{
    FabricQueueDisc::DoDispose(); // empties the queues
    m_timer.Cancel();
    for (Queue& queue : m_queues)
    {
        queue.inner->Dispose();
    }
    m_queues.clear();
    m_classifier = nullptr;
}

} // namespace ns3
