/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A scheme that does something of its own: ports of the core mark above a threshold of
// their own.
//
//   ./repro sim fct -- --scheme=my-second:Threshold=80kB --load=0.6
//
// Copy this file, change it, and run it again: only what you changed is built.

#include "ns3/scheme.h"
#include "ns3/step-mark-queue-disc.h"

using namespace ns3;

// A Scheme brings hosts with ns-3's congestion controls; the rest is up to you.
class MySecondScheme : public Scheme
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::MySecondScheme")
                .SetParent<Scheme>()
                .AddConstructor<MySecondScheme>()
                .AddAttribute("Threshold",
                              "A port of the edge marks while more than this waits",
                              QueueLimitValue(QueueLimit("60kB")),
                              MakeQueueLimitAccessor(&MySecondScheme::m_threshold),
                              MakeQueueLimitChecker())
                .AddAttribute("CoreThreshold",
                              "The same of a port of the core",
                              QueueLimitValue(QueueLimit("30kB")),
                              MakeQueueLimitAccessor(&MySecondScheme::m_coreThreshold),
                              MakeQueueLimitChecker());
        return tid;
    }

  protected:
    // The discipline of each port, switch ports and host ports alike.
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override
    {
        auto queue = CreateObject<StepMarkQueueDisc>();
        queue->SetAttribute("MaxSize", QueueSizeValue(buffer));
        queue->SetAttribute("MarkThreshold",
                            QueueLimitValue(port.tier > 1 ? m_coreThreshold : m_threshold));
        return queue;
    }

  private:
    QueueLimit m_threshold;
    QueueLimit m_coreThreshold;
};

NS_OBJECT_ENSURE_REGISTERED(MySecondScheme);

// Its name, and what its hosts run.
static const SchemeRows rows{
    {"my-second",
     "ns3::MySecondScheme:CongestionOps=ns3::TcpDctcp",
     "my second scheme: DCTCP with a threshold for the edge and one for the core"},
};
