/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "elastic-switch-scheme.h"

#include "ns3/packet-maker.h"
#include "ns3/report-header-writer.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchScheme);

TypeId
ElasticSwitchScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ElasticSwitchScheme")
            .SetParent<PairScheme>()
            .SetGroupName("Schemes")
            .AddConstructor<ElasticSwitchScheme>()
            .AddAttribute(
                "MarkThreshold",
                "Bytes that a packet finds waiting at a port of a switch from which on it "
                "is marked, at links of any rate (Trinity Section 5: 30 KB at 1 Gbit/s)",
                UintegerValue(30000),
                MakeUintegerAccessor(&ElasticSwitchScheme::m_markThreshold),
                MakeUintegerChecker<uint32_t>(1));
    return tid;
}

std::string
ElasticSwitchScheme::GetSummary() const
{
    return "ElasticSwitch as Trinity's authors measured it: guarantees per VM pair, probing for "
           "more, back to the guarantee at any ECN mark";
}

void
ElasticSwitchScheme::ConfigurePackets(const Network& /* network */, PacketMaker& packets) const
{
    packets.AddHeaderWriter(std::make_unique<ReportHeaderWriter>());
}

std::string
ElasticSwitchScheme::GetDefaultController() const
{
    return "elastic-switch";
}

std::map<std::string, std::string>
ElasticSwitchScheme::GetControllerDefaults() const
{
    return {{"FlowOrder", "Fifo"}}; // as in the prototype of Trinity's authors
}

Ptr<FabricQueueDisc>
ElasticSwitchScheme::CreateQueueDisc(const FabricPort::Description& /* port */,
                                     QueueSize buffer) const
{
    // The discipline marks above its threshold.
    return CreateObjectWithAttributes<StepMarkQueueDisc>(
        "MaxSize",
        QueueSizeValue(buffer),
        "MarkThreshold",
        QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, m_markThreshold - 1)));
}

} // namespace ns3
