/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/global-value.h"
#include "ns3/random-variable-stream.h"
#include "ns3/shared-buffer.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

using namespace ns3;

namespace
{

/// @brief Serves a list of items in an order of its own: work for the reference model to repeat.
class SortingQueueDisc : public FabricQueueDisc
{
  public:
    /// @brief Whether one item goes before another.
    using Before = bool (*)(const FabricItem*, const FabricItem*);

    /// @param before the order of service
    explicit SortingQueueDisc(Before before)
        : m_before(before)
    {
    }

  protected:
    bool DoEnqueueItem(FabricItem* item) override
    {
        m_items.push_back(item);
        return true;
    }

    FabricItem* DoDequeueItem() override
    {
        if (m_items.empty())
        {
            return nullptr;
        }
        const auto next = std::min_element(m_items.begin(), m_items.end(), m_before);
        FabricItem* item = *next;
        m_items.erase(next);
        return item;
    }

  private:
    Before m_before;                  //!< the order of service
    std::vector<FabricItem*> m_items; //!< what waits
};

/// @brief Number of an item of these tests.
uint64_t
SequenceOf(const FabricItem* item)
{
    return const_cast<FabricItem*>(item)->As<TestHeader>().sequence;
}

bool
FirstComeFirst(const FabricItem* a, const FabricItem* b)
{
    return SequenceOf(a) < SequenceOf(b);
}

bool
LastComeFirst(const FabricItem* a, const FabricItem* b)
{
    return SequenceOf(a) > SequenceOf(b);
}

bool
ShortestFirst(const FabricItem* a, const FabricItem* b)
{
    return a->size != b->size ? a->size < b->size : FirstComeFirst(a, b);
}

/// @brief Something that comes to a port.
struct Offer
{
    int64_t time;  //!< when, in ns
    uint16_t size; //!< in bytes
};

/**
 * @brief Random arrivals in bursts, with idle times between them.
 * @param count number of arrivals
 * @param mean mean time between arrivals in ns
 * @param stream random stream
 * @return the arrivals, at different times
 */
std::vector<Offer>
DrawOffers(uint32_t count, double mean, int64_t stream)
{
    auto gap = CreateObject<ExponentialRandomVariable>();
    auto size = CreateObject<UniformRandomVariable>();
    gap->SetStream(stream);
    size->SetStream(stream + 1);
    std::vector<Offer> offers;
    int64_t time = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        time += 1 + static_cast<int64_t>(gap->GetValue(mean, 0));
        offers.push_back({time, static_cast<uint16_t>(size->GetInteger(40, 1500))});
    }
    return offers;
}

} // namespace

/**
 * @ingroup fabric-tests
 * @brief Lazy transmit-complete departs exactly when a model that looks at every moment says.
 */
class LazyTransmitTestCase : public TestCase
{
  public:
    LazyTransmitTestCase()
        : TestCase("departures equal those of a plain model, for several disciplines")
    {
    }

  private:
    static constexpr int64_t NS_PER_BYTE = 8; //!< at 1 Gbps
    static constexpr int64_t DELAY = 500;     //!< of the link, in ns
    static constexpr int64_t OVERHEAD = 38;   //!< bytes of framing

    void DoRun() override
    {
        const std::pair<SortingQueueDisc::Before, std::string> disciplines[] = {
            {FirstComeFirst, "first come first"},
            {LastComeFirst, "last come first"},
            {ShortestFirst, "shortest first"}};
        for (const auto& [before, name] : disciplines)
        {
            for (const double mean : {3000.0, 6500.0, 12000.0}) // mean transmission time: 6464 ns
            {
                Compare(before, name, mean);
            }
        }
    }

    /**
     * @param before the discipline
     * @param name its name
     * @param mean mean time between arrivals in ns
     */
    void Compare(SortingQueueDisc::Before before, const std::string& name, double mean)
    {
        const auto offers = DrawOffers(3000, mean, 40);
        TestNetwork network("single-switch:HostRate=1Gbps,LinkDelay=500ns");
        network.fabric->SetAttribute("FrameOverhead", UintegerValue(OVERHEAD));
        network.fabric->SetQueueDiscFactory([before](const FabricPort::Description& port) {
            Ptr<FabricQueueDisc> disc = CreateObject<SortingQueueDisc>(before);
            if (port.tier > 0)
            {
                disc = CreateObjectWithAttributes<DropTailQueueDisc>("MaxSize",
                                                                     StringValue("1000000000B"));
            }
            return disc;
        });
        network.Build();
        for (const Offer& offer : offers)
        {
            network.SendAt(NanoSeconds(offer.time), 0, 1, offer.size);
        }
        Simulator::Run();
        const auto expected = Model(offers, before);
        NS_TEST_ASSERT_MSG_EQ(network.recorder.arrivals.size(), offers.size(), "all arrive");
        for (std::size_t i = 0; i < offers.size(); ++i)
        {
            const auto& arrival = network.recorder.arrivals[i];
            NS_TEST_ASSERT_MSG_EQ(arrival.sequence, expected[i].first, name << ": order");
            NS_TEST_ASSERT_MSG_EQ(arrival.arrived, expected[i].second, name << ": time");
        }
    }

    /**
     * @param offers what comes
     * @param before the discipline
     * @return sequence and arrival time at the receiver, in order
     */
    static std::vector<std::pair<uint64_t, int64_t>> Model(const std::vector<Offer>& offers,
                                                           SortingQueueDisc::Before before)
    {
        // The second link sends in the order of the first, each packet once it has all of it.
        std::vector<std::pair<uint64_t, int64_t>> result;
        std::vector<FabricItem*> waiting;
        std::size_t next = 0;
        int64_t free = 0;
        int64_t secondFree = 0;
        while (next < offers.size() || !waiting.empty())
        {
            const int64_t start = waiting.empty() ? std::max(free, offers[next].time) : free;
            while (next < offers.size() && offers[next].time <= start)
            {
                FabricItem* item = FabricItem::Create();
                item->size = offers[next].size;
                item->As<TestHeader>() = {next, 0};
                waiting.push_back(item);
                ++next;
            }
            const auto served = std::min_element(waiting.begin(), waiting.end(), before);
            const int64_t duration = ((*served)->size + OVERHEAD) * NS_PER_BYTE;
            free = start + duration;
            secondFree = std::max(secondFree, free + DELAY) + duration;
            result.emplace_back(SequenceOf(*served), secondFree + DELAY);
            (*served)->Release();
            waiting.erase(served);
        }
        return result;
    }
};

/**
 * @ingroup fabric-tests
 * @brief One event per hop gives what up to two events give.
 */
class SingleEventTestCase : public TestCase
{
  public:
    SingleEventTestCase()
        : TestCase("single-event mode equals ordinary mode")
    {
    }

  private:
    /// @brief All that can be seen of a run.
    struct Outcome
    {
        std::vector<ArrivalRecorder::Arrival> arrivals; //!< what arrived
        std::vector<uint64_t> counts;                   //!< of each port
        bool singleEvent{false};                        //!< whether any port was in the mode

        bool operator==(const Outcome& other) const
        {
            return arrivals == other.arrivals && counts == other.counts;
        }
    };

    void DoRun() override
    {
        for (const std::string disc : {"ns3::DropTailQueueDisc", "ns3::StepMarkQueueDisc"})
        {
            for (int64_t seed = 0; seed < 5; ++seed)
            {
                const Outcome ordinary = Run(disc, seed, false);
                const Outcome single = Run(disc, seed, true);
                NS_TEST_EXPECT_MSG_EQ(ordinary.singleEvent, false, "the mode is off");
                NS_TEST_EXPECT_MSG_EQ(single.singleEvent, true, "the mode is on");
                NS_TEST_EXPECT_MSG_EQ((single == ordinary), true, disc << ", seed " << seed);
                NS_TEST_EXPECT_MSG_GT(single.arrivals.size(), 1000, "much arrives");
                NS_TEST_EXPECT_MSG_LT(single.arrivals.size(), 4000, "some is dropped");
                const auto marked = std::count_if(single.arrivals.begin(),
                                                  single.arrivals.end(),
                                                  [](const auto& a) { return a.marked; });
                NS_TEST_EXPECT_MSG_EQ((marked > 0), (disc != "ns3::DropTailQueueDisc"), "marks");
            }
        }
        Conserves();
    }

    /**
     * @param disc TypeId of the discipline
     * @param seed of the arrivals
     * @param singleEvent the mode
     * @return what was seen
     */
    static Outcome Run(const std::string& disc, int64_t seed, bool singleEvent)
    {
        TestNetwork network("single-switch:Hosts=4,HostRate=10Mbps,LinkDelay=97us",
                            ObjectFactory("ns3::FlowHashPathSelector"),
                            singleEvent);
        ObjectFactory factory(disc);
        factory.Set("MaxSize", StringValue("20000B"));
        if (disc == "ns3::StepMarkQueueDisc")
        {
            factory.Set("MarkThreshold", StringValue("6000B"));
        }
        network.fabric->SetQueueDiscFactory([&factory](const FabricPort::Description&) {
            return factory.Create<FabricQueueDisc>();
        });
        network.Build();
        // Three senders overload one receiver. Sizes and times are random and the link is slow, so
        // two things hardly ever happen at one nanosecond.
        for (uint32_t sender = 1; sender <= 3; ++sender)
        {
            for (const Offer& offer : DrawOffers(1500, 1.4e6, 1000 * seed + 10 * sender))
            {
                network.SendAt(NanoSeconds(offer.time), sender, 0, offer.size);
            }
        }
        Outcome outcome;
        const auto look = [&network, &outcome] {
            network.fabric->ForEachPort([&outcome](FabricPort& port) {
                outcome.counts.insert(outcome.counts.end(),
                                      {port.GetWaitingBytes(),
                                       port.GetWaitingPackets(),
                                       port.GetTxBytes(),
                                       port.GetTxPackets(),
                                       port.GetQueueDisc().GetPeakBytes(),
                                       port.GetQueueDisc().GetPeakPackets()});
                for (const auto& count : port.GetQueueDisc().GetDropCounts())
                {
                    outcome.counts.push_back(count.bytes);
                }
                for (const auto& count : port.GetQueueDisc().GetMarkCounts())
                {
                    outcome.counts.push_back(count.packets);
                }
                outcome.singleEvent |= port.IsSingleEvent();
            });
        };
        for (int64_t time = 10000001; time < 2000000000; time += 10000003)
        {
            Simulator::Schedule(NanoSeconds(time), look);
        }
        Simulator::Run();
        look();
        outcome.arrivals = network.recorder.arrivals;
        return outcome;
    }

    /// @brief Simultaneous events may be served in another order, but nothing is lost or doubled.
    void Conserves()
    {
        const uint64_t live = FabricItem::GetLiveCount();
        TestNetwork network("leaf-spine:Leaves=3,HostsPerLeaf=4,Spines=2",
                            ObjectFactory("ns3::SprayPathSelector"),
                            true);
        network.Build();
        for (uint32_t round = 0; round < 200; ++round)
        {
            for (uint32_t host = 0; host < 12; ++host)
            {
                network.SendAt(NanoSeconds(600 * round), host, (host + 5) % 12);
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size() + network.GetDrops(),
                              network.sent,
                              "each item arrives or is dropped");
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "each item is given back");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Poisson arrivals into a FIFO of fixed rate wait as M/D/1 says.
 */
class MD1TestCase : public TestCase
{
  public:
    /**
     * @param load utilisation
     * @param singleEvent the fabric's attribute SingleEvent
     */
    MD1TestCase(double load, bool singleEvent)
        : TestCase("queue of M-D-1 at load " + std::to_string(load) +
                   (singleEvent ? ", single-event mode" : "")),
          m_load(load),
          m_singleEvent(singleEvent)
    {
    }

  private:
    static constexpr double SERVICE = 1200;      //!< ns for 1500 B at 10 Gbps
    static constexpr uint32_t ARRIVALS = 400000; //!< enough for 2 % at load 0.7

    void DoRun() override
    {
        TestNetwork network("single-switch:LinkDelay=0ns",
                            ObjectFactory("ns3::FlowHashPathSelector"),
                            m_singleEvent);
        network.fabric->SetQueueDiscFactory([](const FabricPort::Description&) {
            return CreateObjectWithAttributes<DropTailQueueDisc>("MaxSize",
                                                                 StringValue("100000000B"));
        });
        network.Build();
        network.recorder.arrivals.reserve(ARRIVALS);
        m_network = &network;
        m_gap = CreateObject<ExponentialRandomVariable>();
        m_gap->SetStream(7);
        Generate(this);
        Simulator::Run();

        double waited = 0;
        for (const auto& arrival : network.recorder.arrivals)
        {
            waited += static_cast<double>(arrival.arrived - arrival.sent) - 2 * SERVICE;
        }
        const double waiting = m_load / (2 * (1 - m_load)) * SERVICE; // Pollaczek-Khinchine
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), ARRIVALS, "all arrive");
        NS_TEST_EXPECT_MSG_EQ_TOL(waited / ARRIVALS, waiting, 0.02 * waiting, "mean waiting time");
        // Poisson arrivals see time averages; by Little's law the queue is rate x waiting time.
        const double queue = m_load * m_load / (2 * (1 - m_load));
        NS_TEST_EXPECT_MSG_EQ_TOL(m_seen / ARRIVALS, queue, 0.02 * queue, "mean queue length");
        const auto& port = network.fabric->GetHost(0).GetNicPort();
        const double busy = port.GetTxBytes() * 8.0 / (10 * Simulator::Now().GetDouble());
        NS_TEST_EXPECT_MSG_EQ_TOL(busy, m_load, 0.01 * m_load, "utilisation from the counters");
    }

    /// @param object the test case: send an item and arrange for the next
    static void Generate(void* object)
    {
        static const DirectEvent::Tag tag = DirectEvent::Register(&MD1TestCase::Generate);
        auto test = static_cast<MD1TestCase*>(object);
        FabricPort& port = test->m_network->fabric->GetHost(0).GetNicPort();
        test->m_seen += port.GetWaitingPackets();
        test->m_network->Send(0, 1);
        if (test->m_network->sent < ARRIVALS)
        {
            test->m_next += test->m_gap->GetValue(SERVICE / test->m_load, 0);
            DirectEvent::ScheduleAt(std::llround(test->m_next), tag, object);
        }
    }

    double m_load;                        //!< utilisation
    bool m_singleEvent;                   //!< the fabric's attribute SingleEvent
    double m_seen{0};                     //!< sum of the queue lengths that arrivals found
    double m_next{0};                     //!< when the next item comes, in ns
    TestNetwork* m_network{nullptr};      //!< while running
    Ptr<ExponentialRandomVariable> m_gap; //!< time between arrivals
};

/**
 * @ingroup fabric-tests
 * @brief Single-event mode departs from ordinary mode only after a tie: two things at one port at
 * one moment. Ordinary mode then goes by the order of scheduling, single-event mode lets the
 * departure be first.
 */
class SingleEventTieTestCase : public TestCase
{
  public:
    SingleEventTieTestCase()
        : TestCase("without ties, single-event mode equals ordinary mode at every speed")
    {
    }

  private:
    static constexpr int64_t NEVER = INT64_MAX; //!< there was no tie

    /// @brief Notes when an item comes to the port and when its transmission starts.
    struct Watch : public IngressStage, public EgressStage
    {
        bool Process(FabricItem* /* item */) override
        {
            Note(DirectEvent::Now());
            return true;
        }

        void Stamp(FabricItem* /* item */, const FabricPort& port) override
        {
            const int64_t now = DirectEvent::Now();
            if (now == m_end) // it waited: its start is an event of its own
            {
                Note(now);
            }
            m_end = now + port.GetTransmissionSteps(1500);
        }

        /// @param time when something happens
        void Note(int64_t time)
        {
            if (time == m_last)
            {
                firstTie = std::min(firstTie, time);
            }
            m_last = time;
        }

        int64_t firstTie{NEVER}; //!< when two things happened at once for the first time

      private:
        int64_t m_last{-1}; //!< when something happened last
        int64_t m_end{-1};  //!< when the link falls idle
    };

    void DoRun() override
    {
        uint32_t withTie = 0;
        uint32_t different = 0;
        for (int64_t seed = 0; seed < SEEDS; ++seed)
        {
            Watch watch;
            const auto ordinary = Run(seed, &watch);
            const auto single = Run(seed, nullptr);
            const auto [a, b] =
                std::mismatch(ordinary.begin(), ordinary.end(), single.begin(), single.end());
            withTie += watch.firstTie != NEVER;
            if (a == ordinary.end() && b == single.end())
            {
                continue;
            }
            ++different;
            const int64_t when = std::min(a == ordinary.end() ? NEVER : a->arrived,
                                          b == single.end() ? NEVER : b->arrived);
            NS_TEST_EXPECT_MSG_GT(when, watch.firstTie, "only after a tie, seed " << seed);
        }
        NS_TEST_EXPECT_MSG_GT(different, 0, "ties do make a difference");
        NS_TEST_EXPECT_MSG_LT(withTie, SEEDS, "some runs have no tie");
        CheckWhoIsFirst();
    }

    /**
     * @brief Overload a port with equal packets, whose times are multiples of a nanosecond.
     * @param seed of the arrivals
     * @param watch sees what happens at the port, in ordinary mode; nullptr: single-event mode
     * @return what arrived
     */
    static std::vector<ArrivalRecorder::Arrival> Run(int64_t seed, Watch* watch)
    {
        TestNetwork network("single-switch:Hosts=4,HostRate=1Gbps,LinkDelay=500ns",
                            ObjectFactory("ns3::FlowHashPathSelector"),
                            !watch);
        Limit(network, "6000B");
        if (watch)
        {
            network.fabric->GetSwitch(0).AddIngressStage(watch);
            network.fabric->GetSwitch(0).GetPort(0).AddEgressStage(watch);
        }
        for (uint32_t sender = 1; sender <= 3; ++sender)
        {
            for (const Offer& offer : DrawOffers(60, 20000, 1000 * seed + 10 * sender))
            {
                network.SendAt(NanoSeconds(offer.time), sender, 0, 1500);
            }
        }
        Simulator::Run();
        return network.recorder.arrivals;
    }

    /**
     * @param network to be built, with drop-tail queues
     * @param limit of each of the switch's queues
     */
    static void Limit(TestNetwork& network, const std::string& limit)
    {
        network.fabric->SetQueueDiscFactory([&limit](const FabricPort::Description& port) {
            return CreateObjectWithAttributes<DropTailQueueDisc>(
                "MaxSize",
                StringValue(port.tier > 0 ? limit : "1MB"));
        });
        network.Build();
    }

    /// @brief A packet that comes the moment the only place in the queue becomes free.
    void CheckWhoIsFirst()
    {
        for (const bool singleEvent : {false, true})
        {
            TestNetwork network("single-switch:Hosts=4,HostRate=1Gbps,LinkDelay=500ns",
                                ObjectFactory("ns3::FlowHashPathSelector"),
                                singleEvent);
            Limit(network, "1500B");
            network.SendAt(NanoSeconds(0), 1, 0);           // transmitted from 12.5 to 24.5 us
            network.SendAt(NanoSeconds(12000), 2, 0, 1000); // waits from 20.5 to 24.5 us
            network.SendAt(NanoSeconds(12000), 3, 0);       // comes at 24.5 us, scheduled at 12 us
            Simulator::Run();
            // Its arrival was scheduled before the second packet's departure, at 20.5 us.
            NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(),
                                  (singleEvent ? 3U : 2U),
                                  "order of scheduling, or departures first");
        }
    }

    static constexpr uint32_t SEEDS = 60; //!< runs
};

/**
 * @ingroup fabric-tests
 * @brief Items under way when everything ends are given back, with all that they carry.
 */
class UnderWayTestCase : public TestCase
{
  public:
    UnderWayTestCase()
        : TestCase("items under way at the end are given back")
    {
    }

  private:
    /// @brief Counts its instances.
    struct CountedExtension : public ItemExtension
    {
        CountedExtension()
        {
            ++s_live;
        }

        ~CountedExtension() override
        {
            --s_live;
        }

        static inline int s_live{0}; //!< instances
    };

    void DoRun() override
    {
        StringValue before;
        GlobalValue::GetValueByName("SimulatorImplementationType", before);
        for (const char* kernel : {"ns3::DefaultSimulatorImpl", "ns3::TimingWheelSimulatorImpl"})
        {
            GlobalValue::Bind("SimulatorImplementationType", StringValue(kernel));
            for (const bool singleEvent : {false, true})
            {
                for (const bool simulatorFirst : {false, true})
                {
                    Abandon(singleEvent, simulatorFirst);
                }
            }
        }
        GlobalValue::Bind("SimulatorImplementationType", before);
    }

    /**
     * @param singleEvent the fabric's attribute SingleEvent
     * @param simulatorFirst whether the simulator is destroyed before the fabric
     */
    void Abandon(bool singleEvent, bool simulatorFirst)
    {
        const uint64_t live = FabricItem::GetLiveCount();
        {
            TestNetwork network("single-switch",
                                ObjectFactory("ns3::FlowHashPathSelector"),
                                singleEvent);
            network.Build();
            for (int i = 0; i < 10; ++i) // one on the first wire, one on the second, others wait
            {
                FabricItem* item = FabricItem::Create();
                item->size = 1500;
                item->destination = 1;
                item->extension = new CountedExtension;
                item->packet = GetPointer(Create<Packet>(100));
                network.fabric->GetHost(0).Send(item);
            }
            Simulator::Stop(NanoSeconds(2500));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live + 10, "nothing has arrived");
            if (!simulatorFirst)
            {
                network.fabric->Dispose();
            }
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "every item is given back");
        NS_TEST_EXPECT_MSG_EQ(CountedExtension::s_live, 0, "with its extension");
    }
};

/**
 * @ingroup fabric-tests
 * @brief A port that shares a buffer asks it about each item, even when the port is idle.
 */
class IdleSharedBufferTestCase : public TestCase
{
  public:
    IdleSharedBufferTestCase()
        : TestCase("an idle port asks the shared buffer")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool singleEvent : {false, true})
        {
            TestNetwork network("single-switch",
                                ObjectFactory("ns3::FlowHashPathSelector"),
                                singleEvent);
            auto buffer = CreateObjectWithAttributes<SharedBuffer>("Size", UintegerValue(10000));
            network.fabric->SetQueueDiscFactory([buffer](const FabricPort::Description& port) {
                auto disc = CreateObject<DropTailQueueDisc>();
                disc->SetSharedBuffer(port.tier > 0 ? buffer : nullptr);
                return disc;
            });
            network.Build();
            network.Send(0, 1);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 1, "there is room");
            NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "what leaves at once frees its memory");
            NS_TEST_EXPECT_MSG_EQ(buffer->Reserve(9000, 0), true, "other ports fill the memory");
            network.Send(0, 1);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 1, "there is no room");
            NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 1, "the item is dropped");
            buffer->Free(9000);
            network.Send(0, 1);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 2, "there is room again");
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief Transmission times of the rates and sizes that data centers have.
 */
class TransmissionTimeTestCase : public TestCase
{
  public:
    TransmissionTimeTestCase()
        : TestCase("transmission times and counters")
    {
    }

  private:
    void DoRun() override
    {
        Check("10Gbps", 0, 1500, 1200);
        Check("25Gbps", 0, 1500, 480);
        Check("40Gbps", 0, 1500, 300);
        Check("100Gbps", 0, 1500, 120);
        Check("400Gbps", 0, 1500, 30);
        Check("40Gbps", 0, 40, 8);
        Check("100Gbps", 0, 64, 5);       // 5.12 ns
        Check("400Gbps", 0, 80, 2);       // 1.6 ns
        Check("400Gbps", 0, 65535, 1311); // 1310.7 ns
        Check("10Gbps", 38, 1500, 1230);  // 1230.4 ns
        Check("1Mbps", 0, 65535, 524280000);
        Counts();
    }

    /**
     * @param rate of the link
     * @param overhead bytes of framing
     * @param size of the packet
     * @param expected ns, as far as time steps are ns
     */
    void Check(const std::string& rate, uint32_t overhead, uint32_t size, int64_t expected)
    {
        TestNetwork network("single-switch:HostRate=" + rate);
        network.fabric->SetAttribute("FrameOverhead", UintegerValue(overhead));
        network.Build();
        const FabricPort& port = network.fabric->GetHost(0).GetNicPort();
        NS_TEST_EXPECT_MSG_EQ(port.GetTransmissionSteps(size), expected, rate << ", " << size);
        // Coarser than a nanosecond never is ns-3's resolution; finer ones scale.
        const double exact = (size + overhead) * 8e9 / DataRate(rate).GetBitRate();
        NS_TEST_EXPECT_MSG_EQ_TOL(port.GetTransmissionSteps(size), exact, 0.501, "half a step");
    }

    /// @brief Counters of bytes and packets, at both ends of a busy time.
    void Counts()
    {
        for (const bool singleEvent : {false, true})
        {
            TestNetwork network("single-switch",
                                ObjectFactory("ns3::FlowHashPathSelector"),
                                singleEvent);
            network.Build();
            for (int i = 0; i < 10; ++i)
            {
                network.Send(0, 1, 1000); // 800 ns each
            }
            const FabricPort& port = network.fabric->GetHost(0).GetNicPort();
            NS_TEST_EXPECT_MSG_EQ(port.GetTxBytes(), 1000, "the first one has started");
            Simulator::Stop(NanoSeconds(4100));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(port.GetTxPackets(), 6, "at 4.1 us the sixth has started");
            NS_TEST_EXPECT_MSG_EQ(port.GetTxBytes(), 6000, "at 4.1 us the sixth has started");
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(port.GetTxPackets(), 10, "all have left");
            NS_TEST_EXPECT_MSG_EQ(port.GetTxBytes(), 10000, "all have left");
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief A stage at the exit sees every item and may make it longer.
 */
class EgressStageTestCase : public TestCase, private EgressStage
{
  public:
    EgressStageTestCase()
        : TestCase("an egress stage sees each item at its start and may make it longer")
    {
    }

  private:
    void Stamp(FabricItem* item, const FabricPort& port) override
    {
        m_starts.push_back(DirectEvent::Now());
        item->size += 100;
        NS_TEST_EXPECT_MSG_EQ(port.GetDescription().name, "host0:0", "the port is told");
    }

    void DoRun() override
    {
        TestNetwork network("single-switch:HostRate=1Gbps,LinkDelay=0ns",
                            ObjectFactory("ns3::FlowHashPathSelector"),
                            true);
        network.Build();
        FabricPort& port = network.fabric->GetHost(0).GetNicPort();
        port.AddEgressStage(this);
        NS_TEST_EXPECT_MSG_EQ(port.IsSingleEvent(), false, "a stage needs the start's event");
        network.Send(0, 1, 900);
        network.Send(0, 1, 900);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((m_starts == std::vector<int64_t>{0, 8000}), true, "1000 B each");
        NS_TEST_EXPECT_MSG_EQ(port.GetTxBytes(), 2000, "what went over the link");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.back().arrived, 24000, "two hops");
    }

    std::vector<int64_t> m_starts; //!< when items passed
};

/**
 * @ingroup fabric-tests
 * @brief Tests of the port.
 */
class FabricPortTestSuite : public TestSuite
{
  public:
    FabricPortTestSuite()
        : TestSuite("fabric-port", Type::UNIT)
    {
        AddTestCase(new LazyTransmitTestCase);
        AddTestCase(new SingleEventTestCase);
        AddTestCase(new SingleEventTieTestCase);
        AddTestCase(new UnderWayTestCase);
        AddTestCase(new IdleSharedBufferTestCase);
        AddTestCase(new TransmissionTimeTestCase);
        AddTestCase(new EgressStageTestCase);
        AddTestCase(new MD1TestCase(0.5, false));
        AddTestCase(new MD1TestCase(0.7, true));
    }
};

static FabricPortTestSuite g_fabricPortTestSuite; //!< registers the suite
