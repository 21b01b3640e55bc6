/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/bulk-send-helper.h"
#include "ns3/fabric-stack-helper.h"
#include "ns3/fabric.h"
#include "ns3/inet-socket-address.h"
#include "ns3/input-error.h"
#include "ns3/ipv4-header.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/pcap-file.h"
#include "ns3/pcap-tap.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

using namespace ns3;

namespace
{

/// @brief A packet of a capture file.
struct Captured
{
    Time time;                  //!< time stamp
    uint32_t size;              //!< bytes of the packet
    std::vector<uint8_t> bytes; //!< those that were kept
};

/**
 * @brief Read a capture file.
 * @param fileName the file
 * @return its packets
 */
std::vector<Captured>
ReadCapture(const std::string& fileName)
{
    PcapFile file;
    file.Open(fileName, std::ios::in | std::ios::binary);
    std::vector<Captured> packets;
    while (true)
    {
        std::vector<uint8_t> bytes(65536);
        uint32_t seconds;
        uint32_t nanoseconds;
        uint32_t kept;
        uint32_t size;
        uint32_t read;
        file.Read(bytes.data(), bytes.size(), seconds, nanoseconds, kept, size, read);
        if (file.Eof() || file.Fail())
        {
            return packets;
        }
        bytes.resize(read);
        packets.push_back({Seconds(seconds) + NanoSeconds(nanoseconds), size, bytes});
    }
}

/**
 * @brief True if tshark, if it is installed, finds a number of packets.
 * @param fileName the capture
 * @param filter a display filter
 * @param expected number of packets that should match
 * @return false if tshark finds another number
 */
bool
TsharkFinds(const std::string& fileName, const std::string& filter, uint64_t expected)
{
    if (std::system("command -v tshark > /dev/null 2>&1") != 0)
    {
        return true;
    }
    const std::string command = "tshark -r '" + fileName + "' -Y '" + filter +
                                "' -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE "
                                "2> /dev/null | wc -l";
    uint64_t count = UINT64_MAX;
    if (FILE* pipe = popen(command.c_str(), "r"))
    {
        if (std::fscanf(pipe, "%" SCNu64, &count) != 1)
        {
            count = UINT64_MAX;
        }
        pclose(pipe);
    }
    return count == expected;
}

/**
 * @brief Two hosts on a switch, 10 Gb/s and 1 us per link.
 * @return the fabric, not built
 */
Ptr<Fabric>
CreatePair()
{
    auto fabric = CreateObject<Fabric>();
    fabric->SetTierNames({"host", "switch"});
    const Fabric::End center = fabric->AddSwitch(1);
    for (int host = 0; host < 2; ++host)
    {
        fabric->Connect(fabric->AddHost(), center, DataRate("10Gbps"), MicroSeconds(1));
    }
    return fabric;
}

/// @brief Releases what it gets.
struct Sink : public ItemSink
{
    void ReceiveItem(FabricItem* item) override
    {
        ++received;
        item->Release();
    }

    uint32_t received{0}; //!< items
};

} // namespace

/**
 * @ingroup fabric-tests
 * @brief Items without a packet are captured with headers that are right in every field.
 */
class PcapLeanItemsTestCase : public TestCase
{
  public:
    PcapLeanItemsTestCase()
        : TestCase("items without packets, time stamps and snap length")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        const std::string fileName = CreateTempDirFilename("lean.pcap");
        const std::string shortName = CreateTempDirFilename("short.pcap");
        const uint16_t sizes[] = {1500, 28, 20, 40, 9000};
        {
            auto fabric = CreatePair();
            fabric->Build();
            PcapTap tap(fileName);
            PcapTap shortTap(shortName, {}, 64);
            tap.TapHost(fabric->GetHost(0));
            shortTap.TapPort(fabric->GetSwitch(0).GetPort(1));
            Sink sink;
            const uint32_t flow = fabric->AddEndpoints(&sink, &sink);
            for (const uint16_t size : sizes)
            {
                FabricItem* item = FabricItem::Create();
                item->flow = flow;
                item->source = 0;
                item->destination = 1;
                item->size = size;
                item->tos = 0xb8 | FabricItem::ECT0;
                fabric->GetHost(0).Send(item);
            }
            FabricItem* answer = FabricItem::Create();
            answer->flow = flow;
            answer->kind = FabricItem::TOWARDS_SENDER;
            answer->source = 1;
            answer->destination = 0;
            answer->size = 100;
            fabric->GetHost(1).Send(answer);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(sink.received, 6, "all arrive");
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");

        const auto packets = ReadCapture(fileName);
        NS_TEST_ASSERT_MSG_EQ(packets.size(), 6, "five sent, one received");
        // The answer arrives after twice 80 ns and 1 us, while the 9000 bytes, which started after
        // 1588 bytes, are still on the wire.
        int64_t start = 0;
        for (uint32_t i = 0; i < 5; ++i)
        {
            Check(packets[i], sizes[i], NanoSeconds(start), 0);
            start += (sizes[i] * 4 + 2) / 5; // 0.8 ns per byte, rounded
        }
        Check(packets[5], 100, NanoSeconds(2 * (80 + 1000)), 1);

        const auto shortened = ReadCapture(shortName);
        NS_TEST_ASSERT_MSG_EQ(shortened.size(), 5, "what goes to host 1");
        NS_TEST_EXPECT_MSG_EQ(shortened[0].size, 1500, "full size is told");
        NS_TEST_EXPECT_MSG_EQ(shortened[0].bytes.size(), 64, "the rest is cut off");

        for (const auto& name : {fileName, shortName})
        {
            NS_TEST_EXPECT_MSG_EQ(TsharkFinds(name, "_ws.malformed", 0), true, name);
        }
        NS_TEST_EXPECT_MSG_EQ(TsharkFinds(fileName, "ip.checksum.status == 1", 6),
                              true,
                              "IPv4 checksums are good");
        NS_TEST_EXPECT_MSG_EQ(TsharkFinds(fileName, "udp.checksum.status == 1", 5),
                              true,
                              "UDP checksums are good");
    }

    /**
     * @brief Check a packet of the capture.
     * @param captured the packet
     * @param size expected size in bytes
     * @param time expected time stamp
     * @param source expected source host
     */
    void Check(const Captured& captured, uint32_t size, Time time, uint32_t source)
    {
        NS_TEST_EXPECT_MSG_EQ(captured.size, size, "size");
        NS_TEST_EXPECT_MSG_EQ(captured.time, time, "time stamp");
        auto packet = Create<Packet>(captured.bytes.data(), captured.bytes.size());
        Ipv4Header ip;
        ip.EnableChecksum();
        packet->RemoveHeader(ip);
        NS_TEST_EXPECT_MSG_EQ(ip.IsChecksumOk(), true, "IPv4 checksum");
        NS_TEST_EXPECT_MSG_EQ(ip.GetPayloadSize() + 20U, size, "IPv4 length");
        NS_TEST_EXPECT_MSG_EQ(ip.GetSource(), FabricStackHelper::GetAddress(source), "source");
        NS_TEST_EXPECT_MSG_EQ(ip.GetDestination(),
                              FabricStackHelper::GetAddress(1 - source),
                              "destination");
        if (source == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(+ip.GetTos(), 0xba, "ToS");
        }
        if (size >= 28)
        {
            UdpHeader udp;
            udp.EnableChecksums();
            udp.InitializeChecksum(ip.GetSource(), ip.GetDestination(), ip.GetProtocol());
            packet->RemoveHeader(udp);
            NS_TEST_EXPECT_MSG_EQ(+ip.GetProtocol(), 17, "UDP");
            NS_TEST_EXPECT_MSG_EQ(udp.IsChecksumOk(), true, "UDP checksum");
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize() + 28, size, "payload");
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief Outer headers are written where there are some, in front of the packet as it was.
 */
class PcapOuterHeaderTestCase : public TestCase
{
  public:
    PcapOuterHeaderTestCase()
        : TestCase("outer headers")
    {
    }

  private:
    void DoRun() override
    {
        const std::string fileName = CreateTempDirFilename("outer.pcap");
        const Ipv4Address via("172.16.0.9");
        {
            PacketMaker packets;
            packets.SetOuterDestination([via](const FabricItem& item) {
                return item.hops == 0 ? std::optional(via) : std::nullopt;
            });
            PcapTap tap(fileName, std::move(packets));
            FabricItem* item = FabricItem::Create();
            item->destination = 1;
            item->tos = FabricItem::CE;
            item->size = 1520;
            tap.Write(*item);
            item->hops = 1;
            item->size = 1500;
            tap.Write(*item);
            item->packet = GetPointer(ItemHeaderWriter().MakePacket(*item));
            item->hops = 0;
            item->size = 1520;
            tap.Write(*item);
            item->Release();
        }
        const auto packets = ReadCapture(fileName);
        NS_TEST_ASSERT_MSG_EQ(packets.size(), 3, "packets");
        for (const std::size_t number : {0, 2}) // a lean item, then one with a packet
        {
            auto packet = Read(packets[number]);
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 1520, "bytes");
            CheckHeader(packet, via, 4);
        }
        CheckHeader(Read(packets[1]), FabricStackHelper::GetAddress(1), 17);
        auto inner = Read(packets[0]);
        inner->RemoveAtStart(20);
        CheckHeader(inner, FabricStackHelper::GetAddress(1), 17);
        NS_TEST_EXPECT_MSG_EQ(inner->GetSize(), 1480, "after both headers");
        NS_TEST_EXPECT_MSG_EQ(TsharkFinds(fileName, "_ws.malformed", 0), true, "malformed");
    }

    /**
     * @param captured a packet of the file
     * @return its bytes
     */
    static Ptr<Packet> Read(const Captured& captured)
    {
        return Create<Packet>(captured.bytes.data(), captured.bytes.size());
    }

    /**
     * @brief Take the first header off and check it.
     * @param packet the packet
     * @param destination expected address
     * @param protocol expected protocol of what follows
     */
    void CheckHeader(const Ptr<Packet>& packet, Ipv4Address destination, uint8_t protocol)
    {
        Ipv4Header header;
        header.EnableChecksum();
        packet->RemoveHeader(header);
        NS_TEST_EXPECT_MSG_EQ(header.IsChecksumOk(), true, "checksum");
        NS_TEST_EXPECT_MSG_EQ(header.GetSource(), FabricStackHelper::GetAddress(0), "source");
        NS_TEST_EXPECT_MSG_EQ(header.GetDestination(), destination, "destination");
        NS_TEST_EXPECT_MSG_EQ(+header.GetProtocol(), +protocol, "protocol");
        NS_TEST_EXPECT_MSG_EQ(+header.GetTos(), +FabricItem::CE, "ToS");
        NS_TEST_EXPECT_MSG_EQ(header.GetPayloadSize(), packet->GetSize(), "length");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Packets of stock hosts are captured byte for byte, with the ToS they have in the fabric.
 */
class PcapStockHostsTestCase : public TestCase
{
  public:
    PcapStockHostsTestCase()
        : TestCase("packets of stock hosts")
    {
    }

  private:
    void DoRun() override
    {
        const std::string fileName = CreateTempDirFilename("stock.pcap");
        uint64_t sent = 0;
        {
            auto fabric = CreatePair();
            FabricStackHelper stack;
            stack.Install(fabric);
            fabric->Build();
            PcapTap tap(fileName);
            tap.TapHost(fabric->GetHost(1));
            const InetSocketAddress to(stack.GetAddress(1), 5001);
            BulkSendHelper bulk("ns3::TcpSocketFactory", to);
            bulk.SetAttribute("MaxBytes", UintegerValue(100000));
            bulk.Install(stack.GetNode(0));
            PacketSinkHelper("ns3::TcpSocketFactory", to).Install(stack.GetNode(1));
            Simulator::Stop(Seconds(1));
            Simulator::Run();
            sent = fabric->GetHost(0).GetNicPort().GetTxPackets() +
                   fabric->GetHost(1).GetNicPort().GetTxPackets();
            Simulator::Destroy();
        }
        const auto packets = ReadCapture(fileName);
        NS_TEST_EXPECT_MSG_EQ(packets.size(), sent, "each packet once");
        for (const Captured& captured : packets)
        {
            Ipv4Header ip;
            Create<Packet>(captured.bytes.data(), captured.bytes.size())->PeekHeader(ip);
            NS_TEST_ASSERT_MSG_EQ(ip.GetPayloadSize() + 20U, captured.bytes.size(), "length");
            NS_TEST_ASSERT_MSG_EQ(+ip.GetProtocol(), 6, "TCP");
        }
        NS_TEST_EXPECT_MSG_EQ(TsharkFinds(fileName, "_ws.malformed", 0), true, "malformed");
        NS_TEST_EXPECT_MSG_EQ(TsharkFinds(fileName, "tcp", sent), true, "all are TCP");
    }
};

/**
 * @ingroup fabric-tests
 * @brief A file that cannot be written is the user's error.
 */
class PcapErrorTestCase : public TestCase
{
  public:
    PcapErrorTestCase()
        : TestCase("a file that cannot be written")
    {
    }

  private:
    void DoRun() override
    {
        bool thrown = false;
        try
        {
            PcapTap tap(CreateTempDirFilename("no-such-folder/x.pcap"));
        }
        catch (const InputError&)
        {
            thrown = true;
        }
        NS_TEST_EXPECT_MSG_EQ(thrown, true, "InputError");
        std::string said;
        PcapTap full("/dev/full");
        try
        {
            full.Close();
        }
        catch (const InputError& error)
        {
            said = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(said.find("No space left on device"), std::string::npos, said);
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of PcapTap.
 */
class PcapTapTestSuite : public TestSuite
{
  public:
    PcapTapTestSuite()
        : TestSuite("pcap-tap", Type::UNIT)
    {
        AddTestCase(new PcapLeanItemsTestCase);
        AddTestCase(new PcapOuterHeaderTestCase);
        AddTestCase(new PcapStockHostsTestCase);
        AddTestCase(new PcapErrorTestCase);
    }
};

static PcapTapTestSuite g_pcapTapTestSuite; //!< registers the suite
