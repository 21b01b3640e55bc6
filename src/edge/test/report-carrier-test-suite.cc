/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-test.h"

#include "ns3/nstime.h"

#include <set>

using namespace ns3;

/**
 * @ingroup edge-tests
 * @brief Reports ride on what goes back anyway, and go alone where nothing does.
 */
class RidingReportsTestCase : public EdgeTestCase
{
  public:
    /// @param answers the edge's attribute Answers
    explicit RidingReportsTestCase(const std::string& answers)
        : EdgeTestCase("reports ride on packets, Answers=" + answers),
          m_answers(answers)
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("static:Interval=5ms", m_answers);
        network.edge->SetAttribute("ReportPatience", TimeValue(MicroSeconds(2500)));
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "600Mbps", "600Mbps");
        const VmId b = network.AddVm(1, "600Mbps", "600Mbps");
        network.Build();
        const PairId pair = network.tenants->GetPair(a, b);
        std::set<uint16_t> sizes;
        network.onReceive = [&](uint32_t, const FabricItem& item) { sizes.insert(item.size); };
        std::vector<PairReport> reports; // of the pair, not of its reverse
        std::vector<Time> times;
        network.edge->TraceConnectWithoutContext(
            "Report",
            Callback<void, const PairReport&>([&](const PairReport& report) {
                if (report.pair == pair)
                {
                    reports.push_back(report);
                    times.push_back(Simulator::Now());
                }
            }));
        for (int i = 0; i < 10000; ++i)
        {
            Simulator::Schedule(MicroSeconds(100 * i), [&network, pair, i] {
                network.Send(pair, 1000);
                if (i % 5 == 0)
                {
                    // Small ones for half of the time, then such as have no room for an option.
                    network.Send(pair, i < 5000 ? 40 : 1496, true);
                }
            });
        }
        const FabricPort& port = network.fabric->GetHost(1).GetNicPort();
        Simulator::Stop(MicroSeconds(499'950)); // before the first large answer
        Simulator::Run();
        const uint64_t rode = reports.size();
        NS_TEST_EXPECT_MSG_EQ_TOL(rode, 100, 1, "one per 5 ms");
        NS_TEST_EXPECT_MSG_EQ(port.GetTxPackets(), 1000, "answers, and nothing beside them");
        NS_TEST_EXPECT_MSG_EQ(port.GetTxBytes(),
                              1000 * 40 + 8 * rode,
                              "8 bytes for each that rode");
        NS_TEST_EXPECT_MSG_EQ((sizes == std::set<uint16_t>{40, 1000}),
                              true,
                              "the option is off when a packet is delivered");
        Simulator::Stop(MilliSeconds(500));
        Simulator::Run();
        const uint64_t alone = reports.size() - rode;
        NS_TEST_EXPECT_MSG_EQ_TOL(alone, 100, 1, "one per 5 ms");
        NS_TEST_EXPECT_MSG_EQ_TOL(port.GetTxPackets(), 2000 + alone, 1, "packets of their own");
        const Time own = Time(MilliSeconds(5)) + MicroSeconds(2500);
        NS_TEST_EXPECT_MSG_EQ_TOL(((times.back() - own).GetMicroSeconds() % 5000),
                                  12,
                                  10,
                                  "after half an interval");
        for (size_t i = 1; i < reports.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(reports[i].sequence, i + 1, "none is lost");
            NS_TEST_EXPECT_MSG_EQ_TOL(reports[i].bytes - reports[i - 1].bytes,
                                      50'000,
                                      1000,
                                      "bytes of the datagrams");
        }
        const auto& statistics = network.edge->GetReportStatistics();
        NS_TEST_EXPECT_MSG_GT_OR_EQ(statistics.rode, rode, "are counted");
        NS_TEST_EXPECT_MSG_EQ_TOL(statistics.sent, statistics.received, 1, "all come");
    }

    std::string m_answers; //!< the edge's attribute Answers
};

/**
 * @ingroup edge-tests
 * @brief Reports that ride on packets.
 */
class ReportCarrierTestSuite : public TestSuite
{
  public:
    ReportCarrierTestSuite()
        : TestSuite("report-carrier", Type::UNIT)
    {
        AddTestCase(new RidingReportsTestCase("ReversePair"), Duration::QUICK);
        AddTestCase(new RidingReportsTestCase("NoPair"), Duration::QUICK);
    }
};

static ReportCarrierTestSuite g_reportCarrierTestSuite; //!< registers the suite
