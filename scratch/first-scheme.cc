/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Your first scheme: DCTCP hosts under packet spray, with a marking threshold of your own.
//
//   ./repro scratch first-scheme -- --scheme=my-first --load=0.6
//
// A scheme says how a network is run, and nothing of what runs over it. Being registered below is
// all it takes to be known as --scheme=my-first; `--scheme=my-first:Threshold=30kB` sets its
// attribute. Copy this file, change it, and run it again: only what you changed is built.

#include "ns3/poisson-workload.h"
#include "ns3/scenario.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/tcp-host-scheme.h"

using namespace ns3;

// A TcpHostScheme brings hosts with ns-3's congestion controls; the rest is up to you.
class MyFirstScheme : public TcpHostScheme
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::MyFirstScheme")
                                .SetParent<TcpHostScheme>()
                                .AddConstructor<MyFirstScheme>()
                                .AddAttribute("Threshold",
                                              "A port marks when more than this waits",
                                              QueueSizeValue(QueueSize("60kB")),
                                              MakeQueueSizeAccessor(&MyFirstScheme::m_threshold),
                                              MakeQueueSizeChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "my first scheme: DCTCP with a threshold of my own";
    }

  protected:
    std::string GetCongestionOps() const override
    {
        return "ns3::TcpDctcp";
    }

    // The discipline of each port, switch ports and host ports alike.
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description&,
                                         QueueSize buffer) const override
    {
        auto queue = CreateObject<StepMarkQueueDisc>();
        queue->SetAttribute("MaxSize", QueueSizeValue(buffer));
        queue->SetAttribute("MarkThreshold", QueueSizeValue(m_threshold));
        return queue;
    }

  private:
    QueueSize m_threshold;
};

NS_OBJECT_ENSURE_REGISTERED(MyFirstScheme);

int
main(int argc, char* argv[])
{
    Scenario scenario("first-scheme", "web-search flows under a scheme of my own");
    double load = 0.5;
    scenario.AddOption("load", "payload as a share of the leaf-spine links' capacity", load);
    return scenario.Main(argc, argv, [&] {
        scenario.BuildNetwork();
        const Time end = MilliSeconds(10);
        const auto workload = CreateObject<PoissonWorkload>();
        workload->SetAttribute("Stop", TimeValue(end));
        workload->SetAttribute("Sizes", StringValue("web-search"));
        scenario.SetLoad(workload, load, "");
        scenario.SetMeasuredTime(MilliSeconds(2), end);
        scenario.Record("flows");
        scenario.RunFlows(workload, Seconds(1));
    });
}
