/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/max-update-sketch.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <cmath>
#include <map>
#include <vector>

using namespace ns3;

/**
 * @ingroup telemetry-tests
 * @brief The first flow that shares just the given rows' cells with another.
 * @param sketch the sketch
 * @param other the other flow
 * @param shared for each row, whether the cell is shared
 * @return hash of the flow
 */
static uint32_t
FindFlow(const MaxUpdateSketch& sketch, uint32_t other, const std::vector<bool>& shared)
{
    for (uint32_t flow = other + 1;; ++flow)
    {
        bool found = true;
        for (uint32_t row = 0; row < sketch.GetRows(); ++row)
        {
            found = found &&
                    (sketch.GetColumn(flow, row) == sketch.GetColumn(other, row)) == shared[row];
        }
        if (found)
        {
            return flow;
        }
    }
}

/**
 * @ingroup telemetry-tests
 * @brief Two flows that share one cell of two.
 */
class SketchSharedCellTestCase : public TestCase
{
  public:
    SketchSharedCellTestCase()
        : TestCase("flows that share one of two cells keep their values")
    {
    }

  private:
    void DoRun() override
    {
        MaxUpdateSketch sketch(2, 64);
        const uint32_t a = 17;
        const uint32_t b = FindFlow(sketch, a, {true, false});
        const auto store = [&sketch](uint32_t flow, uint64_t bytes) {
            auto cells = sketch.Find(flow);
            cells.Raise(cells.Read() + bytes);
        };
        store(a, 1500);
        store(a, 1500);
        NS_TEST_EXPECT_MSG_EQ(sketch.Find(a).Read(), 3000, "A's value");
        NS_TEST_EXPECT_MSG_EQ(sketch.Find(b).Read(), 0, "min(3000, 0)");
        store(b, 1500);
        NS_TEST_EXPECT_MSG_EQ(sketch.Find(a).Read(), 3000, "A's value after B's");
        NS_TEST_EXPECT_MSG_EQ(sketch.Find(b).Read(), 1500, "B's value");

        // A flow that shares all cells reads what it must: too much, never too little.
        const uint32_t c = FindFlow(sketch, a, {true, true});
        NS_TEST_EXPECT_MSG_EQ(sketch.Find(c).Read(), 3000, "both cells shared");

        // Counting adds to the cells whatever the value was.
        sketch.Find(b).Add(100);
        NS_TEST_EXPECT_MSG_EQ(sketch.Find(b).Read(), 1600, "counted");
        NS_TEST_EXPECT_MSG_EQ(sketch.Find(a).Read(), 3000, "the other row stays");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief A value read is never too little, and exact if nothing can collide.
 */
class SketchPropertyTestCase : public TestCase
{
  public:
    SketchPropertyTestCase()
        : TestCase("what is read is never below what was stored")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t rows : {1, 2, 3, 8})
        {
            CheckSketch(rows);
        }
    }

    /**
     * @brief Store rising values for random flows.
     * @param rows of the sketch
     */
    void CheckSketch(uint32_t rows)
    {
        MaxUpdateSketch sketch(rows, 32);
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        std::map<uint32_t, uint64_t> exact;
        uint32_t alone = 0; // steps at which the flow had a cell to itself
        for (uint32_t i = 0; i < 20'000; ++i)
        {
            const uint32_t flow = random->GetInteger(0, 39);
            auto cells = sketch.Find(flow);
            NS_TEST_ASSERT_MSG_GT_OR_EQ(cells.Read(), exact[flow], "too little");
            bool collides = true;
            for (uint32_t row = 0; row < rows; ++row)
            {
                bool shared = false;
                for (const auto& [other, value] : exact)
                {
                    shared = shared || (other != flow && sketch.GetColumn(other, row) ==
                                                             sketch.GetColumn(flow, row));
                }
                collides = collides && shared;
            }
            if (!collides)
            {
                ++alone;
                NS_TEST_ASSERT_MSG_EQ(cells.Read(), exact[flow], "alone in a cell, yet not exact");
            }
            exact[flow] += random->GetInteger(40, 1500);
            cells.Raise(exact[flow]);
        }
        NS_TEST_EXPECT_MSG_GT(alone, 100, "the test saw too few flows alone");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Rows hash independently: collisions are as frequent as theory says.
 */
class SketchCollisionTestCase : public TestCase
{
  public:
    SketchCollisionTestCase()
        : TestCase("collisions are as frequent as with independent uniform hashing")
    {
    }

  private:
    void DoRun() override
    {
        // Per cent of flows that share a cell in every row, (1 - (1 - 1/nB)^(n-1))^nH.
        CheckRate(100, 1, 1024, 9.22);
        CheckRate(100, 2, 512, 3.10);
        CheckRate(100, 2, 1024, 0.850);
        CheckRate(200, 2, 1024, 3.12);
        CheckRate(1000, 2, 1024, 38.8);
        CheckRate(100, 3, 1024, 0.078);
    }

    /**
     * @brief Count flows that share a cell in every row.
     * @param flows number of flows
     * @param rows of the sketch
     * @param columns of the sketch
     * @param percent expected
     */
    void CheckRate(uint32_t flows, uint32_t rows, uint32_t columns, double percent)
    {
        const MaxUpdateSketch sketch(rows, columns);
        const uint32_t rounds = 2'000'000 / flows;
        uint64_t collided = 0;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            std::vector<uint32_t> load(rows * columns);
            const auto cell = [&](uint32_t flow, uint32_t row) -> uint32_t& {
                return load[row * columns + sketch.GetColumn(round * flows + flow, row)];
            };
            for (uint32_t flow = 0; flow < flows; ++flow)
            {
                for (uint32_t row = 0; row < rows; ++row)
                {
                    ++cell(flow, row);
                }
            }
            for (uint32_t flow = 0; flow < flows; ++flow)
            {
                bool all = true;
                for (uint32_t row = 0; row < rows; ++row)
                {
                    all = all && cell(flow, row) > 1;
                }
                collided += all ? 1 : 0;
            }
        }
        const double measured = 100.0 * static_cast<double>(collided) / (rounds * flows);
        const double noise = 100 * std::sqrt(percent / 100 / (rounds * flows)); // Poisson
        NS_TEST_EXPECT_MSG_EQ_TOL(measured,
                                  percent,
                                  0.006 * percent + 5 * noise,
                                  flows << " flows, " << rows << "x" << columns);
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Test suite of the max-update sketch.
 */
class MaxUpdateSketchTestSuite : public TestSuite
{
  public:
    MaxUpdateSketchTestSuite()
        : TestSuite("max-update-sketch", Type::UNIT)
    {
        AddTestCase(new SketchSharedCellTestCase);
        AddTestCase(new SketchPropertyTestCase);
        AddTestCase(new SketchCollisionTestCase);
    }
};

/// @brief The suite.
static MaxUpdateSketchTestSuite g_maxUpdateSketchTestSuite;
