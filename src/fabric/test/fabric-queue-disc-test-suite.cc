/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"

#include "ns3/double.h"
#include "ns3/drop-tail-queue-disc.h"
#include "ns3/drr-queue-disc.h"
#include "ns3/object-spec.h"
#include "ns3/shared-buffer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief DropTailQueueDisc keeps order and its limit, in bytes and in packets.
 */
class DropTailTestCase : public QueueDiscTestCase
{
  public:
    DropTailTestCase()
        : QueueDiscTestCase("drop-tail: order, limits, counters")
    {
    }

  private:
    void Check() override
    {
        CheckLimit("3000B", {1000, 1000, 1001, 1000, 1}, {1000, 1000, 1000});
        CheckLimit("2p", {9000, 64, 1}, {9000, 64});
    }

    /**
     * @brief Send items of some sizes to an idle queue and take out what stays.
     * @param limit attribute MaxSize
     * @param sizes of the items, in bytes
     * @param kept sizes of those that stay
     */
    void CheckLimit(const std::string& limit,
                    const std::vector<uint16_t>& sizes,
                    const std::vector<uint16_t>& kept)
    {
        auto disc = CreateObjectWithAttributes<DropTailQueueDisc>("MaxSize", StringValue(limit));
        uint32_t keptBytes = 0;
        for (uint16_t size : sizes)
        {
            keptBytes += disc->EnqueueItem(MakeTestItem(1, size)) ? size : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingPackets(), kept.size(), "packets waiting");
        NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingBytes(), keptBytes, "bytes waiting");
        NS_TEST_EXPECT_MSG_EQ(disc->GetPeakBytes(), keptBytes, "most bytes waiting");
        NS_TEST_ASSERT_MSG_EQ(disc->GetDropCounts().size(), 1, "one reason to drop");
        NS_TEST_EXPECT_MSG_EQ(std::string(disc->GetDropCounts()[0].reason),
                              FabricQueueDisc::LIMIT_EXCEEDED_DROP,
                              "reason");
        NS_TEST_EXPECT_MSG_EQ(disc->GetDropCounts()[0].packets,
                              sizes.size() - kept.size(),
                              "drops");
        for (uint16_t size : kept)
        {
            FabricItem* item = disc->DequeueItem();
            NS_TEST_ASSERT_MSG_NE(item, nullptr, "a packet is missing");
            NS_TEST_EXPECT_MSG_EQ(item->size, size, "order");
            item->Release();
        }
        NS_TEST_EXPECT_MSG_EQ(disc->DequeueItem(), nullptr, "more came out than went in");
        NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingBytes(), 0, "bytes waiting in an empty queue");
        disc->Dispose();
    }
};

/**
 * @ingroup fabric-tests
 * @brief The dynamic threshold of a shared buffer, exact to the packet.
 */
class DynamicThresholdTestCase : public QueueDiscTestCase
{
  public:
    DynamicThresholdTestCase()
        : QueueDiscTestCase("shared buffer: dynamic threshold of two ports")
    {
    }

  private:
    void Check() override
    {
        // One greedy port settles at alpha/(1 + alpha) of the memory; the next one at the same
        // share of what is left, since the first does not shrink unless it sends.
        CheckShares(1.0, 50, 25);
        CheckShares(2.0, 67, 22);
        CheckShares(0.5, 33, 22);
        CheckShares(1e9, 100, 0);
    }

    /**
     * @brief Fill two ports, one after the other, then let the first one go.
     * @param alpha attribute Alpha
     * @param first packets that the first port can hold
     * @param second packets that the second port can hold after that
     */
    void CheckShares(double alpha, uint32_t first, uint32_t second)
    {
        auto buffer = CreateObjectWithAttributes<SharedBuffer>("Size",
                                                               UintegerValue(100'000),
                                                               "Alpha",
                                                               DoubleValue(alpha));
        std::vector<Ptr<FabricQueueDisc>> ports;
        for (int i = 0; i < 2; ++i)
        {
            ports.push_back(
                CreateObjectWithAttributes<DropTailQueueDisc>("MaxSize", StringValue("1000MB")));
            ports.back()->SetSharedBuffer(buffer);
            for (int packet = 0; packet < 200; ++packet)
            {
                ports.back()->EnqueueItem(MakeTestItem(1));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(ports[0]->GetWaitingPackets(), first, "first port, alpha " << alpha);
        NS_TEST_EXPECT_MSG_EQ(ports[1]->GetWaitingPackets(), second, "second port");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), (first + second) * 1000, "memory in use");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(ports[0]->GetDropCounts()), 200 - first, "drops");
        NS_TEST_EXPECT_MSG_EQ(std::string(ports[0]->GetDropCounts().at(0).reason),
                              FabricQueueDisc::BUFFER_DROP,
                              "reason");
        for (uint32_t i = 0; i < first; ++i)
        {
            ports[0]->DequeueItem()->Release();
        }
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), second * 1000, "memory not given back");
        ports[1]->Dispose();
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "memory not given back on disposal");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Shared memory is given back whatever becomes of a packet.
 */
class SharedBufferConservationTestCase : public QueueDiscTestCase
{
  public:
    SharedBufferConservationTestCase()
        : QueueDiscTestCase("shared buffer: every fate of a packet gives its memory back")
    {
    }

  private:
    void Check() override
    {
        auto buffer = CreateObject<SharedBuffer>();

        // The discipline refuses what the buffer admitted.
        auto tail = CreateObjectWithAttributes<DropTailQueueDisc>("MaxSize", StringValue("2p"));
        tail->SetSharedBuffer(buffer);
        for (int i = 0; i < 10; ++i)
        {
            tail->EnqueueItem(MakeTestItem(1));
            NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), tail->GetWaitingBytes(), "after an arrival");
        }
        tail->Flush(FabricQueueDisc::LINK_DOWN_DROP);
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "after a flush");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(tail->GetDropCounts()), 10, "all were dropped");

        // The discipline drops another packet than the one that comes.
        auto drr = CreateObjectWithAttributes<DrrQueueDisc>("MaxSize", StringValue("5p"));
        drr->SetSharedBuffer(buffer);
        drr->SetPort(nullptr);
        for (uint32_t i = 0; i < 20; ++i)
        {
            drr->EnqueueItem(MakeTestItem(i % 3, static_cast<uint16_t>(100 + 50 * i)));
            NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), drr->GetWaitingBytes(), "after an eviction");
        }
        NS_TEST_EXPECT_MSG_EQ(drr->GetWaitingPackets(), 5, "the limit holds");
        drr->Dispose();
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "after disposal");
    }
};

/**
 * @ingroup fabric-tests
 * @brief A buffer has room for something.
 */
class NoBufferTestCase : public QueueDiscTestCase
{
  public:
    NoBufferTestCase()
        : QueueDiscTestCase("no buffer")
    {
    }

  private:
    void Check() override
    {
        for (const std::string name : {"drop-tail", "step-mark", "drr", "strict-priority"})
        {
            for (const std::string size : {"0p", "0B"})
            {
                const auto error = GetInputError([&] {
                    CreateFromSpec<FabricQueueDisc>("queue", name + ":MaxSize=" + size)
                        ->SetPort(nullptr);
                });
                NS_TEST_EXPECT_MSG_EQ(
                    error.ends_with("MaxSize = '" + size + "': room for a packet"),
                    true,
                    error);
            }
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of disciplines and of what they share.
 */
class FabricQueueDiscTestSuite : public TestSuite
{
  public:
    FabricQueueDiscTestSuite()
        : TestSuite("fabric-queue-disc", Type::UNIT)
    {
        AddTestCase(new DropTailTestCase);
        AddTestCase(new DynamicThresholdTestCase);
        AddTestCase(new SharedBufferConservationTestCase);
        AddTestCase(new NoBufferTestCase);
    }
};

static FabricQueueDiscTestSuite g_fabricQueueDiscTestSuite; ///< the suite
