/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/afq-testbed-topology.h"
#include "ns3/fabric.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <tuple>

using namespace ns3;

/**
 * @ingroup afq-tests
 * @brief The testbed: what is connected, how far it is, and that flows use both links.
 */
class AfqTestbedTopologyTestCase : public TestCase
{
  public:
    AfqTestbedTopologyTestCase()
        : TestCase("wiring and round trip")
    {
    }

  private:
    void DoRun() override
    {
        const auto fabric = CreateObject<Fabric>();
        CreateObject<AfqTestbedTopology>()->AddTo(*fabric);
        fabric->Build();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNHosts(), 8, "4 clients and 4 servers");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNSwitches(), 3, "two switches and the prototype");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNLinks(), 8 + 4, "the prototype has 4 ports");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetCapacity("box-tor"),
                              DataRate("40Gbps"),
                              "20 Gbit/s towards the clients, as much towards the servers");

        // Every client reaches every server across the prototype, 1500 B there and 40 B back in
        // 200 us within 5 %.
        for (uint32_t client = 0; client < 4; ++client)
        {
            for (uint32_t server = 4; server < 8; ++server)
            {
                Time rtt;
                bool crosses = false;
                for (const auto& [from, to, bytes] :
                     {std::tuple{client, server, 1500}, std::tuple{server, client, 40}})
                {
                    for (const FabricPort* port : fabric->GetPath(from, to))
                    {
                        const auto& link = port->GetDescription();
                        rtt += link.delay + link.rate.CalculateBytesTxTime(bytes);
                        crosses = crosses || link.role == "box-tor";
                    }
                }
                NS_TEST_EXPECT_MSG_EQ(crosses, true, "across the prototype");
                NS_TEST_EXPECT_MSG_EQ_TOL(rtt, MicroSeconds(200), MicroSeconds(10), "round trip");
            }
        }
        fabric->Dispose();
        Simulator::Destroy();

        const auto other = CreateObject<Fabric>();
        CreateObjectWithAttributes<AfqTestbedTopology>("Clients",
                                                       UintegerValue(6),
                                                       "Servers",
                                                       UintegerValue(3),
                                                       "Links",
                                                       UintegerValue(4))
            ->AddTo(*other);
        other->Build();
        NS_TEST_EXPECT_MSG_EQ(other->GetNHosts(), 9, "6 clients and 3 servers");
        NS_TEST_EXPECT_MSG_EQ(other->GetNLinks(), 9 + 8, "a prototype of 8 ports");
        NS_TEST_EXPECT_MSG_EQ(other->GetPath(5, 6).size(), 4, "the first server follows");
        other->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup afq-tests
 * @brief The testbed.
 */
class AfqTestbedTopologyTestSuite : public TestSuite
{
  public:
    AfqTestbedTopologyTestSuite()
        : TestSuite("afq-testbed-topology", Type::UNIT)
    {
        AddTestCase(new AfqTestbedTopologyTestCase);
    }
};

static AfqTestbedTopologyTestSuite g_afqTestbedTopologyTestSuite; //!< the suite
