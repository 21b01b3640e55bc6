/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An exercise: how many queues does AFQ need, and how long may a round be?
//
// Senders with flows of 100 kB share one 10 Gbit/s link, as in Fig. 16 of AFQ (NSDI 2018). The
// program prints how unfair the link was to them: 0 if all flows got the same, near 1 if one got
// everything.
//
//   ./repro scratch afq-exercise -- --scheme=afq-dctcp --flows=16
//   ./repro scratch afq-exercise -- --scheme=afq-dctcp --flows=16 --queues=4
//   ./repro scratch afq-exercise -- --scheme=afq-dctcp --flows=16 --bytesPerRound=12000
//   ./repro scratch afq-exercise -- --scheme=ideal-fq-dctcp --flows=16
//
// src/afq/doc/afq.rst, "Exercise", asks the questions.

#include "ns3/afq-queue-disc.h"
#include "ns3/config.h"
#include "ns3/jain-index.h"
#include "ns3/on-off-workload.h"
#include "ns3/scenario.h"
#include "ns3/uinteger.h"

using namespace ns3;

// Notes the goodput of flows that begin in the second and third quarter of the time: those before
// and after meet fewer others.
class Goodputs : public FlowObserver
{
  public:
    explicit Goodputs(Time duration)
        : m_duration(duration)
    {
    }

    void FlowFinished(const FlowRecord& record) override
    {
        if (record.requested >= m_duration / 4 && record.requested < m_duration * 3 / 4)
        {
            const Time completion = record.acknowledged - record.firstSent;
            values.push_back(8.0 * record.request.bytes / completion.GetSeconds());
        }
    }

    std::vector<double> values; // bit/s

  private:
    Time m_duration;
};

int
main(int argc, char* argv[])
{
    Scenario scenario("afq-exercise", "what queues and rounds do to AFQ's fairness");
    uint32_t flows = 16;
    uint32_t queues = 32;
    uint32_t bytesPerRound = 1500;
    Time duration = MilliSeconds(100);
    scenario.AddOption("flows", "hosts that send, a flow each at a time", flows);
    scenario.AddOption("queues", "FIFO queues of an AFQ port", queues);
    scenario.AddOption("bytesPerRound", "bytes of each flow in a round of AFQ", bytesPerRound);
    scenario.AddOption("duration", "time in which flows start", duration);

    return scenario.Main(argc, argv, [&] {
        // The default of all AFQ ports made from here on; other schemes have none and do not care.
        const auto set = [](const std::string& name, uint32_t value, const std::string& option) {
            Scenario::SetAttribute(CreateObject<AfqQueueDisc>(), // complains of wrong values
                                   name,
                                   UintegerValue(value),
                                   option);
            Config::SetDefault("ns3::AfqQueueDisc::" + name, UintegerValue(value));
        };
        set("NumQueues", queues, "--queues");
        set("BytesPerRound", bytesPerRound, "--bytesPerRound");
        scenario.SetDefaultTopology("single-switch:LinkDelay=5634ns,Hosts=" +
                                    std::to_string(flows + 1));
        scenario.BuildNetwork();
        Goodputs goodputs(duration);
        scenario.GetTransports()->AddObserver(&goodputs);

        const auto workload = CreateObject<OnOffWorkload>();
        workload->SetSizes("fixed:Bytes=100000");
        const Time average = Seconds(8 * 100'000.0 * flows / 10e9); // if all have the same
        workload->SetAttribute("Jitter", TimeValue(average));
        workload->SetAttribute("ThinkTime", TimeValue(average / 3));
        workload->SetAttribute("Stop", TimeValue(duration));
        scenario.RunFlows(workload, duration + Seconds(1));

        scenario.Report("flows", goodputs.values.size());
        scenario.Report("unfairness", 1 - JainIndex(goodputs.values));
    });
}
