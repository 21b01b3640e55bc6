/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-test.h"

#include "ns3/pair-report.h"
#include "ns3/window-channel.h"

#include <vector>

using namespace ns3;

namespace
{

/// Around one switch, 10 Gbit/s and 5 us: a packet of 1500 bytes there, a report of 46 bytes back.
constexpr double RTT = 2 * (1200 + 5000) + 2 * (37 + 5000); // ns

} // namespace

/**
 * @ingroup edge-tests
 * @brief A pair with window W and round-trip time T sends at W / T.
 */
class WindowRateTestCase : public EdgeTestCase
{
  public:
    WindowRateTestCase()
        : EdgeTestCase("the rate of a window, above and below one packet")
    {
    }

  private:
    /**
     * @brief Rate of a backlogged pair.
     * @param window in bytes
     * @param baseRtt as the controller knows it, in ns
     * @return bytes per ns
     */
    double Measure(const std::string& window, const std::string& baseRtt)
    {
        EdgeTestNetwork network("window:ChannelSize=100000p,Window=" + window +
                                ",BaseRtt=" + baseRtt);
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1));
        network.Build();
        for (int i = 0; i < 10000; ++i)
        {
            network.Send(pair);
        }
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const uint64_t before = network.received[pair + 1];
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.edge->GetReportStatistics().stale, 0, "reports in order");
        auto* channel = static_cast<WindowChannel*>(network.edge->FindChannel(pair));
        NS_TEST_EXPECT_MSG_EQ(channel->GetLostBytes(), 0, "nothing is lost");
        return static_cast<double>(network.received[pair + 1] - before) / 5e6;
    }

    void Check() override
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("1500", "22474ns"), 1500 / RTT, 0.002, "one packet");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("4500", "22474ns"), 4500 / RTT, 0.004, "three packets");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("15000", "22474ns"), 15000 / RTT, 0.01, "ten packets");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("60000", "22474ns"), 1.25, 0.001, "the link's rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("2036", "22474ns"),
                                  1500 / RTT,
                                  0.002,
                                  "no room for a second packet");
        // Below one packet: one every size * T / W, here 48 us (uFAB Section 3.4).
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("750", "24us"), 1500.0 / 48000, 0.0004, "half a packet");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("300", "24us"), 1500.0 / 120000, 0.0004, "a fifth");
        NS_TEST_EXPECT_MSG_EQ(Measure("1", "24us"), 0, "a packet every 36 ms");
    }
};

/**
 * @ingroup edge-tests
 * @brief The delay that a paced item may catch up.
 */
class PacedWindowTestCase : public TestCase
{
  public:
    PacedWindowTestCase()
        : TestCase("a paced window catches up what others of its host took")
    {
    }

  private:
    /**
     * @brief The release times of the items behind one that leaves late.
     * @param late its delay, in ns
     * @param more true if others wait behind it all the time
     * @return times from then on, in ns
     */
    static std::vector<int64_t> SendLate(int64_t late, bool more)
    {
        // A packet of 1500 bytes each 2400 ns.
        SendWindow window(15000, NanoSeconds(24000), MicroSeconds(192), true);
        constexpr int64_t BEGIN = 1'000'000;
        window.Charge(1500, BEGIN, more);
        NS_ABORT_UNLESS(window.GetReleaseTime(1500, BEGIN) == BEGIN + 2400);
        int64_t now = BEGIN + 2400 + late;
        const int64_t begin = now;
        std::vector<int64_t> times;
        uint64_t received = 1500;
        for (int i = 0; i < 12; ++i)
        {
            window.Charge(1500, now, more);
            window.Acknowledge(received, now);
            received += 1500;
            now = window.GetReleaseTime(1500, now);
            times.push_back(now - begin);
        }
        return times;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(SendLate(0, true)[0], 2400, "in time: a gap");
        NS_TEST_EXPECT_MSG_EQ(SendLate(1000, true)[0], 1400, "sooner by what it was late");
        NS_TEST_EXPECT_MSG_EQ(SendLate(1000, false)[0], 1400, "within a gap in any case");
        NS_TEST_EXPECT_MSG_EQ(SendLate(2401, false)[0], 2400, "nothing is saved up without need");
        const auto others = SendLate(4000, true);
        NS_TEST_EXPECT_MSG_EQ(others[0], 0, "another at once");
        NS_TEST_EXPECT_MSG_EQ(others[1], 800, "then in time");
        NS_TEST_EXPECT_MSG_EQ(others[2], 3200, "then in time");
        const auto longer = SendLate(1'000'000, true);
        NS_TEST_EXPECT_MSG_EQ(longer[1], 0, "two more at once");
        NS_TEST_EXPECT_MSG_EQ(longer[2], 2400, "and no more than that");

        // It was its own window that held it.
        SendWindow full(1500, NanoSeconds(2400), MicroSeconds(192), true);
        full.Charge(1500, 0, true);
        NS_TEST_EXPECT_MSG_GT(full.GetReleaseTime(1500, 2400), 2400, "full");
        full.Acknowledge(1500, 20000);
        full.Charge(1500, 20000, true);
        full.Acknowledge(3000, 20000);
        NS_TEST_EXPECT_MSG_EQ(full.GetReleaseTime(1500, 20000), 22400, "nothing to catch up");
    }
};

/**
 * @ingroup edge-tests
 * @brief Bytes under way, lost, and found again.
 */
class InFlightTestCase : public EdgeTestCase
{
  public:
    InFlightTestCase()
        : EdgeTestCase("bytes under way with lost packets and late reports")
    {
    }

  private:
    /// @brief A channel by hand.
    class Channel : public WindowChannel
    {
      public:
        Channel()
            : WindowChannel(QueueLimit(), 4000, MicroSeconds(24), MicroSeconds(192))
        {
        }

        void Put(uint32_t packets)
        {
            for (uint32_t i = 0; i < packets; ++i)
            {
                FabricItem* item = FabricItem::Create();
                item->size = 1000;
                Enqueue(item, 0);
            }
        }

        uint32_t Take(int64_t now)
        {
            uint32_t packets = 0;
            while (m_queues.Front() && GetReleaseTime(now) <= now)
            {
                Dequeue(now)->Release();
                ++packets;
            }
            return packets;
        }

        /// @brief Report the bytes that the other end received, and those that had left with the
        /// last of them.
        void Report(uint64_t bytes, int64_t now, uint64_t end = 0, int64_t time = 0)
        {
            PairReport report;
            report.bytes = bytes;
            report.extra[0] = end;
            report.extra[1] = static_cast<uint64_t>(time);
            OnReport(report, now);
        }

        void OnAcknowledged(uint64_t bytes, int64_t rtt, int64_t /* now */) override
        {
            acknowledged += bytes;
            lastRtt = rtt;
        }

        uint64_t acknowledged{0}; //!< as told
        int64_t lastRtt{0};       //!< as told
    };

    void Check() override
    {
        CheckAsking();
        CheckTimeouts();
        CheckStamps();
        CheckLongFlow();
    }

    /// @brief Stamps tell at once what was lost while others go on.
    void CheckStamps()
    {
        Channel channel;
        channel.Put(20);
        NS_TEST_EXPECT_MSG_EQ(channel.Take(1000), 4, "a window");
        channel.Report(1000, 25000, 1000, 1000);
        channel.Report(2000, 27000, 3000, 2500); // the second packet did not come
        NS_TEST_EXPECT_MSG_EQ(channel.lastRtt, 24500, "round-trip time by the stamp");
        NS_TEST_EXPECT_MSG_EQ(channel.GetLostBytes(), 1000, "known at once");
        NS_TEST_EXPECT_MSG_EQ(channel.GetInFlight(27000), 1000, "the fourth");
        channel.Report(3000, 28000, 3000, 1000); // it was late
        NS_TEST_EXPECT_MSG_EQ(channel.GetLostBytes(), 0, "found again");
        NS_TEST_EXPECT_MSG_EQ(channel.GetInFlight(28000), 1000, "the fourth");
        NS_TEST_EXPECT_MSG_EQ(channel.Take(28000), 3, "room for three");
        NS_TEST_EXPECT_MSG_EQ(channel.GetInFlight(193000), 3000, "the fourth is given up");
        channel.Report(6000, 230000, 7000, 28000);
        NS_TEST_EXPECT_MSG_EQ(channel.GetLostBytes(), 1000, "the fourth");
        NS_TEST_EXPECT_MSG_EQ(channel.GetInFlight(230000), 0, "all are settled");
    }

    /// @brief The losses of a long flow do not fill its window.
    void CheckLongFlow()
    {
        Channel channel;
        channel.Put(1004);
        uint64_t sent = 1000 * channel.Take(0);
        uint64_t received = 0;
        for (uint64_t packet = 1; packet <= 1000; ++packet) // every tenth is lost
        {
            const auto now = static_cast<int64_t>(6000 * (packet + 3));
            if (packet % 10 == 0)
            {
                continue;
            }
            received += 1000;
            channel.Report(received, now, 1000 * packet, now - 24000);
            sent += 1000 * channel.Take(now);
            NS_TEST_EXPECT_MSG_EQ(channel.GetInFlight(now), sent - 1000 * packet, "true");
        }
        NS_TEST_EXPECT_MSG_EQ(channel.GetLostBytes(), 99000, "all but the last, unknown as yet");
    }

    /// @brief A recorder may ask at any time what is under way: it changes nothing.
    void CheckAsking()
    {
        SendWindow asked(4000, MicroSeconds(24), MicroSeconds(192));
        SendWindow other(4000, MicroSeconds(24), MicroSeconds(192));
        for (SendWindow* window : {&asked, &other})
        {
            window->Charge(1000, 1000);
            window->Charge(1000, 2000);
        }
        const int64_t late = MicroSeconds(193).GetTimeStep() + 1000;
        NS_TEST_EXPECT_MSG_EQ(asked.GetInFlight(2000), 2000, "both");
        NS_TEST_EXPECT_MSG_EQ(asked.GetInFlight(late), 0, "neither was reported in time");
        for (SendWindow* window : {&asked, &other})
        {
            NS_TEST_EXPECT_MSG_EQ(window->GetLostBytes(), 0, "nobody wants to send");
            window->Acknowledge(1000, late);
            NS_TEST_EXPECT_MSG_EQ(window->GetLostBytes(), 0, "nobody wants to send");
        }
    }

    void CheckTimeouts()
    {
        Channel channel;
        channel.Put(20);
        NS_TEST_EXPECT_MSG_EQ(channel.Take(1000), 4, "a window");
        NS_TEST_EXPECT_MSG_EQ(channel.GetReleaseTime(1000), 193000, "not before it counts as lost");
        channel.Report(1000, 25000);
        NS_TEST_EXPECT_MSG_EQ(channel.lastRtt, 24000, "round-trip time");
        NS_TEST_EXPECT_MSG_EQ(channel.Take(25000), 1, "room for one");
        // The second packet is lost; the third and fourth are reported.
        channel.Report(2000, 26000);
        channel.Report(3000, 27000);
        NS_TEST_EXPECT_MSG_EQ(channel.Take(27000), 2, "room for two");
        NS_TEST_EXPECT_MSG_EQ(channel.GetInFlight(192999), 4000, "the lost one still counts");
        NS_TEST_EXPECT_MSG_EQ(channel.GetReleaseTime(192999), 193000, "until its timeout");
        NS_TEST_EXPECT_MSG_EQ(channel.GetInFlight(193000), 3000, "given up after a timeout");
        NS_TEST_EXPECT_MSG_EQ(channel.GetLostBytes(), 1000, "given up after a timeout");
        NS_TEST_EXPECT_MSG_EQ(channel.Take(193000), 1, "its room is free");
        // Three packets of 25 and 27 us are given up, then they are reported after all.
        NS_TEST_EXPECT_MSG_EQ(channel.GetInFlight(219000), 1000, "given up");
        NS_TEST_EXPECT_MSG_EQ(channel.GetLostBytes(), 4000, "given up");
        channel.Report(7000, 220000); // all but the one that was lost
        NS_TEST_EXPECT_MSG_EQ(channel.GetLostBytes(), 1000, "found again");
        NS_TEST_EXPECT_MSG_EQ(channel.GetInFlight(220000), 0, "all came");
        channel.Report(6000, 221000);
        NS_TEST_EXPECT_MSG_EQ(channel.GetInFlight(221000), 0, "an old report says nothing");
        NS_TEST_EXPECT_MSG_EQ(channel.acknowledged, 7000, "told once");
        channel.SetWindow(500);
        NS_TEST_EXPECT_MSG_EQ(channel.GetReleaseTime(221000),
                              241000,
                              "1000 * 24 us / 500 after the last");
        channel.SetWindow(0);
        NS_TEST_EXPECT_MSG_EQ(channel.GetReleaseTime(221000), PairChannel::NEVER, "no window");
    }
};

/**
 * @ingroup edge-tests
 * @brief A pair gets over lost data and lost reports.
 */
class WindowLossTestCase : public EdgeTestCase
{
  public:
    WindowLossTestCase()
        : EdgeTestCase("windows survive what the network loses")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("window:ChannelSize=100000p,Window=6000");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1));
        network.Build();
        for (int i = 0; i < 1000; ++i)
        {
            network.Send(pair);
        }
        // The receiver's link fails: data on it is lost and so are reports.
        Simulator::Schedule(MicroSeconds(100), [&network] { network.fabric->SetLinkUp(1, false); });
        Simulator::Schedule(MicroSeconds(300), [&network] { network.fabric->SetLinkUp(1, true); });
        Simulator::Run(); // ends: everything has left
        auto* channel = static_cast<WindowChannel*>(network.edge->FindChannel(pair));
        NS_TEST_EXPECT_MSG_EQ(channel->GetStatistics().sentPackets, 1000, "all left");
        const uint64_t missing = 1500 * 1000 - network.received[pair + 1];
        NS_TEST_EXPECT_MSG_GT(missing, 0, "some were lost");
        NS_TEST_EXPECT_MSG_LT(missing, 30000, "few were lost: the window closed");
        NS_TEST_EXPECT_MSG_EQ(channel->GetInFlight(Simulator::Now().GetTimeStep() + 1000000),
                              0,
                              "the window does not leak");
        NS_TEST_EXPECT_MSG_EQ(channel->GetLostBytes(), missing, "what was lost is known");
    }
};

/**
 * @ingroup edge-tests
 * @brief Channels with a window.
 */
class WindowChannelTestSuite : public TestSuite
{
  public:
    WindowChannelTestSuite()
        : TestSuite("window-channel", Type::UNIT)
    {
        AddTestCase(new WindowRateTestCase, Duration::QUICK);
        AddTestCase(new PacedWindowTestCase, Duration::QUICK);
        AddTestCase(new InFlightTestCase, Duration::QUICK);
        AddTestCase(new WindowLossTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static WindowChannelTestSuite g_windowChannelTestSuite;
