/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/loss-recovery.h"
#include "ns3/test.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup transport-tests
 * @brief Each choice of the next packet, by hand.
 */
class LossRecoveryStepsTestCase : public TestCase
{
  public:
    LossRecoveryStepsTestCase()
        : TestCase("what is sent after losses, refusals and timeouts")
    {
    }

  private:
    void DoRun() override
    {
        GoBackN all;
        SendTo(all, 10);
        auto change = all.Take({2, 2, 3, false});
        NS_TEST_EXPECT_MSG_EQ(change.acknowledged, 3, "0 to 2 at once");
        NS_TEST_EXPECT_MSG_EQ(all.GetInFlight(), 7, "3 to 9");
        change = all.Take({4, 4, 3, true});
        NS_TEST_EXPECT_MSG_EQ(change.lost, true, "3 is missing");
        NS_TEST_EXPECT_MSG_EQ(all.GetNext(), 3, "all from there");
        NS_TEST_EXPECT_MSG_EQ(all.GetInFlight(), 0, "the rest will be refused");
        SendTo(all, 5);
        change = all.Take({7, 7, 8, false});
        NS_TEST_EXPECT_MSG_EQ(all.GetNext(), 8, "what came after all is not sent again");
        SendTo(all, 12);
        all.GiveUp();
        NS_TEST_EXPECT_MSG_EQ(all.GetNext(), 8, "after a timeout");
        NS_TEST_EXPECT_MSG_EQ(all.GetEnd(), 12, "sent at least once");

        SelectiveRepeat some(3);
        SendTo(some, 10);
        for (const uint64_t number : {1, 2})
        {
            NS_TEST_EXPECT_MSG_EQ(some.Take({number, number, 0, false}).lost, false, "too few");
        }
        change = some.Take({3, 3, 0, false});
        NS_TEST_EXPECT_MSG_EQ(change.lost, true, "three later ones arrived");
        NS_TEST_EXPECT_MSG_EQ(some.GetNext(), 0, "sent again");
        NS_TEST_EXPECT_MSG_EQ(some.GetInFlight(), 6, "4 to 9");
        NS_TEST_EXPECT_MSG_EQ(some.Send(), 10, "the 11th transmission");
        NS_TEST_EXPECT_MSG_EQ(some.GetNext(), 10, "and new data goes on");
        SendTo(some, 13);
        some.Take({10, 11, 0, false});
        some.Take({11, 12, 0, false});
        change = some.Take({12, 13, 0, false});
        NS_TEST_EXPECT_MSG_EQ(some.GetNext(), 4, "4 to 9 are lost,");
        NS_TEST_EXPECT_MSG_EQ(some.GetInFlight(), 0, "and the second transmission of 0, too");
        change = some.Take({9, 9, 9, false});
        NS_TEST_EXPECT_MSG_EQ(change.acknowledged, 7, "0, 4 to 9: 9 was late, others by number");
        NS_TEST_EXPECT_MSG_EQ(some.GetFirstUnacknowledged(), 13, "all");
        NS_TEST_EXPECT_MSG_EQ(some.GetNext(), 13, "nothing is left to repeat");
    }

    /**
     * @brief Send on.
     * @param recovery the sender
     * @param end first packet that is not sent
     */
    static void SendTo(LossRecovery& recovery, uint64_t end)
    {
        while (recovery.GetNext() < end)
        {
            recovery.Send();
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief Whatever is lost or overtaken, each packet is delivered once, in order, and it ends.
 */
class LossRecoveryPropertyTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param kind go-back-N or selective repeat
     */
    explicit LossRecoveryPropertyTestCase(LossRecovery::Kind kind)
        : TestCase(kind == LossRecovery::GO_BACK_N ? "random losses, go-back-N"
                                                   : "random losses, selective repeat"),
          m_kind(kind)
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 60; ++seed)
        {
            Transfer(seed);
        }
    }

    /**
     * @brief Send 100 packets over a channel of random quality.
     * @param seed of the channel
     */
    void Transfer(uint32_t seed)
    {
        constexpr uint64_t PACKETS = 100;
        std::mt19937 random(seed);
        const double loss = 0.4 * (seed % 5) / 4;
        const uint64_t window = 1 + seed % 40;
        const auto happens = [&random](double probability) {
            return std::uniform_real_distribution<>(0, 1)(random) < probability;
        };
        std::unique_ptr<LossRecovery> sender;
        if (m_kind == LossRecovery::GO_BACK_N)
        {
            sender = std::make_unique<GoBackN>();
        }
        else
        {
            sender = std::make_unique<SelectiveRepeat>(1 + seed % 4);
        }
        PacketReassembly receiver;
        std::vector<bool> has(PACKETS); // the slow exact model of the receiver
        std::deque<LossRecovery::Answer> data;
        std::deque<LossRecovery::Answer> answers;
        uint32_t acknowledged = 0;
        uint32_t steps = 0;
        while (sender->GetFirstUnacknowledged() < PACKETS && ++steps < 1000000)
        {
            const uint64_t before = sender->GetNext();
            if (before < PACKETS && sender->GetInFlight() < window)
            {
                const uint64_t serial = sender->Send();
                if (!happens(loss))
                {
                    data.push_back({before, serial, 0, false});
                }
            }
            else if (data.empty() && answers.empty())
            {
                sender->GiveUp();
            }
            if (data.size() > 1 && happens(0.05))
            {
                std::swap(data[0], data[1]);
            }
            if (!data.empty() && happens(0.5))
            {
                LossRecovery::Answer answer = data.front();
                data.pop_front();
                answer.refused =
                    m_kind == LossRecovery::GO_BACK_N && answer.number > receiver.GetNext();
                if (!answer.refused)
                {
                    const bool isNew = receiver.Add(answer.number);
                    NS_TEST_ASSERT_MSG_EQ(isNew, !has[answer.number], "new or not");
                    has[answer.number] = true;
                }
                uint64_t next = 0;
                while (next < PACKETS && has[next])
                {
                    ++next;
                }
                NS_TEST_ASSERT_MSG_EQ(receiver.GetNext(), next, "in order");
                const auto there = std::count(has.begin(), has.end(), true);
                const bool gap = there > static_cast<int64_t>(next);
                NS_TEST_ASSERT_MSG_EQ(receiver.HasGap(), gap, "gap");
                answer.next = next;
                if (!happens(loss))
                {
                    answers.push_back(answer);
                }
            }
            if (!answers.empty() && happens(0.5))
            {
                acknowledged += sender->Take(answers.front()).acknowledged;
                answers.pop_front();
            }
            NS_TEST_ASSERT_MSG_EQ((sender->GetInFlight() <= window), true, "window");
        }
        NS_TEST_ASSERT_MSG_EQ(acknowledged, PACKETS, "each is acknowledged once, seed " << seed);
        NS_TEST_ASSERT_MSG_EQ(receiver.GetNext(), PACKETS, "and has arrived");
    }

    LossRecovery::Kind m_kind; //!< go-back-N or selective repeat
};

/**
 * @ingroup transport-tests
 * @brief Tests of LossRecovery and PacketReassembly.
 */
class LossRecoveryTestSuite : public TestSuite
{
  public:
    LossRecoveryTestSuite()
        : TestSuite("loss-recovery", Type::UNIT)
    {
        AddTestCase(new LossRecoveryStepsTestCase);
        AddTestCase(new LossRecoveryPropertyTestCase(LossRecovery::GO_BACK_N));
        AddTestCase(new LossRecoveryPropertyTestCase(LossRecovery::SELECTIVE));
    }
};

static LossRecoveryTestSuite g_lossRecoveryTestSuite; //!< registers the suite
