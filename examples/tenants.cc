/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Tenants: each sends what its statement says between its own VMs, from when it joins until it
// leaves.

#include "ns3/jain-index.h"
#include "ns3/number-text.h"
#include "ns3/rates-recorder.h"
#include "ns3/scenario.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    Scenario scenario("tenants", "tenants share a network");
    Time warmUp = MilliSeconds(2);
    Time duration = MilliSeconds(10);
    scenario.SetDefaultTenants("random:Tenants=8,Vms=4,Guarantees=1Gbps,"
                               "Workload=\"permutation:Jitter=100us\"");
    scenario.AddOption("warmUp", "time before goodput and tasks are measured", warmUp);
    scenario.AddOption("duration",
                       "time in which goodput and tasks are measured",
                       duration,
                       MakeTimeChecker(MicroSeconds(10)));

    return scenario.Main(argc, argv, [&] {
        scenario.SetDefaultTopology("fat-tree:K=4");
        scenario.BuildNetwork();
        scenario.SetMeasuredTime(warmUp, warmUp + duration);
        scenario.Record("flows");
        scenario.Record("tasks");
        const auto recorder =
            scenario.Record<RatesRecorder>({{"Bin", SecondsText(duration / 10) + "s"}});
        scenario.RunFlows(scenario.CreateTenantWorkloads(), warmUp + duration);

        const TenantTable& tenants = *scenario.GetTenants();
        const RateBins& rates = recorder->GetRates();
        std::vector<double> goodput;
        for (TenantId tenant = 0; tenant < tenants.GetNTenants(); ++tenant)
        {
            goodput.push_back(rates.Summarize(tenant, warmUp, warmUp + duration).mean);
            scenario.Report("tenant_" + tenants.GetTenant(tenant).name + "_goodput_bps",
                            goodput.back());
        }
        scenario.Report("vms", tenants.GetNVms());
        scenario.Report("vm_pairs", tenants.GetNPairs());
        scenario.Report("jain_index", JainIndex(goodput));
    });
}
