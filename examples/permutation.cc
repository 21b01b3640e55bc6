/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Permutation: every host sends to one other host and receives from one other host.

#include "ns3/double.h"
#include "ns3/jain-index.h"
#include "ns3/number-text.h"
#include "ns3/permutation-workload.h"
#include "ns3/rates-recorder.h"
#include "ns3/scenario.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

using namespace ns3;

int
main(int argc, char* argv[])
{
    Scenario scenario("permutation", "every host sends to one other host");
    uint32_t shift = 0;
    bool withinRacks = true;
    Time jitter;
    Time warmUp = MilliSeconds(2);
    Time duration = MilliSeconds(10);
    scenario.AddOption("shift", "host i sends to host i + shift; 0: a random permutation", shift);
    scenario.AddOption("withinRacks", "whether a random pair may be in one rack", withinRacks);
    scenario.AddOption("jitter", "starts are spread uniformly over so long", jitter);
    scenario.AddOption("warmUp", "time before goodput is measured", warmUp);
    scenario.AddOption("duration",
                       "time in which goodput is measured",
                       duration,
                       MakeTimeChecker(MicroSeconds(10)));

    return scenario.Main(argc, argv, [&] {
        scenario.SetDefaultTopology("fat-tree:K=4");
        const Fabric& fabric = scenario.BuildNetwork();
        scenario.SetMeasuredTime(warmUp, warmUp + duration);
        const auto rates =
            scenario.Record<RatesRecorder>({{"Bin", SecondsText(duration / 10) + "s"}});
        const auto workload = CreateObject<PermutationWorkload>();
        Scenario::SetAttribute(workload, "Shift", UintegerValue(shift), "--shift");
        workload->SetAttribute("Bytes", DoubleValue(0)); // for the whole run
        workload->SetAttribute("Jitter", TimeValue(jitter));
        if (!withinRacks)
        {
            workload->SetAttribute("RackSize", UintegerValue(scenario.GetRackSize()));
        }
        scenario.RunFor(workload, warmUp + duration);

        std::vector<double> goodput;
        for (uint32_t group = 0; group < fabric.GetNHosts(); ++group)
        {
            goodput.push_back(rates->GetRates().Summarize(group, warmUp, warmUp + duration).mean);
        }
        const double sum = std::accumulate(goodput.begin(), goodput.end(), 0.0);
        scenario.Report("goodput_mean_bps", sum / goodput.size());
        scenario.Report("goodput_min_bps", *std::min_element(goodput.begin(), goodput.end()));
        scenario.Report("jain_index", JainIndex(goodput));
    });
}
