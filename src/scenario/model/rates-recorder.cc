/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rates-recorder.h"

#include "ns3/interval-checker.h"
#include "ns3/network.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RatesRecorder);

TypeId
RatesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RatesRecorder")
                            .SetParent<Recorder>()
                            .SetGroupName("Scenario")
                            .AddConstructor<RatesRecorder>()
                            .AddAttribute("Bin",
                                          "Time over which rates are averaged",
                                          TimeValue(MilliSeconds(1)),
                                          MakeTimeAccessor(&RatesRecorder::m_bin),
                                          MakeIntervalChecker());
    return tid;
}

std::string
RatesRecorder::GetSummary() const
{
    return "rate at which each group of flows is delivered: rates.csv";
}

void
RatesRecorder::Attach(Network& network, const TimeWindow& /* measured */)
{
    m_rates.emplace(m_bin);
    network.GetTransports()->AddObserver(this);
    for (const double room : GetHostLinkBytes(*network.GetFabric(), m_bin))
    {
        m_links.push_back({static_cast<uint64_t>(room)});
    }
}

void
RatesRecorder::FlowDelivered(const FlowRecord& record, uint32_t bytes)
{
    const int64_t width = m_bin.GetTimeStep();
    auto bin = static_cast<std::size_t>(Simulator::Now().GetTimeStep() / width);
    Link& link = m_links[record.request.destination];
    if (bin >= link.bytes.size())
    {
        link.bytes.resize(bin + 1);
    }
    for (uint64_t rest = bytes; rest > 0; --bin)
    {
        const uint64_t room = link.room - std::min(link.room, link.bytes[bin]);
        const uint64_t part = bin == 0 ? rest : std::min(rest, room);
        if (part > 0)
        {
            link.bytes[bin] += part;
            m_rates->Add(record.request.group, part, TimeStep(static_cast<int64_t>(bin) * width));
            rest -= part;
        }
    }
}

void
RatesRecorder::Write(const std::string& folder)
{
    m_rates->Write(folder + "/rates.csv", Simulator::Now());
}

} // namespace ns3
