/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/transports.h"

#include <map>
#include <set>
#include <string>
#include <utility>

using namespace ns3;

namespace
{

/**
 * @ingroup transport-tests
 * @brief Two hosts with transports side by side, and what becomes of flows.
 */
class SharedHosts : public FlowObserver
{
  public:
    /**
     * @param list specifications of the transports
     */
    explicit SharedHosts(const std::string& list)
    {
        m_fabric->SetTierNames({"host", "switch"});
        const auto middle = m_fabric->AddSwitch(1);
        for (uint32_t host = 0; host < 2; ++host)
        {
            m_fabric->Connect(m_fabric->AddHost(), middle, DataRate("10Gbps"), MicroSeconds(1));
        }
        m_fabric->Build();
        m_fabric->GetHost(0).GetNicPort().AddStage(CreateObject<DepartureStage>(
            [this](const FabricItem* item, const FabricPort& /* port */) {
                m_hashes.insert(item->hash);
            }));
        for (const NamedSpec& named : NameSpecs("transport", list))
        {
            m_transports->Add(named.name, CreateFromSpec<Transport>("transport", named.spec));
        }
        m_transports->Attach(m_fabric);
        m_transports->AddObserver(this);
    }

    ~SharedHosts() override
    {
        m_transports->Dispose();
        m_fabric->Dispose();
        Simulator::Destroy();
    }

    SharedHosts(const SharedHosts&) = delete;
    SharedHosts& operator=(const SharedHosts&) = delete;

    /**
     * @brief Start a flow from host 0 to host 1.
     * @param transport index of its transport
     * @param bytes of payload
     * @return the flow
     */
    FlowId Start(uint8_t transport, uint64_t bytes)
    {
        return m_transports->StartFlow(
            {.source = 0, .destination = 1, .bytes = bytes, .transport = transport});
    }

    void FlowStarted(const FlowRecord& record) override
    {
        m_started.insert(record.id);
    }

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        m_delivered[record.id] += bytes;
    }

    void FlowFinished(const FlowRecord& record) override
    {
        m_finished.insert(record.id);
    }

    Ptr<Fabric> m_fabric{CreateObject<Fabric>()};             //!< the hosts
    Ptr<Transports> m_transports{CreateObject<Transports>()}; //!< side by side
    std::set<FlowId> m_started;                               //!< flows
    std::map<FlowId, uint64_t> m_delivered;                   //!< bytes, by flow
    std::set<FlowId> m_finished;                              //!< flows
    std::set<uint32_t> m_hashes;                              //!< of what host 0 sent
};

} // namespace

/**
 * @ingroup transport-tests
 * @brief Flows of several transports have one numbering, their own packets and their own end.
 */
class SideBySideTestCase : public TestCase
{
  public:
    SideBySideTestCase()
        : TestCase("numbers, packets and ends of flows")
    {
    }

  private:
    static constexpr uint64_t FLOW_BYTES = 50'000; //!< of each flow

    void DoRun() override
    {
        SharedHosts hosts("lean;lean:CongestionOps=ns3::TcpCubic;udp:Rate=1Gbps;fixed-window;"
                          "mptcp:Subflows=1;ns3");
        const uint32_t count = hosts.m_transports->GetN();
        NS_TEST_ASSERT_MSG_EQ(count, 6, "transports");
        std::set<FlowId> flows;
        for (uint32_t round = 0; round < 3; ++round)
        {
            for (uint8_t transport = 0; transport < count; ++transport)
            {
                flows.insert(hosts.Start(transport, FLOW_BYTES));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(flows.size(), 18, "no number twice");
        NS_TEST_EXPECT_MSG_EQ(*flows.rbegin(), 18, "nor one left out");
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((hosts.m_started == flows), true, "observers saw all start");
        NS_TEST_EXPECT_MSG_EQ((hosts.m_finished == flows), true, "and finish");
        for (const auto& [flow, bytes] : hosts.m_delivered)
        {
            NS_TEST_EXPECT_MSG_EQ(bytes, FLOW_BYTES, "bytes of flow " << flow);
        }
        NS_TEST_EXPECT_MSG_EQ(hosts.m_hashes.size(), 18, "no two have the same 5-tuple");
    }
};

/**
 * @ingroup transport-tests
 * @brief Each question about a flow is asked of its own transport.
 */
class DispatchTestCase : public TestCase
{
  public:
    DispatchTestCase()
        : TestCase("each flow has its own transport's ideal time, end and results")
    {
    }

  private:
    void DoRun() override
    {
        TestQuestions();
        TestStop();
        TestRefused();
    }

    void TestQuestions()
    {
        SharedHosts hosts("slow=udp:Rate=100Mbps;fast=udp:Rate=1Gbps;lean;packets=fixed-window");
        const auto ideal = [&hosts](uint8_t transport) {
            return hosts.m_transports->GetIdealCompletionTime(
                {.source = 0, .destination = 1, .bytes = 147'200, .transport = transport});
        };
        // 99 packets of 1500 bytes are sent before the last one: 11.88 ms at 100 Mbit/s.
        NS_TEST_EXPECT_MSG_EQ_TOL(ideal(0).ToDouble(Time::US), 11'884.4, 0.1, "by its own rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(ideal(1).ToDouble(Time::US), 1'192.4, 0.1, "by its own rate");
        NS_TEST_EXPECT_MSG_EQ((hosts.m_transports->Find("fast") == 1), true, "by name");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_transports->Find("faster").has_value(), false, "unknown");
        Results results;
        hosts.m_transports->ReportResults(results);
        std::string reporters;
        for (const auto& row : results.GetRows())
        {
            reporters += row.source.name + ":" + row.name + " ";
        }
        NS_TEST_EXPECT_MSG_EQ(reporters, "lean:retransmissions ", "who counts them");
    }

    void TestStop()
    {
        SharedHosts hosts("lean;udp;fixed-window");
        std::set<FlowId> flows;
        for (uint8_t transport = 0; transport < 3; ++transport)
        {
            flows.insert(hosts.Start(transport, 0)); // without end
        }
        Simulator::Schedule(MicroSeconds(100), [&] { hosts.m_transports->StopFlow(2); });
        Simulator::Stop(MicroSeconds(200));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((hosts.m_finished == std::set<FlowId>{2}), true, "that one only");
    }

    void TestRefused()
    {
        NS_TEST_EXPECT_MSG_EQ(IsRefused("lean", 1), true, "there is one transport");
        NS_TEST_EXPECT_MSG_EQ(IsRefused("lean;udp", 1), false, "there are two");
        NS_TEST_EXPECT_MSG_EQ(IsRefused("ns3;ns3", 0), true, "a host has one IPv4 stack");
    }

    /**
     * @brief True if transports, or a flow on one of them, are refused.
     * @param list the transports
     * @param transport the flow's
     * @return true if there was an InputError
     */
    static bool IsRefused(const std::string& list, uint8_t transport)
    {
        try
        {
            SharedHosts(list).Start(transport, 1000);
        }
        catch (const InputError&)
        {
            return true;
        }
        return false;
    }
};

/**
 * @ingroup transport-tests
 * @brief Test suite of transports side by side.
 */
class TransportsTestSuite : public TestSuite
{
  public:
    TransportsTestSuite()
        : TestSuite("transports", Type::UNIT)
    {
        AddTestCase(new SideBySideTestCase, Duration::QUICK);
        AddTestCase(new DispatchTestCase, Duration::QUICK);
    }
};

/// @ingroup transport-tests
/// Static variable for test initialization.
static TransportsTestSuite g_transportsTestSuite;
