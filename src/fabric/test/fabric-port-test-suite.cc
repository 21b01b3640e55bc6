/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/global-value.h"
#include "ns3/priority-flow-control.h"
#include "ns3/random-variable-stream.h"
#include "ns3/results.h"
#include "ns3/shared-buffer.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

using namespace ns3;

namespace
{

/// @brief Serves a list of items in an order of its own: work for the reference model to repeat.
class SortingQueueDisc : public FabricQueueDisc
{
  public:
    /// @brief True if one item goes before another.
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
    std::vector<FabricItem*> m_items; //!< items that wait
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
    int64_t time;  //!< arrival, in ns
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
     * @param offers the items that come
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
 * @brief Poisson arrivals into a FIFO of fixed rate wait as M/D/1 says.
 */
class MD1TestCase : public TestCase
{
  public:
    /// @param load utilisation
    explicit MD1TestCase(double load)
        : TestCase("queue of M-D-1 at load " + std::to_string(load)),
          m_load(load)
    {
    }

  private:
    static constexpr double SERVICE = 1200;      //!< ns for 1500 B at 10 Gbps
    static constexpr uint32_t ARRIVALS = 400000; //!< enough for 2 % at load 0.7

    void DoRun() override
    {
        TestNetwork network("single-switch:LinkDelay=0ns");
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
    double m_seen{0};                     //!< sum of the queue lengths that arrivals found
    double m_next{0};                     //!< time of the next item, in ns
    TestNetwork* m_network{nullptr};      //!< while running
    Ptr<ExponentialRandomVariable> m_gap; //!< time between arrivals
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
            for (const bool simulatorFirst : {false, true})
            {
                Abandon(simulatorFirst);
            }
        }
        GlobalValue::Bind("SimulatorImplementationType", before);
    }

    /// @param simulatorFirst true if the simulator is destroyed before the fabric
    void Abandon(bool simulatorFirst)
    {
        const uint64_t live = FabricItem::GetLiveCount();
        {
            TestNetwork network("single-switch");
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
        TestNetwork network("single-switch");
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
};

/**
 * @ingroup fabric-tests
 * @brief An idle port asks a discipline that derives from one that it may pass by.
 */
class IdleDerivedTestCase : public TestCase
{
  public:
    IdleDerivedTestCase()
        : TestCase("an idle port asks a discipline derived from drop-tail")
    {
    }

  private:
    /// @brief Counts what comes, and says no more than that.
    template <class Base>
    class CountingQueueDisc : public Base
    {
      public:
        /// @param count takes the number of arrivals
        explicit CountingQueueDisc(int& count)
            : m_count(count)
        {
        }

      protected:
        bool DoEnqueueItem(FabricItem* item) override
        {
            ++m_count;
            return Base::DoEnqueueItem(item);
        }

      private:
        int& m_count; //!< number of arrivals
    };

    template <class Base>
    void Check()
    {
        TestNetwork network("single-switch");
        int count = 0;
        network.fabric->SetQueueDiscFactory([&count](const FabricPort::Description& /* port */) {
            return CreateObject<CountingQueueDisc<Base>>(count);
        });
        network.Build();
        network.Send(0, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 1, "it arrives");
        NS_TEST_EXPECT_MSG_EQ(count, 2, "asked at the host and at the switch");
    }

    void DoRun() override
    {
        Check<DropTailQueueDisc>();
        Check<StepMarkQueueDisc>();
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
        TestNetwork network("single-switch");
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
};

/**
 * @ingroup fabric-tests
 * @brief Stages see each item on its way in and at its start, in order, and may take or change it.
 */
class StageTestCase : public TestCase
{
  public:
    StageTestCase()
        : TestCase("stages see, change and take items")
    {
    }

  private:
    /// @brief Notes what passes, takes some of it, makes the rest longer.
    class LoggingStage : public PortStage
    {
      public:
        /**
         * @param log takes notes
         * @param name of the stage, in the notes
         * @param taken size of the items that the stage takes
         */
        LoggingStage(std::string& log, char name, uint16_t taken)
            : m_log(log),
              m_name(name),
              m_taken(taken)
        {
        }

        bool Admit(FabricItem* item, FabricPort& port) override
        {
            Note('+', *item, port);
            if (item->size != m_taken)
            {
                return true;
            }
            item->Release();
            return false;
        }

        void Depart(FabricItem* item, const FabricPort& port) override
        {
            Note('-', *item, port);
            item->size += 50;
        }

      private:
        void Note(char what, const FabricItem& item, const FabricPort& port)
        {
            std::ostringstream note;
            note << m_name << what << item.size << '@' << DirectEvent::Now() << ' ';
            m_log += port.GetDescription().name == "host0:0" ? note.str() : "wrong port ";
        }

        std::string& m_log; //!< takes notes
        char m_name;        //!< of the stage
        uint16_t m_taken;   //!< size of what the stage takes
    };

    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        for (const bool flowControl : {false, true})
        {
            CheckWay(flowControl);
        }
        CheckFailure();
        CheckNewItem();
        CheckResults();
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "each item is given back");
    }

    /// @param flowControl true if links are under flow control, which stages do not notice
    void CheckWay(bool flowControl)
    {
        TestNetwork network("single-switch:HostRate=1Gbps,LinkDelay=0ns");
        if (flowControl)
        {
            network.fabric->SetFlowControl(CreateObject<PriorityFlowControl>());
        }
        network.Build();
        FabricPort& port = network.fabric->GetHost(0).GetNicPort();
        std::string log;
        port.AddStage(CreateObject<LoggingStage>(log, 'a', 500));
        port.AddStage(CreateObject<LoggingStage>(log, 'b', 600));
        NS_TEST_EXPECT_MSG_EQ(port.GetStages().size(), 2, "stages");
        network.Send(0, 1, 900); // passes the idle port
        network.Send(0, 1, 500);
        network.Send(0, 1, 600);
        network.Send(0, 1, 900); // waits for 1000 B to leave
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(log,
                              "a+900@0 b+900@0 a-900@0 b-950@0 a+500@0 a+600@0 b+600@0 "
                              "a+900@0 b+900@0 a-900@8000 b-950@8000 ",
                              "who saw what when");
        NS_TEST_EXPECT_MSG_EQ(port.GetTxBytes(), 2000, "the link is charged for longer items");
        NS_TEST_EXPECT_MSG_EQ(port.GetTxPackets(), 2, "what was taken did not leave");
        NS_TEST_ASSERT_MSG_EQ(network.recorder.arrivals.size(), 2, "nor arrive");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.back().arrived, 24000, "two hops");
        NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 0, "and is no drop of the discipline");
    }

    /// @brief A switch classifies before it finds that the link is dead.
    void CheckFailure()
    {
        TestNetwork network("single-switch:HostRate=1Gbps,LinkDelay=0ns");
        network.Build();
        std::string log;
        network.fabric->GetHost(0).GetNicPort().AddStage(CreateObject<LoggingStage>(log, 'a', 500));
        network.fabric->SetLinkUp(0, false);
        network.Send(0, 1, 900);
        network.Send(0, 1, 500);
        network.fabric->SetLinkUp(0, true);
        network.Send(0, 1, 700);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(log, "a+900@0 a+500@0 a+700@0 a-700@0 ", "seen all the same");
        NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 1, "the discipline drops what is not taken");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 1, "after the repair");
    }

    /// @brief A stage reports once, wherever it stands.
    void CheckResults()
    {
        /// @brief Says how many items it admitted.
        struct Counter : public PortStage
        {
            bool Admit(FabricItem* /* item */, FabricPort& /* port */) override
            {
                ++admitted;
                return true;
            }

            void ReportResults(Results& results) const override
            {
                results.Add("admitted_packets", admitted);
            }

            uint32_t admitted{0}; //!< items
        };

        TestNetwork network("single-switch:Hosts=3");
        network.Build();
        const auto everywhere = CreateObject<Counter>();
        network.fabric->ForEachPort([everywhere](FabricPort& port) {
            if (port.GetDescription().tier > 0)
            {
                port.AddStage(everywhere);
            }
        });
        network.fabric->GetSwitch(0).GetPort(1).AddStage(CreateObject<Counter>());
        network.Send(0, 1);
        network.Send(0, 2);
        Simulator::Run();
        Results results;
        network.fabric->ReportResults(results);
        NS_TEST_ASSERT_MSG_EQ(results.GetRows().size(), 2, "two stages");
        NS_TEST_EXPECT_MSG_EQ(results.GetRows()[0].value, 2, "both packets");
        NS_TEST_EXPECT_MSG_EQ(results.GetRows()[0].source.name, "switch0:0", "its first port");
        NS_TEST_EXPECT_MSG_EQ(results.GetRows()[1].value, 1, "the packet of its port");
        NS_TEST_EXPECT_MSG_EQ(results.GetRows()[1].source.name, "switch0:1", "its port");
    }

    /// @brief A stage may answer at once through another port.
    void CheckNewItem()
    {
        /// @brief Sends what is for host 1 back to its source.
        struct Mirror : public PortStage
        {
            bool Admit(FabricItem* item, FabricPort& port) override
            {
                std::swap(item->source, item->destination);
                port.GetDescription().node->GetPort(item->inPort).Send(item);
                return false;
            }
        };

        TestNetwork network("single-switch:HostRate=1Gbps,LinkDelay=0ns");
        network.Build();
        network.fabric->GetSwitch(0).GetPort(1).AddStage(CreateObject<Mirror>());
        network.Send(0, 1, 1000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.recorder.arrivals.size(), 1, "answers");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals[0].destination, 0, "back at the source");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetHost(1).GetNicPort().GetTxPackets(), 0, "alone");
    }
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
        AddTestCase(new UnderWayTestCase);
        AddTestCase(new IdleSharedBufferTestCase);
        AddTestCase(new IdleDerivedTestCase);
        AddTestCase(new TransmissionTimeTestCase);
        AddTestCase(new StageTestCase);
        AddTestCase(new MD1TestCase(0.5));
        AddTestCase(new MD1TestCase(0.7));
    }
};

static FabricPortTestSuite g_fabricPortTestSuite; //!< registers the suite
