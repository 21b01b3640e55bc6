/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../schemes/test/scheme-test-network.h"
#include "../../support/test/support-test.h"

#include "ns3/input-error.h"
#include "ns3/priority-flow-control.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <string>

using namespace ns3;

namespace
{

const std::string FAT_TREE =
    "fat-tree:HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps,LinkDelay=5us";

/**
 * @brief Packets dropped in a network.
 * @param network the network
 * @return number of packets
 */
uint64_t
CountDrops(const SchemeTestNetwork& network)
{
    uint64_t drops = 0;
    network.m_fabric->ForEachPort([&drops](FabricPort& port) {
        for (const auto& count : port.GetQueueDisc().GetDropCounts())
        {
            drops += count.packets;
        }
    });
    return drops;
}

/**
 * @brief Results of fabric and scheme.
 * @param network has run
 * @return by name
 */
std::map<std::string, double>
GetReport(const SchemeTestNetwork& network)
{
    Results results;
    network.m_network->ReportResults(results);
    return TotalsByName(results);
}

} // namespace

/**
 * @ingroup drb-tests
 * @brief Incast: DeTail loses nothing and sends nothing twice, TCP without flow control does.
 */
class DetailIncastTestCase : public TestCase
{
  public:
    DetailIncastTestCase()
        : TestCase("DeTail: incast without loss")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string scheme : {"detail", "tcp:FlowControl=priority"})
        {
            const uint64_t drops = Run(scheme);
            NS_TEST_EXPECT_MSG_EQ(drops, 0, scheme);
        }
        NS_TEST_EXPECT_MSG_GT(Run("detail:FlowControl=none,EdgeBuffer=128kB"), 0, "lossy");
    }

    /**
     * @param scheme specification of the scheme
     * @return packets dropped
     */
    uint64_t Run(const std::string& scheme)
    {
        // Windows of 100 packets from 15 senders are far more than any buffer.
        SchemeTestNetwork network(scheme, FAT_TREE + ",K=4", "lean:InitialCwnd=100,MinRto=200ms");
        constexpr uint64_t BYTES = 300'000;
        for (uint32_t host = 1; host < 16; ++host)
        {
            network.m_transport->StartFlow({host, 0, BYTES, 0});
        }
        network.Run(Seconds(0), Seconds(3));
        NS_TEST_EXPECT_MSG_EQ(network.m_finished, 15, "flows finish: " << scheme);
        for (const auto& [flow, bytes] : network.m_delivered)
        {
            NS_TEST_EXPECT_MSG_EQ(bytes, BYTES, "each byte once: " << scheme);
        }
        const uint64_t drops = CountDrops(network);
        const uint64_t again = network.m_transport->CountRetransmissions().value();
        NS_TEST_EXPECT_MSG_EQ((again > 0), (drops > 0), "sent again: " << scheme);
        const auto report = GetReport(network);
        NS_TEST_EXPECT_MSG_EQ(report.contains("pfc_pauses"), (drops == 0), scheme);
        if (drops == 0)
        {
            NS_TEST_EXPECT_MSG_GT(report.at("pfc_pauses"), 10, "pauses: " << scheme);
            NS_TEST_EXPECT_MSG_GT(report.at("pfc_paused_max_s"), 0, scheme);
            NS_TEST_EXPECT_MSG_EQ(report.at("pfc_overflow_packets"), 0, scheme);
        }
        return drops;
    }
};

/**
 * @ingroup drb-tests
 * @brief A permutation: all bytes in order, without a retransmission, also around failed links; and
 * queues shorter than with a choice that does not look.
 */
class DetailPermutationTestCase : public TestCase
{
  public:
    DetailPermutationTestCase()
        : TestCase("DeTail: permutation, also with failed links")
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t adaptive = Run("detail", 0);
        const uint32_t blind = Run("detail:Paths=spray", 0);
        NS_TEST_EXPECT_MSG_LT(adaptive, blind, "longest queue on the way up");
        // Thresholds that no queue comes under are no choice at all.
        const uint32_t zero = Run("detail:Paths=(adaptive:ShortQueue=0B,LongQueue=0B)", 0);
        NS_TEST_EXPECT_MSG_GT(zero, adaptive, "longest queue on the way up");
        NS_TEST_EXPECT_MSG_EQ(Run("detail:Paths=(adaptive:ShortQueue=0p,LongQueue=0p)", 0),
                              zero,
                              "no packets, no bytes");
        // The defaults as times, at 1 Gbit/s.
        NS_TEST_EXPECT_MSG_EQ(
            Run("detail:Paths=(adaptive:ShortQueue=131072ns,LongQueue=524288ns),FlowControl="
                "(priority:Buffer=1048576ns)",
                0),
            adaptive,
            "the same sizes");
        Run("detail", 3);
    }

    /**
     * @param scheme specification of the scheme
     * @param failures links that have failed
     * @return peak of the queues on the way up in bytes
     */
    uint32_t Run(const std::string& scheme, uint32_t failures)
    {
        SchemeTestNetwork network(scheme, FAT_TREE + ",K=4", "lean:MaxWindow=131072,MinRto=200ms");
        Topology::FailLinks(*network.m_fabric, failures, 5);
        for (uint32_t host = 0; host < 16; ++host)
        {
            network.m_transport->StartFlow({host, (host + 5) % 16, 2'000'000, 0});
        }
        network.Run(Seconds(0), Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(network.m_finished, 16, "flows finish: " << scheme);
        NS_TEST_EXPECT_MSG_EQ(CountDrops(network), 0, "drops: " << scheme);
        NS_TEST_EXPECT_MSG_EQ(network.m_transport->CountRetransmissions().value(),
                              0,
                              "order is restored: " << scheme);
        NS_TEST_EXPECT_MSG_GT(GetReport(network).at("resequencing_held_share"), 0, scheme);
        uint32_t peak = 0;
        network.m_fabric->ForEachPort([&peak](FabricPort& port) {
            const auto& description = port.GetDescription();
            if (description.tier > 0 && description.peerTier > description.tier)
            {
                peak = std::max(peak, port.GetQueueDisc().GetPeakBytes());
            }
        });
        return peak;
    }
};

/**
 * @ingroup drb-tests
 * @brief Attributes reach what they are for, and what cannot work is refused.
 */
class DetailInputTestCase : public TestCase
{
  public:
    DetailInputTestCase()
        : TestCase("DeTail: attributes")
    {
    }

  private:
    void DoRun() override
    {
        SchemeTestNetwork network("detail:FlowControl=(priority:Buffer=20000B,MaxPacket=1000)",
                                  FAT_TREE + ",K=4",
                                  "lean:SegmentSize=960");
        const FabricSwitch& node = network.m_fabric->GetSwitch(0);
        const auto thresholds = node.GetPort(0).GetFlowControl()->GetThresholds();
        // 8 us for a packet, 0.512 us for the frame, twice 5 us on the link.
        NS_TEST_EXPECT_MSG_EQ(thresholds.headroom, 2314 + 1000, "2 x 1000 + 2 x 625 + 64 bytes");
        NS_TEST_EXPECT_MSG_EQ(thresholds.pause, 20000 - 3314 - 1000, "XOFF");
        CheckRefused("detail:FlowControl=priority:Buffer=3000B", "Buffer");
        CheckRefused("detail:FlowControl=priority:MaxPacket=1000", "MaxPacket");
        CheckRefused("detail:Paths=(adaptive:ShortQueue=2B,LongQueue=1B)", "LongQueue");
        CheckRefused("tcp:FlowControl=nothing", "FlowControl");
    }

    /**
     * @param scheme specification of the scheme
     * @param part of the error
     */
    void CheckRefused(const std::string& scheme, const std::string& part)
    {
        std::string error;
        try
        {
            SchemeTestNetwork network(scheme, FAT_TREE + ",K=4", "");
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, scheme << ": " << error);
    }
};

/**
 * @ingroup drb-tests
 * @brief Tests of DeTail.
 */
class DetailTestSuite : public TestSuite
{
  public:
    DetailTestSuite()
        : TestSuite("detail", Type::UNIT)
    {
        AddTestCase(new DetailIncastTestCase);
        AddTestCase(new DetailPermutationTestCase);
        AddTestCase(new DetailInputTestCase);
    }
};

static DetailTestSuite g_detailTestSuite; //!< registers the suite
