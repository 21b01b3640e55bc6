/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-test.h"

#include "ns3/transport.h"

using namespace ns3;

/**
 * @ingroup edge-tests
 * @brief Endless senders with a limit on what they have in their host's port, behind a limiter.
 */
class PulledFlowsTestCase : public EdgeTestCase
{
  public:
    /**
     * @brief Constructor.
     * @param transport specification of the transport
     * @param payload share of payload in what the limiter lets out
     */
    PulledFlowsTestCase(const std::string& transport, double payload)
        : EdgeTestCase("endless flows of " + transport),
          m_spec(transport),
          m_payload(payload)
    {
    }

  private:
    /// @brief Sums what is delivered.
    struct Observer : public FlowObserver
    {
        void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
        {
            delivered[record.id] += bytes;
        }

        std::map<FlowId, uint64_t> delivered; //!< bytes by flow
    };

    void Check() override
    {
        // A channel of 16 packets: four flows with three of 1500 bytes each fit.
        EdgeTestNetwork network("static:ChannelSize=16p");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const VmId b = network.AddVm(1);
        const PairId pair = network.tenants->GetPair(a, b);
        network.tenants->SetPipe(pair, DataRate("400Mbps"));
        network.tenants->SetPipe(network.tenants->GetPair(b, a), DataRate("400Mbps")); // answers
        network.Build();
        const auto transport = CreateFromSpec<Transport>("transport", m_spec);
        transport->Attach(network.fabric);
        Observer observer;
        transport->AddObserver(&observer);
        FlowRequest request;
        request.destination = 1;
        request.pair = pair + 1;
        for (uint32_t flow = 0; flow < 4; ++flow)
        {
            transport->StartFlow(request);
        }
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        const FabricQueueDisc& disc = network.fabric->GetHost(0).GetNicPort().GetQueueDisc();
        NS_TEST_EXPECT_MSG_EQ(disc.GetDropCounts().size(), 0, "nothing is dropped");
        // The acknowledgment of a connection's opening is no data: it waits beside the three
        // packets.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(disc.GetPeakBytes(), 4 * (3 * 1500 + 40), "three packets each");
        // 400 Mbit/s over 20 ms are 1 MB, and a bucket of 32 kB.
        uint64_t sum = 0;
        for (const auto& [flow, bytes] : observer.delivered)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(bytes, 250'000 * m_payload, 30'000.0, "flow " << flow);
            sum += bytes;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, 1'000'000 * m_payload, 60'000.0, "the guarantee is used");
        transport->Dispose();
    }

    std::string m_spec; //!< specification of the transport
    double m_payload;   //!< share of payload in what the limiter lets out
};

/**
 * @ingroup edge-tests
 * @brief The suite.
 */
class PulledSenderTestSuite : public TestSuite
{
  public:
    PulledSenderTestSuite()
        : TestSuite("pulled-sender", Type::UNIT)
    {
        AddTestCase(new PulledFlowsTestCase("udp:Rate=10Gbps,SendBuffer=4500B", 1472.0 / 1500),
                    Duration::QUICK);
        AddTestCase(new PulledFlowsTestCase("lean:Backlog=4500B,MinRto=10ms", 1460.0 / 1500),
                    Duration::QUICK);
    }
};

static PulledSenderTestSuite g_pulledSenderTestSuite; //!< the suite
