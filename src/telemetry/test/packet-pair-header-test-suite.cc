/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/packet-pair-header.h"
#include "ns3/packet.h"
#include "ns3/test.h"

#include <array>
#include <sstream>

using namespace ns3;

namespace
{

/**
 * @param header a header
 * @return the same, written to a packet and read back
 */
PacketPairHeader
WriteAndRead(const PacketPairHeader& header)
{
    const uint32_t payload = header.IsAcknowledgment() ? 0 : 100;
    auto packet = Create<Packet>(payload);
    packet->AddHeader(header);
    PacketPairHeader read;
    packet->RemoveHeader(read);
    return packet->GetSize() == payload ? read : PacketPairHeader();
}

/**
 * @param header a header
 * @return its bytes
 */
std::array<uint8_t, PacketPairHeader::SIZE>
GetBytes(const PacketPairHeader& header)
{
    auto packet = Create<Packet>();
    packet->AddHeader(header);
    std::array<uint8_t, PacketPairHeader::SIZE> bytes{};
    packet->CopyData(bytes.data(), bytes.size());
    return bytes;
}

} // namespace

/**
 * @ingroup telemetry-tests
 * @brief All fields of data survive the wire, with every set of flags.
 */
class PacketPairDataTestCase : public TestCase
{
  public:
    PacketPairDataTestCase()
        : TestCase("data: round trip")
    {
    }

  private:
    void DoRun() override
    {
        for (uint8_t flags = 0; flags < 8; ++flags)
        {
            for (const uint32_t pair : {0U, 1U, 0x5a5a5a5U, PacketPairHeader::MAX_PAIR})
            {
                PacketPairHeader header;
                header.SetData(0x123456789abcULL, NanoSeconds(5000000001), pair, flags);
                const PacketPairHeader read = WriteAndRead(header);
                NS_TEST_EXPECT_MSG_EQ(read.IsAcknowledgment(), false, "data");
                NS_TEST_EXPECT_MSG_EQ(read.GetSequence(), 0x56789abc, "low 32 bits");
                NS_TEST_EXPECT_MSG_EQ(read.GetTimestamp(), 5000000001 - (1LL << 32), "wrapped");
                NS_TEST_EXPECT_MSG_EQ(read.GetPair(), pair, "pair");
                NS_TEST_EXPECT_MSG_EQ(+read.GetFlags(), +flags, "flags");
                NS_TEST_EXPECT_MSG_EQ(read.GetGap(), Time(0), "data has no gap");
                NS_TEST_EXPECT_MSG_EQ(read.HasCongestionEcho(), false, "nor an echo");
            }
        }
    }
};

/**
 * @ingroup telemetry-tests
 * @brief All fields of an acknowledgment survive the wire; a gap up to a second does exactly.
 */
class PacketPairAcknowledgmentTestCase : public TestCase
{
  public:
    PacketPairAcknowledgmentTestCase()
        : TestCase("acknowledgment: round trip")
    {
    }

  private:
    void DoRun() override
    {
        for (const int64_t gap : {0LL, 1LL, 1200LL, 4800LL, 1000000000LL, 5000000000LL})
        {
            for (const bool congestion : {false, true})
            {
                PacketPairHeader header;
                header.SetAcknowledgment(4294967296ULL + 2920,
                                         MicroSeconds(17),
                                         NanoSeconds(gap),
                                         congestion);
                const PacketPairHeader read = WriteAndRead(header);
                NS_TEST_EXPECT_MSG_EQ(read.IsAcknowledgment(), true, "acknowledgment");
                NS_TEST_EXPECT_MSG_EQ(read.GetSequence(), 2920, "low 32 bits");
                NS_TEST_EXPECT_MSG_EQ(read.GetTimestamp(), 17000, "echo");
                NS_TEST_EXPECT_MSG_EQ(read.GetGap().GetNanoSeconds(),
                                      std::min<int64_t>(gap, PacketPairHeader::MAX_GAP),
                                      "gap");
                NS_TEST_EXPECT_MSG_EQ(read.HasCongestionEcho(), congestion, "echo of CE");
                NS_TEST_EXPECT_MSG_EQ(read.HasBlock(), false, "no block");
                header.SetBlock(4294967296ULL - 1460, 4294967296ULL + 1460);
                const PacketPairHeader blocked = WriteAndRead(header);
                NS_TEST_EXPECT_MSG_EQ(header.GetSerializedSize(), 20, "with a block");
                NS_TEST_EXPECT_MSG_EQ(blocked.HasBlock(), true, "a block");
                NS_TEST_EXPECT_MSG_EQ(blocked.GetBlockBegin(), 4294965836U, "its begin");
                NS_TEST_EXPECT_MSG_EQ(blocked.GetBlockEnd(), 1460, "its end");
                NS_TEST_EXPECT_MSG_EQ(blocked.GetGap(), read.GetGap(), "the rest is the same");
                NS_TEST_EXPECT_MSG_EQ(blocked.GetSequence(), read.GetSequence(), "the same");
                NS_TEST_EXPECT_MSG_EQ(blocked.HasCongestionEcho(), congestion, "the same");
                NS_TEST_EXPECT_MSG_EQ(read.GetPair(), 0, "an acknowledgment has no pair");
                NS_TEST_EXPECT_MSG_EQ(+read.GetFlags(), 0, "nor flags");
            }
        }
    }
};

/**
 * @ingroup telemetry-tests
 * @brief The bytes are those of the documented layout.
 */
class PacketPairBytesTestCase : public TestCase
{
  public:
    PacketPairBytesTestCase()
        : TestCase("exact bytes, and what is printed")
    {
    }

  private:
    void DoRun() override
    {
        PacketPairHeader header;
        header.SetData(0x01020304,
                       NanoSeconds(0x05060708),
                       0xabcdef0,
                       PacketPairHeader::FIRST | PacketPairHeader::LAST);
        const std::array<uint8_t, 12> data{1, 2, 3, 4, 5, 6, 7, 8, 0x5a, 0xbc, 0xde, 0xf0};
        NS_TEST_EXPECT_MSG_EQ((GetBytes(header) == data), true, "data");
        NS_TEST_EXPECT_MSG_EQ(header.GetSerializedSize(), 12, "12 bytes");
        std::ostringstream dataText;
        header.Print(dataText);
        NS_TEST_EXPECT_MSG_EQ(dataText.str(),
                              "seq=16909060 sent=84281096 pair=180150000 first last",
                              "data");

        header.SetAcknowledgment(0x01020304, NanoSeconds(0x05060708), NanoSeconds(4800), true);
        const std::array<uint8_t, 12> answer{1, 2, 3, 4, 5, 6, 7, 8, 0xc0, 0, 0x12, 0xc0};
        NS_TEST_EXPECT_MSG_EQ((GetBytes(header) == answer), true, "acknowledgment");
        std::ostringstream text;
        header.Print(text);
        NS_TEST_EXPECT_MSG_EQ(text.str(), "ack=16909060 echo=84281096 gap=+4800ns ECE", "answer");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Numbers are restored across the wrap, in either direction.
 */
class PacketPairUnwrapTestCase : public TestCase
{
  public:
    PacketPairUnwrapTestCase()
        : TestCase("numbers that wrapped")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t TURN = 1ULL << 32;
        for (const uint64_t number : {TURN - 1460, TURN, TURN + 1460, 7 * TURN + 5, 9 * TURN - 5})
        {
            for (const int64_t away : {-1000000LL, -1LL, 0LL, 1LL, 1000000LL, 2147483647LL})
            {
                NS_TEST_EXPECT_MSG_EQ(
                    PacketPairHeader::Unwrap(static_cast<uint32_t>(number), number + away),
                    number,
                    "from " << away << " away");
            }
        }
    }
};

/**
 * @ingroup telemetry-tests
 * @brief The packet-pair header.
 */
class PacketPairHeaderTestSuite : public TestSuite
{
  public:
    PacketPairHeaderTestSuite()
        : TestSuite("packet-pair-header", Type::UNIT)
    {
        AddTestCase(new PacketPairDataTestCase);
        AddTestCase(new PacketPairAcknowledgmentTestCase);
        AddTestCase(new PacketPairBytesTestCase);
        AddTestCase(new PacketPairUnwrapTestCase);
    }
};

static PacketPairHeaderTestSuite g_packetPairHeaderTestSuite; //!< registers the suite
