/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-notices.h"

#include "ns3/csv-writer.h"
#include "ns3/fabric.h"
#include "ns3/flow-control-deadlock.h"
#include "ns3/priority-flow-control.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

/**
 * @param run facts of a run
 * @param name a count among its results
 * @return its total; 0 if nothing counts that
 */
uint64_t
GetCount(const RunFacts& run, const std::string& name)
{
    double sum = 0;
    for (const Results::Row& row : run.results.GetRows())
    {
        sum += row.name == name ? row.value : 0;
    }
    return static_cast<uint64_t>(sum);
}

/**
 * @param count of something
 * @param noun its noun, in the singular; plural with an s
 * @return both
 */
std::string
CountText(uint64_t count, const std::string& noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// @return that flows were asked for and did not start
std::string
FindUnstarted(const RunFacts& run)
{
    const auto& [flows, first] = run.unstarted;
    if (flows == 0)
    {
        return "";
    }
    return CountText(flows, "flow") + " of the workload did not start: due after the end" +
           (first == Time::Max() ? "" : ", the first at " + SecondsText(first) + " s");
}

/// @return that there are flows and none is measured
std::string
FindNothingMeasured(const RunFacts& run)
{
    const uint64_t excluded = GetCount(run, "flows_excluded");
    if (!run.backlog.HadFlows() || excluded == 0 || GetCount(run, "flows_started") > 0)
    {
        return "";
    }
    return "no flow is measured: " + CountText(excluded, "flow") +
           " started outside the measured time";
}

/// @return that packets were sent again that cannot have been lost
std::string
FindNeedlessRetransmissions(const RunFacts& run)
{
    std::string each;
    uint64_t all = 0;
    for (const Results::Row& row : run.results.GetRows())
    {
        if (row.source.kind == "transport" && row.name == "retransmissions" && row.value > 0)
        {
            const auto again = static_cast<uint64_t>(row.value);
            all += again;
            if (!row.source.name.empty())
            {
                each +=
                    (each.empty() ? " (" : ", ") + row.source.name + " " + std::to_string(again);
            }
        }
    }
    const uint64_t drops = GetCount(run, "dropped_packets");
    if (all <= 2 * drops) // otherwise half of them and more were of packets that arrived
    {
        return "";
    }
    return CountText(all, "retransmission") + (each.empty() ? "" : each + ")") + " for " +
           CountText(drops, "dropped packet") +
           ": senders repeated what was not lost, as they do if a timeout is shorter than the wait "
           "in a queue, if packets arrive out of order, or if they go back to the first loss";
}

/// @return that means are over some of the flows only
std::string
FindUnfinished(const RunFacts& run)
{
    const uint64_t started = GetCount(run, "flows_started_all");
    const uint64_t unfinished = started - GetCount(run, "flows_finished_all");
    return unfinished == 0
               ? ""
               : std::to_string(unfinished) + " of " + CountText(started, "measured flow") +
                     " did not finish: means and percentiles are without them";
}

/// @return that hosts dropped packets of their own
std::string
FindHostDrops(const RunFacts& run)
{
    uint64_t all = 0;
    uint64_t most = 0;
    std::string where;
    run.network.GetFabric()->ForEachPort([&](const FabricPort& port) {
        if (port.GetDescription().tier > 0)
        {
            return;
        }
        uint64_t drops = 0;
        for (const auto& [reason, packets, bytes] : port.GetQueueDisc().GetDropCounts())
        {
            drops += packets;
        }
        all += drops;
        if (drops > most)
        {
            most = drops;
            where = port.GetDescription().name;
        }
    });
    return all == 0 ? ""
                    : CountText(all, "packet") + " dropped at hosts' own ports, " +
                          std::to_string(most) + " of them at " + where;
}

/// @return that more and more is asked for than is delivered
std::string
FindGrowingBacklog(const RunFacts& run)
{
    constexpr uint64_t LEAST_FLOWS = 30; // few flows under way are no trend
    const FlowBacklog::Sample& halfway = run.backlog.GetHalfway();
    const FlowBacklog::Sample& end = run.backlog.GetEnd();
    // What grows steadily has doubled since half-way, what stays has not grown; the limit is
    // between. Bytes alone may be those of one large flow that has just come.
    const auto grew = [](uint64_t before, uint64_t now) { return 2 * now > 3 * before; };
    if (end.flows < LEAST_FLOWS || !grew(halfway.bytes, end.bytes) ||
        !grew(halfway.flows, end.flows))
    {
        return "";
    }
    const auto say = [](const FlowBacklog::Sample& sample) {
        return CountText(sample.bytes, "byte") + " of " + CountText(sample.flows, "flow") + " at " +
               SecondsText(sample.time) + " s";
    };
    return "the backlog still grows: asked for and not delivered are " + say(halfway) + ", " +
           say(end) + "; the numbers depend on how long was measured";
}

/// @return the ports that have paused each other for good, in a sentence; empty: there are none
std::string
FindDeadlock(const RunFacts& run)
{
    const auto control =
        DynamicCast<PriorityFlowControl>(run.network.GetFabric()->GetFlowControl());
    if (!control)
    {
        return "";
    }
    const FlowControlDeadlock deadlock = FindFlowControlDeadlock(*control);
    if (deadlock.cycle.empty())
    {
        return "";
    }
    std::string ports;
    for (const FabricPort* port : deadlock.cycle)
    {
        ports += (ports.empty() ? "" : ", ") + port->GetDescription().name + " since " +
                 SecondsText(port->GetFlowControl()->GetPausedSince()) + " s";
    }
    return "deadlock of flow control: each of these ports is paused until the next one sends: " +
           ports +
           (deadlock.waiting == 0
                ? ""
                : "; " + CountText(deadlock.waiting, "other port") + " paused by them");
}

/// @brief A kind of notice: the line, or empty if there is nothing to say.
using Notice = std::string (*)(const RunFacts& run);

constexpr std::array<Notice, 7> NOTICES{FindUnstarted,
                                        FindNothingMeasured,
                                        FindUnfinished,
                                        FindNeedlessRetransmissions,
                                        FindHostDrops,
                                        FindGrowingBacklog,
                                        FindDeadlock};

} // namespace

std::vector<std::string>
FindNotices(const RunFacts& run)
{
    std::vector<std::string> found;
    for (const Notice find : NOTICES)
    {
        if (std::string text = find(run); !text.empty())
        {
            found.push_back(std::move(text));
        }
    }
    return found;
}

} // namespace ns3
