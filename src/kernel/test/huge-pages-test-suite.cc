/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/huge-pages.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <memory_resource>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief True if the kernel was asked for huge pages for an address.
 * @param address the address
 * @return the flag `hg` of /proc/self/smaps
 */
bool
IsAdvised(const void* address)
{
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    std::ifstream maps("/proc/self/smaps");
    std::string line;
    bool within = false;
    while (std::getline(maps, line))
    {
        std::istringstream range(line);
        std::uintptr_t from = 0;
        std::uintptr_t to = 0;
        char dash = 0;
        if (range >> std::hex >> from >> dash >> to && dash == '-')
        {
            within = place >= from && place < to;
        }
        else if (within && line.starts_with("VmFlags:"))
        {
            return (line + ' ').find(" hg ") != std::string::npos;
        }
    }
    return false;
}

/// @return true if the kernel has transparent huge pages
bool
IsSupported()
{
    std::string modes;
    std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"), modes);
    return !modes.empty();
}

/// @brief An object of some size, with the number of those that live.
template <std::size_t Bytes>
struct alignas(64) Sample : public InHugePages
{
    Sample()
    {
        ++s_live;
    }

    virtual ~Sample()
    {
        --s_live;
    }

    std::array<unsigned char, Bytes> m_bytes; //!< takes room
    static inline int s_live{0};              //!< those that live
};

/// @brief A larger one, destroyed by way of the smaller.
struct Descendant : public Sample<100>
{
    std::array<unsigned char, 5000> m_more; //!< takes room
};

} // namespace

/**
 * @ingroup kernel-tests
 * @brief Large blocks are advised and aligned, small ones are not; the switch switches it off.
 */
class HugeBlockTestCase : public TestCase
{
  public:
    HugeBlockTestCase()
        : TestCase("blocks of a huge page and more are advised")
    {
    }

  private:
    void DoRun() override
    {
        Check(HugePages::SIZE, IsSupported());
        Check(5 * HugePages::SIZE + 12345, IsSupported());
        Check(HugePages::SIZE - 1, false);
        GlobalValue::Bind("HugePages", BooleanValue(false));
        Check(64 * HugePages::SIZE, false);
        GlobalValue::Bind("HugePages", BooleanValue(true));
        HugeVector<uint64_t> numbers(1'000'000, 7);
        numbers.push_back(8);
        NS_TEST_EXPECT_MSG_EQ(IsAdvised(numbers.data()), IsSupported(), "a vector of 8 MB");
        NS_TEST_EXPECT_MSG_EQ(numbers[999'999] + numbers[1'000'000], 15, "with its numbers");
    }

    /**
     * @param bytes size of a block
     * @param advised true if it should be advised
     */
    void Check(std::size_t bytes, bool advised)
    {
        void* block = HugePages::Allocate(bytes);
        const auto place = reinterpret_cast<std::uintptr_t>(block);
        const std::size_t alignment = bytes >= HugePages::SIZE ? HugePages::SIZE : 64;
        NS_TEST_EXPECT_MSG_EQ(place % alignment, 0, bytes << ": alignment");
        std::memset(block, 1, bytes);
        NS_TEST_EXPECT_MSG_EQ(IsAdvised(block), advised, bytes << ": advised");
        HugePages::Free(block, bytes);
    }
};

/**
 * @ingroup kernel-tests
 * @brief Many small objects stand together, none on another; their memory is used again.
 */
class HugeObjectTestCase : public TestCase
{
  public:
    HugeObjectTestCase()
        : TestCase("objects of a class in huge pages")
    {
    }

  private:
    static constexpr std::size_t OBJECTS = 20000; //!< 20 MB of them

    void DoRun() override
    {
        std::set<std::uintptr_t> all;
        for (int round = 0; round < 3; ++round)
        {
            std::vector<std::unique_ptr<Sample<1000>>> objects;
            std::set<std::uintptr_t> places;
            std::size_t advised = 0;
            for (std::size_t i = 0; i < OBJECTS; ++i)
            {
                objects.push_back(std::make_unique<Sample<1000>>());
                objects.back()->m_bytes.fill(static_cast<unsigned char>(i));
                places.insert(reinterpret_cast<std::uintptr_t>(objects.back().get()));
                advised += i % 1000 == 999 && IsAdvised(objects.back().get());
            }
            NS_TEST_EXPECT_MSG_EQ(places.size(), OBJECTS, "each has a place");
            NS_TEST_EXPECT_MSG_EQ(*places.begin() % 64, 0, "aligned");
            for (std::size_t i = 0; i < OBJECTS; ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(+objects[i]->m_bytes[999], i % 256, "not overwritten");
            }
            NS_TEST_EXPECT_MSG_EQ((advised > 15), IsSupported(), "most of 20 in large blocks");
            all.merge(places);
            NS_TEST_EXPECT_MSG_LT(all.size(), 2 * OBJECTS, "much of it used before");
        }
        NS_TEST_EXPECT_MSG_EQ(Sample<1000>::s_live, 0, "all destroyed");

        std::unique_ptr<Sample<100>> descendant = std::make_unique<Descendant>();
        descendant.reset(); // with the size of the descendant
        const auto several = std::make_unique<Sample<100>[]>(24);
        NS_TEST_EXPECT_MSG_EQ(reinterpret_cast<std::uintptr_t>(&several[23]) % 64, 0, "aligned");
        NS_TEST_EXPECT_MSG_EQ(Sample<100>::s_live, 24, "several");
    }
};

/**
 * @ingroup kernel-tests
 * @brief Like objects in a row are an odd number of cache lines apart, so that what they have at
 * the same place spreads over the sets of a cache; blocks of any size keep apart.
 */
class HugePoolTestCase : public TestCase
{
  public:
    HugePoolTestCase()
        : TestCase("blocks of the pool")
    {
    }

  private:
    void DoRun() override
    {
        constexpr std::uintptr_t LINE = 64;
        constexpr std::uintptr_t SETS = 64; // of a first-level cache of 48 KB with 12 ways
        std::pmr::memory_resource& pool = HugePages::GetPool();
        for (const std::size_t bytes : {512UL, 1024UL, 1344UL, 2000UL, 4096UL})
        {
            std::vector<std::uintptr_t> places;
            std::set<std::uintptr_t> sets;
            for (int i = 0; i < 256; ++i)
            {
                places.push_back(reinterpret_cast<std::uintptr_t>(pool.allocate(bytes)));
                sets.insert(places.back() / LINE % SETS);
            }
            NS_TEST_EXPECT_MSG_EQ(sets.size(), SETS, bytes << " bytes: in all sets");
            for (const std::uintptr_t place : places)
            {
                pool.deallocate(reinterpret_cast<void*>(place), bytes);
            }
        }
        const std::vector<std::size_t> sizes{0, 1, 63, 64, 65, 511, 65535, 65536, 65537, 3'000'000};
        std::vector<unsigned char*> blocks;
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            blocks.push_back(static_cast<unsigned char*>(pool.allocate(sizes[i])));
            std::memset(blocks.back(), static_cast<int>(i), sizes[i]);
        }
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            const auto count = std::count(blocks[i], blocks[i] + sizes[i], i);
            NS_TEST_EXPECT_MSG_EQ(count, static_cast<std::ptrdiff_t>(sizes[i]), "not overwritten");
            NS_TEST_EXPECT_MSG_EQ(reinterpret_cast<std::uintptr_t>(blocks[i]) % LINE, 0, "aligned");
            pool.deallocate(blocks[i], sizes[i]);
        }
        void* again = pool.allocate(511);
        NS_TEST_EXPECT_MSG_EQ(again, blocks[5], "used again");
        pool.deallocate(again, 511);
    }
};

/**
 * @ingroup kernel-tests
 * @brief Tests of memory in huge pages.
 */
class HugePagesTestSuite : public TestSuite
{
  public:
    HugePagesTestSuite()
        : TestSuite("huge-pages", Type::UNIT)
    {
        AddTestCase(new HugeBlockTestCase);
        AddTestCase(new HugeObjectTestCase);
        AddTestCase(new HugePoolTestCase);
    }
};

static HugePagesTestSuite g_hugePagesTestSuite; //!< registers the suite
