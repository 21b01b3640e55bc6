/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trace-workload.h"

#include "flow-size-distribution.h"

#include "ns3/csv-input.h"
#include "ns3/input-error.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TraceWorkload);

namespace
{

/// @brief Columns of a trace, in order.
enum Column : std::size_t
{
    START,
    SOURCE,
    DESTINATION,
    BYTES,
    GROUP
};

/**
 * @brief Read one row.
 * @param csv stands at the row
 * @param hosts number of hosts
 * @return the flow
 */
FlowArrival
ReadFlow(const CsvInput& csv, uint32_t hosts)
{
    FlowArrival flow;
    flow.at = csv.Duration(START);
    flow.request.source = csv.Count(SOURCE, hosts - 1);
    flow.request.destination = csv.Count(DESTINATION, hosts - 1);
    flow.request.bytes = csv.Count(BYTES, static_cast<uint64_t>(MAX_FLOW_SIZE));
    flow.request.group = csv.Text(GROUP).empty() ? 0 : csv.Count(GROUP, MAX_GROUP);
    if (flow.request.destination == flow.request.source)
    {
        csv.Reject(DESTINATION, "must be another host than the source");
    }
    if (flow.request.bytes == 0)
    {
        csv.Reject(BYTES, "must be at least 1");
    }
    return flow;
}

} // namespace

TypeId
TraceWorkload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TraceWorkload")
                            .SetParent<Workload>()
                            .SetGroupName("Workload")
                            .AddConstructor<TraceWorkload>()
                            .AddAttribute("File",
                                          "Path of a CSV file with the columns "
                                          "start,source,destination,bytes,group.",
                                          StringValue(""),
                                          MakeStringAccessor(&TraceWorkload::m_file),
                                          MakeStringChecker());
    return tid;
}

std::string
TraceWorkload::GetSummary() const
{
    return "Flows from a CSV file with the columns start,source,destination,bytes,group";
}

void
TraceWorkload::Read(uint32_t hosts, const std::function<void(const FlowArrival&)>& take) const
{
    if (m_file.empty())
    {
        throw InputError("trace:File", m_file, "must be the path of a CSV file, trace:PATH");
    }
    CsvInput csv(m_file, {"start", "source", "destination", "bytes", "group"}, 1);
    while (csv.Next())
    {
        take(ReadFlow(csv, hosts));
    }
}

std::optional<TraceWorkload::Span>
TraceWorkload::ReadSpan(uint32_t hosts) const
{
    std::optional<Span> span;
    Read(hosts, [&](const FlowArrival& flow) {
        const Time start = GetStartTime() + flow.at;
        if (MayStart(start))
        {
            span = span ? Span{std::min(span->first, start), std::max(span->last, start)}
                        : Span{start, start};
        }
    });
    return span;
}

void
TraceWorkload::DoPrepare()
{
    Read(HostCount(), [this](const FlowArrival& flow) { Plan(flow); });
}

void
TraceWorkload::DoStart()
{
    CheckHostLimit();
}

} // namespace ns3
