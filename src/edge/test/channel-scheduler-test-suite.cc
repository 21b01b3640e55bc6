/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-test.h"

#include "ns3/channel-scheduler.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <algorithm>
#include <deque>
#include <list>
#include <memory>
#include <numeric>
#include <vector>

using namespace ns3;

/**
 * @defgroup edge-tests Tests of the edge
 */

/**
 * @ingroup edge-tests
 * @brief A scheduler with channels, for tests that let items in and out by hand.
 */
class TestScheduler
{
  public:
    /**
     * @brief Add a tenant with channels, numbered over all tenants.
     * @param weight of the tenant
     * @param channels number of its channels
     */
    void AddTenant(double weight, uint32_t channels)
    {
        const uint32_t tenant = scheduler.AddTenant(weight);
        for (uint32_t i = 0; i < channels; ++i)
        {
            m_channels.push_back(std::make_unique<HeldTestChannel>());
            scheduler.AddChannel(*m_channels.back(), tenant);
            served.push_back(0);
        }
    }

    /**
     * @brief Let an item in.
     * @param channel its channel
     * @param size of the item in bytes
     */
    void Put(uint32_t channel, uint16_t size = 1000)
    {
        FabricItem* item = FabricItem::Create();
        item->hash = channel;
        item->size = size;
        scheduler.Enqueue(*m_channels[channel], item, 0);
    }

    /**
     * @brief Let an item out.
     * @param now the time
     * @return its channel; -1 if none may go
     */
    int Take(int64_t now = 0)
    {
        FabricItem* item = scheduler.Dequeue(now);
        if (!item)
        {
            return -1;
        }
        const auto channel = static_cast<int>(item->hash);
        served[channel] += item->size;
        item->Release();
        return channel;
    }

    /**
     * @brief Keep channels backlogged and serve.
     * @param channels their numbers
     * @param rounds items to serve
     * @param sizes of the items, by channel
     */
    void Serve(const std::vector<uint32_t>& channels,
               uint32_t rounds,
               const std::vector<uint16_t>& sizes = {})
    {
        const auto put = [&](uint32_t c) { Put(c, sizes.empty() ? 1000 : sizes[c]); };
        for (uint32_t channel : channels)
        {
            if (GetChannel(channel).GetWaitingPackets() == 0)
            {
                put(channel);
                put(channel);
            }
        }
        for (uint32_t i = 0; i < rounds; ++i)
        {
            const int channel = Take();
            if (channel < 0)
            {
                return;
            }
            put(static_cast<uint32_t>(channel));
        }
    }

    /**
     * @brief A channel.
     * @param channel its number
     * @return the channel
     */
    HeldTestChannel& GetChannel(uint32_t channel)
    {
        return *m_channels[channel];
    }

    ChannelScheduler scheduler;   //!< the scheduler
    std::vector<uint64_t> served; //!< bytes by channel

  private:
    std::vector<std::unique_ptr<HeldTestChannel>> m_channels; //!< by number
};

/**
 * @ingroup edge-tests
 * @brief Backlogged tenants never stray further from their weights than an item of each.
 */
class WeightsTestCase : public TestCase
{
  public:
    WeightsTestCase()
        : TestCase("shares of backlogged tenants by weight, within an item of each")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<double> weights{1e9, 2e9, 5e9, 0.3e9};
        const std::vector<uint16_t> sizes{1500, 64, 700, 9000};
        TestScheduler test;
        for (double weight : weights)
        {
            test.AddTenant(weight, 1);
        }
        double worst = 0;
        for (uint32_t i = 0; i < 20000; ++i)
        {
            test.Serve({0, 1, 2, 3}, 1, sizes);
            for (uint32_t a = 0; a < 4; ++a)
            {
                for (uint32_t b = 0; b < a; ++b)
                {
                    // The bound of start-time fair queueing (Theorem 1).
                    const double apart = static_cast<double>(test.served[a]) / weights[a] -
                                         static_cast<double>(test.served[b]) / weights[b];
                    const double bound = sizes[a] / weights[a] + sizes[b] / weights[b];
                    worst = std::max(worst, std::abs(apart) / bound);
                }
            }
        }
        NS_TEST_EXPECT_MSG_LT(worst, 1 + 1e-9, "further apart than the bound");
        NS_TEST_EXPECT_MSG_GT(worst, 0.5, "the bound is not tested");
    }
};

/**
 * @ingroup edge-tests
 * @brief Items leave in the order of a model that searches all tenants and channels each time.
 */
class SlowModelTestCase : public TestCase
{
  public:
    SlowModelTestCase()
        : TestCase("order of a slow model, with channels that are held")
    {
    }

  private:
    /// @brief A channel of the model.
    struct Channel
    {
        uint32_t tenant;            //!< its tenant
        std::deque<uint16_t> sizes; //!< sizes of the items that wait
        int64_t release{0};         //!< time at which it may go
        uint64_t turn{0};           //!< order of its turn, 0: it takes none
        int64_t heldUntil{-1};      //!< release time found last; -1: not held
        uint64_t heldOrder{0};      //!< among equal release times
    };

    /// @brief A tenant of the model.
    struct Tenant
    {
        double weight;     //!< its weight
        double tag{0};     //!< start tag, or the finish tag while it is silent
        uint64_t order{0}; //!< among equal tags, 0: silent
    };

    void Offer(Channel& channel)
    {
        channel.heldUntil = -1;
        if (channel.turn)
        {
            return;
        }
        Tenant& tenant = m_tenants[channel.tenant];
        if (!tenant.order)
        {
            tenant.tag = std::max(tenant.tag, m_virtualTime);
            tenant.order = ++m_clock;
        }
        channel.turn = ++m_clock;
    }

    void Suspend(Channel& channel)
    {
        channel.turn = 0;
        for (const Channel& other : m_channels)
        {
            if (other.tenant == channel.tenant && other.turn)
            {
                return;
            }
        }
        m_tenants[channel.tenant].order = 0;
    }

    int Take(int64_t now)
    {
        std::vector<Channel*> due;
        for (Channel& channel : m_channels)
        {
            if (channel.heldUntil >= 0 && channel.heldUntil <= now)
            {
                due.push_back(&channel);
            }
        }
        std::sort(due.begin(), due.end(), [](const Channel* a, const Channel* b) {
            return std::pair(a->heldUntil, a->heldOrder) < std::pair(b->heldUntil, b->heldOrder);
        });
        for (Channel* channel : due)
        {
            Offer(*channel);
        }
        while (true)
        {
            Tenant* tenant = nullptr;
            for (Tenant& t : m_tenants)
            {
                if (t.order && (!tenant || t.tag < tenant->tag ||
                                (t.tag == tenant->tag && t.order < tenant->order)))
                {
                    tenant = &t;
                }
            }
            if (!tenant)
            {
                m_virtualTime = m_lastFinish;
                return -1;
            }
            Channel* channel = nullptr;
            for (Channel& c : m_channels)
            {
                if (&m_tenants[c.tenant] == tenant && c.turn &&
                    (!channel || c.turn < channel->turn))
                {
                    channel = &c;
                }
            }
            if (channel->release > now)
            {
                channel->heldUntil = channel->release;
                channel->heldOrder = ++m_clock;
                Suspend(*channel);
                continue;
            }
            m_virtualTime = tenant->tag;
            tenant->tag += channel->sizes.front() / tenant->weight;
            tenant->order = ++m_clock;
            m_lastFinish = std::max(m_lastFinish, tenant->tag);
            channel->sizes.pop_front();
            channel->turn = ++m_clock;
            if (channel->sizes.empty())
            {
                Suspend(*channel);
            }
            return static_cast<int>(channel - m_channels.data());
        }
    }

    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        TestScheduler test;
        for (double weight : {1.0, 2.0, 2.0, 7.5})
        {
            const uint32_t channels = random->GetInteger(1, 4);
            test.AddTenant(weight, channels);
            m_tenants.push_back({weight});
            for (uint32_t i = 0; i < channels; ++i)
            {
                m_channels.push_back({static_cast<uint32_t>(m_tenants.size() - 1), {}});
            }
        }
        const auto last = static_cast<uint32_t>(m_channels.size() - 1);
        uint32_t taken = 0;
        uint32_t refused = 0;
        for (int64_t now = 1; now < 30000; ++now)
        {
            for (uint32_t i = now % 10 ? random->GetInteger(0, 2) : 0; i > 0; --i)
            {
                const uint32_t c = random->GetInteger(0, last);
                const auto size = static_cast<uint16_t>(random->GetInteger(40, 1500));
                test.Put(c, size);
                m_channels[c].sizes.push_back(size);
                Offer(m_channels[c]);
            }
            if (random->GetInteger(0, 3) == 0)
            {
                const uint32_t c = random->GetInteger(0, last);
                m_channels[c].release = now + random->GetInteger(0, 20);
                test.GetChannel(c).release = m_channels[c].release;
            }
            const int expected = Take(now);
            NS_TEST_ASSERT_MSG_EQ(test.Take(now), expected, "order at time " << now);
            (expected < 0 ? refused : taken) += 1;
        }
        NS_TEST_EXPECT_MSG_GT(taken, 20000, "much was served");
        NS_TEST_EXPECT_MSG_GT(refused, 100, "at times nothing could go");
    }

    std::vector<Channel> m_channels; //!< of the model
    std::vector<Tenant> m_tenants;   //!< of the model
    double m_virtualTime{0};         //!< start tag of the item that went last
    double m_lastFinish{0};          //!< greatest finish tag
    uint64_t m_clock{0};             //!< orders what is equal
};

/**
 * @ingroup edge-tests
 * @brief Channels of a tenant take turns; one that is held costs its tenant nothing.
 */
class RoundRobinTestCase : public TestCase
{
  public:
    RoundRobinTestCase()
        : TestCase("round robin over the channels of a tenant, held ones left out")
    {
    }

  private:
    void DoRun() override
    {
        TestScheduler test;
        test.AddTenant(1, 2); // channels 0 and 1
        test.AddTenant(1, 1); // channel 2
        for (int i = 0; i < 10; ++i)
        {
            test.Put(0);
            test.Put(1);
            test.Put(2);
        }
        std::string order;
        for (int i = 0; i < 8; ++i)
        {
            order += std::to_string(test.Take());
        }
        NS_TEST_EXPECT_MSG_EQ(order, "02120212", "turns");
        test.GetChannel(0).release = 100;
        order.clear();
        for (int i = 0; i < 6; ++i)
        {
            order += std::to_string(test.Take(50));
        }
        NS_TEST_EXPECT_MSG_EQ(order, "121212", "what a held channel leaves goes to its sibling");
        NS_TEST_EXPECT_MSG_EQ(test.scheduler.GetNextRelease(), 100, "when the held one may go");
        test.GetChannel(1).release = PairChannel::NEVER;
        test.GetChannel(2).release = PairChannel::NEVER;
        NS_TEST_EXPECT_MSG_EQ(test.Take(99), -1, "all are held");
        NS_TEST_EXPECT_MSG_EQ(test.Take(100), 0, "its time has come");
        test.GetChannel(2).release = 0;
        test.scheduler.Offer(test.GetChannel(2));
        order = std::to_string(test.Take(101));
        order += std::to_string(test.Take(101));
        NS_TEST_EXPECT_MSG_EQ(order, "20", "a woken channel takes turns again");
    }
};

/**
 * @ingroup edge-tests
 * @brief Nothing is saved up by a tenant that was silent or held, and nothing is owed after an idle
 * time.
 */
class ReturnTestCase : public TestCase
{
  public:
    ReturnTestCase()
        : TestCase("tenants that come and go")
    {
    }

  private:
    void DoRun() override
    {
        TestScheduler test;
        test.AddTenant(1, 1);
        test.AddTenant(1, 1);
        test.Serve({0}, 1000);
        const uint64_t before = test.served[0];
        test.Serve({0, 1}, 100);
        NS_TEST_EXPECT_MSG_EQ(test.served[1], 50000, "half, from the first item on");
        NS_TEST_EXPECT_MSG_EQ(test.served[0] - before, 50000, "half");

        TestScheduler idle;
        idle.AddTenant(0.001, 1);
        idle.AddTenant(1, 1);
        idle.Put(0);
        idle.Take();
        idle.scheduler.Restart(); // the link is idle after an item that cost 1000 s
        idle.Put(0);
        idle.Put(1);
        idle.Put(1);
        std::string order;
        for (int i = 0; i < 3; ++i)
        {
            order += std::to_string(idle.Take());
        }
        NS_TEST_EXPECT_MSG_EQ(order, "011", "the first to come is not behind");
    }
};

/**
 * @ingroup edge-tests
 * @brief A few weighted queues that tenants share (uFAB Section 4.1).
 */
class LevelsTestCase : public TestCase
{
  public:
    LevelsTestCase()
        : TestCase("weighted queues with levels")
    {
    }

  private:
    /**
     * @brief Shares of backlogged tenants.
     * @param levels weights of the queues
     * @param weights of the tenants
     * @param active numbers of those that send
     * @return the shares
     */
    static std::vector<double> Measure(const std::vector<double>& levels,
                                       const std::vector<double>& weights,
                                       const std::vector<uint32_t>& active)
    {
        TestScheduler test;
        test.scheduler.SetLevels(levels);
        for (double weight : weights)
        {
            test.AddTenant(weight, 1);
        }
        test.Serve(active, 11000);
        const auto total = static_cast<double>(
            std::accumulate(test.served.begin(), test.served.end(), uint64_t{0}));
        std::vector<double> shares;
        for (uint64_t bytes : test.served)
        {
            shares.push_back(static_cast<double>(bytes) / total);
        }
        return shares;
    }

    void CheckShares(const std::vector<double>& shares,
                     const std::vector<double>& expected,
                     const std::string& what)
    {
        for (size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(shares[i], expected[i], 0.001, what << ", tenant " << i);
        }
    }

    void DoRun() override
    {
        const std::vector<double> powers{1, 2, 4, 8, 16, 32, 64, 128};
        CheckShares(Measure(powers, {2, 2, 1}, {0, 1, 2}), {0.4, 0.4, 0.2}, "per tenant");
        CheckShares(Measure(powers, {2, 2, 1}, {0, 2}), {2.0 / 3, 0, 1.0 / 3}, "one silent");
        CheckShares(Measure(powers, {1, 2, 5}, {0, 1, 2}),
                    {1.0 / 11, 2.0 / 11, 8.0 / 11},
                    "rounded up");
        CheckShares(Measure({1, 2, 5}, {1, 2, 5}, {0, 1, 2}),
                    {1.0 / 8, 2.0 / 8, 5.0 / 8},
                    "levels of one's own");
        CheckShares(Measure({1, 2}, {1, 500}, {0, 1}), {1.0 / 3, 2.0 / 3}, "above the last");
        CheckShares(Measure({}, {1, 2, 5}, {0, 1, 2}),
                    {1.0 / 8, 2.0 / 8, 5.0 / 8},
                    "a queue for each");

        TestScheduler change; // a tenant moves to another level while it is backlogged
        change.scheduler.SetLevels(powers);
        change.AddTenant(1, 1);
        change.AddTenant(1, 1);
        change.Serve({0, 1}, 100);
        change.scheduler.SetWeight(0, 4);
        change.served = {0, 0};
        change.Serve({0, 1}, 1000);
        NS_TEST_EXPECT_MSG_EQ_TOL(change.served[0] / 1e6, 0.8, 0.01, "after the change");

        TestScheduler lone; // the same while no other has anything to send, with two channels
        lone.scheduler.SetLevels(powers);
        lone.AddTenant(1, 2);
        lone.AddTenant(1, 1);
        lone.Serve({0, 1}, 100);
        NS_TEST_EXPECT_MSG_EQ(lone.served[0], lone.served[1], "two channels take turns");
        lone.scheduler.SetWeight(0, 4);
        lone.Serve({0, 1}, 100);
        lone.served = {0, 0, 0};
        lone.Serve({0, 1, 2}, 1000);
        NS_TEST_EXPECT_MSG_EQ_TOL(lone.served[2] / 1e6, 0.2, 0.01, "of the other");
        NS_TEST_EXPECT_MSG_EQ_TOL(lone.served[0] / 1e6, 0.4, 0.01, "of the first channel");
    }
};

/**
 * @ingroup edge-tests
 * @brief The scheduler over channels.
 */
class ChannelSchedulerTestSuite : public TestSuite
{
  public:
    ChannelSchedulerTestSuite()
        : TestSuite("channel-scheduler", Type::UNIT)
    {
        AddTestCase(new WeightsTestCase, Duration::QUICK);
        AddTestCase(new SlowModelTestCase, Duration::QUICK);
        AddTestCase(new RoundRobinTestCase, Duration::QUICK);
        AddTestCase(new ReturnTestCase, Duration::QUICK);
        AddTestCase(new LevelsTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static ChannelSchedulerTestSuite g_channelSchedulerTestSuite;
