/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/network.h"
#include "ns3/rates-recorder.h"
#include "ns3/recorder-list.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <string>

using namespace ns3;

namespace
{

/**
 * @brief A network of two hosts at one switch.
 * @return the network, built
 */
Ptr<Network>
MakeStar()
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
        const auto network = MakeStar();
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
 * @brief What cannot be recorded is refused in one line.
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
        Expect("queues:Ports=switch0:7", "a switch's port");
        Expect("pcap:Ports=bogus", "a port, such as host0:0");
    }

    /**
     * @param specs what the user asks for
     * @param words what the error says
     */
    void Expect(const std::string& specs, const std::string& words)
    {
        const auto network = MakeStar();
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
    }
};

static RecorderListTestSuite g_recorderListTestSuite; //!< Static variable for test initialization
