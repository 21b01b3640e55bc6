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
                "A port of a switch marks packets that find more than this waiting, in bytes, "
                "packets or time at the link's rate (Trinity Section 5: from 30 KB on at 1 Gbit/s)",
                QueueLimitValue(QueueLimit("29999B")),
                MakeQueueLimitAccessor(&ElasticSwitchScheme::m_markThreshold),
                MakeQueueLimitChecker());
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
ElasticSwitchScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    return CreateMarkingQueueDisc(port, buffer, m_markThreshold);
}

} // namespace ns3
