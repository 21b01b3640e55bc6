/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Your first scheme: DCTCP hosts with a marking threshold of your own.
//
//   ./repro sim fct -- --scheme=my-first --load=0.6
//
// A scheme says how a network is run, and nothing of what runs over it. Being registered below is
// all it takes to be known as --scheme=my-first to every scenario;
// `--scheme=my-first:Threshold=30kB` sets its attribute. Copy this file, change it, and run it
// again: only what you changed is built.

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
                                              QueueLimitValue(QueueLimit("60kB")),
                                              MakeQueueLimitAccessor(&MyFirstScheme::m_threshold),
                                              MakeQueueLimitChecker());
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
        queue->SetAttribute("MarkThreshold", QueueLimitValue(m_threshold));
        return queue;
    }

  private:
    QueueLimit m_threshold;
};

NS_OBJECT_ENSURE_REGISTERED(MyFirstScheme);
