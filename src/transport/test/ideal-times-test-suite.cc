/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The ideal completion time where there is one path: what a lone flow takes that fits in its first
// window and meets no mark, drop or timeout, on random chains of switches with random links.

#include "flow-log-test.h"

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/fabric.h"
#include "ns3/object-spec.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/transport.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t CHAINS = 60; //!< tried with each transport

/// @brief Size of a transport's first window.
enum class FirstWindow
{
    WINDOW, //!< WINDOW_PACKETS
    BDP,    //!< bytes that its host's link carries in a round trip without load
};

constexpr uint32_t WINDOW_PACKETS = 200; //!< as the specifications below say

/// @brief Timers that do not expire, and first windows of WINDOW_PACKETS.
const std::string TCP = "InitialCwnd=200,MinRto=100s,ConnTimeout=100s,";
const std::string LEAN = TCP + "MaxRto=1000s,InitialRto=100s,";
const std::string RELIABLE = "MinTimeout=100s,MaxTimeout=1000s";

/// @brief A transport, and what is known of it.
struct Subject
{
    std::string spec;                        //!< as users write it
    FirstWindow window{FirstWindow::WINDOW}; //!< size of the first one
    int64_t rounding{0};                     //!< most time steps per packet that are lost
    bool waits{false}; //!< true if it waits for an acknowledgment more or less than in the ideal
};

const std::vector<Subject> SUBJECTS{
    {"lean:" + LEAN + "Handshake=false"},
    {"lean:" + LEAN + "Handshake=false,CongestionOps=ns3::TcpDctcp"},
    {"lean:" + LEAN + "Handshake=false,Timestamp=true,Sack=false"},
    {"lean:" + LEAN + "Handshake=true"},
    {"lean:" + LEAN + "Timestamp=true"},
    {"ns3:" + TCP + "InitialRtt=30s"},
    {"mptcp:" + LEAN + "Handshake=false,Subflows=1"},
    {"mptcp:" + LEAN + "Subflows=1"},
    {"fixed-window:Window=200"},
    {"swift:InitialWindow=200,DecreaseGain=0," + RELIABLE},
    {"swift:InitialWindow=200,DecreaseGain=0,AcknowledgeEvery=4," + RELIABLE,
     FirstWindow::WINDOW,
     0,
     true},
    // It paces, at whole time steps from packet to packet.
    {"hpcc:" + RELIABLE, FirstWindow::BDP, 1},
    {"dcqcn:" + RELIABLE},
    {"udp:Timeout=100s,Rate=3Gbps"},
    {"udp:Timeout=100s,Rate=3Gbps,BurstSize=20000"},
};

} // namespace

/**
 * @ingroup transport-tests
 * @brief Random chains: one to six switches, links of 50 Mbps to 40 Gbps, none to 20 us long.
 */
class IdealTimesTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param subject the transport
     */
    explicit IdealTimesTestCase(const Subject& subject)
        : TestCase(subject.spec),
          m_subject(subject)
    {
    }

  private:
    /**
     * @param least smallest
     * @param most largest
     * @return a random number
     */
    uint32_t Pick(uint32_t least, uint32_t most)
    {
        return m_random->GetInteger(least, most);
    }

    /// @return a random chain with a host at either end
    Ptr<Fabric> CreateChain()
    {
        auto fabric = CreateObject<Fabric>();
        fabric->SetTierNames({"host", "switch"});
        const uint32_t switches = Pick(1, 6);
        std::vector<Fabric::End> ends{fabric->AddHost()};
        for (uint32_t i = 0; i < switches; ++i)
        {
            ends.push_back(fabric->AddSwitch(1));
        }
        ends.push_back(fabric->AddHost());
        for (uint32_t i = 0; i + 1 < ends.size(); ++i)
        {
            const double rate = 50e6 * std::pow(800, m_random->GetValue(0, 1)); // to 40 Gbps
            const auto delay = NanoSeconds(Pick(0, 1) * Pick(0, 20'000));
            fabric->Connect(ends[i], ends[i + 1], DataRate(static_cast<uint64_t>(rate)), delay);
        }
        fabric->SetQueueDiscFactory([](const FabricPort::Description&) {
            auto queue = CreateObject<DropTailQueueDisc>();
            queue->SetAttribute("MaxSize", QueueSizeValue(QueueSize("100MB")));
            return queue;
        });
        fabric->Build();
        return fabric;
    }

    /**
     * @param transport attached
     * @return packets that a flow sends without waiting for an acknowledgment
     */
    uint32_t GetFirstWindow(const Transport& transport, const Fabric& fabric) const
    {
        const Transport::PacketSizes sizes = transport.GetPacketSizes();
        if (m_subject.window == FirstWindow::WINDOW)
        {
            return WINDOW_PACKETS;
        }
        const Time rtt = transport.GetIdealCompletionTime({0, 1, sizes.payload});
        const auto& port = *fabric.GetPath(0, 1).front();
        return static_cast<uint32_t>(rtt.GetTimeStep() /
                                     port.GetTransmissionSteps(sizes.payload + sizes.header));
    }

    /**
     * @param fabric a chain
     * @param size of a packet
     * @return the longest time that a link takes for it, in time steps
     */
    static int64_t GetSlowest(const Fabric& fabric, uint32_t size)
    {
        int64_t slowest = 0;
        for (const FabricPort* port : fabric.GetPath(0, 1))
        {
            slowest = std::max(slowest, port->GetTransmissionSteps(size));
        }
        return slowest;
    }

    /// @brief Send a flow over a random chain.
    void TryOne()
    {
        auto fabric = CreateChain();
        auto transport = CreateFromSpec<Transport>("transport", m_subject.spec);
        transport->Attach(fabric);
        FlowLog log;
        transport->AddObserver(&log);
        const Transport::PacketSizes sizes = transport->GetPacketSizes();
        const uint32_t packets = Pick(1, GetFirstWindow(*transport, *fabric));
        const uint32_t last = Pick(1, Pick(0, 1) ? 20 : sizes.payload); // often a short one
        const FlowRequest request{0, 1, uint64_t{packets - 1} * sizes.payload + last};
        transport->StartFlow(request);
        const int64_t ideal = transport->GetIdealCompletionTime(request).GetTimeStep();
        Simulator::Stop(Seconds(90)); // before any timer
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(log.finished.size(), 1, "over");
        const FlowRecord& record = log.finished.front();
        const int64_t taken = (record.acknowledged - record.firstSent).GetTimeStep();
        const int64_t more = m_subject.rounding * packets +
                             (m_subject.waits ? GetSlowest(*fabric, sizes.acknowledgment) : 0);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(taken, ideal, request.bytes << " bytes, not sooner");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(taken, ideal + more, request.bytes << " bytes, not later");
        transport->Dispose();
        Simulator::Destroy();
        fabric->Dispose();
    }

    void DoRun() override
    {
        m_random->SetStream(1);
        for (uint32_t i = 0; i < CHAINS; ++i)
        {
            TryOne();
        }
    }

    Subject m_subject;                                                          //!< transport
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< the chains
};

/**
 * @ingroup transport-tests
 * @brief Ideal completion times where there is one path, with all transports.
 */
class IdealTimesTestSuite : public TestSuite
{
  public:
    IdealTimesTestSuite()
        : TestSuite("ideal-times", Type::UNIT)
    {
        for (const Subject& subject : SUBJECTS)
        {
            AddTestCase(new IdealTimesTestCase(subject));
        }
    }
};

static IdealTimesTestSuite g_idealTimesTestSuite; //!< registers the suite
