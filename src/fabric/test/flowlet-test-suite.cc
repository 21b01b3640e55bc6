/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/flowlet-path-selector.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

using namespace ns3;

namespace
{

/**
 * @brief Ask a selector at certain times.
 * @param selector the selector
 * @param times in us, with the hash of the flow that asks
 * @param count next hops
 * @return its choices
 */
std::vector<uint32_t>
Ask(Ptr<PathSelector> selector,
    const std::vector<std::pair<int64_t, uint32_t>>& times,
    uint32_t count)
{
    std::vector<uint32_t> choices;
    for (const auto& [time, hash] : times)
    {
        Simulator::Schedule(MicroSeconds(time), [&choices, selector, hash = hash, count] {
            FabricItem* item = FabricItem::Create();
            item->hash = hash;
            choices.push_back(selector->Choose(*item, 1, count));
            item->Release();
        });
    }
    Simulator::Run();
    Simulator::Destroy();
    return choices;
}

} // namespace

/**
 * @ingroup fabric-tests
 * @brief A path is chosen anew after a pause longer than the gap, and only then.
 */
class FlowletGapTestCase : public TestCase
{
  public:
    FlowletGapTestCase()
        : TestCase("a new choice after a gap")
    {
    }

  private:
    static constexpr uint32_t HOPS = 60000; //!< so many that two choices hardly ever agree

    void DoRun() override
    {
        const auto selector = CreateObject<FlowletPathSelector>();
        selector->AssignStreams(1);
        const auto choices = Ask(selector, {{0, 7}, {199, 7}, {400, 7}, {600, 7}, {801, 7}}, HOPS);
        NS_TEST_EXPECT_MSG_EQ(choices[1], choices[0], "199 us later: the same flowlet");
        NS_TEST_EXPECT_MSG_NE(choices[2], choices[1], "201 us later: a new one");
        NS_TEST_EXPECT_MSG_EQ(choices[3], choices[2], "200 us later: not longer than the gap");
        NS_TEST_EXPECT_MSG_NE(choices[4], choices[3], "201 us later");

        selector->SetAttribute("Gap", StringValue("36us"));
        selector->AssignStreams(1);
        const auto often = Ask(selector, {{0, 7}, {36, 7}, {73, 7}}, HOPS);
        NS_TEST_EXPECT_MSG_EQ(often[0], choices[0], "the same stream, the same choice");
        NS_TEST_EXPECT_MSG_EQ(often[1], often[0], "36 us later");
        NS_TEST_EXPECT_MSG_NE(often[2], often[1], "37 us later");
        CheckEntries();
        CheckFewer();
    }

    /// @brief Flows of one entry share a flowlet, others do not.
    void CheckEntries()
    {
        const auto selector =
            CreateObjectWithAttributes<FlowletPathSelector>("Entries", UintegerValue(2));
        selector->AssignStreams(1);
        const auto choices =
            Ask(selector, {{0, 7}, {1, 0x80000000}, {150, 8}, {300, 7}, {300, 0x80000001}}, HOPS);
        NS_TEST_EXPECT_MSG_NE(choices[1], choices[0], "the other half of the hashes");
        NS_TEST_EXPECT_MSG_EQ(choices[2], choices[0], "the same entry");
        NS_TEST_EXPECT_MSG_EQ(choices[3], choices[0], "kept alive by the other flow");
        NS_TEST_EXPECT_MSG_NE(choices[4], choices[1], "299 us without a packet");
    }

    /// @brief A choice fits the number of next hops, whatever another flow had.
    void CheckFewer()
    {
        const auto selector =
            CreateObjectWithAttributes<FlowletPathSelector>("Entries", UintegerValue(1));
        selector->AssignStreams(1);
        FabricItem* item = FabricItem::Create();
        for (uint32_t i = 0; i < 1000; ++i)
        {
            item->hash = i * 4'000'037;
            const uint32_t count = 2 + i * 7 % 30;
            NS_TEST_ASSERT_MSG_LT(selector->Choose(*item, i, count), count, "too many");
        }
        item->Release();
    }
};

/**
 * @ingroup fabric-tests
 * @brief Through a network: bursts spread over all paths evenly, and each keeps its order.
 */
class FlowletNetworkTestCase : public TestCase
{
  public:
    FlowletNetworkTestCase()
        : TestCase("bursts of a flow spread and stay in order")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network("leaf-spine:Leaves=2,HostsPerLeaf=1,Spines=4",
                            ObjectFactory("ns3::FlowletPathSelector"));
        network.Build();
        constexpr uint32_t BURSTS = 2000;
        constexpr uint32_t PACKETS = 5;
        for (uint32_t burst = 0; burst < BURSTS; ++burst)
        {
            for (uint32_t i = 0; i < PACKETS; ++i)
            {
                network.SendAt(MicroSeconds(1000 * burst + 100 * i), 0, 1);
            }
        }
        Simulator::Run();
        const auto& arrivals = network.recorder.arrivals;
        NS_TEST_EXPECT_MSG_EQ(arrivals.size(), BURSTS * PACKETS, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(
            std::ranges::is_sorted(arrivals, {}, &ArrivalRecorder::Arrival::sequence),
            true,
            "in order");
        uint32_t spines = 0;
        network.fabric->ForEachPort([&](const FabricPort& port) {
            if (port.GetDescription().role == "spine-leaf" && port.GetTxPackets() > 0)
            {
                ++spines;
                NS_TEST_EXPECT_MSG_EQ(port.GetTxPackets() % PACKETS, 0, "whole bursts");
                // Binomial with n = 2000, p = 1/4: five standard deviations are 97.
                NS_TEST_EXPECT_MSG_EQ_TOL(port.GetTxPackets() / PACKETS, 500.0, 97, "evenly");
            }
        });
        NS_TEST_EXPECT_MSG_EQ(spines, 4, "over all spines");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of flowlet switching.
 */
class FlowletTestSuite : public TestSuite
{
  public:
    FlowletTestSuite()
        : TestSuite("flowlet", Type::UNIT)
    {
        AddTestCase(new FlowletGapTestCase);
        AddTestCase(new FlowletNetworkTestCase);
    }
};

static FlowletTestSuite g_flowletTestSuite; //!< registers the suite
