/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hot-rack-workload.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HotRackWorkload");
NS_OBJECT_ENSURE_REGISTERED(HotRackWorkload);

TypeId
HotRackWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HotRackWorkload")
            .SetParent<SizedWorkload>()
            .SetGroupName("Workload")
            .AddConstructor<HotRackWorkload>()
            .AddAttribute("RackSize",
                          "Hosts per rack, numbered rack by rack.",
                          UintegerValue(12),
                          MakeUintegerAccessor(&HotRackWorkload::m_rackSize),
                          MakeUintegerChecker<uint32_t>(2))
            .AddAttribute("Loads",
                          "Payload that each host of the busy racks, rack 0 first, sends and is "
                          "sent, as shares of its link (DRB Section 5.2).",
                          StringValue("0.92,0.9"),
                          MakeStringAccessor(&HotRackWorkload::m_loads),
                          MakeStringChecker())
            .AddAttribute("Outstanding",
                          "Flows that each host of the busy racks sends, and is sent, at any time; "
                          "0: open loop, as Loads say.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HotRackWorkload::m_outstanding),
                          MakeUintegerChecker<uint32_t>(0, 10'000))
            .AddAttribute("OtherLoad",
                          "Payload that each other host sends to its like, as a share of its link "
                          "(DRB says that the rest of its trace is light).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&HotRackWorkload::m_otherLoad),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("HostRate",
                          "Rate of a host's link.",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&HotRackWorkload::m_hostRate),
                          MakeDataRateChecker());
    return tid;
}

std::string
HotRackWorkload::GetSummary() const
{
    return "A few busy racks exchange flows with all others, which are lightly loaded";
}

std::vector<double>
HotRackWorkload::ReadLoads() const
{
    std::vector<double> loads;
    for (const std::string& entry : CutList(m_loads))
    {
        loads.push_back(ParseNumber("hot-rack:Loads", entry));
        if (loads.back() < 0 || loads.back() > 1)
        {
            throw InputError("hot-rack:Loads", entry, "must be from 0 to 1");
        }
    }
    return loads;
}

void
HotRackWorkload::DoPrepare()
{
    NS_LOG_FUNCTION(this);
    SizedWorkload::DoPrepare();
    const auto loads = ReadLoads();
    m_busy = static_cast<uint32_t>(loads.size());
    if ((m_busy + 2) * uint64_t{m_rackSize} > HostCount())
    {
        throw InputError("hot-rack:Loads",
                         m_loads,
                         "there must be two racks more, of " + std::to_string(m_rackSize) +
                             " hosts each");
    }
    const double flowsPerSecond =
        static_cast<double>(m_hostRate.GetBitRate()) / 8 / GetSizes()->Mean(); // at load 1
    const uint32_t others = HostCount() - m_busy * m_rackSize;
    m_streams.clear();
    m_last = 0;
    double sum = 0;
    for (uint32_t rack = 0; rack < m_busy && m_outstanding == 0; ++rack)
    {
        for (const bool outward : {true, false})
        {
            sum += loads[rack] * (m_rackSize - 1) * flowsPerSecond;
            m_streams.push_back({rack, outward, sum});
        }
    }
    sum += m_otherLoad * others * flowsPerSecond;
    m_streams.push_back({m_busy, true, sum});
    if (!(sum > 0) && m_outstanding == 0)
    {
        throw InputError("hot-rack:Loads", m_loads, "must not all be 0");
    }
}

FlowRequest
HotRackWorkload::Draw(const Chain& chain)
{
    FlowRequest request;
    request.source = chain.host;
    request.destination = RandomHostFrom(m_busy * m_rackSize, HostCount() - 1);
    if (!chain.outward)
    {
        std::swap(request.source, request.destination);
    }
    request.bytes = GetSizes()->NextSize();
    return request;
}

void
HotRackWorkload::DoStart()
{
    m_transports->AddObserver(this);
    for (uint32_t host = 0; host < m_busy * m_rackSize; ++host)
    {
        for (uint32_t i = 0; host % m_rackSize > 0 && i < m_outstanding; ++i)
        {
            for (const bool outward : {true, false})
            {
                Simulator::Schedule(GetStartTime() + RandomDelay(MilliSeconds(1)) -
                                        Simulator::Now(),
                                    &HotRackWorkload::Continue,
                                    this,
                                    Chain{host, outward});
            }
        }
    }
}

bool
HotRackWorkload::IsOver() const
{
    return SizedWorkload::IsOver() && (m_outstanding == 0 || !MayStart(Simulator::Now()));
}

void
HotRackWorkload::Continue(Chain chain)
{
    if (m_transports && MayStart(Simulator::Now()))
    {
        StartFlow(Draw(chain));
    }
}

void
HotRackWorkload::DoStarted(FlowId flow, const FlowRequest& request)
{
    const uint32_t firstOther = m_busy * m_rackSize;
    if (m_outstanding > 0 && std::min(request.source, request.destination) < firstOther)
    {
        const bool outward = request.source < firstOther;
        m_running[flow] = {outward ? request.source : request.destination, outward};
    }
}

void
HotRackWorkload::FlowFinished(const FlowRecord& record)
{
    const auto flow = m_running.find(record.id);
    if (flow != m_running.end()) // else of another workload, or between others
    {
        Simulator::ScheduleNow(&HotRackWorkload::Continue, this, flow->second);
        m_running.erase(flow);
    }
}

std::optional<FlowArrival>
HotRackWorkload::DoNext()
{
    if (!(m_streams.back().until > 0)) // closed loop, and the other racks are silent
    {
        return std::nullopt;
    }
    m_last += m_intervals->GetValue() / m_streams.back().until;
    const double drawn = m_pairs->GetValue(0, m_streams.back().until);
    const auto stream = std::ranges::find_if(m_streams, [drawn](const Stream& candidate) {
        return drawn < candidate.until;
    });
    const uint32_t firstOther = m_busy * m_rackSize;
    FlowArrival arrival;
    if (m_last > GetLongestTime().GetSeconds())
    {
        return std::nullopt;
    }
    arrival.at = Seconds(m_last);
    FlowRequest& request = arrival.request;
    if (stream->rack == m_busy)
    {
        request.source = RandomHostFrom(firstOther, HostCount() - 1);
        do
        {
            request.destination = RandomHostFrom(firstOther, HostCount() - 1);
        } while (request.destination / m_rackSize == request.source / m_rackSize);
        request.bytes = GetSizes()->NextSize();
    }
    else
    {
        const uint32_t first = stream->rack * m_rackSize;
        request = Draw({RandomHostFrom(first + 1, first + m_rackSize - 1), stream->outward});
    }
    return arrival;
}

} // namespace ns3
