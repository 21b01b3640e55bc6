/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../schemes/test/scheme-test-network.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/object-spec.h"
#include "ns3/poisson-workload.h"
#include "ns3/test.h"

#include <numeric>

using namespace ns3;

namespace
{

/// @brief AFQ's cluster, scaled down with its rates and delays kept.
constexpr const char* CLUSTER = "leaf-spine:Leaves=3,HostsPerLeaf=16,Spines=2,HostRate=10Gbps,"
                                "FabricRate=40Gbps,LinkDelay=860ns";

} // namespace

/**
 * @ingroup afq-tests
 * @brief Completion times in an idle network: as the arithmetic has them, and as they are measured.
 */
class AfqIdleTimeTestCase : public TestCase
{
  public:
    AfqIdleTimeTestCase()
        : TestCase("completion times in an idle cluster (Section 6.2.1)")
    {
    }

  private:
    void DoRun() override
    {
        // Two bytes fewer in the last packet take 1.6 ns less, at the rates of all four links.
        CheckIdle(0, 16, 1460, 9.96, 1e-3);
        CheckIdle(0, 1, 1460, 5.91, 2e-3); // within a leaf
        CheckIdle(0, 16, 250, 7.54, 5e-3);
        CheckIdle(0, 16, 10'000, 16.98, 5e-3);
        CheckIdle(0, 16, 100'000, 90.97, 5e-3);
        CheckIdle(0, 16, 1'000'000, 830.7, 5e-3);
    }

    /**
     * @brief A flow alone.
     * @param source sending host
     * @param destination receiving host
     * @param bytes payload
     * @param microseconds expected by the arithmetic of store and forward
     * @param tolerance as a part of it
     */
    void CheckIdle(uint32_t source,
                   uint32_t destination,
                   uint64_t bytes,
                   double microseconds,
                   double tolerance)
    {
        SchemeTestNetwork network("ideal-fq",
                                  CLUSTER,
                                  "fixed-window:Window=100000,AcknowledgmentSize=40");
        const FlowRequest request{source, destination, bytes, 0};
        const double ideal =
            network.m_transport->GetIdealCompletionTime(request).ToDouble(Time::US);
        NS_TEST_EXPECT_MSG_EQ_TOL(ideal, microseconds, tolerance * microseconds, bytes);
        network.m_transport->AddObserver(&m_last);
        network.m_transport->StartFlow(request);
        network.Run(Seconds(0), Seconds(1));
        const Time measured = m_last.record.acknowledged - m_last.record.firstSent;
        NS_TEST_EXPECT_MSG_EQ_TOL(measured.ToDouble(Time::US), ideal, 1e-3, "measured " << bytes);
    }

    /// @brief Remembers the flow that finished last.
    struct Last : public FlowObserver
    {
        void FlowFinished(const FlowRecord& finished) override
        {
            record = finished;
        }

        FlowRecord record; //!< its life
    };

    Last m_last; //!< the flow
};

/**
 * @ingroup afq-tests
 * @brief Load is what the leaf-spine links carry.
 */
class AfqLoadTestCase : public TestCase
{
  public:
    AfqLoadTestCase()
        : TestCase("utilisation of the leaf-spine links at load 0.3 under ideal-fq")
    {
    }

  private:
    void DoRun() override
    {
        constexpr double LOAD = 0.3;
        constexpr double DURATION = 0.03; // seconds
        SchemeTestNetwork network("ideal-fq", CLUSTER, "");
        const auto workload = CreateFromSpec<Workload>("test", "poisson");
        const auto poisson = DynamicCast<PoissonWorkload>(workload);
        poisson->SetSizes("pareto:MaxSize=3e6");
        poisson->SetAttribute("Load", DoubleValue(LOAD));
        poisson->SetAttribute("Capacity",
                              DataRateValue(network.m_fabric->GetCapacity("leaf-spine")));
        poisson->SetAttribute("Crossing",
                              DoubleValue(network.m_fabric->GetCrossingProbability("leaf-spine")));
        poisson->SetAttribute("Stop", TimeValue(Seconds(DURATION)));
        poisson->AssignStreams(1);
        std::vector<uint32_t> hosts(network.m_fabric->GetNHosts());
        std::iota(hosts.begin(), hosts.end(), 0);
        poisson->Start(network.m_network->GetTransports(), hosts);
        network.Run(Seconds(0), Seconds(DURATION));
        double bytes = 0;
        double capacity = 0;
        network.m_fabric->ForEachPort([&](FabricPort& port) {
            if (port.GetDescription().role == "leaf-spine")
            {
                bytes += static_cast<double>(port.GetTxBytes());
                capacity += static_cast<double>(port.GetDescription().rate.GetBitRate()) / 8;
            }
        });
        const double expected = LOAD * 1500 / 1460;
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes / (capacity * DURATION),
                                  expected,
                                  0.05 * expected,
                                  "payload and headers");
    }
};

/**
 * @ingroup afq-tests
 * @brief Test suite of AFQ's cluster.
 */
class AfqClusterTestSuite : public TestSuite
{
  public:
    AfqClusterTestSuite()
        : TestSuite("afq-cluster", Type::SYSTEM)
    {
        AddTestCase(new AfqIdleTimeTestCase);
        AddTestCase(new AfqLoadTestCase);
    }
};

/// @brief The suite.
static AfqClusterTestSuite g_afqClusterTestSuite;
