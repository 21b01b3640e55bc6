/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "probe-workload.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ProbeWorkload");
NS_OBJECT_ENSURE_REGISTERED(ProbeWorkload);

TypeId
ProbeWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ProbeWorkload")
            .SetParent<Workload>()
            .SetGroupName("Workload")
            .AddConstructor<ProbeWorkload>()
            .AddAttribute("Source",
                          "The sending host.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ProbeWorkload::m_source),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Destination",
                          "The receiving host.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ProbeWorkload::m_destination),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Interval",
                          "Time from the start of a flow to that of the next.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&ProbeWorkload::m_interval),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("Sizes",
                          "Sizes in bytes, which flows have in turn (DRB Section 5.2: 4 KB among "
                          "others it does not tell).",
                          StringValue("4096"),
                          MakeStringAccessor(&ProbeWorkload::m_sizes),
                          MakeStringChecker());
    return tid;
}

std::string
ProbeWorkload::GetSummary() const
{
    return "One host sends another a short flow at regular times";
}

void
ProbeWorkload::DoPrepare()
{
    NS_LOG_FUNCTION(this);
    for (const uint32_t host : {m_source, m_destination})
    {
        if (host >= HostCount())
        {
            throw InputError("probe:Source or Destination",
                             std::to_string(host),
                             "must be below the number of hosts, " + std::to_string(HostCount()));
        }
    }
    if (m_source == m_destination)
    {
        throw InputError("probe:Destination", std::to_string(m_destination), "is the source, too");
    }
    m_next = 0;
    m_bytes.clear();
    for (const std::string& entry : CutList(m_sizes))
    {
        m_bytes.push_back(ParseCount("probe:Sizes", entry));
        if (m_bytes.back() == 0)
        {
            throw InputError("probe:Sizes", entry, "must be above 0");
        }
    }
    if (m_bytes.empty())
    {
        throw InputError("probe:Sizes", m_sizes, "at least one number of bytes");
    }
}

std::optional<FlowArrival>
ProbeWorkload::DoNext()
{
    FlowArrival arrival;
    arrival.at = m_next * m_interval;
    arrival.request.source = m_source;
    arrival.request.destination = m_destination;
    arrival.request.bytes = m_bytes[m_next % m_bytes.size()];
    ++m_next;
    return arrival;
}

} // namespace ns3
