/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"

#include "ns3/boolean.h"
#include "ns3/ipv4-header-filter.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/metered-queue-disc.h"
#include "ns3/queue-disc.h"
#include "ns3/strict-priority-queue-disc.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>; //!< names and values

/**
 * @ingroup fabric-tests
 * @brief Make a filter.
 * @param attributes its attributes
 * @return the filter
 */
Ptr<Ipv4HeaderFilter>
CreateFilter(const Attributes& attributes)
{
    auto filter = CreateObject<Ipv4HeaderFilter>();
    for (const auto& [name, value] : attributes)
    {
        filter->SetAttribute(name, StringValue(value));
    }
    return filter;
}

/**
 * @ingroup fabric-tests
 * @brief Make a TCP segment from 10.1.2.3 to 10.4.5.6.
 * @param port its destination port; it comes from 1000
 * @param dscp its DSCP
 * @param fragmentOffset in bytes, of its IP packet
 * @return the segment
 */
Ptr<Ipv4QueueDiscItem>
MakeSegment(uint16_t port, uint8_t dscp = 0, uint16_t fragmentOffset = 0)
{
    auto packet = Create<Packet>(100);
    TcpHeader tcp;
    tcp.SetSourcePort(1000);
    tcp.SetDestinationPort(port);
    packet->AddHeader(tcp);
    Ipv4Header ip;
    ip.SetSource("10.1.2.3");
    ip.SetDestination("10.4.5.6");
    ip.SetProtocol(6);
    ip.SetTos(static_cast<uint8_t>(dscp << 2));
    ip.SetFragmentOffset(fragmentOffset);
    ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    return Create<Ipv4QueueDiscItem>(packet, Address(), 0x0800, ip);
}

} // namespace

/**
 * @ingroup fabric-tests
 * @brief The headers that a rule matches.
 */
class Ipv4HeaderFilterTestCase : public TestCase
{
  public:
    Ipv4HeaderFilterTestCase()
        : TestCase("a filter by header fields")
    {
    }

  private:
    void DoRun() override
    {
        const auto segment = MakeSegment(80, 46);
        const auto expect = [this](bool matches, Ptr<QueueDiscItem> item, const Attributes& rule) {
            std::string text;
            for (const auto& [name, value] : rule)
            {
                text += name + "=" + value + " ";
            }
            NS_TEST_EXPECT_MSG_EQ(CreateFilter(rule)->Classify(item),
                                  (matches ? 1 : PacketFilter::PF_NO_MATCH),
                                  text);
        };
        expect(true, segment, {});
        expect(true, segment, {{"Source", "10.1.2.3"}});
        expect(false, segment, {{"Source", "10.1.2.4"}});
        expect(true, segment, {{"Source", "10.1.0.0"}, {"SourceMask", "255.255.0.0"}});
        expect(false, segment, {{"Source", "10.2.0.0"}, {"SourceMask", "255.255.0.0"}});
        expect(true, segment, {{"Destination", "10.4.5.6"}});
        expect(false, segment, {{"Destination", "10.1.2.3"}});
        expect(true, segment, {{"Destination", "10.4.0.0"}, {"DestinationMask", "/16"}});
        expect(true, segment, {{"Protocol", "6"}});
        expect(false, segment, {{"Protocol", "17"}});
        expect(true, segment, {{"DestinationPort", "80"}});
        expect(false, segment, {{"DestinationPort", "1000"}});
        expect(true, segment, {{"SourcePort", "1000"}, {"DestinationPort", "80"}});
        expect(false, segment, {{"SourcePort", "80"}, {"DestinationPort", "80"}});
        expect(true, segment, {{"Dscp", "46"}});
        expect(false, segment, {{"Dscp", "0"}});
        expect(false, segment, {{"Dscp", "46"}, {"DestinationPort", "81"}});
        const auto fragment = MakeSegment(80, 46, 1480); // has no ports
        expect(false, fragment, {{"DestinationPort", "80"}});
        expect(true, fragment, {{"Protocol", "6"}, {"Dscp", "46"}});
        const auto noPorts = CreateFilter({{"Protocol", "1"}, {"SourcePort", "80"}});
        NS_TEST_EXPECT_MSG_EQ(GetInputError([&] { noPorts->Classify(segment); }),
                              "ns3::Ipv4HeaderFilter::Protocol = '1': 6, 17 or 0 with ports, which "
                              "TCP and UDP have",
                              "ICMP has no ports");
        NS_TEST_EXPECT_MSG_EQ(CreateFilter({{"Class", "7"}})->Classify(segment), 7, "the class");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Disciplines put packets into the class or queue that packet filters say.
 */
class PacketFilterTestCase : public QueueDiscTestCase
{
  public:
    PacketFilterTestCase()
        : QueueDiscTestCase("packet filters say queues and classes")
    {
    }

  private:
    void Check() override
    {
        CheckQueues();
        CheckMeters();
        CheckRefusals();
    }

    /**
     * @brief Make a discipline with filters: port 80 is of one class, port 81 of another.
     * @tparam T its type
     * @param attributes its attributes
     * @param first the number of port 80
     * @param second the number of port 81
     * @return the discipline
     */
    template <class T>
    static Ptr<T> Make(const Attributes& attributes, uint32_t first, uint32_t second)
    {
        auto disc = CreateObject<T>();
        for (const auto& [name, value] : attributes)
        {
            disc->SetAttribute(name, StringValue(value));
        }
        const auto add = [&disc](const std::string& port, uint32_t number) {
            disc->AddPacketFilter(
                CreateFilter({{"DestinationPort", port}, {"Class", std::to_string(number)}}));
        };
        add("80", first);
        add("81", second);
        return disc;
    }

    /// @brief The number is that of the queue, whatever the DSCP.
    void CheckQueues()
    {
        auto disc = Make<StrictPriorityQueueDisc>({{"Queues", "3"}}, 1, 0);
        disc->Initialize();
        const auto expect = [this, &disc](uint16_t port, uint8_t dscp, uint32_t queue) {
            const uint32_t before = disc->GetQueuePackets(queue);
            disc->Enqueue(MakeSegment(port, dscp));
            NS_TEST_EXPECT_MSG_EQ(disc->GetQueuePackets(queue), before + 1, "port " << port);
        };
        expect(80, 0, 1);
        expect(80, 46, 1);
        expect(81, 0, 0);
        expect(9, 46, 2); // no filter matches: the last queue
        disc->TraceConnectWithoutContext(
            "ItemDrop",
            Callback<void, const FabricItem*, const char*>(
                [&](const FabricItem* item, const char*) {
                    const auto stock = disc->GetStockItem(*item);
                    TcpHeader tcp;
                    stock->GetPacket()->PeekHeader(tcp);
                    NS_TEST_EXPECT_MSG_EQ(tcp.GetDestinationPort(), 82, "the program's own packet");
                    ++m_dropped;
                }));
        disc->SetAttribute("MaxSize", StringValue("1p"));
        disc->Enqueue(MakeSegment(82));
        NS_TEST_EXPECT_MSG_EQ(m_dropped, 1, "a full discipline");
        disc->Dispose();
    }

    /// @brief The number is the priority, which a table turns into a class.
    void CheckMeters()
    {
        for (const auto& [map, second, rest] :
             {std::tuple{"*=1", true, 0U}, {"1=1", false, 0U}, {"1=1,255=2", false, 1U}})
        {
            auto disc =
                Make<MeteredQueueDisc>({{"Meters", "logical:Rate=1Mbps; logical:Rate=1Mbps"},
                                        {"CountClasses", "true"},
                                        {"Classifier", std::string("table:Map=(") + map + ")"}},
                                       1,
                                       2);
            disc->Initialize();
            for (const uint16_t port : {80, 81, 9})
            {
                disc->Enqueue(MakeSegment(port));
            }
            NS_TEST_EXPECT_MSG_EQ(disc->GetColourCounts(1).packets[0], 1U + second, map);
            NS_TEST_EXPECT_MSG_EQ(disc->GetColourCounts(2).packets[0], rest, map);
            disc->Dispose();
        }
    }

    uint32_t m_dropped{0}; ///< packets

    /// @brief Filters that could have no effect, and numbers that mean nothing.
    void CheckRefusals()
    {
        const auto refused = [](const std::string& type, const Attributes& attributes) {
            ObjectFactory factory(type);
            for (const auto& [name, value] : attributes)
            {
                factory.Set(name, StringValue(value));
            }
            auto disc = factory.Create<QueueDisc>();
            disc->AddPacketFilter(CreateObject<Ipv4HeaderFilter>());
            const std::string text = GetInputError([&disc] { disc->Initialize(); });
            disc->Dispose();
            return text;
        };
        const std::string drr = "ns3::DrrQueueDisc";
        for (const auto& [type, attributes] :
             {std::pair{std::string("ns3::DropTailQueueDisc"), Attributes()},
              {drr, Attributes()},
              {drr, Attributes{{"Classify", "Dscp"}}}})
        {
            NS_TEST_EXPECT_MSG_EQ(refused(type, attributes),
                                  "packet filters of " + type +
                                      " = '1': none: the discipline has no classes, or Classify "
                                      "is not Priority",
                                  type);
        }
        NS_TEST_EXPECT_MSG_EQ(refused(drr, {{"Classify", "Priority"}, {"Queues", "2"}}), "", drr);
        for (const std::string type : {"ns3::MeteredQueueDisc", "ns3::ShapedQueueDisc"})
        {
            const std::string byDscp = "table:Key=Dscp,Map=(46=1)";
            NS_TEST_EXPECT_MSG_EQ(
                refused(type, {{"Classifier", byDscp}}).starts_with(type + "::Classifier = '"),
                true,
                type);
            NS_TEST_EXPECT_MSG_EQ(refused(type, {{"Classifier", "table:Map=(1=1)"}}), "", type);
            NS_TEST_EXPECT_MSG_EQ(
                refused("ns3::MeteredQueueDisc",
                        {{"Classifier", byDscp}, {"Inner", "strict-priority:Queues=2"}}),
                "",
                "what stands within heeds them");
        }

        auto disc = Make<StrictPriorityQueueDisc>({}, 255, 254);
        disc->Initialize();
        NS_TEST_EXPECT_MSG_EQ(disc->Enqueue(MakeSegment(81)), true, "the largest number");
        NS_TEST_EXPECT_MSG_EQ(GetInputError([&disc] { disc->Enqueue(MakeSegment(80)); }),
                              "packet filter of ns3::StrictPriorityQueueDisc = '255': the number "
                              "of a class or queue, at most 254",
                              "beyond all classes");
        disc->Dispose();
    }
};

/**
 * @ingroup fabric-tests
 * @brief Packet filters of stock ns-3 programs.
 */
class PacketFilterTestSuite : public TestSuite
{
  public:
    PacketFilterTestSuite()
        : TestSuite("packet-filter", Type::UNIT)
    {
        AddTestCase(new Ipv4HeaderFilterTestCase);
        AddTestCase(new PacketFilterTestCase);
    }
};

static PacketFilterTestSuite g_packetFilterTestSuite; ///< the suite
