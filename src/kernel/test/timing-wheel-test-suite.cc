/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/event-id.h"
#include "ns3/test.h"
#include "ns3/timing-wheel.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

/**
 * @ingroup kernel
 * @defgroup kernel-tests Kernel tests
 */

/**
 * @ingroup kernel-tests
 * @brief A wheel beside a std::map that says what is right.
 */
class CheckedWheel
{
  public:
    /// @param firstUid the uid of the first event; uids wrap after 2^32 - 1
    explicit CheckedWheel(uint32_t firstUid = EventId::VALID)
        : m_firstUid(firstUid)
    {
    }

    /// @param delay of the event to insert, from now
    void Insert(uint64_t delay)
    {
        const uint64_t time = m_now + delay;
        const auto uid = static_cast<uint32_t>(m_firstUid + m_inserted);
        m_wheel.Insert({time, uid, uid / 2, uid + uintptr_t{1}});
        m_expected.emplace(std::pair(time, m_inserted), uid);
        ++m_inserted;
    }

    /// @param place of the pending event to remove, in order of time
    void Remove(std::size_t place)
    {
        const auto event = std::next(m_expected.begin(), static_cast<std::ptrdiff_t>(place));
        m_wheel.Remove(event->first.first, event->second);
        m_expected.erase(event);
    }

    /// @return true if the next event is the right one, which is then taken out
    bool Pop()
    {
        const auto expected = m_expected.begin();
        const auto event = m_wheel.Pop();
        const bool right = event.time == expected->first.first && event.uid == expected->second &&
                           event.context == event.uid / 2 &&
                           event.payload == event.uid + uintptr_t{1};
        m_now = event.time;
        m_expected.erase(expected);
        return right;
    }

    /// @return true if looking at the next event shows the right one
    bool Peek()
    {
        const auto& event = m_wheel.Peek();
        const auto& [key, uid] = *m_expected.begin();
        return event.time == key.first && event.uid == uid;
    }

    /// @return the number of pending events
    std::size_t GetSize() const
    {
        return m_expected.size();
    }

    /// @return true if the wheel knows how many events are pending
    bool IsSizeRight() const
    {
        return m_wheel.GetSize() == m_expected.size() && m_wheel.IsEmpty() == m_expected.empty();
    }

  private:
    TimingWheel m_wheel;                                          ///< under test
    uint32_t m_firstUid;                                          ///< uid of the first event
    uint64_t m_inserted{0};                                       ///< events inserted so far
    uint64_t m_now{0};                                            ///< time of the last event popped
    std::map<std::pair<uint64_t, uint64_t>, uint32_t> m_expected; ///< uid by time and order
};

/**
 * @ingroup kernel-tests
 * @brief Random insertions, removals and looks ahead come out in order, for a range of delays.
 */
class TimingWheelOrderTestCase : public TestCase
{
  public:
    /**
     * @param name the kind of workload
     * @param delays the delays to choose from; each is scaled by a random number in [0, 1]
     * @param pending mean number of events that are pending
     * @param removed the share of events that is removed
     * @param firstUid the uid of the first event
     */
    TimingWheelOrderTestCase(const std::string& name,
                             std::vector<double> delays,
                             std::size_t pending,
                             double removed = 0,
                             uint32_t firstUid = EventId::VALID)
        : TestCase("Order of events: " + name),
          m_delays(std::move(delays)),
          m_pending(pending),
          m_removed(removed),
          m_wheel(firstUid)
    {
    }

  private:
    void DoRun() override
    {
        constexpr int rounds = 60000;
        for (int round = 0; round < rounds; ++round)
        {
            while (m_wheel.GetSize() < m_pending)
            {
                InsertOne();
            }
            if (m_uniform(m_random) < m_removed)
            {
                m_wheel.Remove(m_random() % std::min<std::size_t>(m_wheel.GetSize(), 200));
            }
            if (round % 16 == 0 && m_wheel.GetSize() > 0)
            {
                NS_TEST_ASSERT_MSG_EQ(m_wheel.Peek(), true, "the event shown in round " << round);
                InsertOne(); // perhaps before the event that was shown
            }
            for (auto burst = m_random() % 3; burst > 0 && m_wheel.GetSize() > 0; --burst)
            {
                NS_TEST_ASSERT_MSG_EQ(m_wheel.Pop(), true, "the event taken in round " << round);
            }
            NS_TEST_ASSERT_MSG_EQ(m_wheel.IsSizeRight(), true, "events pending");
        }
        while (m_wheel.GetSize() > 0)
        {
            NS_TEST_ASSERT_MSG_EQ(m_wheel.Pop(), true, "the event taken at the end");
        }
        NS_TEST_EXPECT_MSG_EQ(m_wheel.IsSizeRight(), true, "all events were taken");
    }

    /// Insert an event after a random delay.
    void InsertOne()
    {
        const double delay = m_delays[m_random() % m_delays.size()];
        const double scale = m_random() % 4 == 0 ? 1 : m_uniform(m_random);
        m_wheel.Insert(static_cast<uint64_t>(delay * scale));
    }

    std::vector<double> m_delays;                     ///< delays to choose from, in time steps
    std::size_t m_pending;                            ///< events pending
    double m_removed;                                 ///< share of events removed
    CheckedWheel m_wheel;                             ///< under test
    std::mt19937 m_random{1};                         ///< source of randomness
    std::uniform_real_distribution<double> m_uniform; ///< a number in [0, 1)
};

/**
 * @ingroup kernel-tests
 * @brief A million events, those of equal time in the order in which they were scheduled.
 */
class TimingWheelBurstTestCase : public TestCase
{
  public:
    TimingWheelBurstTestCase()
        : TestCase("A million events at a few points in time")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t events = 1 << 20;
        constexpr uint64_t times = 3;
        TimingWheel wheel;
        for (uint32_t uid = 0; uid < events; ++uid)
        {
            wheel.Insert({uid % times * 1000, uid, 0, 0});
        }
        NS_TEST_ASSERT_MSG_EQ(wheel.GetSize(), events, "events inserted");
        for (uint64_t time = 0; time < times; ++time)
        {
            for (uint32_t uid = time; uid < events; uid += times)
            {
                const auto event = wheel.Pop();
                NS_TEST_ASSERT_MSG_EQ(event.uid, uid, "order of scheduling");
                NS_TEST_ASSERT_MSG_EQ(event.time, time * 1000, "time");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(wheel.IsEmpty(), true, "all events were taken");
    }
};

/**
 * @ingroup kernel-tests
 * @brief Thousands of events that stay at equal times for ever, as of hosts that start together:
 * they come in the order of scheduling, and narrower buckets, which would not part them, do not
 * drive them out of the wheel.
 */
class TimingWheelEqualTimesTestCase : public TestCase
{
  public:
    TimingWheelEqualTimesTestCase()
        : TestCase("Equal times for ever")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t hosts = 5000;
        constexpr uint64_t delays[] = {100000, 120000, 220000}; // in turn, for all at once
        TimingWheel wheel;
        uint32_t uid = EventId::VALID;
        for (uint64_t host = 0; host < hosts; ++host)
        {
            wheel.Insert({0, uid++, 0, host});
        }
        uint64_t now = 0;
        uint64_t width = 0;
        for (int round = 0; round < 300; ++round)
        {
            if (round == 200)
            {
                width = wheel.GetBucketWidth();
            }
            for (uint64_t host = 0; host < hosts; ++host)
            {
                const auto event = wheel.Pop();
                NS_TEST_ASSERT_MSG_EQ(event.payload, host, "order of scheduling");
                NS_TEST_ASSERT_MSG_EQ(event.time, now, "time");
                NS_TEST_EXPECT_MSG_EQ((width == 0 || wheel.GetBucketWidth() == width),
                                      true,
                                      "no way back and forth");
                wheel.Insert({now + delays[round % 3], uid++, 0, host});
            }
            now += delays[round % 3];
        }
        NS_TEST_EXPECT_MSG_EQ(wheel.GetBucketWidth(), width, "settled");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(width * 4096, 220000, "all fit into the wheel");
    }
};

/**
 * @ingroup kernel-tests
 * @brief Events that do not come in the order of their uids, as when a simulation that has begun
 * changes its scheduler, come out in order with those that follow; many have equal times.
 */
class TimingWheelOldTestCase : public TestCase
{
  public:
    TimingWheelOldTestCase()
        : TestCase("Events out of the order of uids")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t old = 2000;
        std::mt19937 random(1);
        for (uint32_t firstUid : {5U, 3000000000U})
        {
            std::vector<uint32_t> uids(old);
            std::iota(uids.begin(), uids.end(), firstUid);
            std::shuffle(uids.begin(), uids.end(), random);
            TimingWheel wheel;
            std::set<std::pair<uint64_t, uint32_t>> expected;
            const auto insert = [&](uint64_t time, uint32_t uid) {
                wheel.Insert({time, uid, 0, 0});
                expected.emplace(time, uid);
            };
            for (uint32_t uid : uids)
            {
                insert(random() % 300 * 100, uid);
            }
            uint32_t uid = firstUid + old;
            for (uint64_t now = 0; !expected.empty();)
            {
                const auto event = wheel.Pop();
                NS_TEST_ASSERT_MSG_EQ(event.time, expected.begin()->first, "time");
                NS_TEST_ASSERT_MSG_EQ(event.uid, expected.begin()->second, "uid");
                expected.erase(expected.begin());
                now = event.time;
                if (uid < firstUid + 40 * old)
                {
                    insert((now / 100 + random() % 300) * 100 + 100, uid++);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(wheel.IsEmpty(), true, "all were taken");
        }
    }
};

/**
 * @ingroup kernel-tests
 * @brief Most events removed, many times over: what is removed is forgotten, not collected.
 */
class TimingWheelRemoveTestCase : public TestCase
{
  public:
    TimingWheelRemoveTestCase()
        : TestCase("Removal of most events")
    {
    }

  private:
    void DoRun() override
    {
        TimingWheel wheel;
        uint32_t uid = EventId::VALID;
        uint64_t expected = 0;
        constexpr uint64_t far = 1000000000;
        constexpr uint32_t removed = 100000;
        for (uint64_t timer = 0; timer < removed; ++timer)
        {
            wheel.Insert({far + timer % 97, uid, 0, 0});
            if (timer % 1000 == 0)
            {
                expected += uid;
            }
            else
            {
                wheel.Remove(far + timer % 97, uid);
            }
            ++uid;
        }
        NS_TEST_EXPECT_MSG_EQ(wheel.GetSize(), 100, "events left");
        for (uint64_t time = 0; !wheel.IsEmpty();)
        {
            const auto event = wheel.Pop();
            NS_TEST_EXPECT_MSG_GT_OR_EQ(event.time, time, "order");
            time = event.time;
            expected -= event.uid;
        }
        NS_TEST_EXPECT_MSG_EQ(expected, 0, "exactly those not removed happened");
        wheel.Insert({far + 97, uid, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(wheel.Pop().uid, uid, "the wheel goes on");
    }
};

/**
 * @ingroup kernel-tests
 * @brief Buckets become wider and narrower as the delays do.
 */
class TimingWheelWidthTestCase : public TestCase
{
  public:
    TimingWheelWidthTestCase()
        : TestCase("Width of buckets")
    {
    }

  private:
    void DoRun() override
    {
        const auto first = m_wheel.GetBucketWidth();
        Hold(100, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_wheel.GetBucketWidth(), first, "right for short delays");
        Hold(100, 10000000);
        NS_TEST_EXPECT_MSG_GT(m_wheel.GetBucketWidth(), 512, "wider for long delays");
        NS_TEST_EXPECT_MSG_LT(m_wheel.GetBucketWidth(), 1000000, "but not too wide");
        Hold(20000, 1000);
        NS_TEST_EXPECT_MSG_LT(m_wheel.GetBucketWidth(), first, "narrow for many events");
    }

    /**
     * @param pending number of events that are to be pending
     * @param delay the longest delay of an event
     */
    void Hold(std::size_t pending, uint64_t delay)
    {
        for (int event = 0; event < 400000; ++event)
        {
            while (m_wheel.GetSize() <= pending)
            {
                m_wheel.Insert({m_now + m_random() % delay, m_uid++, 0, 0});
            }
            const auto next = m_wheel.Pop();
            m_disorder += next.time < m_now;
            m_now = next.time;
        }
        NS_TEST_EXPECT_MSG_EQ(m_disorder, 0, "events in order");
    }

    TimingWheel m_wheel;            ///< under test
    std::mt19937 m_random{1};       ///< source of randomness
    uint64_t m_now{0};              ///< time of the last event
    uint32_t m_uid{EventId::VALID}; ///< uid of the next event
    uint64_t m_disorder{0};         ///< events that came too late
};

/**
 * @ingroup kernel-tests
 * @brief Looking ahead shows the events that follow.
 */
class TimingWheelPeekAheadTestCase : public TestCase
{
  public:
    TimingWheelPeekAheadTestCase()
        : TestCase("Looking ahead")
    {
    }

  private:
    void DoRun() override
    {
        TimingWheel wheel;
        NS_TEST_EXPECT_MSG_EQ((wheel.PeekAhead(0) == nullptr), true, "nothing to see");
        for (uint32_t uid = 0; uid < 8; ++uid)
        {
            wheel.Insert({1000, uid, 0, 0});
        }
        wheel.Pop();
        for (uint32_t distance = 0; distance < 7; ++distance)
        {
            const auto* event = wheel.PeekAhead(distance);
            const bool right = event && event->uid == distance + 1;
            NS_TEST_EXPECT_MSG_EQ(right, true, "the event at " << distance);
        }
        NS_TEST_EXPECT_MSG_EQ((wheel.PeekAhead(7) == nullptr), true, "not beyond the last");
    }
};

/**
 * @ingroup kernel-tests
 * @brief The timing wheel test suite.
 */
class TimingWheelTestSuite : public TestSuite
{
  public:
    TimingWheelTestSuite()
        : TestSuite("timing-wheel", Type::UNIT)
    {
        const std::vector<double> network{1200, 1000, 51, 5, 0};
        const std::vector<double> mixed{1, 100, 1e4, 1e6, 1e9};
        AddTestCase(new TimingWheelOrderTestCase("network", network, 5000));
        AddTestCase(new TimingWheelOrderTestCase("few events", network, 3));
        AddTestCase(new TimingWheelOrderTestCase("one event", mixed, 1));
        AddTestCase(new TimingWheelOrderTestCase("one bucket", {3}, 2000, 0.2));
        AddTestCase(new TimingWheelOrderTestCase("no delay", {0}, 100, 0.1));
        AddTestCase(new TimingWheelOrderTestCase("horizon", {16000, 17000}, 500, 0.2));
        AddTestCase(new TimingWheelOrderTestCase("picoseconds", {1.2e6, 1e6, 1e3, 1e10}, 1000));
        AddTestCase(new TimingWheelOrderTestCase("mixed", mixed, 2000));
        AddTestCase(new TimingWheelOrderTestCase("sparse", {1e9, 1e12, 1e14}, 50));
        AddTestCase(new TimingWheelOrderTestCase("removals", mixed, 2000, 0.9));
        AddTestCase(new TimingWheelOrderTestCase("uids wrap", mixed, 2000, 0.3, 0xffffe000));
        AddTestCase(new TimingWheelOrderTestCase("uids pass 2^31", mixed, 2000, 0.3, 0x7fffe000));
        AddTestCase(new TimingWheelBurstTestCase);
        AddTestCase(new TimingWheelEqualTimesTestCase);
        AddTestCase(new TimingWheelOldTestCase, Duration::QUICK);
        AddTestCase(new TimingWheelRemoveTestCase);
        AddTestCase(new TimingWheelWidthTestCase);
        AddTestCase(new TimingWheelPeekAheadTestCase);
    }
};

static TimingWheelTestSuite g_timingWheelTestSuite; ///< static variable for test initialization
