/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-queue-disc.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/logged-item.h"
#include "ns3/results.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("AfqQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(AfqQueueDisc);

TypeId
AfqQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::AfqQueueDisc")
            .SetParent<FabricQueueDisc>()
            .SetGroupName("Afq")
            .AddConstructor<AfqQueueDisc>()
            .AddAttribute("NumQueues",
                          "FIFO queues of the port, nQ (Section 6.1.1: 32)",
                          UintegerValue(32),
                          MakeUintegerAccessor(&AfqQueueDisc::m_nQueues),
                          MakeUintegerChecker<uint32_t>(2, 65536))
            .AddAttribute("BytesPerRound",
                          "Bytes that each flow may send per round, BpR (Section 6.2.2: one full "
                          "packet, as the queue sees it: 1500 bytes with its IP header)",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&AfqQueueDisc::m_bytesPerRound),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("SketchRows",
                          "Rows (hash functions) of the sketch, nH (Section 6.2.2: 2)",
                          UintegerValue(2),
                          MakeUintegerAccessor(&AfqQueueDisc::m_sketchRows),
                          MakeUintegerChecker<uint32_t>(1, MaxUpdateSketch::MAX_ROWS))
            .AddAttribute("SketchColumns",
                          "Columns (buckets of each row) of the sketch, nB (Section 6.2.2: 16384)",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&AfqQueueDisc::m_sketchColumns),
                          MakeUintegerChecker<uint32_t>(1, 1 << 24))
            .AddAttribute(
                "MaxSize",
                "Buffer of the port, in bytes, packets or time at the link's rate, whichever "
                "FIFOs they wait in (Section 6.2.1: 512 kB at a leaf, 1 MB at a spine). The packet "
                "on the "
                "wire does not count",
                QueueLimitValue(QueueLimit("512kB")),
                MakeQueueLimitAccessor(&AfqQueueDisc::m_limit),
                MakeQueueLimitChecker())
            .AddAttribute("EcnRounds",
                          "Mark packets of a flow whose bid is more than so many rounds ahead of "
                          "the current one (Section 5: 8); at least NumQueues: never",
                          UintegerValue(8),
                          MakeUintegerAccessor(&AfqQueueDisc::m_ecnRounds),
                          MakeUintegerChecker<uint32_t>())
            // Section 5 marks by a flow's own rounds; public code that appears to be the authors'
            // marks by the whole queue, too.
            .AddAttribute("MarkThreshold",
                          "Also mark packets that find more than this in the port, whichever flows "
                          "it is of, in bytes, packets or time at the link's rate",
                          QueueLimitValue(QueueLimit()),
                          MakeQueueLimitAccessor(&AfqQueueDisc::m_threshold),
                          MakeQueueLimitChecker())
            // Prose and pseudocode (Section 3.3.1, Fig. 3) agree on the byte behind the packet. It
            // leaves full packets one round less, but keeps small and large ones in the order in
            // which they end.
            .AddAttribute("RoundRule",
                          "Round of a packet: of the byte behind its last (floor(bid / BpR), as "
                          "printed), of its last, or of its first",
                          EnumValue(AfqQueueDisc::END_BYTE),
                          MakeEnumAccessor<RoundRule>(&AfqQueueDisc::m_roundRule),
                          MakeEnumChecker(AfqQueueDisc::END_BYTE,
                                          "EndByte",
                                          AfqQueueDisc::LAST_BYTE,
                                          "LastByte",
                                          AfqQueueDisc::START_BYTE,
                                          "StartByte"))
            // Fig. 3 prints (round - R) > nQ; the round R + nQ would then share the FIFO that is
            // being served and overtake all others. Section 3.3.2 says N rounds, which Strict is.
            .AddAttribute(
                "HorizonRule",
                "A packet is dropped if its round is nQ or more ahead (Strict), or more "
                "than nQ (Literal, the condition printed in Fig. 3, which lets a packet "
                "jump the queue: for demonstration only)",
                EnumValue(AfqQueueDisc::STRICT),
                MakeEnumAccessor<HorizonRule>(&AfqQueueDisc::m_horizonRule),
                MakeEnumChecker(AfqQueueDisc::STRICT, "Strict", AfqQueueDisc::LITERAL, "Literal"))
            // The paper does not say when packets are marked (Section 5).
            .AddAttribute(
                "MarkAt",
                "When a packet is held against EcnRounds: on arrival by its own bid, or "
                "on departure by its flow's last bid",
                EnumValue(AfqQueueDisc::ENQUEUE),
                MakeEnumAccessor<MarkAt>(&AfqQueueDisc::m_markAt),
                MakeEnumChecker(AfqQueueDisc::ENQUEUE, "Enqueue", AfqQueueDisc::DEQUEUE, "Dequeue"))
            // Section 3.2 introduces a sketch that counts; the pseudocode (Fig. 3) writes the new
            // bid. Counting would lose the jump to the current round that ends a flow's idleness.
            .AddAttribute(
                "SketchUpdate",
                "A new bid raises cells to it (Max, the pseudocode), or a packet's size "
                "is added to them (Increment: for demonstration only)",
                EnumValue(AfqQueueDisc::MAX),
                MakeEnumAccessor<SketchUpdate>(&AfqQueueDisc::m_sketchUpdate),
                MakeEnumChecker(AfqQueueDisc::MAX, "Max", AfqQueueDisc::INCREMENT, "Increment"))
            .AddAttribute("Service",
                          "What serves the FIFOs: rotating strict priority (Section 3.3.2), or one "
                          "of its emulations (Section 4), deficit round robin or two groups of "
                          "fixed priorities that are swapped",
                          EnumValue(AfqQueueDisc::ROTATING_PRIORITY),
                          MakeEnumAccessor<Service>(&AfqQueueDisc::m_service),
                          MakeEnumChecker(AfqQueueDisc::ROTATING_PRIORITY,
                                          "RotatingPriority",
                                          AfqQueueDisc::DEFICIT_ROUND_ROBIN,
                                          "DeficitRoundRobin",
                                          AfqQueueDisc::TWO_GROUPS,
                                          "TwoGroups"))
            .AddAttribute("Quantum",
                          "Bytes per turn with Service=DeficitRoundRobin; 0: as many as the buffer "
                          "holds, which no round can exceed",
                          UintegerValue(0),
                          MakeUintegerAccessor(&AfqQueueDisc::m_quantum),
                          MakeUintegerChecker<uint64_t>())
            // Section 4 swaps "after a period, or when all queues in G1 are empty". After the
            // period alone, G1's packets would leave behind those of later rounds, a flow's first
            // ones behind its last.
            .AddAttribute(
                "SwapRule",
                "When the groups swap with Service=TwoGroups: once the high one is empty, or only "
                "when the control processor looks and finds it empty, or, as printed in Section 4, "
                "both once it is empty and at each look, whatever it holds (which puts packets in "
                "the wrong order)",
                EnumValue(TwoGroupScheduler::WHEN_EMPTY),
                MakeEnumAccessor<TwoGroupScheduler::SwapRule>(&AfqQueueDisc::m_swapRule),
                MakeEnumChecker(TwoGroupScheduler::WHEN_EMPTY,
                                "WhenEmpty",
                                TwoGroupScheduler::AT_LOOK,
                                "AtLook",
                                TwoGroupScheduler::WHEN_EMPTY_OR_AT_LOOK,
                                "WhenEmptyOrAtLook"))
            .AddAttribute(
                "SwapPeriod",
                "Time between looks of the control processor that swaps the groups, unless "
                "SwapRule=WhenEmpty (Section 4: 10 us); 0: WhenEmpty",
                TimeValue(MicroSeconds(10)),
                MakeTimeAccessor(&AfqQueueDisc::m_swapPeriod),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "RoundSource",
                "How arrivals know the current round: from the departures (Shared) or "
                "from which FIFOs are empty (Inferred, Section 4)",
                EnumValue(AfqQueueDisc::SHARED),
                MakeEnumAccessor<RoundSource>(&AfqQueueDisc::m_roundSource),
                MakeEnumChecker(AfqQueueDisc::SHARED, "Shared", AfqQueueDisc::INFERRED, "Inferred"))
            .AddAttribute(
                "BidSource",
                "Where the bids of flows are kept: in the sketch, or in an exact table",
                EnumValue(AfqQueueDisc::SKETCH),
                MakeEnumAccessor<BidSource>(&AfqQueueDisc::m_bidSource),
                MakeEnumChecker(AfqQueueDisc::SKETCH, "Sketch", AfqQueueDisc::EXACT, "Exact"))
            .AddAttribute("AuditSketch",
                          "Whether exact bids are kept beside the sketch, to count the packets "
                          "that it puts into too late a round (Appendix E)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AfqQueueDisc::m_auditSketch),
                          MakeBooleanChecker())
            .AddAttribute("ShadowSketches",
                          "Sketches that only count what they would get wrong, as a list of "
                          "ROWSxCOLUMNS such as '2x1024+3x512' (Appendix E)",
                          StringValue(""),
                          MakeStringAccessor(&AfqQueueDisc::m_shadowSketches),
                          MakeStringChecker())
            .AddTraceSource("ItemEnqueue",
                            "A packet was accepted: the packet, its bid in bytes, its round",
                            MakeTraceSourceAccessor(&AfqQueueDisc::m_enqueueTrace),
                            "ns3::AfqQueueDisc::EnqueueTracedCallback");
    return tid;
}

void
AfqQueueDisc::DoInstall()
{
    ResolveBuffer("MaxSize", m_limit);
    ResolveThreshold("MarkThreshold", m_threshold, m_limit);
    const std::string name = GetInstanceTypeId().GetName();
    if (m_service == TWO_GROUPS && m_nQueues % 2 != 0)
    {
        throw InputError(name + "::NumQueues",
                         std::to_string(m_nQueues),
                         "an even number with Service=TwoGroups");
    }
    if (m_service != ROTATING_PRIORITY && m_roundSource == INFERRED)
    {
        throw InputError(name + "::RoundSource",
                         "Inferred",
                         "Shared, unless Service is RotatingPriority");
    }
    m_flowThreshold = m_markAt == ENQUEUE ? uint64_t{m_ecnRounds} * m_bytesPerRound : UINT64_MAX;
    m_sketch.emplace(m_sketchRows, m_sketchColumns);
    m_scheduler = CreateScheduler();
    if (m_horizonRule == LITERAL || m_quantum > 0)
    {
        m_scheduler->MixRounds();
    }
    if (m_bidSource == EXACT || m_auditSketch || !m_shadowSketches.empty())
    {
        m_audit = std::make_unique<BidAudit>(name + "::ShadowSketches", m_shadowSketches);
    }
}

std::unique_ptr<RoundScheduler>
AfqQueueDisc::CreateScheduler() const
{
    switch (m_service)
    {
    case DEFICIT_ROUND_ROBIN: {
        const uint64_t most = m_limit.GetBytes();
        return std::make_unique<DeficitRoundScheduler>(m_nQueues, m_quantum ? m_quantum : most);
    }
    case TWO_GROUPS:
        return std::make_unique<TwoGroupScheduler>(m_nQueues,
                                                   m_swapRule,
                                                   m_swapPeriod.GetTimeStep());
    default:
        // Arrivals that take an empty FIFO for a round that is over need it to be over.
        return std::make_unique<RotatingPriorityScheduler>(
            m_nQueues,
            m_roundSource == INFERRED ? RotatingPriorityScheduler::AT_ONCE
                                      : RotatingPriorityScheduler::AT_DEPARTURE);
    }
}

uint64_t
AfqQueueDisc::GetRound()
{
    return GetWindow().current;
}

RoundScheduler::Window
AfqQueueDisc::GetWindow()
{
    const RoundScheduler::Window window = m_scheduler->GetWindow();
    if (m_roundSource != INFERRED && m_horizonRule != LITERAL)
    {
        return window;
    }
    const uint64_t current = m_roundSource == INFERRED ? InferRound() : window.current;
    return {current, current + m_nQueues - (m_horizonRule == LITERAL ? 0 : 1)};
}

/**
 * Section 4. "A round not assigned to any packet before" is one above all that were assigned: full
 * packets skip rounds, which would otherwise stop the walk for good.
 */
uint64_t
AfqQueueDisc::InferRound()
{
    while (m_inferredRound < m_roundsAssigned && m_scheduler->IsEmpty(m_inferredRound))
    {
        ++m_inferredRound;
    }
    return m_inferredRound;
}

uint64_t
AfqQueueDisc::GetBid(uint32_t flow)
{
    return m_bidSource == EXACT ? m_audit->GetBid(flow) : m_sketch->Find(flow).Read();
}

bool
AfqQueueDisc::DoEnqueueItem(FabricItem* item)
{
    const auto [current, last] = GetWindow();
    const uint64_t reached = current * m_bytesPerRound;
    MaxUpdateSketch::Cells cells = m_sketch->Find(item->hash);
    const uint64_t previous = m_bidSource == EXACT ? m_audit->GetBid(item->hash) : cells.Read();
    const uint64_t start = std::max(previous, reached); // who was idle gains no credit
    const uint64_t bid = start + item->size;
    const uint64_t round = GetRoundOf(start, bid);
    if (round > last)
    {
        NS_LOG_LOGIC(LoggedItem(*item, GetOuterPort())
                     << ": round " << round << " is beyond " << last);
        return Drop(item, HORIZON_DROP);
    }
    if (!m_limit.Admits(GetWaitingBytes(), GetWaitingPackets(), item->size))
    {
        return Drop(item, BUFFER_DROP);
    }
    if (bid - reached > m_flowThreshold ||
        m_threshold.IsExceededBy(GetWaitingBytes(), GetWaitingPackets()))
    {
        MarkItem(item, THRESHOLD_MARK);
    }
    Note(*item, bid, current, round);
    m_scheduler->Push(item, round);
    m_sketchUpdate == MAX ? cells.Raise(bid) : cells.Add(item->size);
    m_enqueueTrace(item, bid, round);
    return true;
}

void
AfqQueueDisc::Note(const FabricItem& item, uint64_t bid, uint64_t current, uint64_t round)
{
    NS_LOG_LOGIC(LoggedItem(item, GetOuterPort())
                 << ": bid " << bid << ", round " << round << ", current round " << current
                 << ", FIFO " << round % m_nQueues);
    m_roundsAssigned = std::max(m_roundsAssigned, round + 1);
    if (m_audit)
    {
        m_audit->Accept(item.hash,
                        item.size,
                        current * m_bytesPerRound,
                        round,
                        [this](uint64_t start, uint64_t bid) { return GetRoundOf(start, bid); });
    }
}

FabricItem*
AfqQueueDisc::DoDequeueItem()
{
    FabricItem* item = m_scheduler->Pop();
    if (!item)
    {
        return nullptr;
    }
    const uint64_t round = RoundScheduler::GetRoundOf(*item);
    if (m_markAt == DEQUEUE && GetBid(item->hash) > (round + m_ecnRounds) * m_bytesPerRound)
    {
        MarkItem(item, THRESHOLD_MARK);
    }
    if (m_audit)
    {
        m_audit->Leave(item->hash, round);
    }
    return item;
}

void
AfqQueueDisc::ReportResults(Results& results) const
{
    if (!m_audit || m_audit->GetAccepted() == 0)
    {
        return;
    }
    const auto accepted = static_cast<double>(m_audit->GetAccepted());
    for (const BidAudit::Errors& errors : m_audit->GetErrors())
    {
        const bool own = errors.rows == 0;
        const std::string name =
            own ? "sketch" : std::to_string(errors.rows) + "x" + std::to_string(errors.columns);
        const auto wrong = static_cast<double>(errors.misestimated);
        results.AddRatio("misestimated_" + name, wrong, accepted);
        results.AddMaximum("misestimated_worst_port_" + name, wrong / accepted);
        if (!own)
        {
            results.AddRatio("misestimated_bound_" + name, errors.expectedAtMost, accepted);
        }
    }
}

void
AfqQueueDisc::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    m_scheduler->ForEach(visit);
}

} // namespace ns3
