/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/network.h"
#include "ns3/simulator.h"
#include "ns3/tenant-workloads.h"
#include "ns3/test.h"
#include "ns3/timeline.h"

#include <map>
#include <string>
#include <vector>

using namespace ns3;

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
    /// @brief When each tenant had something delivered.
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
    static Ptr<Network> MakeNetwork()
    {
        auto network = CreateObject<Network>();
        network->SetTopology("single-switch:Hosts=4");
        network->SetScheme("tcp");
        network->SetTenants("list:Of={tenant A hosts=0-3 workload=permutation:Shift=1,Bytes=0; "
                            "tenant B hosts=0-3 workload=permutation:Shift=2,Bytes=0; "
                            "tenant C hosts=0-3 hose=1Gbps workload=permutation:Shift=1,Bytes=0}");
        network->Build();
        return network;
    }

    void DoRun() override
    {
        const auto network = MakeNetwork();
        const TenantTable& table = *network->GetTenants();
        Timeline timeline(*network,
                          "--events",
                          "2ms join tenant=B; 3ms leave tenant=A; 4ms rate tenant=C limit=2Gbps; "
                          "4ms hose tenant=C send=3Gbps receive=4Gbps; 5ms weight tenant=C value=2;"
                          "5ms leave tenant=B");
        timeline.Start();
        Observer observer;
        network->GetTransports()->AddObserver(&observer);
        auto workloads = CreateObject<TenantWorkloads>();
        workloads->SetTenants(network->GetTenants(), [](const std::string&) { return 0; });
        workloads->AssignStreams(1);
        workloads->Start(network->GetTransports(), {0, 1, 2, 3});
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
 * @brief What cannot happen to a tenant is one line.
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
        Expect(*network, "2ms rate tenant=A limit=2", "unit");
        Expect(*network, "2ms weight tenant=A value=0", "0");
        Expect(*network,
               "2ms rate class=A limit=2Gbps",
               "the scheme has no traffic classes with limits");
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
        AddTestCase(new TenantEventErrorsTestCase, Duration::QUICK);
        AddTestCase(new PairOfHostsTestCase, Duration::QUICK);
    }
};

static TenantEventsTestSuite g_tenantEventsTestSuite; //!< the suite
