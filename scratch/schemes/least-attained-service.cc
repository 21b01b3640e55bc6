/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A queue discipline: the flow that has sent least goes first, so that short flows do not wait for
// long ones, though nobody knows which are short (what PIAS approximates; Bai et al., NSDI 2015).
// doc/writing-a-queue-discipline.md explains it.
//
//   ./repro sim fct -- --scheme=dctcp:Queue=least-attained-service --load=0.6

#include "ns3/fabric-queue-disc.h"
#include "ns3/scheme.h"

#include <map>
#include <unordered_map>

using namespace ns3;

class LeastAttainedServiceQueueDisc : public FabricQueueDisc
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::LeastAttainedServiceQueueDisc")
                .SetParent<FabricQueueDisc>()
                .AddConstructor<LeastAttainedServiceQueueDisc>()
                .AddAttribute("MaxSize",
                              "Buffer of the port, in bytes, packets or time at the link's rate",
                              QueueLimitValue(QueueLimit("512kB")),
                              MakeQueueLimitAccessor(&LeastAttainedServiceQueueDisc::m_buffer),
                              MakeQueueLimitChecker())
                .AddAttribute(
                    "MarkThreshold",
                    "Mark packets that come while more than this waits, in bytes, packets "
                    "or time at the link's rate",
                    QueueLimitValue(QueueLimit("30kB")),
                    MakeQueueLimitAccessor(&LeastAttainedServiceQueueDisc::m_threshold),
                    MakeQueueLimitChecker());
        return tid;
    }

    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override
    {
        for (const auto& [attained, item] : m_waiting)
        {
            visit(*item);
        }
    }

  protected:
    void DoInstall() override
    {
        ResolveBuffer("MaxSize", m_buffer);
        ResolveThreshold("MarkThreshold", m_threshold, m_buffer);
    }

    bool DoEnqueueItem(FabricItem* item) override
    {
        uint64_t& attained = m_attained[item->hash];
        while (!m_buffer.Admits(GetWaitingBytes(), GetWaitingPackets(), item->size))
        {
            if (m_waiting.empty() || m_waiting.rbegin()->first <= attained)
            {
                return Drop(item, LIMIT_EXCEEDED_DROP);
            }
            DropWaiting(TakeOut(std::prev(m_waiting.end())), LIMIT_EXCEEDED_DROP);
        }
        if (m_threshold.IsExceededBy(GetWaitingBytes(), GetWaitingPackets()))
        {
            MarkItem(item, THRESHOLD_MARK);
        }
        m_waiting.emplace(attained, item); // behind those of equal rank
        attained += item->size;
        return true;
    }

    FabricItem* DoDequeueItem() override
    {
        return m_waiting.empty() ? nullptr : TakeOut(m_waiting.begin());
    }

  private:
    using Waiting = std::multimap<uint64_t, FabricItem*>;

    FabricItem* TakeOut(Waiting::iterator place)
    {
        FabricItem* item = place->second;
        m_waiting.erase(place);
        return item;
    }

    QueueLimit m_buffer;                               // most that may wait
    QueueLimit m_threshold;                            // marks above it
    Waiting m_waiting;                                 // by what the flow had sent before
    std::unordered_map<uint32_t, uint64_t> m_attained; // bytes that each flow has sent, by hash
};

NS_OBJECT_ENSURE_REGISTERED(LeastAttainedServiceQueueDisc);

// A name for it in comparisons, with the threshold that dctcp has.
static const SchemeRows rows{
    {"my-least-attained",
     "dctcp:Queue=least-attained-service:MarkThreshold=24us",
     "DCTCP over ports that serve first the flow that has sent least"},
};
