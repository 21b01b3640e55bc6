/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/packet.h"
#include "ns3/rate-write-header.h"
#include "ns3/test.h"

#include <array>
#include <sstream>

using namespace ns3;

/**
 * @ingroup telemetry-tests
 * @brief The bytes are those of the documented layout, and are read back.
 */
class RateWriteHeaderTestCase : public TestCase
{
  public:
    RateWriteHeaderTestCase()
        : TestCase("exact bytes and round trip")
    {
    }

  private:
    void DoRun() override
    {
        const RateWriteFields fields{0x01020304, 7, 25'000'000'000};
        auto packet = Create<Packet>();
        packet->AddHeader(RateWriteHeader(fields));
        std::array<uint8_t, RateWriteHeader::SIZE> bytes{};
        packet->CopyData(bytes.data(), bytes.size());
        const std::array<uint8_t, 16>
            expected{1, 2, 3, 4, 0, 0, 0, 7, 0, 0, 0, 5, 0xd2, 0x1d, 0xba, 0};
        NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "bytes");
        RateWriteHeader read;
        NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(read), 16, "size");
        NS_TEST_EXPECT_MSG_EQ((read.GetFields() == fields), true, "round trip");
        std::ostringstream text;
        read.Print(text);
        NS_TEST_EXPECT_MSG_EQ(text.str(), "switch=16909060 limiter=7 rate=25000000000bps", "text");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief The header that writes a rate.
 */
class RateWriteHeaderTestSuite : public TestSuite
{
  public:
    RateWriteHeaderTestSuite()
        : TestSuite("rate-write-header", Type::UNIT)
    {
        AddTestCase(new RateWriteHeaderTestCase);
    }
};

static RateWriteHeaderTestSuite g_rateWriteHeaderTestSuite; ///< the suite
