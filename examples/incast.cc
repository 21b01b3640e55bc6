/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Incast: many senders answer one request at once (AFQ, Section 6.2.4).

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/incast-workload.h"
#include "ns3/scenario.h"
#include "ns3/uinteger.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    Scenario scenario("incast", "many senders answer one request at once");
    uint32_t senders = 32;
    double bytes = 1'500'000;
    bool allAsk = false;
    uint32_t requests = 1;
    Time interval = MilliSeconds(10);
    Time limit = Seconds(10);
    scenario.AddOption("senders",
                       "hosts that answer",
                       senders,
                       MakeUintegerChecker<uint32_t>(1, 9999));
    scenario.AddOption("bytes",
                       "size of the whole answer in bytes",
                       bytes,
                       MakeDoubleChecker<double>(1, 1e15));
    scenario.AddOption("allAsk", "every host asks at once, not only the first", allAsk);
    scenario.AddOption("requests", "requests, one after the other", requests);
    scenario.AddOption("interval", "time from request to request", interval);
    scenario.AddOption("limit",
                       "simulation ends then at the latest",
                       limit,
                       MakeTimeChecker(NanoSeconds(1)));

    return scenario.Main(argc, argv, [&] {
        // A star with the base RTT of AFQ's cluster, about 10 us: four links of 2.15 us there and
        // back.
        scenario.SetDefaultTopology("single-switch:LinkDelay=2150ns,Hosts=" +
                                    std::to_string(senders + 1));
        scenario.BuildNetwork();
        scenario.CheckSources(senders, "--senders");
        scenario.SetMeasuredTime(Time(0), limit);
        scenario.Record("flows");
        const auto workload = CreateObject<IncastWorkload>();
        Scenario::SetAttribute(workload, "Senders", UintegerValue(senders), "--senders");
        Scenario::SetAttribute(workload, "Bytes", DoubleValue(bytes), "--bytes");
        workload->SetAttribute("AllAsk", BooleanValue(allAsk));
        Scenario::SetAttribute(workload, "Requests", UintegerValue(requests), "--requests");
        Scenario::SetAttribute(workload, "Interval", TimeValue(interval), "--interval");
        scenario.RunFlows(workload, limit);
    });
}
