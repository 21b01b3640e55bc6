/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reliable-test.h"

#include "ns3/hpcc-transport.h"
#include "ns3/input-error.h"
#include "ns3/test.h"

#include <algorithm>
#include <numeric>

using namespace ns3;

namespace
{

constexpr double BDP = 162'500; //!< 100 Gbps for 13 us, in bytes

/// @brief eta, maxStage and T of the paper's simulations at 100 Gbps; W_AI of 80 bytes.
const HpccWindow::Parameters HPCC_NUMBERS{0.95, 5, 80, 13'000, BDP, 80};

/**
 * @brief Make the record of a link of 100 Gbps.
 * @param time in ns
 * @param sent bytes so far
 * @param queue in bytes
 * @return a path of this link
 */
HpccPath
MakePath(int64_t time, uint64_t sent, double queue)
{
    static const int port = 0;
    HpccPath path;
    path.hops = 1;
    path.links[0] = {&port, sent, time, queue, 12.5};
    return path;
}

} // namespace

/**
 * @ingroup transport-tests
 * @brief Algorithm 1 in numbers worked by hand.
 */
class HpccWindowTestCase : public TestCase
{
  public:
    HpccWindowTestCase()
        : TestCase("windows by utilization")
    {
    }

  private:
    void DoRun() override
    {
        HpccWindow window(HPCC_NUMBERS);
        window.HandleAcknowledged(MakePath(0, 0, 0), true);
        NS_TEST_EXPECT_MSG_EQ(window.GetWindow(), BDP, "nothing to compare with yet");
        // The link is full and has a queue of a fifth of a BDP: U = 1.2.
        window.HandleAcknowledged(MakePath(13'000, 162'500, 32'500), true);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetUtilization(), 1, 1e-9, "the lesser queue counts");
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), BDP * 0.95 + 80, 1e-6, "W / (U / eta)");
        window.HandleAcknowledged(MakePath(26'000, 325'000, 32'500), false);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetUtilization(), 1.2, 1e-9, "rate and queue");
        const double reference = BDP * 0.95 + 80;
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(),
                                  reference * 0.95 / 1.2 + 80,
                                  1e-6,
                                  "from the reference, which stays");
        // Half used: additions five times, then the window is multiplied.
        uint64_t sent = 325'000;
        int64_t time = 26'000;
        for (int round = 1; round <= 5; ++round)
        {
            window.HandleAcknowledged(MakePath(time += 13'000, sent += 81'250, 0), true);
            NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(),
                                      reference + 80 * round,
                                      1e-6,
                                      "addition " << round);
        }
        HpccWindow small({0.95, 0, 80, 13'000, BDP, 80});
        small.HandleAcknowledged(MakePath(0, 0, 0), true);
        small.HandleAcknowledged(MakePath(13'000, 325'000, 0), true); // U = 2
        const double half = BDP * 0.475 + 80;
        NS_TEST_EXPECT_MSG_EQ_TOL(small.GetWindow(), half, 1e-6, "at once");
        small.HandleAcknowledged(MakePath(26'000, 406'250, 0), true); // U = 0.5
        NS_TEST_EXPECT_MSG_EQ_TOL(small.GetWindow(), half * 1.9 + 80, 1e-6, "and back");
        // An interval of a quarter of T changes U by a quarter.
        small.HandleAcknowledged(MakePath(29'250, 406'250 + 40'625, 0), false);
        NS_TEST_EXPECT_MSG_EQ_TOL(small.GetUtilization(), 0.625, 1e-9, "smoothed over T");
    }
};

/**
 * @ingroup transport-tests
 * @brief Flows to one host: the link at eta, next to no queue, shares that become fair.
 */
class HpccSharesTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param flows number of flows
     * @param utilization eta
     */
    explicit HpccSharesTestCase(uint32_t flows, const std::string& utilization = "0.95")
        : TestCase(std::to_string(flows) + " flows: eta = " + utilization +
                   ", and next to no queue"),
          m_flows(flows),
          m_utilization(utilization)
    {
    }

  private:
    void DoRun() override
    {
        ReliableStar star("hpcc:ConcurrentFlows=8,Utilization=" + m_utilization, m_flows + 1);
        for (uint32_t source = 1; source <= m_flows; ++source)
        {
            Simulator::Schedule(MicroSeconds(50 * source),
                                [&star, source] { star.Send(source, 0, 0); });
        }
        star.Run(MilliSeconds(20));
        star.delivered.clear();
        double queue = 0;
        constexpr uint32_t SAMPLES = 1000;
        for (uint32_t i = 0; i < SAMPLES; ++i)
        {
            star.Run(NanoSeconds(10'100));
            queue += star.fabric->GetSwitch(0).GetPort(0).GetWaitingBytes();
        }
        const double seconds = 10'100e-9 * SAMPLES;
        double sum = 0;
        double squares = 0;
        for (const auto& [flow, bytes] : star.delivered)
        {
            const double rate = 8 * static_cast<double>(bytes) / seconds;
            sum += rate;
            squares += rate * rate;
        }
        // A base RTT is 6.6 us: with a BDP of 6 packets, whole packets cost some per cent.
        NS_TEST_EXPECT_MSG_EQ_TOL(sum,
                                  std::stod(m_utilization) * 10e9 * 1418 / 1500,
                                  0.05 * 10e9,
                                  "eta of the link");
        NS_TEST_EXPECT_MSG_GT(sum * sum / (m_flows * squares), 0.95, "fair");
        NS_TEST_EXPECT_MSG_LT(queue / SAMPLES, 3000, "less than two packets wait");
    }

    uint32_t m_flows;          //!< number of flows
    std::string m_utilization; //!< eta
};

/**
 * @ingroup transport-tests
 * @brief 16 flows start at once at line rate: what they send in the first RTT waits, and no more.
 */
class HpccIncastTestCase : public TestCase
{
  public:
    HpccIncastTestCase()
        : TestCase("16 to 1: the first windows wait, and are gone soon")
    {
    }

  private:
    void DoRun() override
    {
        ReliableStar star("hpcc", 17);
        std::vector<FlowId> flows;
        for (uint32_t source = 1; source <= 16; ++source)
        {
            flows.push_back(star.Send(source, 0, 0));
        }
        const double bdp = star.transport->GetBaseRtt(1, 0).GetSeconds() * 10e9 / 8;
        const auto& port = star.fabric->GetSwitch(0).GetPort(0);
        double most = 0;
        for (int i = 0; i < 100; ++i)
        {
            star.Run(MicroSeconds(1));
            most = std::max(most, static_cast<double>(port.GetWaitingBytes()));
        }
        NS_TEST_EXPECT_MSG_GT(most, 10 * bdp, "15 BDPs come too many");
        NS_TEST_EXPECT_MSG_LT(most, 16 * (bdp + 1500), "no more than the first windows");
        star.Run(MicroSeconds(400));
        NS_TEST_EXPECT_MSG_LT(port.GetWaitingBytes(), 2 * bdp, "drained");
        star.Run(MilliSeconds(5));
        for (const FlowId flow : flows)
        {
            const double window = star.transport->GetStates(flow).at(0).window.value();
            NS_TEST_EXPECT_MSG_LT(window, bdp / 8, "a part");
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief As many switches as a packet has room for, the narrow link behind the last: its queue is
 * told of. One more is refused.
 */
class HpccLongPathTestCase : public TestCase
{
  public:
    HpccLongPathTestCase()
        : TestCase("eight switches in a row, and nine")
    {
    }

  private:
    /**
     * @brief Send from one end of a chain of switches to the other.
     * @param switches number of switches
     * @return most bytes that waited before the narrow link after the start
     */
    static double Send(uint32_t switches)
    {
        auto fabric = CreateObject<Fabric>();
        fabric->SetTierNames({"host", "switch"});
        std::vector<Fabric::End> ends{fabric->AddHost()};
        for (uint32_t i = 0; i < switches; ++i)
        {
            ends.push_back(fabric->AddSwitch(1));
        }
        ends.push_back(fabric->AddHost());
        for (uint32_t i = 0; i + 1 < ends.size(); ++i)
        {
            const bool narrow = i + 2 == ends.size();
            fabric->Connect(ends[i],
                            ends[i + 1],
                            DataRate(narrow ? "1Gbps" : "10Gbps"),
                            MicroSeconds(1));
        }
        fabric->Build();
        auto transport = CreateObject<HpccTransport>();
        transport->Attach(fabric);
        transport->StartFlow({0, 1, 0});
        const FabricPort& port = *fabric->GetPath(0, 1).back();
        ReliableStar::Run(MilliSeconds(5));
        double most = 0;
        for (int i = 0; i < 1000; ++i)
        {
            ReliableStar::Run(MicroSeconds(7));
            most = std::max(most, static_cast<double>(port.GetWaitingBytes()));
        }
        transport->Dispose();
        Simulator::Destroy();
        fabric->Dispose();
        return most;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_LT(Send(HpccPath::MOST), 5 * 1500, "controlled");
        std::string message;
        try
        {
            Send(HpccPath::MOST + 1);
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(message,
                              "--topology = '9 switches from host 0 to host 1': at most 8, for "
                              "which a packet of HPCC has room",
                              "refused");
    }
};

/**
 * @ingroup transport-tests
 * @brief A window that may be multiplied at once comes back at once.
 */
class HpccRecoveryTestCase : public TestCase
{
  public:
    HpccRecoveryTestCase()
        : TestCase("rounds of addition until the window is multiplied")
    {
    }

  private:
    /**
     * @brief Bytes of a flow in the first 100 us after the one beside it stopped.
     * @param mostAdding attribute MostAdding
     * @return bytes
     */
    static uint64_t Measure(const std::string& mostAdding)
    {
        ReliableStar star("hpcc:MostAdding=" + mostAdding, 3);
        const FlowId stays = star.Send(1, 0, 0);
        const FlowId goes = star.Send(2, 0, 0);
        star.Run(MilliSeconds(5));
        star.transport->StopFlow(goes);
        star.delivered.clear();
        star.Run(MicroSeconds(100));
        return star.delivered[stays];
    }

    void DoRun() override
    {
        const uint64_t link = 1'250'000'000 / 10'000; // bytes in 100 us
        NS_TEST_EXPECT_MSG_GT(Measure("0"), 0.8 * link, "multiplied in the next round trip");
        NS_TEST_EXPECT_MSG_LT(Measure("1000"), 0.65 * link, "small steps only");
    }
};

/**
 * @ingroup transport-tests
 * @brief Tests of HpccWindow and HpccTransport.
 */
class HpccTransportTestSuite : public TestSuite
{
  public:
    HpccTransportTestSuite()
        : TestSuite("hpcc-transport", Type::UNIT)
    {
        AddTestCase(new HpccRecoveryTestCase);
        AddTestCase(new HpccWindowTestCase);
        AddTestCase(new HpccSharesTestCase(1));
        AddTestCase(new HpccSharesTestCase(2));
        AddTestCase(new HpccSharesTestCase(4));
        AddTestCase(new HpccSharesTestCase(1, "0.8"));
        AddTestCase(new HpccIncastTestCase);
        AddTestCase(new HpccLongPathTestCase);
        AddTestCase(new ReliableLossTestCase("hpcc"));
        AddTestCase(new ReliableHostDropTestCase("hpcc"));
        AddTestCase(new ReliableAcknowledgeTestCase("hpcc"));
        AddTestCase(new ReliableLossTestCase("hpcc:AcknowledgeEvery=16"));
        AddTestCase(new ReliableLossTestCase("hpcc:Recovery=GoBackN,ProcessingTime=1us"));
    }
};

static HpccTransportTestSuite g_hpccTransportTestSuite; //!< registers the suite
