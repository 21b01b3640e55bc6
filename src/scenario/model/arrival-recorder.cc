/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "arrival-recorder.h"

#include "ns3/boolean.h"
#include "ns3/interval-checker.h"
#include "ns3/network.h"
#include "ns3/port-stage.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ArrivalRecorder);

TypeId
ArrivalRecorder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ArrivalRecorder")
            .SetParent<WindowRecorder>()
            .SetGroupName("Scenario")
            .AddAttribute("Bin",
                          "Time over which rates are averaged",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&ArrivalRecorder::m_width),
                          MakeIntervalChecker())
            .AddAttribute("Classes",
                          "Whether throughput is also written class by class, as packets arrive "
                          "(classes of priority in the fabric, such as Trinity's colours)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ArrivalRecorder::m_writesClasses),
                          MakeBooleanChecker());
    return tid;
}

void
ArrivalRecorder::DoDispose()
{
    m_csv = nullptr;
    m_tenants = nullptr;
    WindowRecorder::DoDispose();
}

void
ArrivalRecorder::Attach(Network& network, const TimeWindow& measured)
{
    m_window = SetWindow(measured);
    m_begin = m_window.from.GetTimeStep();
    m_tenants = network.GetTenants();
    if (!m_tenants)
    {
        return;
    }
    network.GetTransports()->AddObserver(this);
    m_links.clear();
    for (const double room : GetHostLinkBytes(*network.GetFabric(), m_width))
    {
        m_links.push_back({.room = room});
    }
    const Fabric* fabric = PeekPointer(network.GetFabric());
    const auto stage = CreateObject<DepartureStage>([this, fabric](FabricItem* item, const auto&) {
        const uint32_t pair = fabric->GetFlowTag(*item).pair;
        const bool isAnswer = item->kind & FabricItem::TOWARDS_SENDER;
        if (Arrivals* arrivals =
                Find(pair > 0 && isAnswer ? TenantTable::Reverse(pair - 1) + 1 : pair))
        {
            arrivals->arrived += item->size;
            if (m_writesClasses)
            {
                auto& byClass = arrivals->byClass;
                byClass.resize(std::max<size_t>(byClass.size(), item->priority + 1));
                byClass[item->priority] += item->size;
            }
        }
    });
    fabric->ForEachPort([&stage](FabricPort& port) {
        if (port.GetDescription().tier > 0 && port.GetDescription().peerTier == 0)
        {
            port.AddStage(stage);
        }
    });
}

void
ArrivalRecorder::Start(const std::string& folder)
{
    if (!folder.empty())
    {
        m_csv = Open(folder);
    }
}

void
ArrivalRecorder::FlowDelivered(const FlowRecord& record, uint32_t bytes)
{
    if (const Arrivals* arrivals = Find(record.request.pair))
    {
        const auto index = static_cast<uint32_t>(arrivals - m_arrivals.data());
        CountGoodput({record.request.destination, index, static_cast<double>(bytes)});
    }
}

void
ArrivalRecorder::CountGoodput(Excess payload)
{
    Link& link = m_links[payload.host];
    const double part = std::min(payload.bytes, link.room - link.bytes);
    link.bytes += part;
    m_arrivals[payload.index].delivered += part;
    payload.bytes -= part;
    if (payload.bytes > 0)
    {
        m_excess.push_back(payload);
    }
}

ArrivalRecorder::Arrivals*
ArrivalRecorder::Find(uint32_t pair)
{
    if (pair == 0 || !m_csv || !m_window.IsNow())
    {
        return nullptr;
    }
    EndBins(Simulator::Now().GetTimeStep());
    const uint32_t index = GetIndex(*m_tenants, pair - 1);
    if (index >= m_arrivals.size())
    {
        m_arrivals.resize(index + 1);
    }
    m_arrivals[index].known = true;
    return &m_arrivals[index];
}

void
ArrivalRecorder::EndBins(int64_t now)
{
    while (now - m_begin >= m_width.GetTimeStep())
    {
        WriteBin();
    }
}

void
ArrivalRecorder::WriteBin()
{
    const std::string time = SecondsText(TimeStep(m_begin));
    const double width = m_width.ToDouble(Time::NS);
    for (uint32_t index = 0; index < m_arrivals.size(); ++index)
    {
        Arrivals& arrivals = m_arrivals[index];
        if (!arrivals.known)
        {
            continue;
        }
        const auto write = [&](const std::string& measure, auto& bytes) {
            WriteRate(*m_csv,
                      time,
                      *m_tenants,
                      index,
                      measure,
                      8e9 * static_cast<double>(bytes) / width);
            bytes = 0;
        };
        write("goodput", arrivals.delivered);
        write("throughput", arrivals.arrived);
        for (size_t i = 0; i < arrivals.byClass.size(); ++i)
        {
            write("class" + std::to_string(i), arrivals.byClass[i]);
        }
    }
    m_begin += m_width.GetTimeStep();
    for (Link& link : m_links)
    {
        link.bytes = 0;
    }
    for (const Excess& payload : std::exchange(m_excess, {}))
    {
        CountGoodput(payload);
    }
}

void
ArrivalRecorder::Write(const std::string& /* folder */)
{
    EndBins(
        std::min(Simulator::Now(), m_window.to).GetTimeStep()); // what the end cuts is not written
    m_csv->Close();
}

} // namespace ns3
