/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/network.h"
#include "ns3/scheme.h"
#include "ns3/simulator.h"
#include "ns3/tenant-workloads.h"
#include "ns3/test.h"
#include "ns3/timeline.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Let the tenants of four hosts send.
 * @param network has the tenants
 * @return their workloads
 */
Ptr<TenantWorkloads>
StartWorkloads(const Network& network)
{
    auto workloads = CreateObject<TenantWorkloads>();
    workloads->SetTenants(network.GetTenants(), [](const std::string&) { return 0; });
    workloads->AssignStreams(1);
    workloads->Start(network.GetTransports(), {0, 1, 2, 3});
    return workloads;
}

} // namespace

/**
 * @ingroup schemes-tests
 * @brief A scheme that says it keeps tenants to their limits.
 */
class LimitingScheme : public Scheme
{
  public:
    bool LimitsTenants() const override
    {
        return true;
    }
};

/**
 * @ingroup schemes-tests
 * @brief Tenants join, leave and change as the timeline says.
 */
class TenantEventsTestCase : public TestCase
{
  public:
    TenantEventsTestCase()
        : TestCase("tenants on the timeline")
    {
    }

  private:
    /// @brief Notes the first and the last delivery to each tenant.
    struct Observer : public FlowObserver
    {
        void FlowDelivered(const FlowRecord& record, uint32_t /* bytes */) override
        {
            first.emplace(record.request.group, Simulator::Now());
            last[record.request.group] = Simulator::Now();
        }

        std::map<TenantId, Time> first; //!< by tenant
        std::map<TenantId, Time> last;  //!< by tenant
    };

    /**
     * @brief Three tenants on four hosts; each sends all the time.
     * @return the network, built
     */
    static Ptr<Network> CreateNetwork()
    {
        auto network = CreateObject<Network>();
        network->SetTopology("single-switch:Hosts=4");
        network->SetScheme(CreateObject<LimitingScheme>());
        network->SetTenants("list:Of={tenant A hosts=0-3 workload=permutation:Shift=1,Bytes=0; "
                            "tenant B hosts=0-3 workload=permutation:Shift=2,Bytes=0; "
                            "tenant C hosts=0-3 hose=1Gbps workload=permutation:Shift=1,Bytes=0}");
        network->Build();
        return network;
    }

    void DoRun() override
    {
        const auto network = CreateNetwork();
        const TenantTable& table = *network->GetTenants();
        Timeline timeline(*network,
                          "--events",
                          "2ms join tenant=B; 3ms leave tenant=A; 4ms rate tenant=C limit=2Gbps; "
                          "4ms hose tenant=C send=3Gbps receive=4Gbps; 5ms weight tenant=C value=2;"
                          "5ms leave tenant=B");
        timeline.Start();
        Observer observer;
        network->GetTransports()->AddObserver(&observer);
        const auto workloads = StartWorkloads(*network);
        Simulator::Stop(MilliSeconds(3) + MicroSeconds(900));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(table.GetTenant(2).limit, DataRate(0), "no limit yet");
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(table.GetTenant(2).limit, DataRate("2Gbps"), "limit");
        NS_TEST_EXPECT_MSG_EQ(table.GetTenant(2).weight, 2, "weight");
        for (const VmId vm : table.GetVmsOf(2))
        {
            NS_TEST_EXPECT_MSG_EQ(table.GetVm(vm).send, DataRate("3Gbps"), "send");
            NS_TEST_EXPECT_MSG_EQ(table.GetVm(vm).receive, DataRate("4Gbps"), "receive");
        }
        const Time late = MilliSeconds(1); // what is under way still arrives
        NS_TEST_EXPECT_MSG_LT(observer.first[0], late, "A is there from the beginning");
        NS_TEST_EXPECT_MSG_GT(observer.first[1], MilliSeconds(2), "B joins");
        NS_TEST_EXPECT_MSG_LT(observer.first[1], MilliSeconds(2) + late, "B sends then");
        NS_TEST_EXPECT_MSG_LT(observer.last[0], MilliSeconds(3) + late, "A leaves");
        NS_TEST_EXPECT_MSG_LT(observer.last[1], MilliSeconds(5) + late, "B leaves");
        NS_TEST_EXPECT_MSG_GT(observer.last[2], MilliSeconds(7), "C stays");
        workloads->Dispose();
        network->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup schemes-tests
 * @brief A tenant that has left may come back, and again.
 */
class TenantComesBackTestCase : public TestCase
{
  public:
    /**
     * @param events events of A and B
     * @param there for each of 10 ms, whether A sends; then the same of B
     * @param flows started
     */
    TenantComesBackTestCase(std::string events, std::string there, uint64_t flows)
        : TestCase("a tenant comes back: " + events),
          m_events(std::move(events)),
          m_there(std::move(there)),
          m_flows(flows)
    {
    }

  private:
    /// @brief In which milliseconds each tenant had something delivered.
    struct Observer : public FlowObserver
    {
        void FlowDelivered(const FlowRecord& record, uint32_t /* bytes */) override
        {
            if (Simulator::Now() < MilliSeconds(10))
            {
                seen.at(10 * record.request.group + Simulator::Now().GetMilliSeconds()) = '#';
            }
        }

        std::string seen = "....................";
    };

    void DoRun() override
    {
        auto network = CreateObject<Network>();
        network->SetTopology("single-switch:Hosts=4");
        network->SetScheme("tcp");
        // B sends little at a time.
        network->SetTenants("list:Of={tenant A hosts=0,1 workload=permutation:Bytes=0; tenant B "
                            "hosts=2,3 workload=permutation:Bytes=100000}");
        network->Build();
        Timeline timeline(*network, "--events", m_events);
        timeline.Start();
        Observer observer;
        network->GetTransports()->AddObserver(&observer);
        const auto workloads = StartWorkloads(*network);
        Simulator::Stop(MilliSeconds(5) + MicroSeconds(500));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(workloads->IsOver(), false, "B is still to come");
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(workloads->IsOver(), true, "nothing is to come");
        NS_TEST_EXPECT_MSG_EQ(observer.seen, m_there, m_events);
        NS_TEST_EXPECT_MSG_EQ(workloads->GetStarted(), m_flows, m_events);
        workloads->Dispose();
        network->Dispose();
        Simulator::Destroy();
    }

    std::string m_events; //!< the timeline
    std::string m_there;  //!< for each of 10 ms, whether A sends; then the same of B
    uint64_t m_flows;     //!< started
};

/**
 * @ingroup schemes-tests
 * @brief An event that cannot happen to a tenant is told in one line.
 */
class TenantEventErrorsTestCase : public TestCase
{
  public:
    TenantEventErrorsTestCase()
        : TestCase("tenants that are not there")
    {
    }

  private:
    /**
     * @param network to which something is to happen
     * @param events that cannot happen
     * @param told part of what the user reads
     */
    void Expect(Network& network, const std::string& events, const std::string& told)
    {
        const std::string text = ErrorText([&] { Timeline(network, "--events", events); });
        NS_TEST_EXPECT_MSG_NE(text.find(told), std::string::npos, events << ": " << text);
    }

    /**
     * @param network to which something is to happen
     * @param events that can
     */
    void ExpectGood(Network& network, const std::string& events)
    {
        const std::string text = ErrorText([&] { Timeline(network, "--events", events); });
        NS_TEST_EXPECT_MSG_EQ(text, "", events);
    }

    void DoRun() override
    {
        auto network = CreateObject<Network>();
        network->SetTopology("single-switch:Hosts=4");
        network->SetScheme("tcp");
        network->Build();
        Expect(*network, "2ms join tenant=A", "no tenants");
        network->Dispose();

        network = CreateObject<Network>();
        network->SetTopology("single-switch:Hosts=4");
        network->SetScheme("tcp");
        network->SetTenants("list:Of={tenant A hosts=0,1; tenant B hosts=2,3}");
        network->Build();
        Expect(*network, "2ms join tenant=C", "tenants are A, B");
        Expect(*network, "2ms join tenant=A; 3ms join tenant=A", "changes nothing");
        Expect(*network, "2ms leave tenant=A; 3ms leave tenant=A", "changes nothing at 0.003s");
        Expect(*network, "2ms leave tenant=A; 3ms join tenant=A; 4ms join tenant=A", "at 0.004s");
        ExpectGood(*network, "2ms join tenant=A; 5ms leave tenant=A; 8ms join tenant=A");
        Expect(*network, "2ms rate tenant=A limit=2", "unit");
        Expect(*network, "2ms rate tenant=A", "rate needs limit=");
        Expect(*network, "2ms rate tenant=A limit=2Gbps", "scheme tcp keeps no limits of tenants");
        Expect(*network, "2ms weight tenant=A", "weight needs value=");
        Expect(*network, "2ms hose tenant=A send=2Gbps", "hose needs receive=");
        Expect(*network, "2ms weight tenant=A value=0", "0");
        Expect(*network,
               "2ms rate class=A limit=2Gbps",
               "the scheme has no traffic classes with limits");
        network->Dispose();

        // Host links of 10 Gbps: what is guaranteed at any time must fit.
        network = CreateObject<Network>();
        network->SetTopology("single-switch:Hosts=4,HostRate=10Gbps");
        network->SetScheme("tcp");
        network->SetTenants(
            "list:Of={tenant A hosts=0,1 hose=4Gbps; tenant B hosts=0,1 hose=4Gbps; "
            "tenant C hosts=2,3 joins=1ms; tenant D hosts=2,3 leaves=6ms}");
        network->Build();
        ExpectGood(*network, "2ms hose tenant=A send=6Gbps receive=6Gbps");
        Expect(*network,
               "2ms hose tenant=A send=7Gbps receive=7Gbps",
               "--events 0.002s hose = '11 Gbps guaranteed over the link from host0:0 to");
        ExpectGood(*network,
                   "2ms hose tenant=A send=7Gbps receive=7Gbps; 1ms hose tenant=B send=3Gbps "
                   "receive=3Gbps");
        Expect(*network,
               "2ms hose tenant=A send=7Gbps receive=7Gbps; 3ms hose tenant=B send=3Gbps "
               "receive=3Gbps",
               "0.002s hose");
        Expect(*network, "2ms join tenant=C", "in one place");
        Expect(*network, "2ms leave tenant=C", "in one place");
        Expect(*network, "8ms join tenant=D", "in one place");
        network->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup schemes-tests
 * @brief Flows that name no VM pair belong to that of their hosts.
 */
class PairOfHostsTestCase : public TestCase
{
  public:
    PairOfHostsTestCase()
        : TestCase("flows between hosts are of tenants")
    {
    }

  private:
    /// @brief Pairs of flows, in the order of starting.
    struct Observer : public FlowObserver
    {
        void FlowStarted(const FlowRecord& record) override
        {
            pairs.push_back(record.request.pair);
        }

        std::vector<uint32_t> pairs; //!< 0: none
    };

    void DoRun() override
    {
        auto network = CreateObject<Network>();
        network->SetTopology("single-switch:Hosts=5");
        network->SetScheme("tcp");
        network->SetTenants("list:Of={tenant A hosts=0,1; tenant B hosts=0-3}");
        network->Build();
        TenantTable& table = *network->GetTenants(); // VMs 0 and 1 are of A, 2 to 5 of B
        const PairId named = table.GetPair(4, 5);
        Observer observer;
        network->GetTransports()->AddObserver(&observer);
        const auto start = [&](uint32_t source, uint32_t destination, uint32_t pair) {
            network->GetTransports()->StartFlow(
                {.source = source, .destination = destination, .bytes = 1000, .pair = pair});
        };
        start(0, 1, 0);
        start(1, 0, 0);
        start(3, 0, 0);
        start(0, 4, 0);
        start(0, 1, named + 1);
        const PairId ofA = table.GetPair(0, 1);
        const std::vector<uint32_t> expected{ofA + 1,
                                             TenantTable::Reverse(ofA) + 1,
                                             table.GetPair(5, 2) + 1,
                                             0,
                                             named + 1};
        NS_TEST_EXPECT_MSG_EQ((observer.pairs == expected), true, "pairs");
        network->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup schemes-tests
 * @brief The suite.
 */
class TenantEventsTestSuite : public TestSuite
{
  public:
    TenantEventsTestSuite()
        : TestSuite("tenant-events", Type::UNIT)
    {
        AddTestCase(new TenantEventsTestCase, Duration::QUICK);
        AddTestCase(new TenantComesBackTestCase("3ms leave tenant=A; 5ms join tenant=A; "
                                                "4ms leave tenant=B; 6ms join tenant=B",
                                                "###..######.....#...",
                                                8),
                    Duration::QUICK);
        AddTestCase(new TenantComesBackTestCase("1ms join tenant=A; 3ms leave tenant=A; "
                                                "7ms join tenant=A; 6ms join tenant=B",
                                                ".##....###......#...",
                                                6),
                    Duration::QUICK);
        AddTestCase(new TenantEventErrorsTestCase, Duration::QUICK);
        AddTestCase(new PairOfHostsTestCase, Duration::QUICK);
    }
};

static TenantEventsTestSuite g_tenantEventsTestSuite; //!< the suite
