/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trinity-scheme.h"

#include "trinity-channel.h"
#include "trinity-colours.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/network.h"
#include "ns3/packet-maker.h"
#include "ns3/pair-queue-disc.h"
#include "ns3/report-header-writer.h"
#include "ns3/results.h"
#include "ns3/strict-priority-queue-disc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TrinityScheme);

namespace
{

constexpr uint8_t TRINITY_REPORT_DSCP = 48; //!< default of ns3::PairEdge::ReportDscp

/**
 * @brief Which DSCP goes to which of the two queues.
 * @return attribute DscpMap: guaranteed traffic and reports to the first, all else to the second
 */
std::string
GetTrinityDscpMap()
{
    std::string map;
    for (int dscp = 0; dscp < 64; ++dscp)
    {
        const bool high = dscp == GetDscp(TrinityColour::GREEN) || dscp == TRINITY_REPORT_DSCP;
        map += (dscp > 0 ? "," : "") + std::to_string(dscp) + (high ? "=0" : "=1");
    }
    return map;
}

} // namespace

TypeId
TrinityScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TrinityScheme")
                            .SetParent<PairScheme>()
                            .SetGroupName("Trinity")
                            .AddConstructor<TrinityScheme>();
    return tid;
}

std::string
TrinityScheme::GetMarkThresholds() const
{
    // Marks of green packets would mean nothing (Section 3.3), so there are none.
    return "never," + GetMarkThreshold().ToString();
}

std::string
TrinityScheme::GetHostQueue() const
{
    const std::string queue = TcpHostScheme::GetHostQueue();
    return !queue.empty()
               ? queue
               : "pair:Inner=(strict-priority:Queues=2,Classify=Dscp,DscpMap=(" +
                     GetTrinityDscpMap() + "),MarkThresholds=(" + GetMarkThresholds() + "))";
}

Ptr<FabricQueueDisc>
TrinityScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    return CreateObjectWithAttributes<StrictPriorityQueueDisc>(
        "Queues",
        UintegerValue(2),
        "Classify",
        EnumValue(ClassfulQueueDisc::DSCP),
        "DscpMap",
        StringValue(GetTrinityDscpMap()),
        "MaxSize",
        QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, UINT32_MAX)),
        "QueueMaxSizes",
        StringValue(QueueSizeValue(GetMarkingBuffer(port, buffer)).SerializeToString(nullptr)),
        "MarkThresholds",
        StringValue(GetMarkThresholds()));
}

Ptr<ResequencingBuffer>
TrinityScheme::CreateResequencingBuffer() const
{
    constexpr uint32_t MAX_PACKETS = 1000; // of a flow; a choice
    return CreateObjectWithAttributes<ResequencingBuffer>(
        "WaitingDscp",
        UintegerValue(GetDscp(TrinityColour::GREEN)),
        "GiveUpAll",
        BooleanValue(true),
        "MaxPackets",
        UintegerValue(MAX_PACKETS));
}

void
TrinityScheme::ReportResults(const Network& network, Results& results) const
{
    PairScheme::ReportResults(network, results);
    const auto edge = network.GetFabric()->GetObject<PairEdge>();
    double green = 0;
    double red = 0;
    for (uint32_t host = 0; host < network.GetFabric()->GetNHosts(); ++host)
    {
        for (const auto& channel : edge->GetQueueDisc(host).GetChannels())
        {
            if (const auto own = dynamic_cast<const TrinityChannel*>(channel.get()))
            {
                green += static_cast<double>(own->GetColourStatistics().greenBytes);
                red += static_cast<double>(own->GetColourStatistics().redBytes);
            }
        }
    }
    results.Add("trinity_green_bytes", green);
    results.Add("trinity_red_bytes", red);
}

} // namespace ns3
