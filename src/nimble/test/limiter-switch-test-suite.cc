/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/limiter-switch.h"
#include "ns3/nimble-controller.h"
#include "ns3/object-spec.h"
#include "ns3/simulator.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/test.h"
#include "ns3/update-delay.h"

#include <algorithm>
#include <array>
#include <malloc.h>
#include <map>
#include <memory>

using namespace ns3;

namespace
{

/// @brief Says what class an item is of by its priority, without a fabric.
class PriorityClassifier : public ItemClassifier
{
  public:
    uint32_t Classify(const FabricItem& item) const override
    {
        return item.priority;
    }
};

/// @brief A switch of two output ports without links.
struct TestSwitch
{
    TestSwitch()
        : meters("native", "logical")
    {
        std::map<uint32_t, LimiterPort> made;
        for (uint32_t i = 0; i < 2; ++i)
        {
            LimiterPort& port = ports[i];
            port.meters = CreateObject<LimiterTable>();
            port.meters->SetTrafficClassifier(CreateObject<PriorityClassifier>());
            port.metered = CreateObject<MeteredQueueDisc>();
            port.metered->SetInner(CreateObject<DropTailQueueDisc>());
            port.metered->SetClassifier(port.meters);
            port.metered->SetAttribute("CountClasses", BooleanValue(true));
            port.metered->SetPort(nullptr);
            port.rate = DataRate("100Gbps");
            made[i] = port;
        }
        limiters = std::make_unique<LimiterSwitch>(made, meters, 4);
    }

    ~TestSwitch()
    {
        for (LimiterPort& port : ports)
        {
            port.metered->Dispose();
        }
    }

    /// @brief Sum of the rates that count now, in Gbit/s.
    double Sum() const
    {
        double sum = 0;
        for (const auto& [key, setting] : limiters->GetActive())
        {
            sum += static_cast<double>(setting.rate.GetBitRate()) / 1e9;
        }
        return sum;
    }

    /// @brief Send a packet of a class to a port that it came to by another.
    bool Send(uint32_t port, uint8_t trafficClass, uint16_t input = 0)
    {
        FabricItem* item = FabricItem::Create();
        item->size = 1500;
        item->priority = trafficClass;
        item->inPort = input;
        const bool kept = ports[port].metered->EnqueueItem(item);
        if (FabricItem* out = ports[port].metered->DequeueItem())
        {
            out->Release();
        }
        return kept;
    }

    MeterSource meters;                      //!< makes meters
    std::array<LimiterPort, 2> ports;        //!< its ports
    std::unique_ptr<LimiterSwitch> limiters; //!< the switch
};

/**
 * @brief Write a setting and use it.
 * @param limiters of the switch
 * @param key names the limiter
 * @param setting its new setting; nothing: no limiter
 */
void
Configure(LimiterSwitch& limiters,
          const LimiterKey& key,
          const std::optional<LimiterSetting>& setting)
{
    limiters.Write(key, setting);
    limiters.Flip();
}

/**
 * @brief A limiter of so many Gbit/s with a burst of a packet.
 * @param rate in Gbit/s
 * @return the setting
 */
LimiterSetting
MakeLimit(double rate)
{
    LimiterSetting setting;
    setting.rate = DataRate(static_cast<uint64_t>(rate * 1e9));
    setting.yellowBurst = 1500;
    setting.redBurst = 1500;
    return setting;
}

} // namespace

/**
 * @ingroup nimble-tests
 * @brief Limiter that a packet finds.
 */
class LimiterLookupTestCase : public TestCase
{
  public:
    LimiterLookupTestCase()
        : TestCase("limiters by class, output and input")
    {
    }

  private:
    void DoRun() override
    {
        TestSwitch test;
        Configure(*test.limiters, {0, 1}, MakeLimit(10));
        Configure(*test.limiters, {0, 1, 3}, MakeLimit(5));
        const auto count = [this, &test](uint16_t input) {
            // A second packet at once is red; it is conforming again when 1500 bytes have drained.
            test.Send(0, 1, input);
            NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1, input), false, "red at once");
            Simulator::Stop(NanoSeconds(1200)); // 1500 bytes at 10 Gbit/s
            Simulator::Run();
            return test.Send(0, 1, input);
        };
        NS_TEST_EXPECT_MSG_EQ(count(4), true, "10 Gbit/s from port 4");
        NS_TEST_EXPECT_MSG_EQ(count(3), false, "5 Gbit/s from port 3");
        NS_TEST_EXPECT_MSG_EQ((test.Send(1, 1, 3) && test.Send(1, 1, 3)),
                              true,
                              "no limit at port 1");
        NS_TEST_EXPECT_MSG_EQ((test.Send(0, 2) && test.Send(0, 2)), true, "no limit of class 2");
        NS_TEST_EXPECT_MSG_EQ(test.ports[0].metered->GetUnmeteredPackets(), 2, "they are counted");
        Configure(*test.limiters, {0, 1}, std::nullopt);
        NS_TEST_EXPECT_MSG_EQ((test.Send(0, 1, 4) && test.Send(0, 1, 4)),
                              true,
                              "what is removed limits no more");
        Simulator::Destroy();
    }
};

/**
 * @ingroup nimble-tests
 * @brief One limiter for all output ports (a local policy for an input port alone).
 */
class InputLimiterTestCase : public TestCase
{
  public:
    InputLimiterTestCase()
        : TestCase("a limiter by class and input, over all outputs")
    {
    }

  private:
    void DoRun() override
    {
        TestSwitch test;
        const LimiterKey everywhere{1, 1, 3, true};
        Configure(*test.limiters, everywhere, MakeLimit(10));
        NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1, 3), true, "the burst");
        NS_TEST_EXPECT_MSG_EQ(test.Send(1, 1, 3), false, "which is that of the other output, too");
        NS_TEST_EXPECT_MSG_EQ((test.Send(1, 1, 4) && test.Send(1, 1, 4)),
                              true,
                              "no limit from another input");
        NS_TEST_EXPECT_MSG_EQ((test.Send(1, 2, 3) && test.Send(1, 2, 3)), true, "nor of class 2");
        Wait(1200); // 1500 bytes at 10 Gbit/s
        NS_TEST_EXPECT_MSG_EQ(test.Send(1, 1, 3), true, "drained");
        NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1, 3), false, "for both");
        // A limiter of (class, any input, output) is more specific, one of (class, input, output)
        // even more.
        Configure(*test.limiters, {0, 1}, MakeLimit(20));
        NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1, 3), true, "its own burst");
        NS_TEST_EXPECT_MSG_EQ(test.Send(1, 1, 3), false, "elsewhere as before");
        Configure(*test.limiters, {0, 1}, std::nullopt);
        NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1, 3), false, "and again here");
        // Another rate: what the limiter remembers stays, and counted at the old rate until now.
        Wait(600);
        Configure(*test.limiters, everywhere, MakeLimit(100));
        NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1, 3), false, "750 bytes");
        Wait(60);
        NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1, 3), true, "750 more at 100 Gbit/s");
        Configure(*test.limiters, everywhere, std::nullopt);
        NS_TEST_EXPECT_MSG_EQ((test.Send(0, 1, 3) && test.Send(1, 1, 3)), true, "no limit");
        Simulator::Destroy();
    }

    static void Wait(int64_t ns)
    {
        Simulator::Stop(NanoSeconds(ns));
        Simulator::Run();
    }
};

/**
 * @ingroup nimble-tests
 * @brief Virtual queues of classes that are limited in any order.
 */
class VirtualQueueOrderTestCase : public TestCase
{
  public:
    VirtualQueueOrderTestCase()
        : TestCase("a class has its own virtual queue, though one of a higher number came first")
    {
    }

  private:
    void DoRun() override
    {
        LimiterPort port;
        port.rate = DataRate("100Gbps");
        for (Ptr<LimiterTable>* table : {&port.meters, &port.queues})
        {
            *table = CreateObject<LimiterTable>();
            (*table)->SetTrafficClassifier(CreateObject<PriorityClassifier>());
        }
        port.shaped = CreateObject<ShapedQueueDisc>();
        port.shaped->SetClassifier(port.queues);
        port.metered = CreateObject<MeteredQueueDisc>();
        port.metered->SetInner(port.shaped);
        port.metered->SetClassifier(port.meters);
        port.metered->SetPort(nullptr);
        MeterSource meters("native", "logical");
        LimiterSwitch limiters({{0, port}}, meters, 4);
        LimiterSetting setting = MakeLimit(10);
        setting.queue = NimbleQueue::VQ;
        setting.redBurst = 15000;
        for (const uint32_t trafficClass : {3, 1, 3, 2})
        {
            Configure(limiters, {0, trafficClass}, setting);
            const auto& queue = port.shaped->GetInner(trafficClass);
            NS_TEST_EXPECT_MSG_EQ(queue.GetInstanceTypeId(),
                                  StepMarkQueueDisc::GetTypeId(),
                                  "the queue that was made for class " << trafficClass);
        }
        port.metered->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup nimble-tests
 * @brief Rates that the data plane writes.
 */
class RateRegisterTestCase : public TestCase
{
  public:
    RateRegisterTestCase()
        : TestCase("the data plane writes a rate")
    {
    }

  private:
    void DoRun() override
    {
        TestSwitch test;
        LimiterSwitch& limiters = *test.limiters;
        for (uint32_t i = 0; i < 4; ++i)
        {
            Configure(limiters, {0, i + 1}, MakeLimit(1));
            Configure(limiters, {1, i + 1}, MakeLimit(1));
        }
        NS_TEST_EXPECT_MSG_EQ(limiters.GetIndex({1, 4}), 7, "in the order of writing");
        test.Send(1, 4);
        NS_TEST_EXPECT_MSG_EQ(limiters.WriteRate(7, DataRate("25Gbps")), true, "written");
        Simulator::Stop(NanoSeconds(479));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(test.Send(1, 4), false, "1497 bytes at 25 Gbit/s");
        Simulator::Stop(NanoSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(test.Send(1, 4), true, "1500 bytes");
        NS_TEST_EXPECT_MSG_EQ(limiters.GetActive().at({0, 4}).rate, DataRate("1Gbps"), "others");
        // It outlives a flip that is not about it, and gives way to one that is.
        limiters.Write({0, 1}, MakeLimit(2));
        limiters.Flip();
        limiters.Flip();
        NS_TEST_EXPECT_MSG_EQ(limiters.GetActive().at({1, 4}).rate, DataRate("25Gbps"), "stays");
        limiters.Write({1, 4}, MakeLimit(3));
        limiters.WriteRate(7, DataRate("30Gbps"));
        NS_TEST_EXPECT_MSG_EQ(limiters.GetActive().at({1, 4}).rate, DataRate("30Gbps"), "in use");
        limiters.Flip();
        NS_TEST_EXPECT_MSG_EQ(limiters.GetActive().at({1, 4}).rate, DataRate("3Gbps"), "flipped");
        // Only logical meters have registers.
        LimiterSetting native = MakeLimit(1);
        native.queue = NimbleQueue::NM;
        Configure(limiters, {0, 1}, native);
        NS_TEST_EXPECT_MSG_EQ(limiters.WriteRate(limiters.GetIndex({0, 1}), DataRate("5Gbps")),
                              false,
                              "a native meter");
        NS_TEST_EXPECT_MSG_EQ(limiters.WriteRate(8, DataRate("5Gbps")), false, "no such limiter");
        Configure(limiters, {1, 4}, std::nullopt);
        NS_TEST_EXPECT_MSG_EQ(limiters.WriteRate(7, DataRate("5Gbps")), false, "it is no more");
        Simulator::Destroy();
    }
};

/**
 * @ingroup nimble-tests
 * @brief Order in which the parts of a port see a packet.
 */
class PipelineOrderTestCase : public TestCase
{
  public:
    PipelineOrderTestCase()
        : TestCase("classification, meter, congestion manager, queue: once each, in this order")
    {
    }

  private:
    using Trace = std::vector<std::string>; //!< parts that saw the packet

    /// @brief Says that it was asked for a class.
    class TracingClassifier : public ItemClassifier
    {
      public:
        explicit TracingClassifier(Trace& trace)
            : m_trace(trace)
        {
        }

        uint32_t Classify(const FabricItem& item) const override
        {
            m_trace.emplace_back("class");
            return item.priority;
        }

      private:
        Trace& m_trace; //!< takes it
    };

    /// @brief Says that a packet was metered.
    class TracingMeter : public SharedMeter
    {
      public:
        explicit TracingMeter(Trace& trace)
            : m_trace(trace)
        {
        }

        Colour Mark(State& state, int64_t now, uint32_t bytes, Colour before) const override
        {
            m_trace.emplace_back("meter");
            return SharedMeter::Mark(state, now, bytes, before);
        }

      private:
        Trace& m_trace; //!< takes it
    };

    /// @brief Says that a packet came to the queue, and whether it was marked by then.
    class TracingQueue : public DropTailQueueDisc
    {
      public:
        explicit TracingQueue(Trace& trace)
            : m_trace(trace)
        {
        }

      protected:
        bool DoEnqueueItem(FabricItem* item) override
        {
            m_trace.emplace_back(item->GetEcn() == FabricItem::CE ? "marked, queue" : "queue");
            return DropTailQueueDisc::DoEnqueueItem(item);
        }

      private:
        Trace& m_trace; //!< takes it
    };

    void DoRun() override
    {
        Check("native:Rate=1Mbps,YellowBurst=1500,RedBurst=3000");
        Check("logical:Rate=1Mbps,YellowBurst=1500,RedBurst=3000,SignificantBits=4");
    }

    static uint64_t CountBytes(const FabricQueueDisc& disc)
    {
        uint64_t bytes = 0;
        disc.ForEachWaiting([&bytes](const FabricItem& item) { bytes += item.size; });
        return bytes;
    }

    void Check(const std::string& profile)
    {
        Trace trace;
        const auto table = CreateObject<LimiterTable>();
        table->SetTrafficClassifier(Ptr<ItemClassifier>(new TracingClassifier(trace), false));
        table->Set(1, LimiterTable::ANY_INPUT, 1);
        const Ptr<TracingMeter> meter(new TracingMeter(trace), false);
        meter->SetProfile(CreateFromSpec<Meter>("meter", profile), 0);
        const auto disc = CreateObject<MeteredQueueDisc>();
        disc->SetInner(Ptr<TracingQueue>(new TracingQueue(trace), false));
        disc->SetClassifier(table);
        disc->SetPort(nullptr);
        disc->SetMeter(1, meter);
        const auto send = [&] {
            trace.clear();
            FabricItem* item = FabricItem::Create();
            item->size = 1500;
            item->priority = 1;
            item->SetEcn(FabricItem::ECT0);
            const uint64_t before = CountBytes(*disc);
            const bool kept = disc->EnqueueItem(item);
            NS_TEST_EXPECT_MSG_EQ(CountBytes(*disc) - before, (kept ? 1500 : 0), "queued");
            return trace;
        };
        NS_TEST_EXPECT_MSG_EQ((send() == Trace{"class", "meter", "queue"}), true, "green");
        NS_TEST_EXPECT_MSG_EQ((send() == Trace{"class", "meter", "marked, queue"}), true, "yellow");
        NS_TEST_EXPECT_MSG_EQ((send() == Trace{"class", "meter"}), true, "red: never at the queue");
        disc->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup nimble-tests
 * @brief 100,000 limiters at one port (Section 6.2).
 */
class ManyLimitersTestCase : public TestCase
{
  public:
    ManyLimitersTestCase()
        : TestCase("100,000 limiters at a port, and changes of some")
    {
    }

  private:
    static constexpr uint32_t CLASSES = 100'000;
    static constexpr uint32_t PACKET = 1500; //!< bytes
    static constexpr int64_t ROUND = 12;     //!< ms: a packet of each class, at its rate

    /// @brief An item's hash is its class.
    class ItemHashClassifier : public ItemClassifier
    {
      public:
        uint32_t Classify(const FabricItem& item) const override
        {
            return item.hash;
        }
    };

    void DoRun() override
    {
        m_disc = CreateObject<MeteredQueueDisc>();
        m_disc->SetInner(CreateObject<DropTailQueueDisc>());
        m_disc->SetClassifier(CreateObject<ItemHashClassifier>());
        m_disc->SetPort(nullptr);
        const std::size_t before = GetAllocated();
        for (uint32_t number = CLASSES; number > 0; --number)
        {
            m_disc->SetMeter(number, CreateMeter("1Mbps"));
        }
        // Under a sanitizer, which has memory of its own, nothing seems to be taken.
        NS_TEST_EXPECT_MSG_LT_OR_EQ((GetAllocated() - before) / CLASSES, 64, "bytes per class");
        const auto green = [this] { return m_disc->GetColourCounts().packets[0]; };
        SendRound();
        NS_TEST_EXPECT_MSG_EQ(green(), CLASSES, "a first packet of each is green");
        // 12 rounds in which 1000 limits a second are halved: their classes lose every second
        // packet from then on, no other class any.
        Simulator::Schedule(MilliSeconds(ROUND), &ManyLimitersTestCase::RunRound, this, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_sent, 13ULL * CLASSES, "packets");
        NS_TEST_EXPECT_MSG_EQ(m_sent - green(),
                              m_expectedRed,
                              "red ones are those of halved limits");
        m_disc->Dispose();
        Simulator::Destroy();
    }

    static std::size_t GetAllocated()
    {
        const auto info = mallinfo2();
        return info.uordblks + info.hblkhd;
    }

    Ptr<const Meter> CreateMeter(const std::string& rate)
    {
        Ptr<const Meter>& meter = m_meters[rate];
        if (!meter)
        {
            meter = CreateFromSpec<Meter>("meter",
                                          "logical:YellowBurst=1500,RedBurst=1500,Rate=" + rate);
        }
        return meter;
    }

    void RunRound(uint32_t round)
    {
        SendRound();
        // A halved limit has drained 750 bytes one round later: red, then green, and so on.
        m_expectedRed += m_odd;
        std::swap(m_odd, m_even);
        for (uint32_t i = 0; i < ROUND; ++i)
        {
            m_disc->SetMeter(++m_halved * 7919 % CLASSES + 1, CreateMeter("500kbps"));
            ++m_odd;
        }
        if (round < 12)
        {
            Simulator::Schedule(MilliSeconds(ROUND),
                                &ManyLimitersTestCase::RunRound,
                                this,
                                round + 1);
        }
    }

    void SendRound()
    {
        for (uint32_t number = 1; number <= CLASSES; ++number, ++m_sent)
        {
            FabricItem* item = FabricItem::Create();
            item->size = PACKET;
            item->hash = number;
            m_disc->EnqueueItem(item);
            if (FabricItem* out = m_disc->DequeueItem())
            {
                out->Release();
            }
        }
    }

    Ptr<MeteredQueueDisc> m_disc;                     //!< the port's
    std::map<std::string, Ptr<const Meter>> m_meters; //!< by rate
    uint64_t m_sent{0};                               //!< packets
    uint64_t m_expectedRed{0};                        //!< of them
    uint32_t m_halved{0};                             //!< limits
    uint32_t m_odd{0};                                //!< halved ones whose next packet is red
    uint32_t m_even{0};                               //!< halved ones whose next packet is not
};

/**
 * @ingroup nimble-tests
 * @brief All of a switch changes at once.
 */
class EpochTestCase : public TestCase
{
  public:
    EpochTestCase()
        : TestCase("versions of a switch's limiters")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Change(true), 100, "with versions the sum stays 100");
        NS_TEST_EXPECT_MSG_EQ(Change(false), 120, "without, it is 120 for a while");
        CheckState();
        CheckMixing();
    }

    /**
     * @brief 50 and 50 become 70 and 30, the writes 1 ms apart.
     * @param versioned true if the writes count together
     * @return most that the limits summed to at any time
     */
    double Change(bool versioned)
    {
        TestSwitch test;
        Configure(*test.limiters, {0, 1}, MakeLimit(50));
        Configure(*test.limiters, {0, 2}, MakeLimit(50));
        const auto write = [&](const LimiterKey& key, double rate) {
            test.limiters->Write(key, MakeLimit(rate));
            if (!versioned)
            {
                test.limiters->Flip();
            }
        };
        Simulator::Schedule(MilliSeconds(1), [&] { write({0, 2}, 70); });
        Simulator::Schedule(MilliSeconds(2), [&] {
            write({0, 1}, 30);
            versioned ? test.limiters->Flip() : void();
        });
        double most = 0;
        for (int i = 0; i < 40; ++i)
        {
            Simulator::Schedule(MicroSeconds(100 * i + 50),
                                [&] { most = std::max(most, test.Sum()); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(test.limiters->GetActive().at({0, 2}).rate,
                              DataRate("70Gbps"),
                              "in the end");
        Simulator::Destroy();
        return most;
    }

    /// @brief A change grants no burst, and a packet before it is metered by the old rate.
    void CheckState()
    {
        TestSwitch test;
        Configure(*test.limiters, {0, 1}, MakeLimit(1));
        NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1), true, "the burst");
        test.limiters->Write({0, 1}, MakeLimit(100));
        Simulator::Stop(NanoSeconds(1000));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1), false, "written, not in use: 125 bytes drained");
        test.limiters->Flip();
        NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1), false, "the same occupancy");
        Simulator::Stop(NanoSeconds(110)); // 1375 bytes at 100 Gbit/s
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(test.Send(0, 1), true, "at the new rate");
        // Flip twice: what is in use stays as it is.
        test.limiters->Flip();
        NS_TEST_EXPECT_MSG_EQ(test.limiters->GetActive().at({0, 1}).rate,
                              DataRate("100Gbps"),
                              "both versions know it");
        Simulator::Destroy();
    }

    /// @brief Over 200 random changes in 4 writes each, no packet sees limits of two of them.
    void CheckMixing()
    {
        NS_TEST_EXPECT_MSG_EQ(CountMixed(true), 0, "with versions");
        NS_TEST_EXPECT_MSG_GT(CountMixed(false), 0, "without");
    }

    uint32_t CountMixed(bool versioned)
    {
        TestSwitch test;
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        uint32_t mixed = 0;
        Time at;
        for (uint32_t change = 1; change <= 200; ++change)
        {
            for (uint32_t i = 0; i < 4; ++i)
            {
                at += NanoSeconds(random->GetInteger(1, 1000));
                const LimiterKey key{i / 2, 1 + i % 2};
                Simulator::Schedule(at, [&test, versioned, key, change] {
                    test.limiters->Write(key, MakeLimit(change));
                    if (!versioned)
                    {
                        test.limiters->Flip();
                    }
                });
            }
            Simulator::Schedule(at,
                                [&test, versioned] { versioned ? test.limiters->Flip() : void(); });
        }
        for (Time when; when < at; when += NanoSeconds(random->GetInteger(1, 500)))
        {
            // A packet finds all limits at once: those of its port and of any other.
            Simulator::Schedule(when, [&test, &mixed] {
                const auto& active = test.limiters->GetActive();
                const bool same = std::ranges::all_of(active, [&active](const auto& entry) {
                    return entry.second.rate == active.begin()->second.rate;
                });
                mixed += !same;
            });
        }
        Simulator::Run();
        Simulator::Destroy();
        return mixed;
    }
};

/**
 * @ingroup nimble-tests
 * @brief Time that updates take.
 */
class UpdateDelayTestCase : public TestCase
{
  public:
    UpdateDelayTestCase()
        : TestCase("delays of updates")
    {
    }

  private:
    /**
     * @brief Mean time until the last of so many updates.
     * @param spec of the delay
     * @param devices number of devices, in turn
     * @param updates number of updates
     * @param runs number of runs
     * @return ms
     */
    static double GetMeanFinish(const std::string& spec,
                                uint32_t devices,
                                uint32_t updates,
                                uint32_t runs)
    {
        double sum = 0;
        for (uint32_t run = 0; run < runs; ++run)
        {
            const auto delay = CreateFromSpec<UpdateDelay>("delay", spec);
            delay->AssignStreams(100 + run);
            std::vector<uint32_t> issued;
            for (uint32_t i = 0; i < updates; ++i)
            {
                issued.push_back(i % devices);
            }
            const auto times = delay->Issue(issued);
            sum += std::ranges::max_element(times)->GetSeconds() * 1e3;
        }
        return sum / runs;
    }

    void DoRun() override
    {
        const auto normal = CreateFromSpec<UpdateDelay>("delay", "normal");
        normal->AssignStreams(1);
        constexpr uint32_t DRAWS = 1'000'000;
        double sum = 0;
        uint32_t zeros = 0;
        for (uint32_t i = 0; i < DRAWS; ++i)
        {
            const double ms = normal->Draw().GetSeconds() * 1e3;
            sum += ms;
            zeros += ms == 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / DRAWS, 1.824, 0.01, "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(zeros) / DRAWS, 0.376, 0.002, "zeros");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetMeanFinish("normal:Order=ControllerSerial", 20, 400, 200),
                                  730,
                                  0.02 * 730,
                                  "400 limiters one after another");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetMeanFinish("normal:Order=Parallel", 20, 256, 500),
                                  9.9,
                                  0.03 * 9.9,
                                  "256 limiters at once");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetMeanFinish("constant:Delay=1ms", 3, 9, 1),
                                  3,
                                  1e-9,
                                  "three devices with three updates each");
        NS_TEST_EXPECT_MSG_EQ_TOL(
            GetMeanFinish("normal:Negative=Redraw,Order=ControllerSerial", 1, 20'000, 1) / 20'000,
            2.923,
            0.05,
            "mean of what is drawn again");
    }
};

/**
 * @ingroup nimble-tests
 * @brief Limiters of a switch and their updates.
 */
class LimiterSwitchTestSuite : public TestSuite
{
  public:
    LimiterSwitchTestSuite()
        : TestSuite("limiter-switch", Type::UNIT)
    {
        AddTestCase(new VirtualQueueOrderTestCase);
        AddTestCase(new InputLimiterTestCase, Duration::QUICK);
        AddTestCase(new RateRegisterTestCase, Duration::QUICK);
        AddTestCase(new PipelineOrderTestCase, Duration::QUICK);
        AddTestCase(new LimiterLookupTestCase, Duration::QUICK);
        AddTestCase(new ManyLimitersTestCase, Duration::QUICK);
        AddTestCase(new EpochTestCase, Duration::QUICK);
        AddTestCase(new UpdateDelayTestCase, Duration::QUICK);
    }
};

static LimiterSwitchTestSuite g_limiterSwitchTestSuite; //!< registers itself
