/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Shares of packet-pair flows at a bottleneck that queues fairly.

#include "packet-pair-test.h"

#include "ns3/jain-index.h"
#include "ns3/test.h"

using namespace ns3;

namespace
{

constexpr double CAPACITY = 10e9 * 1460 / 1500; //!< goodput of the bottleneck in bit/s

/**
 * @brief Endless flows of hosts 0, 1, ... to the host with the highest number.
 */
class Crowd
{
  public:
    /**
     * @brief Set up.
     * @param hosts number of senders
     * @param discipline of the ports
     * @param attributes of the transport
     */
    Crowd(uint32_t hosts, const std::string& discipline, const AttributeList& attributes = {})
        : m_star(CreatePacketPair(attributes), std::vector<StarLink>(hosts + 1), discipline),
          m_flows(hosts, 0)
    {
        m_star.stage.decide = [this](FabricItem*, const SeenPacket&) {
            m_star.stage.seen.clear();
            return WatchingStage::PASS;
        };
    }

    /**
     * @brief A sender begins.
     * @param host of the sender
     */
    void Join(uint32_t host)
    {
        m_flows[host] = m_star.Send(host, static_cast<uint32_t>(m_flows.size()), 0);
    }

    /**
     * @brief A sender ends.
     * @param host of the sender
     */
    void Leave(uint32_t host)
    {
        m_star.transport->StopFlow(m_flows[host]);
        m_flows[host] = 0;
    }

    /**
     * @brief Goodput of the senders over a time from now on.
     * @param duration the time
     * @return bit/s of those that send now
     */
    std::vector<double> Measure(Time duration)
    {
        const auto before = m_star.delivered;
        Star::RunUntil(Simulator::Now() + duration);
        std::vector<double> rates;
        for (const FlowId flow : m_flows)
        {
            if (flow)
            {
                const auto start = before.find(flow);
                const uint64_t already = start == before.end() ? 0 : start->second;
                rates.push_back(8 * (m_star.delivered[flow] - already) / duration.GetSeconds());
            }
        }
        return rates;
    }

    /**
     * @brief The network.
     * @return the star
     */
    Star& GetStar()
    {
        return m_star;
    }

    /// @brief Discipline of the bottleneck.
    FabricQueueDisc& GetQueue() const
    {
        return m_star.GetQueue(static_cast<uint32_t>(m_flows.size()));
    }

  private:
    Star m_star;                 //!< the network
    std::vector<FlowId> m_flows; //!< by sender; 0: it does not send
};

} // namespace

/**
 * @ingroup afq-tests
 * @brief Every flow has the fair share within 3 %, also after flows have joined and left.
 */
class PacketPairFairShareTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param discipline of the ports
     * @param flows number of flows
     */
    PacketPairFairShareTestCase(const std::string& discipline, uint32_t flows)
        : TestCase("fair share of " + std::to_string(flows) + " flows, " + discipline),
          m_discipline(discipline),
          m_flows(flows)
    {
    }

  private:
    /**
     * @brief Let the flows settle, then measure.
     * @param crowd the flows
     * @param senders number of flows that send
     * @param phase name of the phase, for messages
     */
    void Check(Crowd& crowd, uint32_t senders, const std::string& phase)
    {
        Star::RunUntil(Simulator::Now() + MicroSeconds(300));
        const std::vector<double> rates = crowd.Measure(MilliSeconds(3));
        NS_TEST_ASSERT_MSG_EQ(rates.size(), senders, "senders");
        for (const double rate : rates)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(rate / (CAPACITY / senders), 1, 0.03, phase);
        }
    }

    void DoRun() override
    {
        // Else flows with a BDP of about one packet fall short, 8 of them by 5 %.
        Crowd crowd(m_flows, m_discipline, {{"PairInFlight", "true"}});
        for (uint32_t host = 0; host < m_flows; ++host)
        {
            Simulator::Schedule(host * NanoSeconds(7777), [&crowd, host] { crowd.Join(host); });
        }
        Check(crowd, m_flows, "all");
        for (uint32_t host = 1; host < m_flows; host += 2)
        {
            crowd.Leave(host);
        }
        Check(crowd, m_flows / 2, "half of them left");
        for (uint32_t host = 1; host < m_flows; host += 2)
        {
            crowd.Join(host);
        }
        Check(crowd, m_flows, "they are back");
        NS_TEST_EXPECT_MSG_EQ(crowd.GetStar().transport->GetTimeouts(), 0, "timeouts");
    }

    std::string m_discipline; //!< of the ports
    uint32_t m_flows;         //!< number of flows
};

/**
 * @ingroup afq-tests
 * @brief Staggered flows at an AFQ port: full use, equal shares, no drops, short queues.
 */
class PacketPairStaggeredTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param flows number of flows
     */
    explicit PacketPairStaggeredTestCase(uint32_t flows)
        : TestCase(std::to_string(flows) + " staggered flows"),
          m_flows(flows)
    {
    }

  private:
    void DoRun() override
    {
        Crowd crowd(m_flows, "afq");
        for (uint32_t host = 0; host < m_flows; ++host)
        {
            Simulator::Schedule(host * NanoSeconds(100000 / m_flows),
                                [&crowd, host] { crowd.Join(host); });
        }
        // How many packets of each flow wait, looked at every 5 us all the time.
        uint64_t samples = 0;
        uint64_t above = 0;
        uint32_t largest = 0;
        for (Time time = MicroSeconds(5); time < MilliSeconds(2); time += MicroSeconds(5))
        {
            Simulator::Schedule(time, [&] {
                std::map<uint32_t, uint32_t> waiting;
                crowd.GetQueue().ForEachWaiting(
                    [&](const FabricItem& item) { ++waiting[item.flow]; });
                for (const auto& [flow, packets] : waiting)
                {
                    ++samples;
                    above += packets > 5 ? 1 : 0;
                    if (Simulator::Now() > MilliSeconds(1)) // all know of each other
                    {
                        largest = std::max(largest, packets);
                    }
                }
            });
        }
        Star::RunUntil(MilliSeconds(1));
        const std::vector<double> rates = crowd.Measure(MilliSeconds(1));
        double sum = 0;
        for (const double rate : rates)
        {
            sum += rate;
        }
        NS_TEST_EXPECT_MSG_EQ(rates.size(), m_flows, "flows");
        NS_TEST_EXPECT_MSG_GT(sum / CAPACITY, 0.97, "utilisation");
        NS_TEST_EXPECT_MSG_GT(JainIndex(rates), 0.99, "Jain index");
        NS_TEST_EXPECT_MSG_EQ(crowd.GetStar().GetDrops(m_flows), 0, "drops");
        NS_TEST_EXPECT_MSG_LT(largest, 13, "largest backlog of a flow");
        NS_TEST_EXPECT_MSG_GT(samples, 1000, "snapshots");
        NS_TEST_EXPECT_MSG_LT(above / static_cast<double>(samples), 0.1, "above five packets");
    }

    uint32_t m_flows; //!< number of flows
};

/**
 * @ingroup afq-tests
 * @brief Tests of the shares of packet-pair flows.
 */
class PacketPairFairnessTestSuite : public TestSuite
{
  public:
    PacketPairFairnessTestSuite()
        : TestSuite("packet-pair-fairness", Type::UNIT)
    {
        for (const std::string discipline : {"afq", "drr:Queues=0"})
        {
            for (const uint32_t flows : {2, 4, 8, 16, 32})
            {
                AddTestCase(new PacketPairFairShareTestCase(discipline, flows));
            }
        }
        for (const uint32_t flows : {4, 32, 64})
        {
            AddTestCase(new PacketPairStaggeredTestCase(flows));
        }
    }
};

static PacketPairFairnessTestSuite g_packetPairFairnessTestSuite; //!< registers the suite
