/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/link-use.h"
#include "ns3/network.h"
#include "ns3/rates-recorder.h"
#include "ns3/recorder-list.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>

using namespace ns3;

namespace
{

/**
 * @brief A network of two hosts at one switch.
 * @return the network, built
 */
Ptr<Network>
CreateStar()
{
    auto network = CreateObject<Network>();
    network->SetTopology("single-switch:Hosts=2,HostRate=10Gbps");
    network->SetScheme("tcp");
    network->Build();
    return network;
}

} // namespace

/**
 * @ingroup scenario-tests
 * @brief Recorders of a run: those of the program with the user's attributes, and the user's own.
 */
class RecorderListTestCase : public TestCase
{
  public:
    RecorderListTestCase()
        : TestCase("what is recorded")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = CreateStar();
        RecorderList recorders;
        recorders.Request("--record", "rates:Bin=20us; flows:From=10us");
        const auto rates = StaticCast<RatesRecorder>(recorders.Add("rates", {{"Bin", "1ms"}}));
        NS_TEST_EXPECT_MSG_EQ(rates->GetBin(), MicroSeconds(20), "the user's word counts");
        const auto drops = recorders.Add("drops");
        NS_TEST_ASSERT_MSG_NE(drops, nullptr, "whether the user asks for it or not");
        recorders.Attach(*network, {Time(0), MicroSeconds(500)});
        const auto transports = network->GetTransports();
        for (const Time& start : {MicroSeconds(5), MicroSeconds(10), MicroSeconds(600)})
        {
            Simulator::Schedule(start, [transports] {
                transports->StartFlow({.source = 0, .destination = 1, .bytes = 15'000});
            });
        }
        recorders.Start("");
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();

        Results results;
        recorders.ReportResults(results);
        const auto totals = TotalsByName(results);
        NS_TEST_EXPECT_MSG_EQ(totals.at("flows_finished"),
                              1,
                              "From of the user, To of the program");
        NS_TEST_EXPECT_MSG_EQ(totals.at("flows_excluded"), 2, "the others");
        NS_TEST_EXPECT_MSG_EQ(totals.at("dropped_packets"), 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(results.GetRows()[0].source.kind, "recorder", "who reports");
        NS_TEST_EXPECT_MSG_EQ(results.GetRows()[0].source.name, "drops", "in order of being made");
        double received = 0;
        for (std::size_t bin = 0; bin < 50; ++bin)
        {
            received += rates->GetRates().GetRate(0, bin) * 20e-6 / 8;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(received, 45'000, 1e-6, "over the whole run");

        recorders.Dispose();
        network->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup scenario-tests
 * @brief A recorder that cannot be used is refused in one line.
 */
class BadRecorderTestCase : public TestCase
{
  public:
    BadRecorderTestCase()
        : TestCase("recorders that are refused")
    {
    }

  private:
    void DoRun() override
    {
        Expect("bogus", "no recorder is called 'bogus', only ");
        Expect("flows;flows:From=1ms", "there can be one recorder flows");
        Expect("flows;;drops", "");
        Expect("queues:Interval=0s", "at least");
        Expect("queues:Ports=switch0:7", "a port of a switch or host");
        Expect("flow-states:Flows=0", "flows are counted from 1");
        Expect("flow-states:Flows=(1,b)", "flow-states:Flows");
        Expect("pcap:Ports=bogus", "a port or a host, such as host0:0");
    }

    /**
     * @param specs specifications as the user writes them
     * @param words texts that the error contains
     */
    void Expect(const std::string& specs, const std::string& words)
    {
        const auto network = CreateStar();
        const std::string error = ErrorText([&] {
            RecorderList recorders;
            recorders.Request("--record", specs);
            recorders.Attach(*network, {});
        });
        NS_TEST_EXPECT_MSG_NE(error, "", specs << " is refused");
        NS_TEST_EXPECT_MSG_NE(error.find(words), std::string::npos, specs << ": " << error);
        network->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup scenario-tests
 * @brief A link is never more than busy, and what left one port is on the link or at the next.
 */
class LinkUseTestCase : public TestCase
{
  public:
    LinkUseTestCase()
        : TestCase("time and packets on a link")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = CreateStar();
        const auto fabric = network->GetFabric();
        FabricPort& first = fabric->GetHost(0).GetNicPort();
        const FabricPort& second = fabric->GetSwitch(0).GetPort(1);
        const auto use = LinkUse::Watch(first);
        const auto transports = network->GetTransports();
        Simulator::ScheduleNow([transports] {
            transports->StartFlow({.source = 0, .destination = 1, .bytes = 1'000'000});
        });
        Time before;
        for (int64_t sample = 1; sample <= 2000; ++sample)
        {
            Simulator::Stop(NanoSeconds(501));
            Simulator::Run();
            const Time busy = use->GetBusyTime();
            NS_TEST_EXPECT_MSG_LT_OR_EQ(busy - before, NanoSeconds(501), "no more than busy");
            before = busy;
            const uint64_t arrived = second.GetTxPackets() + second.GetWaitingPackets();
            const uint64_t underWay = first.GetTxPackets() - arrived;
            NS_TEST_EXPECT_MSG_GT_OR_EQ(underWay, use->GetOnLink(), "all that is on the link");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(underWay,
                                        use->GetOnLink() + use->GetArriving(),
                                        "and nothing else");
            m_mostOnLink = std::max(m_mostOnLink, use->GetOnLink());
        }
        NS_TEST_EXPECT_MSG_EQ(use->GetOnLink(), 0, "all has arrived");
        NS_TEST_EXPECT_MSG_EQ_TOL(before.GetSeconds(),
                                  first.GetTxBytes() * 8 / 10e9,
                                  1e-9,
                                  "the time that all bytes take");
        NS_TEST_EXPECT_MSG_GT(m_mostOnLink, 0, "something was on the link");
        network->Dispose();
        Simulator::Destroy();
    }

    uint64_t m_mostOnLink{0}; //!< at any sample
};

/**
 * @ingroup scenario-tests
 * @brief Tests of RecorderList and the recorders.
 */
class RecorderListTestSuite : public TestSuite
{
  public:
    RecorderListTestSuite()
        : TestSuite("recorder-list", Type::UNIT)
    {
        AddTestCase(new RecorderListTestCase, Duration::QUICK);
        AddTestCase(new BadRecorderTestCase, Duration::QUICK);
        AddTestCase(new LinkUseTestCase, Duration::QUICK);
    }
};

static RecorderListTestSuite g_recorderListTestSuite; //!< Static variable for test initialization
