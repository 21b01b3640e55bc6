/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"
#include "test-network.h"

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/drr-queue-disc.h"
#include "ns3/logical-meter.h"
#include "ns3/metered-queue-disc.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/simulator.h"

#include <cmath>
#include <map>
#include <string>

using namespace ns3;

namespace
{

/**
 * @brief Make a metered discipline that is installed nowhere in particular.
 * @param attributes of the discipline
 * @return the discipline
 */
Ptr<MeteredQueueDisc>
CreateDisc(const std::string& attributes)
{
    auto disc = CreateFromSpec<FabricQueueDisc>("queue", "metered:" + attributes);
    disc->SetPort(nullptr);
    disc->AssignStreams(1);
    return StaticCast<MeteredQueueDisc>(disc);
}

/**
 * @brief Let out and drop all that waits.
 * @param disc the discipline
 * @return the items' ECN codepoints, a digit each
 */
std::string
Drain(FabricQueueDisc& disc)
{
    std::string codepoints;
    while (FabricItem* item = disc.DequeueItem())
    {
        codepoints += std::to_string(item->GetEcn());
        item->Release();
    }
    return codepoints;
}

/**
 * @brief Packets that met a fate for a reason.
 * @param counts of that fate
 * @param reason the reason
 * @return number of packets
 */
uint64_t
CountReason(const std::vector<FabricQueueDisc::Count>& counts, const std::string& reason)
{
    uint64_t packets = 0;
    for (const auto& count : counts)
    {
        packets += count.reason == reason ? count.packets : 0;
    }
    return packets;
}

} // namespace

/**
 * @ingroup fabric-tests
 * @brief The fate of each colour.
 */
class MeteredActionsTestCase : public QueueDiscTestCase
{
  public:
    MeteredActionsTestCase()
        : QueueDiscTestCase("colours and what becomes of them")
    {
    }

  private:
    void Check() override
    {
        // Four packets of 1000 bytes: green, yellow, yellow, red.
        const std::string meter = "Meters=\"logical:YellowBurst=1000,RedBurst=3000\"";
        CheckActions(meter, FabricItem::ECT0, "233", 2, 0, 1);
        CheckActions(meter, FabricItem::NOT_ECT, "000", 0, 0, 1);
        CheckActions(meter, FabricItem::CE, "333", 2, 0, 1);
        CheckActions(meter + ",Yellow=Pass", FabricItem::ECT0, "222", 0, 0, 1);
        CheckActions(meter + ",Yellow=Drop", FabricItem::ECT0, "2", 0, 2, 1);
        CheckActions(meter + ",Red=Mark", FabricItem::ECT0, "2333", 3, 0, 0);
        CheckActions(meter + ",Yellow=Pass,Red=Pass", FabricItem::ECT0, "2222", 0, 0, 0);
        // Of a class with no meter, and of no class.
        CheckActions("Classifier=(table:Map=(0=1))", FabricItem::ECT0, "2222", 0, 0, 0);
        CheckActions(meter + ",Classifier=(table:Map=(5=1))", FabricItem::ECT0, "2222", 0, 0, 0);

        auto disc = CreateDisc(meter + ",Yellow=Drop,ChargeDropped=false");
        for (int i = 0; i < 3; ++i)
        {
            disc->EnqueueItem(MakeTestItem(1));
        }
        NS_TEST_EXPECT_MSG_EQ(LogicalMeter::GetOccupancy(disc->GetState(1)), 1000, "not charged");
        disc->Dispose();
        disc = CreateDisc(meter + ",Yellow=Drop,CountClasses=true");
        for (int i = 0; i < 4; ++i)
        {
            disc->EnqueueItem(MakeTestItem(1));
        }
        NS_TEST_EXPECT_MSG_EQ(LogicalMeter::GetOccupancy(disc->GetState(1)), 3000, "charged");
        for (const auto& counts : {disc->GetColourCounts(), disc->GetColourCounts(1)})
        {
            NS_TEST_EXPECT_MSG_EQ(counts.packets[0], 1, "green");
            NS_TEST_EXPECT_MSG_EQ(counts.packets[1], 2, "yellow");
            NS_TEST_EXPECT_MSG_EQ(counts.bytes[2], 1000, "red bytes");
        }
        Results results;
        disc->ReportResults(results);
        std::string rows;
        for (const auto& row : results.GetRows())
        {
            rows += row.name + "=" + std::to_string(static_cast<int>(row.value)) + " ";
        }
        NS_TEST_EXPECT_MSG_EQ(rows,
                              "metered_green_packets=1 metered_green_bytes=1000 "
                              "metered_yellow_packets=2 metered_yellow_bytes=2000 "
                              "metered_red_packets=1 metered_red_bytes=1000 "
                              "unmetered_packets=0 metered_unmarkable_packets=0 ",
                              "what it reports");
        disc->Dispose();
    }

    /**
     * @brief Send four packets at once.
     * @param attributes of the discipline
     * @param tos of the packets
     * @param out ECN codepoints of those that come out
     * @param marks number of marks
     * @param yellow drops
     * @param red drops
     */
    void CheckActions(const std::string& attributes,
                      uint8_t tos,
                      const std::string& out,
                      uint64_t marks,
                      uint64_t yellow,
                      uint64_t red)
    {
        auto disc = CreateDisc(attributes);
        for (uint32_t i = 0; i < 4; ++i)
        {
            disc->EnqueueItem(MakeTestItem(i, 1000, tos));
        }
        NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingPackets(), out.size(), attributes);
        NS_TEST_EXPECT_MSG_EQ(Drain(*disc), out, attributes);
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetMarkCounts()), marks, attributes);
        NS_TEST_EXPECT_MSG_EQ(CountReason(disc->GetDropCounts(), "Metered yellow"),
                              yellow,
                              "yellow");
        NS_TEST_EXPECT_MSG_EQ(CountReason(disc->GetDropCounts(), "Metered red"), red, "red");
        const auto& packets = disc->GetColourCounts().packets;
        NS_TEST_EXPECT_MSG_EQ(packets[0] + packets[1] + packets[2] + disc->GetUnmeteredPackets(),
                              4,
                              "every packet is metered or is not");
        disc->Dispose();
    }
};

/**
 * @ingroup fabric-tests
 * @brief To ask what a meter remembers changes nothing, though its products are approximate: two
 * short times then drain another amount than one long time.
 */
class MeteredStateTestCase : public QueueDiscTestCase
{
  public:
    MeteredStateTestCase()
        : QueueDiscTestCase("asking for a meter's state changes no colour")
    {
    }

  private:
    void Check() override
    {
        const std::string meter =
            "Meters=\"logical:Rate=1Gbps,SignificantBits=1,YellowBurst=3000,RedBurst=6000\"";
        const auto asked = CreateDisc(meter);
        const auto left = CreateDisc(meter);
        for (uint32_t i = 0; i < 1000; ++i)
        {
            const Time arrival = NanoSeconds(7013 * i);
            Simulator::Schedule(arrival, [asked, left] {
                asked->EnqueueItem(MakeTestItem(1));
                left->EnqueueItem(MakeTestItem(1));
            });
            Simulator::Schedule(arrival + NanoSeconds(1500), [asked, this] {
                Meter::State state = asked->GetState(1);
                NS_TEST_EXPECT_MSG_EQ(state.last, Simulator::Now().GetNanoSeconds(), "is of now");
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(left->GetColourCounts().packets[2], 0, "some are red");
        NS_TEST_EXPECT_MSG_EQ((asked->GetColourCounts().packets == left->GetColourCounts().packets),
                              true,
                              "red ones: " << asked->GetColourCounts().packets[2] << ", not asked: "
                                           << left->GetColourCounts().packets[2]);
        asked->Dispose();
        left->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup fabric-tests
 * @brief Actions that happen with a probability.
 */
class MeteredRandomTestCase : public QueueDiscTestCase
{
  public:
    MeteredRandomTestCase()
        : QueueDiscTestCase("random drops grow with the occupancy")
    {
    }

  private:
    void Check() override
    {
        // 1/50, as in RED, where the meter is full; half of it half-way between the thresholds.
        CheckProbability(81'920, 0);
        CheckProbability(245'760, 1000);
        CheckProbability(408'320, 1993);
        // An average with weight 1e-4 is behind by 10,000 packets, so that 100 of them are spared.
        CheckProbability(245'760, 900, ",AverageWeight=1e-4");
        CheckProbability(245'760, 5000, ",MaxProbability=0.1");
    }

    /**
     * @brief Send 100,000 packets at an occupancy.
     * @param occupancy of the meter as it is looked at
     * @param drops expected
     * @param attributes more of the discipline
     */
    void CheckProbability(uint32_t occupancy, double drops, const std::string& attributes = "")
    {
        for (const std::string action : {"RandomDrop", "RandomMark"})
        {
            // 1280 bytes drain between two packets of 1280 bytes.
            auto disc = CreateFromSpec<FabricQueueDisc>(
                "queue",
                "metered:Meters=(logical:Rate=10240Mbps,YellowBurst=81920,RedBurst=409600),"
                "Inner=(drop-tail:MaxSize=8MB),Yellow=" +
                    action + attributes);
            TestLink link(disc, "100Gbps");
            disc->AssignStreams(1);
            for (uint32_t sent = 0; sent < occupancy; sent += 1280)
            {
                Simulator::Schedule(Time(0), [&link] { link.port.Send(MakeTestItem(1, 1280)); });
            }
            Simulator::Stop(NanoSeconds(500));
            Simulator::Run();
            const uint64_t before = CountFates(*disc);
            for (uint32_t i = 1; i <= 100'000; ++i)
            {
                Simulator::Schedule(MicroSeconds(i) - Simulator::Now(),
                                    [&link] { link.port.Send(MakeTestItem(1, 1280)); });
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(CountFates(*disc) - before),
                                      drops,
                                      3 * std::sqrt(drops),
                                      action << " at " << occupancy);
            disc->Dispose();
            Simulator::Destroy();
        }
    }

    /**
     * @param disc a discipline
     * @return its drops and marks
     */
    static uint64_t CountFates(const FabricQueueDisc& disc)
    {
        return CountPackets(disc.GetDropCounts()) + CountPackets(disc.GetMarkCounts());
    }
};

/**
 * @ingroup fabric-tests
 * @brief Rates of classes at a link, changed while they are in use.
 */
class MeteredRateTestCase : public QueueDiscTestCase
{
  public:
    MeteredRateTestCase()
        : QueueDiscTestCase("two classes keep to their rates, which may change")
    {
    }

  private:
    void Check() override
    {
        // Each offers 100 Gbps to the link's 100. At 49 Gbps each the queue stays short.
        auto disc = CreateFromSpec<FabricQueueDisc>(
            "queue",
            "metered:Meters=\"logical:Rate=49Gbps,YellowBurst=9000,RedBurst=9000; "
            "logical:Rate=49Gbps,YellowBurst=9000,RedBurst=9000\","
            "Classifier=(table:Map=(0=1,1=2)),Inner=\"drop-tail:MaxSize=4MB\"");
        auto metered = StaticCast<MeteredQueueDisc>(disc);
        TestLink link(disc, "100Gbps");
        std::array<uint64_t, 2> received{};
        link.onReceive = [&received](const FabricItem& item) {
            received[item.priority] += item.size;
        };
        constexpr int64_t HALF = 6'000'000; // ns
        for (int64_t time = 0; time < 2 * HALF; time += 120)
        {
            for (uint8_t priority : {0, 1})
            {
                Simulator::Schedule(NanoSeconds(time), [&link, priority] {
                    link.port.Send(MakeTestItem(1, 1500, FabricItem::ECT0, priority));
                });
            }
        }
        Simulator::Stop(NanoSeconds(HALF));
        Simulator::Run();
        const double bytes = HALF * 49 / 8.0;
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(received[0]), bytes, bytes / 1000, "first");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(received[1]), bytes, bytes / 1000, "second");
        NS_TEST_EXPECT_MSG_LT(disc->GetPeakPackets(), 13, "nothing but the bursts queue");

        const auto getAdmitted = [&metered] {
            const auto& bytes = metered->GetColourCounts().bytes;
            return static_cast<double>(bytes[0] + bytes[1]);
        };
        const double before = getAdmitted();
        metered->SetMeter(
            1,
            CreateFromSpec<Meter>("meter", "logical:Rate=20Gbps,YellowBurst=9000,RedBurst=9000"));
        metered->SetMeter(2, nullptr);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(getAdmitted() - before, HALF * 20 / 8.0, 9000, "the new rate");
        NS_TEST_EXPECT_MSG_EQ(metered->GetUnmeteredPackets(), 49'999, "the other one is free");
        disc->Dispose();
    }
};

/**
 * @ingroup fabric-tests
 * @brief Drops and marks of the inner discipline count as the outer one's.
 */
class MeteredInnerTestCase : public QueueDiscTestCase
{
  public:
    MeteredInnerTestCase()
        : QueueDiscTestCase("drops, marks and items of the inner discipline are the outer one's")
    {
    }

  private:
    void Check() override
    {
        // Drops on arrival, marks.
        auto disc = CreateDisc("Inner=\"step-mark:MaxSize=5p,MarkThreshold=2p\"");
        for (uint32_t i = 0; i < 8; ++i)
        {
            disc->EnqueueItem(MakeTestItem(i));
        }
        NS_TEST_EXPECT_MSG_EQ(CountReason(disc->GetDropCounts(), "Queue limit exceeded"),
                              3,
                              "drops");
        NS_TEST_EXPECT_MSG_EQ(CountReason(disc->GetMarkCounts(), "Threshold exceeded"), 2, "marks");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetInner()->GetDropCounts()),
                              0,
                              "not the inner's");
        NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingBytes(), 5000, "bytes");
        uint32_t visited = 0;
        disc->ForEachWaiting([&visited](const FabricItem&) { ++visited; });
        NS_TEST_EXPECT_MSG_EQ(visited, 5, "items seen");
        NS_TEST_EXPECT_MSG_EQ(Drain(*disc), "22233", "order and marks");

        // Drops of what waits.
        disc = CreateDisc("Inner=\"drr:MaxSize=5p\"");
        for (uint32_t i = 0; i < 8; ++i)
        {
            disc->EnqueueItem(MakeTestItem(i / 6));
        }
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetDropCounts()), 3, "evictions");
        NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingPackets(), 5, "packets");
        NS_TEST_EXPECT_MSG_EQ(disc->GetPeakPackets(), 5, "most packets");
        disc->Flush(FabricQueueDisc::LINK_DOWN_DROP);
        NS_TEST_EXPECT_MSG_EQ(CountReason(disc->GetDropCounts(), "Link down"), 5, "flushed");
        NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingBytes(), 0, "bytes");
        NS_TEST_EXPECT_MSG_EQ(disc->GetInner()->GetWaitingBytes(), 0, "bytes of the inner");
        disc->EnqueueItem(MakeTestItem(1));
        disc->Dispose(); // with a packet inside

        // Meters within meters, and a queue disc of ns-3's own within them.
        disc =
            CreateDisc("Yellow=Pass,Meters=\"single-rate:CommittedBurst=3000,ExcessBurst=0\",Inner="
                       "(metered:Inner=(stock-queue-disc-adapter:QueueDisc=(fifo:MaxSize=2p)))");
        for (uint32_t i = 0; i < 5; ++i)
        {
            disc->EnqueueItem(MakeTestItem(i));
        }
        NS_TEST_EXPECT_MSG_EQ(CountReason(disc->GetDropCounts(), "Metered red"), 2, "the meter's");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetDropCounts()), 3, "and the queue's");
        NS_TEST_EXPECT_MSG_EQ(Drain(*disc), "22", "the others");
        disc->Dispose();

        CheckErrors();
    }

    /// @brief Wrong attributes are refused, with one line each.
    void CheckErrors()
    {
        const auto error = [](const std::string& attributes) {
            return GetInputError([&attributes] { CreateDisc(attributes); });
        };
        NS_TEST_EXPECT_MSG_EQ(error("Meters=\"logical:RedBurst=10\""),
                              "ns3::LogicalMeter::YellowBurst = '16384': at most RedBurst",
                              "thresholds");
        NS_TEST_EXPECT_MSG_EQ(error("Meters=leaky").substr(0, 40),
                              "ns3::MeteredQueueDisc::Meters = 'leaky':",
                              "an unknown meter");
        for (const auto& [map, wrong] : std::map<std::string, std::string>{{"1", "1"},
                                                                           {"4=1,4=2", "4=2"},
                                                                           {"*=1,*=2", "*=2"},
                                                                           {"256=1", "256=1"}})
        {
            NS_TEST_EXPECT_MSG_EQ(
                error("Classifier=(table:Map=(" + map + "))")
                    .starts_with("ns3::TableItemClassifier::Map = '" + wrong + "': "),
                true,
                map);
        }
        NS_TEST_EXPECT_MSG_EQ(error("Classifier=(table:Key=Dscp,Map=(64=1))"),
                              "ns3::TableItemClassifier::Map = '64=1': keys are at most 63 and "
                              "classes at most 1000000",
                              "no DSCP");
        NS_TEST_EXPECT_MSG_EQ(error("Meters=logical,Classifier=(table:Map=(1=1,2=3))"),
                              "ns3::MeteredQueueDisc::Meters = '1 of them': one for each class, up "
                              "to 3",
                              "a class without a meter");
        NS_TEST_EXPECT_MSG_EQ(error("Classifier=(table:Map=(x=1))").substr(0, 37),
                              "ns3::TableItemClassifier::Map = 'x': ",
                              "no key");
        NS_TEST_EXPECT_MSG_EQ(
            error("Classifier=(table:Map=(1=2000000))"),
            "ns3::TableItemClassifier::Map = '1=2000000': keys are at most 255 and classes at "
            "most 1000000",
            "too large");
        NS_TEST_EXPECT_MSG_EQ(
            error("Classifier=(table:Key=Pair)"),
            "ns3::TableItemClassifier::Key = 'Pair': Dscp in a stock ns-3 program, or Priority "
            "with packet filters: a packet's headers tell no more",
            "no fabric");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Classes by what an item carries and by what the fabric knows of its flow.
 */
class ItemClassifierTestCase : public QueueDiscTestCase
{
  public:
    ItemClassifierTestCase()
        : QueueDiscTestCase("classes by priority, DSCP and flow")
    {
    }

  private:
    void Check() override
    {
        TestNetwork network("single-switch:Hosts=2");
        network.Build();
        const uint32_t flow =
            network.fabric->AddEndpoints(&network.recorder, &network.recorder, {3, 4, 5});
        FabricItem* item = MakeTestItem(1, 1000, 46 << 2 | FabricItem::ECT0, 2);
        item->flow = flow;
        const auto classify = [&](const std::string& key, const std::string& map) {
            auto classifier =
                CreateFromSpec<ItemClassifier>("classifier",
                                               "table:Key=" + key + ",Map=\"" + map + "\"");
            classifier->Install(PeekPointer(network.fabric), false);
            return classifier->Classify(*item);
        };
        const std::string map = "2=10,46=11,3=12,4=13,5=14";
        NS_TEST_EXPECT_MSG_EQ(classify("Priority", map), 10, "priority");
        NS_TEST_EXPECT_MSG_EQ(classify("Dscp", map), 11, "DSCP");
        NS_TEST_EXPECT_MSG_EQ(classify("Pair", map), 12, "VM pair");
        NS_TEST_EXPECT_MSG_EQ(classify("Group", map), 13, "group");
        NS_TEST_EXPECT_MSG_EQ(classify("Flow", map), 14, "flow");
        NS_TEST_EXPECT_MSG_EQ(classify("Dscp", "1=5"), 0, "behind the table");
        NS_TEST_EXPECT_MSG_EQ(classify("Dscp", "50=5"), 0, "not listed");
        NS_TEST_EXPECT_MSG_EQ(classify("Dscp", "*=7,1=5"), 7, "all that are behind");
        NS_TEST_EXPECT_MSG_EQ(classify("Dscp", "50=5,*=7"), 7, "all that are not listed");
        NS_TEST_EXPECT_MSG_EQ(classify("Dscp", "46=0,*=7"), 0, "none");
        item->flow = 0;
        NS_TEST_EXPECT_MSG_EQ(classify("Group", "*=1,0=2"), 2, "what a net device sends");
        item->Release();
        CheckPorts();
    }

    /// @brief Disciplines at ports know their fabric, and so the tags of flows.
    void CheckPorts()
    {
        TestNetwork network("single-switch:Hosts=2");
        network.fabric->SetQueueDiscFactory([](const FabricPort::Description&) {
            return CreateFromSpec<FabricQueueDisc>(
                "queue",
                "metered:Meters=logical,Classifier=(table:Key=Group,Map=(4=1))");
        });
        network.Build();
        for (const uint32_t group : {4, 5})
        {
            FabricItem* item = MakeTestItem(1);
            item->flow =
                network.fabric->AddEndpoints(&network.recorder, &network.recorder, {0, group, 0});
            item->destination = 1;
            network.fabric->GetHost(0).Send(item);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 2, "both arrive");
        uint64_t green = 0;
        uint64_t unmetered = 0;
        network.fabric->ForEachPort([&](const FabricPort& port) {
            const auto& disc = static_cast<const MeteredQueueDisc&>(port.GetQueueDisc());
            green += disc.GetColourCounts().packets[0];
            unmetered += disc.GetUnmeteredPackets();
        });
        NS_TEST_EXPECT_MSG_EQ(green, 2, "metered at the host and at the switch");
        NS_TEST_EXPECT_MSG_EQ(unmetered, 2, "the other group is not");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Metered disciplines.
 */
class MeteredQueueDiscTestSuite : public TestSuite
{
  public:
    MeteredQueueDiscTestSuite()
        : TestSuite("metered-queue-disc", Type::UNIT)
    {
        AddTestCase(new MeteredActionsTestCase);
        AddTestCase(new MeteredStateTestCase);
        AddTestCase(new MeteredRandomTestCase);
        AddTestCase(new MeteredRateTestCase);
        AddTestCase(new MeteredInnerTestCase);
        AddTestCase(new ItemClassifierTestCase);
    }
};

static MeteredQueueDiscTestSuite g_meteredQueueDiscTestSuite; ///< the suite
