/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/bloom-filter.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <set>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Random keys.
 * @param stream of the random numbers
 * @param count number of keys
 * @return the keys; by all odds there are no two the same
 */
std::vector<uint64_t>
MakeKeys(int64_t stream, uint32_t count)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    std::vector<uint64_t> keys(count);
    for (uint64_t& key : keys)
    {
        key = static_cast<uint64_t>(random->GetInteger(0, UINT32_MAX)) << 32 |
              random->GetInteger(0, UINT32_MAX);
    }
    return keys;
}

} // namespace

/**
 * @ingroup telemetry-tests
 * @brief False positives against theory.
 */
class BloomFilterRateTestCase : public TestCase
{
  public:
    BloomFilterRateTestCase()
        : TestCase("false positives are as frequent as theory says")
    {
    }

  private:
    void DoRun() override
    {
        // Per cent; the first is uFAB's claim of less than 5 (Section 4.2).
        Check(20'480, 1, 20'000, 4.69, 332);
        Check(20'480, 1, 10'000, 1.32, -1);
        Check(20'480, 1, 20'480, 4.89, -1);
        Check(20'000, 1, 20'480, 5.10, -1);
        Check(20'480, 1, 40'000, 14.9, -1);
        Check(20'480, 1, 80'000, 38.9, -1);
        Check(40'960, 1, 40'000, 4.69, -1);
        Check(20'480, 4, 20'000, 38.9, -1); // counters in the same memory
        Check(81'920, 4, 20'000, 4.69, -1); // and in four times as much

        NS_TEST_EXPECT_MSG_EQ(BloomFilter().GetCells(), 81'920, "cells of a bank");
        NS_TEST_EXPECT_MSG_LT(BloomFilter().GetFalsePositiveRate(20'733), 0.05, "5 %");
        NS_TEST_EXPECT_MSG_GT(BloomFilter().GetFalsePositiveRate(20'734), 0.05, "5 %");
    }

    /**
     * @brief Fill a filter and look for other keys.
     * @param bytes of the filter
     * @param cellBits of a cell
     * @param count keys that are added
     * @param percent false positives
     * @param omitted keys that seemed to be there when they were added; negative: not checked
     */
    void Check(uint32_t bytes, uint32_t cellBits, uint32_t count, double percent, int omitted)
    {
        BloomFilter filter(bytes, 2, cellBits);
        int skipped = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            skipped += !filter.Add(m_keys[i]);
        }
        uint32_t found = 0;
        for (uint32_t i = count; i < count + 200'000; ++i)
        {
            found += filter.Contains(m_keys[i]);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(found / 2000.0, percent, 0.2 + percent / 100, "measured");
        NS_TEST_EXPECT_MSG_EQ_TOL(100 * filter.GetFalsePositiveRate(count),
                                  percent,
                                  0.06,
                                  "theory");
        if (omitted >= 0)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(skipped, omitted, 40, "keys not added");
            NS_TEST_EXPECT_MSG_EQ_TOL(filter.GetFill(0), 0.2166, 0.003, "fill of the first bank");
            NS_TEST_EXPECT_MSG_EQ_TOL(filter.GetFill(1), 0.2166, 0.003, "fill of the second bank");
        }
    }

    std::vector<uint64_t> m_keys{MakeKeys(1, 280'000)}; //!< to add, and to look for
};

/**
 * @ingroup telemetry-tests
 * @brief Removal of keys, by counters and by bits.
 */
class BloomFilterRemovalTestCase : public TestCase
{
  public:
    BloomFilterRemovalTestCase()
        : TestCase("counters forget a key, bits forget others with it")
    {
    }

  private:
    void DoRun() override
    {
        const auto keys = MakeKeys(2, 20'000);
        CheckCounters(keys);
        CheckBits(keys);
        CheckFullCounter(keys);

        BloomFilter filter(64, 2, 2);
        const uint64_t key = keys[0];
        NS_TEST_EXPECT_MSG_EQ(filter.Add(key), true, "new");
        NS_TEST_EXPECT_MSG_EQ(filter.Add(key), false, "not new");
        filter.Remove(key);
        NS_TEST_EXPECT_MSG_EQ(filter.Contains(key), false, "was counted once");
        filter.Remove(key); // cells do not fall below 0
        filter.Add(key);
        NS_TEST_EXPECT_MSG_EQ(filter.Contains(key), true, "again");
        filter.Clear();
        NS_TEST_EXPECT_MSG_EQ(filter.Contains(key), false, "cleared");
        NS_TEST_EXPECT_MSG_EQ(filter.GetFill(0), 0, "empty");
    }

    /**
     * @brief Random joins and leaves against a set.
     * @param keys some keys
     */
    void CheckCounters(const std::vector<uint64_t>& keys)
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(3);
        BloomFilter filter(81'920, 2, 4);
        std::set<uint64_t> added;
        for (int i = 0; i < 100'000; ++i)
        {
            const uint64_t key = keys[random->GetInteger(0, 19'999)];
            if (added.erase(key) > 0)
            {
                filter.Remove(key);
            }
            else if (filter.Add(key))
            {
                added.insert(key);
            }
        }
        uint32_t missed = 0;
        for (const uint64_t key : added)
        {
            missed += !filter.Contains(key);
        }
        NS_TEST_EXPECT_MSG_EQ(missed, 0, "keys that are there are found");
        for (const uint64_t key : added)
        {
            filter.Remove(key);
        }
        NS_TEST_EXPECT_MSG_EQ(filter.GetFill(0) + filter.GetFill(1), 0, "nothing is left");
    }

    /**
     * @brief A counter that is full no longer knows how many keys use it.
     * @param keys some keys
     */
    void CheckFullCounter(const std::vector<uint64_t>& keys)
    {
        BloomFilter filter(64, 2, 2);
        std::vector<uint64_t> added; // with a cell of the first bank in common
        for (const uint64_t key : keys)
        {
            if (added.size() < 5 && filter.GetCell(key, 0) == 7 && filter.Add(key))
            {
                added.push_back(key);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(added.size(), 5, "more than 2 bits can count");
        for (int i = 0; i < 4; ++i)
        {
            filter.Remove(added[i]);
        }
        NS_TEST_EXPECT_MSG_EQ(filter.Contains(added[4]), true, "the last one is not lost");
    }

    /**
     * @brief Clear the bits of keys in a full filter.
     * @param keys some keys
     */
    void CheckBits(const std::vector<uint64_t>& keys)
    {
        BloomFilter filter;
        std::vector<std::vector<uint32_t>> users(2, std::vector<uint32_t>(filter.GetCells()));
        for (const uint64_t key : keys)
        {
            filter.Add(key);
            for (uint32_t bank = 0; bank < 2; ++bank)
            {
                ++users[bank][filter.GetCell(key, bank)];
            }
        }
        uint32_t harmful = 0;
        for (const uint64_t key : keys)
        {
            harmful += users[0][filter.GetCell(key, 0)] > 1 || users[1][filter.GetCell(key, 1)] > 1;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(harmful / 200.0, 38.6, 1, "per cent that share a bit");
        filter.Remove(keys[0]);
        NS_TEST_EXPECT_MSG_EQ(filter.Contains(keys[0]), false, "it is gone");
        uint32_t lost = 0;
        for (uint32_t i = 1; i < keys.size() / 2; ++i)
        {
            filter.Remove(keys[i]);
        }
        for (std::size_t i = keys.size() / 2; i < keys.size(); ++i)
        {
            lost += !filter.Contains(keys[i]);
        }
        // A bit of a bank is lost if any of 10,000 others had it, 1 - exp(-10000/81920).
        NS_TEST_EXPECT_MSG_EQ_TOL(lost / 100.0, 21.7, 1.5, "per cent of the others that are lost");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Bloom filters.
 */
class BloomFilterTestSuite : public TestSuite
{
  public:
    BloomFilterTestSuite()
        : TestSuite("bloom-filter", Type::UNIT)
    {
        AddTestCase(new BloomFilterRateTestCase);
        AddTestCase(new BloomFilterRemovalTestCase);
    }
};

static BloomFilterTestSuite g_bloomFilterTestSuite; ///< the suite
