/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"

#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/stock-queue-disc-adapter.h"
#include "ns3/string.h"

#include <map>

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief Make an adapter.
 * @param spec attribute QueueDisc
 * @return the adapter, not yet installed
 */
static Ptr<StockQueueDiscAdapter>
CreateAdapter(const std::string& spec)
{
    return CreateObjectWithAttributes<StockQueueDiscAdapter>("QueueDisc", StringValue(spec));
}

/**
 * @ingroup fabric-tests
 * @brief RED set up as a step marks and drops like the step.
 */
class AdapterRedTestCase : public QueueDiscTestCase
{
  public:
    AdapterRedTestCase()
        : QueueDiscTestCase("RED as a step marks the same packets as StepMarkQueueDisc")
    {
    }

  private:
    void Check() override
    {
        // RED marks at MinTh packets, the step above its threshold.
        auto red = CreateAdapter("red:UseEcn=true,UseHardDrop=false,Gentle=false,QW=1,MinTh=11,"
                                 "MaxTh=11,MaxSize=30p,MeanPktSize=1000");
        auto step = CreateObjectWithAttributes<StepMarkQueueDisc>("MarkThreshold",
                                                                  StringValue("10p"),
                                                                  "MaxSize",
                                                                  StringValue("30p"));
        const std::string expected = Run(step);
        const std::string actual = Run(red);
        NS_TEST_EXPECT_MSG_EQ((actual == expected), true, "RED differs from the step");
        NS_TEST_EXPECT_MSG_EQ(red->GetMarkCounts().size(), 1, "one reason to mark");
        // RED marks before it finds the queue full.
        NS_TEST_EXPECT_MSG_EQ(CountPackets(red->GetMarkCounts()),
                              CountPackets(step->GetMarkCounts()) +
                                  CountPackets(step->GetDropCounts()),
                              "marks");
    }

    /**
     * @brief Send random packets at 1.3 times the rate of a link.
     * @param disc the discipline
     * @return the arrival of each packet with its ECN codepoint, and the drops
     */
    std::string Run(Ptr<FabricQueueDisc> disc)
    {
        TestLink link(disc, "10Gbps");
        std::ostringstream log;
        link.onReceive = [&log](const FabricItem& item) {
            log << Simulator::Now().GetNanoSeconds() << ':' << item.hash << ':' << item.GetEcn()
                << '\n';
        };
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(3);
        double time = 0;
        for (uint32_t i = 0; i < 2000; ++i)
        {
            const auto size = static_cast<uint16_t>(random->GetInteger(500, 1500));
            time += size * 0.8 / 1.3 * random->GetValue(0, 2);
            Simulator::Schedule(NanoSeconds(static_cast<int64_t>(time)),
                                [&link, i, size] { link.port.Send(MakeTestItem(i, size)); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(CountPackets(disc->GetMarkCounts()), 100, "marks happen");
        NS_TEST_EXPECT_MSG_GT(CountPackets(disc->GetDropCounts()), 100, "drops happen");
        log << CountPackets(disc->GetDropCounts());
        Simulator::Destroy();
        return log.str();
    }
};

/**
 * @ingroup fabric-tests
 * @brief FqCoDel separates flows, and drops packets that wait already.
 */
class AdapterFqCoDelTestCase : public QueueDiscTestCase
{
  public:
    AdapterFqCoDelTestCase()
        : QueueDiscTestCase("FqCoDel: flows, drops of waiting packets, conservation")
    {
    }

  private:
    void Check() override
    {
        auto disc = CreateAdapter("fq-co-del:MaxSize=100p,UseEcn=false,Target=10us,Interval=100us");
        TestLink link(disc, "10Gbps");
        std::map<uint32_t, uint64_t> bytes;
        uint64_t received = 0;
        link.onReceive = [&](const FabricItem& item) {
            bytes[item.hash] += item.size;
            ++received;
        };
        constexpr uint64_t SENT = 6000; // flow 0 sends four times as much as flow 1; load 1.5
        for (uint64_t i = 0; i < SENT; ++i)
        {
            Simulator::Schedule(NanoSeconds(static_cast<int64_t>(i * 800)), [&link, i] {
                link.port.Send(MakeTestItem(i % 5 == 0 ? 1 : 0, 1500));
            });
        }
        uint64_t sentUntil = 0;
        Simulator::Schedule(MilliSeconds(4), [&] {
            sentUntil = CountPackets(disc->GetDropCounts()) + disc->GetWaitingPackets();
            // A busy link sends 10 Gbps; flow 1 gets all of its 0.2 * 15 Gbps, less than half.
            const double total = static_cast<double>(bytes[0] + bytes[1]);
            NS_TEST_EXPECT_MSG_EQ_TOL(total, 5e6, 5e4, "bytes in 4 ms");
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bytes[1]), 1.5e6, 3e4, "the light flow");
            NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingPackets(),
                                  disc->GetStockQueueDisc()->GetNPackets(),
                                  "packets waiting");
            NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingBytes(),
                                  disc->GetStockQueueDisc()->GetNBytes(),
                                  "bytes waiting");
        });
        Simulator::Run();
        const auto& stats = disc->GetStockQueueDisc()->GetStats();
        NS_TEST_EXPECT_MSG_GT(sentUntil, 0, "the check ran");
        NS_TEST_EXPECT_MSG_GT(stats.nTotalDroppedPacketsAfterDequeue, 0, "waiting packets dropped");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetDropCounts()),
                              stats.nTotalDroppedPackets,
                              "drops");
        NS_TEST_EXPECT_MSG_EQ(received + stats.nTotalDroppedPackets, SENT, "packets conserved");
        NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingBytes(), 0, "nothing waits");
        disc->Dispose();
    }
};

/**
 * @ingroup fabric-tests
 * @brief A queue disc that holds packets back wakes the port in time.
 */
class AdapterTbfTestCase : public QueueDiscTestCase
{
  public:
    AdapterTbfTestCase()
        : QueueDiscTestCase("TBF: rate, and a port that fails while packets are held back")
    {
    }

  private:
    void Check() override
    {
        auto disc = CreateAdapter("tbf:Rate=2Gbps,Burst=3000,Mtu=1500,MaxSize=1000p");
        TestLink link(disc, "10Gbps");
        uint64_t bytes = 0;
        link.onReceive = [&bytes](const FabricItem& item) { bytes += item.size; };
        for (uint32_t i = 0; i < 900; ++i)
        {
            link.port.Send(MakeTestItem(1, 1500));
        }
        Simulator::Schedule(MilliSeconds(4), [&] {
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bytes), 1e6, 1e4, "2 Gbps for 4 ms");
            NS_TEST_EXPECT_MSG_EQ(disc->DequeueItem(), nullptr, "the bucket is empty");
            NS_TEST_EXPECT_MSG_EQ(disc->GetStockQueueDisc()->GetStats().nTotalRequeuedPackets,
                                  0,
                                  "waking changes no statistics");
            const uint32_t waiting = disc->GetWaitingPackets();
            NS_TEST_EXPECT_MSG_GT(waiting, 200, "packets wait");
            disc->Flush(FabricQueueDisc::LINK_DOWN_DROP);
            NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingPackets(), 0, "flushed");
            NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetDropCounts()), waiting, "all dropped");
        });
        Simulator::Run();
        disc->Dispose();
    }
};

/**
 * @ingroup fabric-tests
 * @brief A full FIFO drops, with ns-3's reason; what cannot be adapted is refused.
 */
class AdapterFifoTestCase : public QueueDiscTestCase
{
  public:
    AdapterFifoTestCase()
        : QueueDiscTestCase("FIFO: order, reasons of drops; wrong queue discs")
    {
    }

  private:
    void Check() override
    {
        auto disc = CreateAdapter("fifo:MaxSize=3p");
        disc->SetPort(nullptr);
        for (uint32_t i = 0; i < 5; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(disc->EnqueueItem(MakeTestItem(i)), (i < 3), "kept");
        }
        NS_TEST_ASSERT_MSG_EQ(disc->GetDropCounts().size(), 1, "one reason");
        NS_TEST_EXPECT_MSG_EQ(std::string(disc->GetDropCounts()[0].reason),
                              "Queue disc limit exceeded",
                              "ns-3's reason");
        for (uint32_t i = 0; i < 3; ++i)
        {
            FabricItem* item = disc->DequeueItem();
            NS_TEST_EXPECT_MSG_EQ(item->hash, i, "order");
            item->Release();
        }
        disc->EnqueueItem(MakeTestItem(9));
        disc->Dispose(); // with a packet inside

        for (const char* bad : {"drop-tail", "mq", "no-such"})
        {
            const auto error = GetInputError([bad] { CreateAdapter(bad)->SetPort(nullptr); });
            NS_TEST_EXPECT_MSG_EQ(error.starts_with("ns3::StockQueueDiscAdapter::QueueDisc = '"),
                                  true,
                                  bad << " gave '" << error << "'");
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief ns-3's queue discs on a fabric port.
 */
class StockQueueDiscAdapterTestSuite : public TestSuite
{
  public:
    StockQueueDiscAdapterTestSuite()
        : TestSuite("stock-queue-disc-adapter", Type::UNIT)
    {
        AddTestCase(new AdapterFifoTestCase);
        AddTestCase(new AdapterRedTestCase);
        AddTestCase(new AdapterFqCoDelTestCase);
        AddTestCase(new AdapterTbfTestCase);
    }
};

static StockQueueDiscAdapterTestSuite g_stockQueueDiscAdapterTestSuite; ///< the suite
