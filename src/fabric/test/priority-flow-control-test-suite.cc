/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lossless-test.h"

#include "ns3/input-error.h"
#include "ns3/test.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @brief A change of what a port may send.
struct PauseEvent
{
    int64_t time;     //!< in ns
    std::string port; //!< name of the port
    int priorities;   //!< paused from then on

    bool operator==(const PauseEvent&) const = default;
};

/**
 * @brief Note all pauses.
 * @param network the network
 * @param [out] events takes the pauses
 */
void
RecordPauses(LosslessNetwork& network, std::vector<PauseEvent>& events)
{
    auto note = [&events](const FabricPort* port, uint8_t priorities) {
        events.push_back({DirectEvent::Now(), port->GetDescription().name, priorities});
    };
    network.flowControl->TraceConnectWithoutContext(
        "Paused",
        Callback<void, const FabricPort*, uint8_t>(note));
}

/**
 * @brief Two switches, with two hosts at the left one (0 and 1) and two at the right one (2 and 3).
 * All links have 1 Gbit/s but that of host 2.
 * @param delay of the link between the switches
 * @param slow rate of host 2's link
 * @param hosts delay of the hosts' links
 * @return a function that adds the network
 */
std::function<void(Fabric&)>
TwoSwitches(Time delay, const std::string& slow, Time hosts = Time(0))
{
    return [=](Fabric& fabric) {
        fabric.SetTierNames({"host", "switch"});
        const Fabric::End left = fabric.AddSwitch(1);
        const Fabric::End right = fabric.AddSwitch(1);
        fabric.Connect(left, right, DataRate("1Gbps"), delay);
        fabric.Connect(fabric.AddHost(), left, DataRate("1Gbps"), hosts);
        fabric.Connect(fabric.AddHost(), left, DataRate("1Gbps"), hosts);
        fabric.Connect(fabric.AddHost(), right, DataRate(slow), hosts);
        fabric.Connect(fabric.AddHost(), right, DataRate("1Gbps"), hosts);
    };
}

} // namespace

/**
 * @ingroup fabric-tests
 * @brief The times at which ports are paused and resume, computed by hand.
 *
 * Packets of 1500 bytes take 12 us on links of 1 Gbit/s and 120 us on the last link; links are 5 us
 * long. Packet k arrives at the right switch at 34 + 12 (k - 1) us and leaves it at 34 + 120 (k -
 * 1) us. The headroom is 1500 (12 + 0.512 + 2 5) / 12 + 1500 = 4314 bytes, so of 12000 bytes XOFF
 * is 6186 and XON 3186.
 */
class PauseTimesTestCase : public TestCase
{
  public:
    PauseTimesTestCase()
        : TestCase("times of pauses on a line of two switches")
    {
    }

  private:
    void DoRun() override
    {
        LosslessNetwork network(TwoSwitches(MicroSeconds(5), "100Mbps", MicroSeconds(5)),
                                "priority:Buffer=12000B,MaxPacket=1500");
        network.Build();
        std::vector<PauseEvent> events;
        RecordPauses(network, events);
        for (int i = 0; i < 30; ++i)
        {
            network.Send(0, 2);
        }
        Simulator::Run();
        // Packet 6 arrives at the right switch at 94 us and makes 7500 bytes wait there. Packet 7
        // is being transmitted until 101 us when the frame arrives.
        CheckEvent(events, 0, {99512, "switch0:0", 1});
        // Packets 8 to 12 wait at the left switch at 149 us; packet 13 is on its way until 156 us.
        CheckEvent(events, 1, {154512, "host0:0", 1});
        // Packet 5 leaves the right switch at 514 us; 6 and 7 are left.
        CheckEvent(events, 2, {519512, "switch0:0", 0});
        // Packets 8, 9, 10 and 11 leave the left switch, the last at 555.512 us; 12 and 13 are
        // left.
        CheckEvent(events, 3, {561024, "host0:0", 0});
        NS_TEST_ASSERT_MSG_EQ(network.recorder.arrivals.size(), 30, "all arrive");
        for (uint64_t i = 0; i < 30; ++i)
        {
            const auto& arrival = network.recorder.arrivals[i];
            NS_TEST_EXPECT_MSG_EQ(arrival.sequence, i, "in order");
            const auto expected = static_cast<int64_t>(34000 + 120000 * (i + 1) + 5000);
            NS_TEST_EXPECT_MSG_EQ(arrival.arrived, expected, "no gap");
        }
        const FlowControlledPort& input = *network.fabric->GetSwitch(1).GetPort(0).GetFlowControl();
        NS_TEST_EXPECT_MSG_EQ(input.GetThresholds().headroom, 4314, "headroom");
        NS_TEST_EXPECT_MSG_EQ(input.GetThresholds().pause, 6186, "XOFF");
        NS_TEST_EXPECT_MSG_EQ(input.GetThresholds().resume, 3186, "XON");
        NS_TEST_EXPECT_MSG_EQ(input.GetPeakBytes(), 9000, "packets 2 to 7");
        NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(network.IsAnythingLeft(), false, "at rest");
        CheckPausedTimes(network, events);
        CheckLaterResume();
    }

    /// @brief With XON = XOFF - 4500 bytes = 1686 bytes the pause lasts until packet 7 alone is
    /// left.
    void CheckLaterResume()
    {
        LosslessNetwork network(TwoSwitches(MicroSeconds(5), "100Mbps", MicroSeconds(5)),
                                "priority:Buffer=12000B,MaxPacket=1500,XonDistance=4500B");
        network.Build();
        std::vector<PauseEvent> events;
        RecordPauses(network, events);
        const int64_t start = DirectEvent::Now();
        for (int i = 0; i < 30; ++i)
        {
            network.Send(0, 2);
        }
        Simulator::Run();
        CheckEvent(events, 0, {start + 99512, "switch0:0", 1});
        CheckEvent(events, 2, {start + 639512, "switch0:0", 0});
    }

    /**
     * @param events the pauses noted
     * @param index number of the one to check
     * @param expected the pause that it should be
     */
    void CheckEvent(const std::vector<PauseEvent>& events,
                    std::size_t index,
                    const PauseEvent& expected)
    {
        NS_TEST_ASSERT_MSG_GT(events.size(), index, "pauses");
        NS_TEST_EXPECT_MSG_EQ(events[index].time, expected.time, "ns, event " << index);
        NS_TEST_EXPECT_MSG_EQ(events[index].port, expected.port, "event " << index);
        NS_TEST_EXPECT_MSG_EQ(events[index].priorities, expected.priorities, "event " << index);
    }

    /**
     * @brief Counters say the same as the trace.
     * @param network the network
     * @param events the trace
     */
    void CheckPausedTimes(const LosslessNetwork& network, const std::vector<PauseEvent>& events)
    {
        std::map<std::string, int64_t> paused;
        uint64_t pauses = 0;
        for (const auto& event : events)
        {
            paused[event.port] += event.priorities ? -event.time : event.time;
            pauses += event.priorities ? 1 : 0;
        }
        network.flowControl->ForEachPort([&](const FabricPort& port, const FlowControlledPort& c) {
            NS_TEST_EXPECT_MSG_EQ(c.GetPausedTime().GetNanoSeconds(),
                                  paused[port.GetDescription().name],
                                  port.GetDescription().name);
        });
        NS_TEST_EXPECT_MSG_EQ(network.flowControl->GetPauses(), pauses, "pauses");
        NS_TEST_EXPECT_MSG_EQ(network.flowControl->GetFrames(), events.size(), "frames");
    }
};

/**
 * @ingroup fabric-tests
 * @brief The worst case fits into the headroom, and for some length of the link only just.
 *
 * Host 0 keeps the link between the switches busy from 12 us on; host 2's link lets nothing but the
 * first packet go. The fourth makes the right switch send a pause, in the nanosecond after the
 * first bit of host 3's packet went out before it.
 */
class HeadroomTestCase : public TestCase
{
  public:
    HeadroomTestCase()
        : TestCase("headroom: never exceeded, and not an MTU too large")
    {
    }

  private:
    void DoRun() override
    {
        for (int64_t delay = 0; delay < 40000; delay += 1237)
        {
            Check(delay);
        }
        // 2 x 5746 + 12511 ns are hardly more than two packets, so three start in that time.
        NS_TEST_EXPECT_MSG_EQ(Check(5746), 1, "bytes of headroom unused");
    }

    /**
     * @param delay of the link between the switches, in ns
     * @return bytes of the buffer that were never used
     */
    int64_t Check(int64_t delay)
    {
        const double window = 2.0 * delay + 12512;
        const auto headroom = static_cast<uint32_t>(std::ceil(window / 8)) + 1500;
        const auto packets = static_cast<uint32_t>(std::ceil((window - 1) / 12000));
        const uint32_t peak = 4500 + packets * 1500;
        const uint32_t buffer = 3000 + 1500 + headroom;
        const std::string control =
            "priority:MaxPacket=1500,Buffer=" + std::to_string(buffer) + "B";
        {
            LosslessNetwork network(TwoSwitches(NanoSeconds(delay), "1Mbps"), control);
            Run(network, delay);
            const auto& input = *network.fabric->GetSwitch(1).GetPort(0).GetFlowControl();
            NS_TEST_EXPECT_MSG_EQ(input.GetThresholds().headroom, headroom, delay);
            NS_TEST_EXPECT_MSG_EQ(input.GetPeakBytes(), peak, "bytes, delay " << delay);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(peak, buffer, "the bound holds, delay " << delay);
            NS_TEST_EXPECT_MSG_EQ(network.flowControl->GetOverflows(), 0, delay);
        }
        // The same XOFF with an MTU less of headroom loses a packet.
        LosslessNetwork network(TwoSwitches(NanoSeconds(delay), "1Mbps"),
                                "priority:MaxPacket=1500,Buffer=" + std::to_string(buffer - 1500) +
                                    "B,Headroom=" + std::to_string(headroom - 1500) + "B");
        Run(network, delay);
        NS_TEST_EXPECT_MSG_EQ(network.flowControl->GetOverflows(), 1, "lost, delay " << delay);
        NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 1, "counted as a drop");
        return int64_t{buffer} - peak;
    }

    /**
     * @param network to run
     * @param delay of the link between the switches, in ns
     */
    void Run(LosslessNetwork& network, int64_t delay)
    {
        network.Build();
        for (int i = 0; i < 40; ++i)
        {
            network.Send(0, 2);
        }
        network.SendAt(NanoSeconds(60000 + delay - 12000 - 1), 3, 0);
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
    }
};

/**
 * @ingroup fabric-tests
 * @brief A flow whose own way is free waits behind one that is paused; in a priority of its own it
 * does not, if the ports' discipline knows priorities.
 */
class HeadOfLineTestCase : public TestCase
{
  public:
    HeadOfLineTestCase()
        : TestCase("head-of-line blocking of a victim flow")
    {
    }

  private:
    void DoRun() override
    {
        const std::string control = "priority:Buffer=20000B,MaxPacket=1500";
        const std::string strict = "strict-priority";
        const int64_t fair = Run("", "drop-tail", 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(fair, 50 * 24.0, 30, "us: half of the common link");
        // The common link goes at twice the rate of the slow one.
        NS_TEST_EXPECT_MSG_EQ_TOL(Run(control, "drop-tail", 0), 50 * 120.0, 1300, "us: victim");
        NS_TEST_EXPECT_MSG_GT(Run(control, "drop-tail", 1), 3 * fair, "us: one queue per port");
        NS_TEST_EXPECT_MSG_GT(Run(control, strict, 0), 3 * fair, "us: one priority for all");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Run(control, strict, 1), fair, "us: a priority of its own");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Run(control + ",Priorities=\"0\"", strict, 1),
                                    fair,
                                    "us: lossy");
    }

    /**
     * @param control specification of the flow control
     * @param queue specification of the disciplines
     * @param priority of the victim; the other flow's is 0
     * @return completion time of the victim in us
     */
    int64_t Run(const std::string& control, const std::string& queue, uint8_t priority)
    {
        LosslessNetwork network(TwoSwitches(MicroSeconds(5), "100Mbps"), control, queue);
        network.Build();
        for (int i = 0; i < 200; ++i)
        {
            network.Send(0, 2);
        }
        for (int i = 0; i < 50; ++i)
        {
            network.Send(1, 3, 1500, 0, nullptr, priority);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.AllArrivedOnce(), true, "all arrive");
        int64_t last = 0;
        for (const auto& arrival : network.recorder.arrivals)
        {
            last = arrival.destination == 3 ? std::max(last, arrival.arrived) : last;
        }
        return last / 1000;
    }
};

/**
 * @ingroup fabric-tests
 * @brief The link fails while its sender is paused, while a frame is on it, or the receiver's own
 * way out fails: nothing waits for ever.
 */
class PausedLinkFailsTestCase : public TestCase
{
  public:
    PausedLinkFailsTestCase()
        : TestCase("a link fails while paused")
    {
    }

  private:
    void DoRun() override
    {
        // Of PauseTimesTestCase: the frame is on the link from 94 to 99.512 us, the pause is over
        // at 519.512 us, and what ends it is on the link from 514 us on.
        for (const uint32_t link : {0, 1, 3})
        {
            for (const int64_t fail :
                 {90000, 94000, 94001, 97000, 99512, 200000, 514000, 517000, 520000})
            {
                for (const int64_t repair : {1, 600, 5500, 50000, 2000000})
                {
                    Check(link, fail, fail + repair);
                }
            }
        }
    }

    /**
     * @param link number of the link that fails
     * @param fail time of the failure, in ns
     * @param repair time of the repair, in ns
     */
    void Check(uint32_t link, int64_t fail, int64_t repair)
    {
        LosslessNetwork network(TwoSwitches(MicroSeconds(5), "100Mbps", MicroSeconds(5)),
                                "priority:Buffer=12000B,MaxPacket=1500");
        network.Build();
        for (int i = 0; i < 30; ++i)
        {
            network.Send(0, 2);
            network.SendAt(NanoSeconds(repair + 1000), 1, 2);
        }
        network.SendAt(NanoSeconds(93000), 3, 0); // before the frame
        Simulator::Schedule(NanoSeconds(fail), [&] { network.fabric->SetLinkUp(link, false); });
        Simulator::Schedule(NanoSeconds(repair), [&] { network.fabric->SetLinkUp(link, true); });
        Simulator::Run();
        const std::string what =
            std::to_string(link) + " " + std::to_string(fail) + " " + std::to_string(repair);
        NS_TEST_EXPECT_MSG_EQ(network.GetWaiting(), 0, "nothing waits: " << what);
        NS_TEST_EXPECT_MSG_EQ(network.IsAnythingLeft(), false, "at rest: " << what);
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size() + network.GetDrops() +
                                  network.GetLosses(),
                              network.sent,
                              "each item arrives, is dropped or is lost: " << what);
        NS_TEST_EXPECT_MSG_EQ(network.flowControl->GetOverflows(), 0, "headroom: " << what);
    }
};

/**
 * @ingroup fabric-tests
 * @brief Settings that cannot work are refused.
 */
class FlowControlInputTestCase : public TestCase
{
  public:
    FlowControlInputTestCase()
        : TestCase("what cannot work is refused; what is derived works")
    {
    }

  private:
    void DoRun() override
    {
        CheckRefused("Buffer=5813B,MaxPacket=1500", "5814");
        CheckRefused("Buffer=2499B,Headroom=1000B,MaxPacket=1500", "2500");
        CheckRefused("Buffer=20p", "time at the link's rate");
        CheckRefused("Buffer=2000MB", "at most 1 GiB");
        CheckRefused("Priorities=\"0,8\"", "0 to 7");
        CheckRefused("Priorities=\"high\"", "high");
        CheckPacketSize();
        // Derived: a link that is paused does not run idle because of that. Every second packet
        // waits, since both inputs of the left switch are busy.
        LosslessNetwork network(TwoSwitches(MicroSeconds(50), "1Gbps", MicroSeconds(50)),
                                "priority");
        network.Build();
        for (int i = 0; i < 500; ++i)
        {
            network.Send(0, 2);
            network.Send(1, 3);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.AllArrivedOnce(), true, "all arrive");
        NS_TEST_EXPECT_MSG_GT(network.flowControl->GetPauses(), 10, "hosts are paused");
        const int64_t last = network.recorder.arrivals.back().arrived;
        NS_TEST_EXPECT_MSG_EQ(last, 2 * (50000 + 12000) + 50000 + 1000 * 12000, "no idle time");
    }

    /**
     * @param attributes of the flow control
     * @param part of the error
     */
    void CheckRefused(const std::string& attributes, const std::string& part)
    {
        std::string error;
        try
        {
            LosslessNetwork network(TwoSwitches(MicroSeconds(5), "100Mbps", MicroSeconds(5)),
                                    "priority:" + attributes);
            network.Build();
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, attributes << ": " << error);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
    }

    /// @brief A packet that waits and is larger than what the headroom is computed for is refused.
    void CheckPacketSize()
    {
        LosslessNetwork network(TwoSwitches(MicroSeconds(5), "1Gbps"), "priority:MaxPacket=1499");
        network.Build();
        FabricItem* item = FabricItem::Create();
        FlowControlledPort& port = *network.fabric->GetSwitch(0).GetPort(0).GetFlowControl();
        item->size = 1499;
        NS_TEST_EXPECT_MSG_EQ(port.Admit(*item), true, "as large as can be");
        port.Refund(FlowControlledPort::Charge(*item));
        item->size = 1500;
        std::string error;
        try
        {
            port.Admit(*item);
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_NE(error.find("1500"), std::string::npos, error);
        NS_TEST_EXPECT_MSG_EQ(network.IsAnythingLeft(), false, "nothing is charged");
        item->Release();
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of priority flow control with numbers computed by hand.
 */
class PriorityFlowControlTestSuite : public TestSuite
{
  public:
    PriorityFlowControlTestSuite()
        : TestSuite("priority-flow-control", Type::UNIT)
    {
        AddTestCase(new PauseTimesTestCase);
        AddTestCase(new HeadroomTestCase);
        AddTestCase(new HeadOfLineTestCase);
        AddTestCase(new PausedLinkFailsTestCase);
        AddTestCase(new FlowControlInputTestCase);
    }
};

static PriorityFlowControlTestSuite g_priorityFlowControlTestSuite; //!< registers the suite
