/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/packet.h"
#include "ns3/probe-header.h"
#include "ns3/random-variable-stream.h"
#include "ns3/report-header.h"
#include "ns3/test.h"

#include <iomanip>
#include <sstream>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief The bytes of a header.
 * @param header the header
 * @return in hexadecimal, in groups of four bytes
 */
std::string
GetBytes(const Header& header)
{
    auto packet = Create<Packet>();
    packet->AddHeader(header);
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    std::ostringstream text;
    text << std::hex << std::setfill('0');
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        text << (i > 0 && i % 4 == 0 ? " " : "") << std::setw(2) << +bytes[i];
    }
    return text.str();
}

/**
 * @brief Write a header and read it.
 * @param header the header
 * @return the bytes it took
 */
uint32_t
SendThroughPacket(Header& header)
{
    auto packet = Create<Packet>();
    packet->AddHeader(header);
    const uint32_t size = packet->GetSize();
    return packet->RemoveHeader(header) == size && packet->GetSize() == 0 ? size : 0;
}

} // namespace

/**
 * @ingroup telemetry-tests
 * @brief The bits of a probe.
 */
class ProbeHeaderTestCase : public TestCase
{
  public:
    ProbeHeaderTestCase()
        : TestCase("a probe of five hops, bit by bit")
    {
    }

  private:
    void DoRun() override
    {
        const IntUnits units;
        ProbeHeader probe;
        probe.SetType(ProbeHeader::PROBE);
        probe.SetTokens(0x0a0b0c);
        probe.SetRoom(5, 446);
        for (uint32_t hop = 0; hop < 3; ++hop)
        {
            NS_TEST_EXPECT_MSG_EQ(
                probe.Push(units.Encode({28'500, 300, 9'500'000'000, 5'000'000, 10'000'000'000})),
                true,
                "hop " << hop);
        }
        // W 446 = 01be, phi 300 = 012c, tx 950 = 03b6, q saturated = fff, C of 10 Gbps = 2.
        const std::string record = " 01be012c 03b6fff2";
        const std::string untouched = " 01be0000 00000000";
        NS_TEST_EXPECT_MSG_EQ(GetBytes(probe),
                              "130a0b0c" + record + record + record + untouched + untouched,
                              "24 bits of tokens");
        NS_TEST_EXPECT_MSG_EQ(probe.GetSerializedSize(), 44, "4 and 40 bytes");
        probe.SetTokenBits(16);
        NS_TEST_EXPECT_MSG_EQ(GetBytes(probe).substr(0, 17),
                              "13ffff01 be012c03",
                              "16: they saturate");
        NS_TEST_EXPECT_MSG_EQ(probe.GetSerializedSize(), 43, "3 and 40 bytes");
        probe.SetTokenBits(24);
        probe.SetTokens(1 << 24);
        NS_TEST_EXPECT_MSG_EQ(GetBytes(probe).substr(0, 8), "13ffffff", "24: they saturate");

        ProbeHeader small;
        small.SetType(ProbeHeader::FINISH);
        small.SetRoom(1, 0);
        NS_TEST_EXPECT_MSG_EQ(GetBytes(small), "80000000 00000000 00000000", "a finish of one hop");
        NS_TEST_EXPECT_MSG_EQ(small.Push({}), true, "one record");
        NS_TEST_EXPECT_MSG_EQ(small.Push({}), false, "and no more");
        NS_TEST_EXPECT_MSG_EQ(small.GetHops(), 1, "nHop");
        small.SetRoom(0, 0);
        NS_TEST_EXPECT_MSG_EQ(GetBytes(small), "80000000", "no hop");

        NS_TEST_EXPECT_MSG_EQ(units.Decode(units.Encode({.window = 28'500})).window, 28'544, "W");
        NS_TEST_EXPECT_MSG_EQ(units.Encode({.window = 1}).window, 1, "a window never becomes 0");
        NS_TEST_EXPECT_MSG_EQ(units.Encode({.tokens = 70'000}).tokens, 65'535, "phi saturates");
        NS_TEST_EXPECT_MSG_EQ(units.Encode({.rate = 5'004'999'999}).rate, 500, "nearest");
        NS_TEST_EXPECT_MSG_EQ(units.Encode({.rate = 5'005'000'000}).rate, 501, "nearest");
        NS_TEST_EXPECT_MSG_EQ(units.Encode({.rate = 800'000'000'000}).rate, 65'535, "tx saturates");
        NS_TEST_EXPECT_MSG_EQ(units.Encode({.queue = 512}).GetQueue(), 1, "half a unit");
        NS_TEST_EXPECT_MSG_EQ(units.Encode({.queue = 511}).GetQueue(), 0, "less");
        const IntUnits cells{.queue = 80};
        NS_TEST_EXPECT_MSG_EQ(cells.Decode(cells.Encode({.queue = 1'000'000})).queue, 327'600, "q");
        for (const uint64_t gbps : {1, 10, 25, 40, 50, 100, 200, 400})
        {
            const uint64_t speed = gbps * 1'000'000'000;
            NS_TEST_EXPECT_MSG_EQ(units.Decode(units.Encode({.capacity = speed})).capacity,
                                  speed,
                                  gbps << " Gbps");
        }
        NS_TEST_EXPECT_MSG_EQ(units.Encode({.capacity = 7}).GetSpeedCode(), 0, "no code");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Random probes through bytes and items.
 */
class ProbeRoundTripTestCase : public TestCase
{
  public:
    ProbeRoundTripTestCase()
        : TestCase("random probes survive bytes and items")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (int i = 0; i < 2000; ++i)
        {
            const uint32_t bits = i % 2 == 0 ? 16 : 24;
            const auto draw = [&random](uint32_t n) {
                return random->GetInteger(0, (1U << n) - 1);
            };
            IntStack stack;
            stack.tokens = draw(bits);
            stack.type = static_cast<uint8_t>(draw(4));
            stack.room = static_cast<uint8_t>(random->GetInteger(0, IntStack::MAX_HOPS));
            for (uint32_t hop = random->GetInteger(0, stack.room); hop > 0; --hop)
            {
                stack.Push({static_cast<uint16_t>(draw(16)),
                            static_cast<uint16_t>(draw(16)),
                            static_cast<uint16_t>(draw(16)),
                            static_cast<uint16_t>(draw(16))});
            }
            for (uint32_t hop = stack.hops; hop < stack.room; ++hop)
            {
                stack.records[hop].window = static_cast<uint16_t>(draw(16));
            }
            ProbeHeader header(stack);
            header.SetTokenBits(bits);
            NS_TEST_ASSERT_MSG_EQ(SendThroughPacket(header),
                                  1 + bits / 8 + 8U * stack.room,
                                  "length");
            NS_TEST_ASSERT_MSG_EQ((header.GetStack() == stack), true, "probe " << i);
        }
        ProbeHeader longest;
        longest.SetRoom(ProbeHeader::MAX_HOPS, 7);
        longest.Push({1, 2, 3, 4});
        NS_TEST_EXPECT_MSG_EQ(SendThroughPacket(longest), 124, "15 hops");
        NS_TEST_EXPECT_MSG_EQ(longest.GetRoom(), 15, "records");
        NS_TEST_EXPECT_MSG_EQ(longest.GetHops(), 1, "written");
        NS_TEST_EXPECT_MSG_EQ(longest.GetRecord(14).window, 7, "the last one");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Receivers' reports.
 */
class ReportHeaderTestCase : public TestCase
{
  public:
    ReportHeaderTestCase()
        : TestCase("reports, bit by bit and through bytes")
    {
    }

  private:
    void DoRun() override
    {
        ReportFields fields{3750, 5, 0x01020304, 1'000'000, 400'000, 0xfffffffe, 77};
        ReportHeader header(fields);
        NS_TEST_EXPECT_MSG_EQ(GetBytes(header),
                              "01050ea6 01020304 000f4240 00061a80 fffffffe 0000004d 0000",
                              "bytes");
        NS_TEST_EXPECT_MSG_EQ(SendThroughPacket(header), 26, "length");
        NS_TEST_EXPECT_MSG_EQ((header.GetFields() == fields), true, "all fields");
        NS_TEST_EXPECT_MSG_EQ(ReportHeader::SIZE + 20,
                              ReportHeader::DATAGRAM,
                              "with the IP header");
        NS_TEST_EXPECT_MSG_EQ(ReportHeader::DATAGRAM + 18, 64, "in an Ethernet frame");

        NS_TEST_EXPECT_MSG_EQ(ReportFields::GetCongestion(375, 1000), 3750, "0.375");
        NS_TEST_EXPECT_MSG_EQ(ReportFields::GetCongestion(1, 1'000'000), 1, "a single byte");
        NS_TEST_EXPECT_MSG_EQ(ReportFields::GetCongestion(9, 9), 10'000, "all");
        NS_TEST_EXPECT_MSG_EQ(ReportFields::GetCongestion(0, 9), 0, "none");
        NS_TEST_EXPECT_MSG_EQ(ReportFields::GetCongestion(0, 0), ReportFields::NO_RED, "no bytes");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Probes and reports.
 */
class ProbeHeaderTestSuite : public TestSuite
{
  public:
    ProbeHeaderTestSuite()
        : TestSuite("probe-header", Type::UNIT)
    {
        AddTestCase(new ProbeHeaderTestCase);
        AddTestCase(new ProbeRoundTripTestCase);
        AddTestCase(new ReportHeaderTestCase);
    }
};

static ProbeHeaderTestSuite g_probeHeaderTestSuite; ///< the suite
