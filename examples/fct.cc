/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flow completion times: any workload on any topology under any scheme.

#include "ns3/double.h"
#include "ns3/object-spec.h"
#include "ns3/poisson-workload.h"
#include "ns3/scenario.h"
#include "ns3/string.h"
#include "ns3/trace-workload.h"

#include <algorithm>

using namespace ns3;

namespace
{

/**
 * @brief Measure a trace from its first flow to its last, as far as the user does not say when.
 * @param scenario knows what the user says
 * @param trace the trace
 * @param hosts number of hosts
 * @param warmUp option warmUp
 * @param duration option duration
 */
void
FollowTrace(const Scenario& scenario,
            const TraceWorkload& trace,
            uint32_t hosts,
            Time& warmUp,
            Time& duration)
{
    const auto span = trace.ReadSpan(hosts);
    if (!span)
    {
        return;
    }
    if (!scenario.IsGiven("warmUp"))
    {
        warmUp = span->first;
    }
    if (!scenario.IsGiven("duration"))
    {
        duration = std::max(span->last - warmUp, Time()) + NanoSeconds(1); // the last is in it
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("fct", "flow completion times of a workload");
    Spec kind = "poisson";
    Spec sizes = "web-search";
    std::string tier;
    double load = 0.5;
    Time warmUp = MilliSeconds(2);
    Time duration = MilliSeconds(10);
    Time drain = Seconds(1);
    scenario.AddSpecOption<Workload>("workload", "who sends to whom", kind);
    scenario.AddSizes("sizes", "flow sizes: a published distribution, a law or a CDF file", sizes);
    scenario.AddOption("load",
                       "payload as a share of the loaded tier's capacity",
                       load,
                       MakeDoubleChecker<double>(1e-6, 10));
    scenario.AddOption("tier",
                       "loaded tier, such as leaf-spine; empty: the first above hosts",
                       tier);
    scenario.AddOption("warmUp",
                       "flows that start earlier are not measured; a trace is, unless you say, "
                       "measured from its first flow on",
                       warmUp);
    scenario.AddOption("duration",
                       "time after warmUp in which flows start; of a trace, unless you say, until "
                       "its last flow",
                       duration,
                       MakeTimeChecker(NanoSeconds(1)));
    scenario.AddOption("drain", "time after that for flows to finish", drain);

    return scenario.Main(argc, argv, [&] {
        const uint32_t hosts = scenario.BuildNetwork().GetNHosts();
        const auto workload = CreateFromSpec<Workload>("--workload", kind);
        if (const auto trace = DynamicCast<TraceWorkload>(workload))
        {
            FollowTrace(scenario, *trace, hosts, warmUp, duration);
        }
        const Time end = warmUp + duration;
        // What --workload says counts; what it and an option say, or what means nothing, is
        // refused.
        scenario.SetUnlessSpecified(workload, kind, "Stop", TimeValue(end), "--duration");
        if (DynamicCast<SizedWorkload>(workload))
        {
            CreateFlowSizes("--sizes", sizes); // complains under the option's name
            scenario.SetUnlessSpecified(workload, kind, "Sizes", SpecValue(sizes), "--sizes");
        }
        else
        {
            scenario.RefuseOptions({"sizes"}, "--workload=" + kind.ToString() + " draws no sizes");
        }
        if (const auto poisson = DynamicCast<PoissonWorkload>(workload))
        {
            scenario.SetLoad(poisson, load, tier, kind);
        }
        else
        {
            scenario.RefuseOptions({"load", "tier"},
                                   "--workload=" + kind.ToString() + " has no load");
        }
        scenario.SetMeasuredTime(warmUp, end);
        scenario.Record("flows");
        scenario.RunFlows(workload, end + drain);
    });
}
