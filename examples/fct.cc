/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flow completion times: any workload on any topology under any scheme.

#include "ns3/double.h"
#include "ns3/object-spec.h"
#include "ns3/poisson-workload.h"
#include "ns3/scenario.h"
#include "ns3/string.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    Scenario scenario("fct", "flow completion times of a workload");
    std::string kind = "poisson";
    std::string sizes = "web-search";
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
    scenario.AddOption("warmUp", "flows that start earlier are not measured", warmUp);
    scenario.AddOption("duration",
                       "time after warmUp in which flows start",
                       duration,
                       MakeTimeChecker(NanoSeconds(1)));
    scenario.AddOption("drain", "time after that for flows to finish", drain);

    return scenario.Main(argc, argv, [&] {
        const Time end = warmUp + duration;
        scenario.BuildNetwork();
        const auto workload = CreateFromSpec<Workload>("--workload", kind);
        // What --workload says counts; what it and an option say, or what means nothing, is
        // refused.
        scenario.SetUnlessSpecified(workload, kind, "Stop", TimeValue(end), "--duration");
        if (DynamicCast<SizedWorkload>(workload))
        {
            MakeFlowSizes("--sizes", sizes); // complains under the option's name
            scenario.SetUnlessSpecified(workload, kind, "Sizes", StringValue(sizes), "--sizes");
        }
        else
        {
            scenario.RefuseOptions({"sizes"}, "--workload=" + kind + " draws no sizes");
        }
        if (const auto poisson = DynamicCast<PoissonWorkload>(workload))
        {
            scenario.SetLoad(poisson, load, tier, kind);
        }
        else
        {
            scenario.RefuseOptions({"load", "tier"}, "--workload=" + kind + " has no load");
        }
        scenario.SetMeasuredTime(warmUp, end);
        scenario.Record("flows");
        scenario.RunFlows(workload, end + drain);
    });
}
