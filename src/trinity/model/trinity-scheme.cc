/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trinity-scheme.h"

#include "trinity-colours.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/pair-queue-disc.h"
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
 * @brief Queue of each DSCP, the first or the second.
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
                            .SetParent<Scheme>()
                            .SetGroupName("Trinity")
                            .AddConstructor<TrinityScheme>();
    return tid;
}

Ptr<FabricQueueDisc>
TrinityScheme::CreatePriorities(const std::string& queueMaxSizes) const
{
    // Marks of green packets would mean nothing (Section 3.3), so there are none.
    return CreateObjectWithAttributes<StrictPriorityQueueDisc>(
        "Queues",
        UintegerValue(2),
        "Classify",
        EnumValue(ClassfulQueueDisc::DSCP),
        "DscpMap",
        StringValue(GetTrinityDscpMap()),
        "MaxSize",
        QueueLimitValue(),
        "QueueMaxSizes",
        StringValue(queueMaxSizes),
        "MarkThresholds",
        StringValue("never," + GetMarkThreshold().ToString()));
}

Ptr<FabricQueueDisc>
TrinityScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    return CreatePriorities(QueueLimit(GetMarkingBuffer(port, buffer)).ToString());
}

Ptr<FabricQueueDisc>
TrinityScheme::CreateHostQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    const auto disc = Scheme::CreateHostQueueDisc(port, buffer);
    if (const auto pairs = DynamicCast<PairQueueDisc>(disc))
    {
        pairs->SetInner(CreatePriorities("")); // the channels limit what waits there
    }
    return disc;
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

} // namespace ns3
