/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/packet-pair-scoreboard.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <vector>

using namespace ns3;

/**
 * @ingroup afq-tests
 * @brief Random arrivals: the scoreboard says what a table of bytes says.
 */
class PacketPairScoreboardTestCase : public TestCase
{
  public:
    PacketPairScoreboardTestCase()
        : TestCase("the same as a table of bytes")
    {
    }

  private:
    static constexpr uint64_t SIZE = 60; //!< bytes looked at

    /**
     * @brief Compare everything.
     * @param board the scoreboard
     * @param table true for each byte that has arrived
     * @param head first byte not acknowledged
     */
    void Compare(const PacketPairScoreboard& board, const std::vector<bool>& table, uint64_t head)
    {
        const auto count = [&table](uint64_t begin, uint64_t end, bool arrived) {
            uint64_t bytes = 0;
            for (uint64_t i = begin; i < end; ++i)
            {
                bytes += table[i] == arrived ? 1 : 0;
            }
            return bytes;
        };
        NS_TEST_ASSERT_MSG_EQ(board.GetReceived(), count(head, SIZE, true), "received");
        for (uint64_t begin = head; begin < SIZE; ++begin)
        {
            uint64_t hole = begin;
            while (hole < SIZE && table[hole])
            {
                ++hole;
            }
            NS_TEST_ASSERT_MSG_EQ(board.FindHole(begin), hole, "hole from " << begin);
            for (uint64_t end = 0; end <= SIZE; ++end)
            {
                NS_TEST_ASSERT_MSG_EQ(board.CountMissing(begin, end),
                                      count(begin, end, false),
                                      "missing from " << begin << " to " << end);
            }
        }
        for (uint64_t enough = 1; enough < 10; ++enough)
        {
            // A byte that has not arrived is lost if enough bytes above it have.
            const uint64_t edge = board.GetLossEdge(enough);
            for (uint64_t i = head; i < SIZE; ++i)
            {
                const bool lost = !table[i] && count(i, SIZE, true) >= enough;
                NS_TEST_ASSERT_MSG_EQ((!table[i] && i < edge), lost, "byte " << i);
            }
        }
    }

    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (int run = 0; run < 50; ++run)
        {
            PacketPairScoreboard board;
            std::vector<bool> table(SIZE, false);
            uint64_t head = 0;
            for (int step = 0; step < 30; ++step)
            {
                const uint64_t begin = random->GetInteger(head, SIZE - 6);
                const uint64_t end = begin + random->GetInteger(1, 5);
                board.Add(begin, end);
                for (uint64_t i = begin; i < end; ++i)
                {
                    table[i] = true;
                }
                Compare(board, table, head);
                if (random->GetValue() < 0.2 && head < SIZE / 2)
                {
                    head += random->GetInteger(1, 8);
                    board.Advance(head);
                    Compare(board, table, head);
                }
            }
            board.Clear();
            NS_TEST_EXPECT_MSG_EQ(board.GetReceived(), 0, "nothing");
            NS_TEST_EXPECT_MSG_EQ(board.FindHole(head), head, "nothing");
            NS_TEST_EXPECT_MSG_EQ(board.GetLossEdge(1), 0, "nothing");
        }
    }
};

/**
 * @ingroup afq-tests
 * @brief Tests of PacketPairScoreboard.
 */
class PacketPairScoreboardTestSuite : public TestSuite
{
  public:
    PacketPairScoreboardTestSuite()
        : TestSuite("packet-pair-scoreboard", Type::UNIT)
    {
        AddTestCase(new PacketPairScoreboardTestCase);
    }
};

static PacketPairScoreboardTestSuite g_packetPairScoreboardTestSuite; //!< registers the suite
