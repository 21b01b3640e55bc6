/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-port-stage.h"

#include "probe-exchange.h"

#include "ns3/boolean.h"
#include "ns3/direct-event.h"
#include "ns3/enum.h"
#include "ns3/fabric-node.h"
#include "ns3/fabric-port.h"
#include "ns3/results.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MufabPortStage);

namespace
{

/// Hashes of the Bloom filter, each with a bank of its own (Section 4.2).
constexpr uint32_t BLOOM_HASHES = 2;
/// Bits of a cell of the filter; see BloomBytes.
constexpr uint32_t BLOOM_CELL_BITS = 4;

} // namespace

TypeId
MufabPortStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MufabPortStage")
            .SetParent<PortStage>()
            .SetGroupName("Mufab")
            .AddConstructor<MufabPortStage>()
            .AddAttribute(
                "Semantics",
                "How a switch learns what has changed of a pair that it has seen, which the paper "
                "leaves open: it keeps each pair's values (Exact), or it knows which of two values "
                "it has added and the probe tells both (Delta)",
                EnumValue(MufabPortStage::EXACT),
                MakeEnumAccessor<Semantics>(&MufabPortStage::m_semantics),
                MakeEnumChecker(MufabPortStage::EXACT, "Exact", MufabPortStage::DELTA, "Delta"))
            .AddAttribute("BloomFilter",
                          "Whether new pairs are told from known ones by a Bloom filter (Section "
                          "3.6), which takes some for known that are not",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MufabPortStage::m_bloom),
                          MakeBooleanChecker())
            .AddAttribute("BloomBytes",
                          "Memory of the filter in bytes. 20 KiB of single bits (Section 4.2) "
                          "serve 20,000 pairs with 4.7 % false positives, but a pair that leaves "
                          "cannot be taken out of single bits without harm to others; the same "
                          "number of cells of 4 bits takes 80 KiB",
                          UintegerValue(81920),
                          MakeUintegerAccessor(&MufabPortStage::m_bloomBytes),
                          MakeUintegerChecker<uint32_t>(8))
            .AddAttribute("CleaningPeriod",
                          "A pair of which no probe came in a whole period is dropped at its end "
                          "(Section 4.2)",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&MufabPortStage::m_cleaningPeriod),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("FailureResponses",
                          "Whether a probe for a link that has failed goes back as a failure "
                          "response (type 4 of Appendix G), and data are answered by one, or are "
                          "lost without a word. Without that of data, a pair whose probe was in "
                          "the switch that failed would wait for a timeout",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MufabPortStage::m_failureResponses),
                          MakeBooleanChecker());
    return tid;
}

MufabPortStage::MufabPortStage() = default;
MufabPortStage::~MufabPortStage() = default;

void
MufabPortStage::OnBuilt(Fabric& fabric)
{
    m_exchange = PeekPointer(ProbeExchange::Of(fabric));
    m_rateWindow = m_exchange->GetLargestBaseRtt();
}

MufabRegisters&
MufabPortStage::FindRegisters()
{
    if (m_registers) [[likely]]
    {
        return *m_registers;
    }
    const auto makeFilter = [this] {
        return m_bloom ? std::make_unique<BloomFilter>(m_bloomBytes, BLOOM_HASHES, BLOOM_CELL_BITS)
                       : nullptr;
    };
    const int64_t period = m_cleaningPeriod.GetTimeStep();
    if (m_semantics == EXACT)
    {
        m_registers = std::make_unique<ExactRegisters>(period, makeFilter());
    }
    else
    {
        m_registers = std::make_unique<DeltaRegisters>(period, makeFilter());
    }
    return *m_registers;
}

PortRateMeter&
MufabPortStage::FindMeter()
{
    if (!m_meter) [[unlikely]]
    {
        m_meter = std::make_unique<PortRateMeter>(m_rateWindow);
    }
    return *m_meter;
}

const MufabRegisters&
MufabPortStage::GetRegisters()
{
    FindRegisters().Advance(DirectEvent::Now());
    return *m_registers;
}

void
MufabPortStage::Depart(FabricItem* item, const FabricPort& port)
{
    FindMeter().Count(item->size, DirectEvent::Now());
    MufabProbe* probe = MufabProbe::Find(*item);
    if (probe && probe->type != ProbeHeader::RESPONSE && probe->type != ProbeHeader::FAILURE)
    {
        Process(*probe, port);
    }
}

void
MufabPortStage::Process(MufabProbe& probe, const FabricPort& port)
{
    const int64_t now = DirectEvent::Now();
    MufabRegisters& registers = FindRegisters();
    ++m_probes;
    if (probe.hops >= probe.room)
    {
        ++m_noRoom;
        return;
    }
    const MufabProbe::Hop& hop = probe.records[probe.hops];
    const ClaimUpdate update{probe.GetKey(),
                             probe.sequence,
                             probe.version,
                             {probe.tokens, hop.window},
                             probe.confirmedVersion,
                             {probe.confirmedTokens, hop.confirmed}};
    if (probe.type == ProbeHeader::PROBE)
    {
        registers.Fold(update, now);
    }
    else if (probe.type == ProbeHeader::FINISH)
    {
        registers.Remove(update, now);
    }
    registers.Advance(now);
    const LinkState link = Observe(port, now);
    probe.Push(link);
    m_overflows += probe.units && link.tokens > UINT16_MAX * double(probe.units->tokens);
}

LinkState
MufabPortStage::Observe(const FabricPort& port, int64_t now)
{
    const PairClaim sums = m_registers->GetSums();
    return {sums.tokens,
            sums.window,
            m_meter->GetRate(now),
            static_cast<double>(port.GetWaitingBytes()),
            static_cast<double>(port.GetDescription().rate.GetBitRate())};
}

bool
MufabPortStage::Admit(FabricItem* item, FabricPort& port)
{
    if (port.IsUp() || !m_failureResponses) [[likely]]
    {
        return true;
    }
    MufabProbe* probe = MufabProbe::Find(*item);
    if (probe && probe->type != ProbeHeader::RESPONSE && probe->type != ProbeHeader::FAILURE)
    {
        TurnBack(item, *probe, port);
        return false;
    }
    FabricItem* notice = m_exchange ? m_exchange->MakeFailureNotice(*item) : nullptr;
    if (notice)
    {
        port.GetDescription().node->Receive(notice);
    }
    return true;
}

void
MufabPortStage::TurnBack(FabricItem* item, MufabProbe& probe, const FabricPort& port)
{
    // The way back has its place for this switch, too: it is the (length + 2 - k)th of the response
    // if it was the kth of the probe.
    probe.type = ProbeHeader::FAILURE;
    item->hops = static_cast<uint8_t>(probe.back[0] + 1 - item->hops);
    item->route = probe.back;
    std::swap(item->source, item->destination);
    port.GetDescription().node->Receive(item);
}

void
MufabPortStage::ReportResults(Results& results) const
{
    results.Add("mufab_probes", static_cast<double>(m_probes));
    results.Add("mufab_overflows", static_cast<double>(m_overflows));
    if (m_registers)
    {
        results.Add("mufab_pairs", static_cast<double>(m_registers->GetPairs()));
        results.Add("mufab_underflows", static_cast<double>(m_registers->GetUnderflows()));
    }
}

} // namespace ns3
