/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowlet-path-selector.h"

#include "ns3/direct-event.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowletPathSelector);

TypeId
FlowletPathSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FlowletPathSelector")
            .SetParent<PathSelector>()
            .SetGroupName("Fabric")
            .AddConstructor<FlowletPathSelector>()
            .AddAttribute("Gap",
                          "Pause after which a flow may take another path (uFAB Section 5.1: 200 "
                          "us, and 36 us in one case)",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&FlowletPathSelector::m_gap),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Entries",
                "Flowlets that a switch remembers, 16 bytes each (CONGA Section 3.4: 64K)",
                UintegerValue(65536),
                MakeUintegerAccessor(&FlowletPathSelector::m_entries),
                MakeUintegerChecker<uint32_t>(1));
    return tid;
}

FlowletPathSelector::FlowletPathSelector()
    : m_state(DrawSeed(AUTOMATIC_STREAM))
{
}

uint32_t
FlowletPathSelector::Choose(const FabricItem& item, uint32_t /* group */, uint32_t count)
{
    if (m_flowlets.empty()) [[unlikely]]
    {
        m_flowlets.resize(m_entries);
    }
    Flowlet& flowlet = m_flowlets[(uint64_t{item.hash} * m_entries) >> 32];
    const int64_t now = DirectEvent::Now();
    if (now > flowlet.end || flowlet.choice >= count) // another flow of the entry had more choice
    {
        flowlet.choice = Draw(m_state, count);
    }
    flowlet.end = now + m_gap.GetTimeStep();
    return flowlet.choice;
}

int64_t
FlowletPathSelector::AssignStreams(int64_t stream)
{
    m_state = DrawSeed(stream);
    m_flowlets.clear();
    return 1;
}

} // namespace ns3
