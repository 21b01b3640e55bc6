/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../schemes/test/scheme-test-network.h"
#include "../../support/test/support-test.h"

#include "ns3/input-error.h"
#include "ns3/jain-index.h"
#include "ns3/test.h"

#include <map>
#include <vector>

using namespace ns3;

/**
 * @ingroup afq-tests
 * @brief The goodput of one flow is the line rate minus headers.
 */
class AfqGoodputTestCase : public TestCase
{
  public:
    /**
     * @param scheme specification of the scheme
     * @param least share of the line rate that its goodput must reach
     */
    AfqGoodputTestCase(const std::string& scheme, double least)
        : TestCase("goodput of one flow, " + scheme),
          m_scheme(scheme),
          m_least(least)
    {
    }

  private:
    void DoRun() override
    {
        SchemeTestNetwork network(m_scheme, "dumbbell:Left=1,Right=1", "");
        network.m_transport->StartFlow({0, 1, 0, 0});
        const Time duration = MilliSeconds(8);
        network.Run(MilliSeconds(4), duration);
        const auto sizes = network.m_transport->GetPacketSizes();
        const double expected = 10e9 * sizes.payload / (sizes.payload + sizes.header);
        const double goodput = 8.0 * network.m_delivered[1] / duration.GetSeconds();
        NS_TEST_EXPECT_MSG_LT_OR_EQ(goodput, expected * 1.0001, "bit/s");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(goodput, expected * m_least, "bit/s");
    }

    std::string m_scheme; //!< specification of the scheme
    double m_least;       //!< share of the line rate
};

/**
 * @ingroup afq-tests
 * @brief Flows share a port alike, however many of them a host has.
 */
class AfqShareTestCase : public TestCase
{
  public:
    /**
     * @param scheme specification of the scheme
     * @param tolerance most that a flow's goodput may be off the fair share, as a part of it
     */
    AfqShareTestCase(const std::string& scheme, double tolerance)
        : TestCase("one flow against seven of another host, " + scheme.substr(0, scheme.find(':'))),
          m_scheme(scheme),
          m_tolerance(tolerance)
    {
    }

  private:
    void DoRun() override
    {
        SchemeTestNetwork network(m_scheme, "dumbbell:Left=2,Right=1", "");
        network.m_transport->StartFlow({0, 2, 0, 0});
        for (uint32_t i = 0; i < 7; ++i)
        {
            network.m_transport->StartFlow({1, 2, 0, 0});
        }
        const Time duration = MilliSeconds(20);
        network.Run(MilliSeconds(10), duration);
        std::vector<double> rates;
        const double fairShare = 10e9 / 8 * 1460 / 1500;
        for (const auto& [flow, bytes] : network.m_delivered)
        {
            rates.push_back(8.0 * bytes / duration.GetSeconds());
            NS_TEST_EXPECT_MSG_EQ_TOL(rates.back(),
                                      fairShare,
                                      m_tolerance * fairShare,
                                      "flow " << flow);
        }
        NS_TEST_EXPECT_MSG_EQ(rates.size(), 8, "all flows deliver");
    }

    std::string m_scheme; //!< specification of the scheme
    double m_tolerance;   //!< part of the fair share
};

/**
 * @ingroup afq-tests
 * @brief Disciplines and buffers of the ports, and their reports.
 */
class AfqPortsTestCase : public TestCase
{
  public:
    AfqPortsTestCase()
        : TestCase("disciplines, buffers and reports")
    {
    }

  private:
    void DoRun() override
    {
        CheckDisciplines("afq", "ns3::AfqQueueDisc", "ns3::AfqQueueDisc");
        CheckDisciplines("afq:HostQueue=drop-tail", "ns3::DropTailQueueDisc", "ns3::AfqQueueDisc");
        CheckDisciplines("afq-tcp:HostQueue=drop-tail",
                         "ns3::DropTailQueueDisc",
                         "ns3::AfqQueueDisc");
        CheckDisciplines("afq-dctcp", "ns3::AfqQueueDisc", "ns3::AfqQueueDisc");
        CheckDisciplines("ideal-fq", "ns3::IdealFqQueueDisc", "ns3::IdealFqQueueDisc");
        CheckDisciplines("ideal-fq-dctcp", "ns3::IdealFqQueueDisc", "ns3::IdealFqQueueDisc");
        CheckDisciplines("sfq", "ns3::DrrQueueDisc", "ns3::DrrQueueDisc");

        NS_TEST_EXPECT_MSG_EQ(GetReport("afq").size(), 0, "nothing was asked for");
        const auto report = GetReport("afq:Queue=\"afq:ShadowSketches=1x1+2x16384\"");
        NS_TEST_EXPECT_MSG_EQ(report.at("misestimated_sketch"), 0, "a large sketch");
        NS_TEST_EXPECT_MSG_EQ(report.at("misestimated_2x16384"), 0, "the same");
        NS_TEST_EXPECT_MSG_GT(report.at("misestimated_1x1"), 0.1, "one cell for all flows");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(report.at("misestimated_bound_1x1"),
                                    report.at("misestimated_1x1"),
                                    "bound");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(report.at("misestimated_worst_port_1x1"),
                                    report.at("misestimated_1x1"),
                                    "worst port");

        CheckRefused("afq:Queue=\"afq:NumQueues=1\"");
        CheckRefused("afq:Queue=nothing");
        CheckRefused("afq-tcp:Transport=packet-pair");
    }

    /**
     * @brief Look at every port of a network.
     * @param scheme specification of the scheme
     * @param host TypeId of the discipline expected at hosts
     * @param other the same elsewhere
     */
    void CheckDisciplines(const std::string& scheme,
                          const std::string& host,
                          const std::string& other)
    {
        SchemeTestNetwork network(scheme, "leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=2", "");
        const std::map<uint32_t, std::string> buffers{{0, "8000000B"},
                                                      {1, "512000B"},
                                                      {2, "1000000B"}};
        network.m_fabric->ForEachPort([&](FabricPort& port) {
            const auto& description = port.GetDescription();
            const auto& queue = port.GetQueueDisc();
            NS_TEST_EXPECT_MSG_EQ(queue.GetInstanceTypeId().GetName(),
                                  (description.tier == 0 ? host : other),
                                  scheme);
            QueueSizeValue size;
            queue.GetAttribute("MaxSize", size);
            NS_TEST_EXPECT_MSG_EQ(size.Get(), QueueSize(buffers.at(description.tier)), scheme);
        });
    }

    /**
     * @brief Run eight flows through one port.
     * @param scheme specification of the scheme
     * @return totals of the ports' reports, by name
     */
    static std::map<std::string, double> GetReport(const std::string& scheme)
    {
        SchemeTestNetwork network(scheme, "dumbbell:Left=8,Right=1", "");
        for (uint32_t host = 0; host < 8; ++host)
        {
            network.m_transport->StartFlow({host, 8, 100'000, 0});
        }
        network.Run(Seconds(0), Seconds(1));
        Results results;
        network.m_fabric->ReportResults(results);
        return TotalsByName(results);
    }

    /**
     * @brief A wrong specification is refused.
     * @param scheme the specification
     */
    void CheckRefused(const std::string& scheme)
    {
        bool refused = false;
        try
        {
            SchemeTestNetwork network(scheme, "dumbbell:Left=1,Right=1", "");
        }
        catch (const InputError&)
        {
            refused = true;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, scheme);
    }
};

/**
 * @ingroup afq-tests
 * @brief Test suite of the schemes of AFQ's evaluation.
 */
class AfqSchemeTestSuite : public TestSuite
{
  public:
    AfqSchemeTestSuite()
        : TestSuite("afq-scheme", Type::SYSTEM)
    {
        for (const std::string scheme : {"afq", "ideal-fq", "ideal-fq-dctcp", "afq-dctcp"})
        {
            AddTestCase(new AfqGoodputTestCase(scheme, 0.98));
        }
        // Without a pair in flight packet-pair flows fall short where their BDP is about a packet.
        const std::string pairs = ":Transport=\"packet-pair:PairInFlight=true\"";
        for (const std::string& scheme : {"afq" + pairs,
                                          "ideal-fq" + pairs,
                                          std::string("ideal-fq-dctcp"),
                                          std::string("afq-dctcp")})
        {
            AddTestCase(new AfqShareTestCase(scheme, 0.03));
        }
        AddTestCase(new AfqShareTestCase("afq-tcp", 0.1));
        AddTestCase(new AfqPortsTestCase);
    }
};

/// @brief The suite.
static AfqSchemeTestSuite g_afqSchemeTestSuite;
