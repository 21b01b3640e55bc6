/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/former-settings.h"
#include "ns3/input-error.h"
#include "ns3/queue-limit.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <functional>
#include <map>
#include <set>

using namespace ns3;

namespace
{

/**
 * @param act does something that is to fail
 * @return the error; empty if there is none
 */
std::string
GetError(const std::function<void()>& act)
{
    try
    {
        act();
        return "";
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

/**
 * @ingroup support-tests
 * @brief Lengths of queues are read, written and resolved exactly.
 */
class QueueLimitTestCase : public TestCase
{
  public:
    QueueLimitTestCase()
        : TestCase("lengths of queues")
    {
    }

  private:
    void DoRun() override
    {
        ReadAndWrite();
        Resolve();
        Compare();
        TakeStockValues();
    }

    void ReadAndWrite()
    {
        for (const auto& [text, written] :
             std::map<std::string, std::string>{{"512kB", "512000B"},
                                                {"64KiB", "65536B"},
                                                {"40p", "40p"},
                                                {"0B", "0B"},
                                                {"24us", "24us"},
                                                {"262144ns", "262.144us"},
                                                {"1.5ms", "1.5ms"},
                                                {"never", "never"}})
        {
            const auto limit = QueueLimit::Parse("x", text);
            NS_TEST_EXPECT_MSG_EQ(limit.ToString(), written, text);
            NS_TEST_EXPECT_MSG_EQ((QueueLimit::Parse("x", written) == limit), true, text);
        }
        for (const char* bad :
             {"", "20", "p", "-1p", "-1us", "4GiB", "1e10kB", "us", "Never", "1 p"})
        {
            const auto error = GetError([bad] { QueueLimit::Parse("--k", bad); });
            NS_TEST_EXPECT_MSG_EQ(error.starts_with("--k = '" + std::string(bad) + "'"), true, bad);
        }
        const auto limits = QueueLimit::ParseList("x", "20p, 30kB,24us");
        NS_TEST_ASSERT_MSG_EQ(limits.size(), 3, "three lengths");
        NS_TEST_EXPECT_MSG_EQ(limits[0].ToQueueSize(), QueueSize("20p"), "packets");
        NS_TEST_EXPECT_MSG_EQ(limits[1].ToQueueSize(), QueueSize("30000B"), "bytes");
        NS_TEST_EXPECT_MSG_EQ(QueueLimit::ParseList("x", "").empty(), true, "empty list");
        for (const char* bad : {"20", "p", "20p;30p", "-1p", "20p,,30p", "20p 30p"})
        {
            const auto error = GetError([bad] { QueueLimit::ParseList("--k", bad); });
            NS_TEST_EXPECT_MSG_EQ(error.starts_with("--k = '" + std::string(bad) + "'"), true, bad);
        }
    }

    void Resolve()
    {
        const QueueLimit time("24us");
        for (const auto& [rate, bytes] :
             std::map<std::string, uint32_t>{{"1Gbps", 3000},
                                             {"10Gbps", 30000},
                                             {"33.34Gbps", 100020},
                                             {"800Gbps", 2400000},
                                             {"999Mbps", 2997},
                                             {"1Mbps", 3},
                                             {"500kbps", 2}}) // 1.5 bytes: rounded to the nearest
        {
            const auto limit = time.Resolve("x", DataRate(rate));
            NS_TEST_EXPECT_MSG_EQ(limit.GetBytes(), bytes, rate);
            NS_TEST_EXPECT_MSG_EQ(limit.ToString(), "24us", "as it was written");
            NS_TEST_EXPECT_MSG_EQ(limit.Resolve("x", DataRate("1Gbps")).GetBytes(), 3000, "again");
        }
        NS_TEST_EXPECT_MSG_EQ(time.GetBytes(), 0, "before it has a link");
        NS_TEST_EXPECT_MSG_EQ(
            GetError([&] { time.Resolve("--k", DataRate(0)); }).starts_with("--k = '24us'"),
            true,
            "no link");
        NS_TEST_EXPECT_MSG_EQ(GetError([&] {
                                  QueueLimit("1s").Resolve("--k", DataRate("100Gbps"));
                              }).starts_with("--k = '1s'"),
                              true,
                              "12.5 GB");
        NS_TEST_EXPECT_MSG_EQ(QueueLimit("7p").Resolve("x", DataRate(0)).ToQueueSize(),
                              QueueSize("7p"),
                              "packets need no link");
    }

    void Compare()
    {
        const QueueLimit bytes("3000B");
        NS_TEST_EXPECT_MSG_EQ(bytes.Admits(1500, 1, 1500), true, "fits exactly");
        NS_TEST_EXPECT_MSG_EQ(bytes.Admits(1501, 1, 1500), false, "a byte too many");
        NS_TEST_EXPECT_MSG_EQ(bytes.IsExceededBy(3000, 2), false, "as long");
        NS_TEST_EXPECT_MSG_EQ(bytes.IsExceededBy(3001, 2), true, "longer");
        NS_TEST_EXPECT_MSG_EQ(bytes.IsWithin(QueueLimit("3001B")), true, "below");
        NS_TEST_EXPECT_MSG_EQ(bytes.IsWithin(QueueLimit("3000B")), false, "never exceeded");
        NS_TEST_EXPECT_MSG_EQ(bytes.IsWithin(QueueLimit("2p")), true, "cannot be told");
        NS_TEST_EXPECT_MSG_EQ(bytes.IsWithin(QueueLimit()), true, "no buffer ends");
        NS_TEST_EXPECT_MSG_EQ(QueueLimit("2p").IsWithin(QueueLimit("2p")), false, "packets");
        NS_TEST_EXPECT_MSG_EQ(QueueLimit().IsExceededBy(4'000'000'000, 4'000'000'000), false, "");
    }

    void TakeStockValues()
    {
        const auto checker = MakeQueueLimitChecker();
        const auto stock = checker->CreateValidValue(QueueSizeValue(QueueSize("40p")));
        NS_TEST_ASSERT_MSG_NE(stock, nullptr, "a queue size of ns-3");
        QueueLimit limit;
        NS_TEST_EXPECT_MSG_EQ(QueueLimitValue::Read(*stock, limit), true, "");
        NS_TEST_EXPECT_MSG_EQ(limit.ToString(), "40p", "");
        NS_TEST_EXPECT_MSG_NE(checker->CreateValidValue(StringValue("24us")), nullptr, "a text");
        NS_TEST_EXPECT_MSG_EQ(checker->CreateValidValue(StringValue("24")), nullptr, "no unit");
    }
};

/**
 * @ingroup support-tests
 * @brief The table of former settings is sound: what it says can be read.
 */
class FormerSettingsTestCase : public TestCase
{
  public:
    FormerSettingsTestCase()
        : TestCase("settings of former times")
    {
    }

  private:
    void DoRun() override
    {
        const FormerSettings own{{"ns3::FormerThing", "", 0, "", 0, "", {"ns3::Thing"}},
                                 {"ns3::Object", "FormerSize", 1.5, "kB"}};
        NS_TEST_EXPECT_MSG_EQ(TranslateFormerName("ns3::FormerThing"), "ns3::Thing", "a class");
        NS_TEST_EXPECT_MSG_EQ(TranslateFormerName("ns3::Object"), "", "no class of former times");
        NS_TEST_EXPECT_MSG_EQ(
            TranslateFormerSetting("thing", TypeId::LookupByName("ns3::Object"), "FormerSize", "2"),
            "FormerSize=3kB",
            "an attribute");
        std::set<std::pair<std::string, std::string>> seen;
        for (const FormerSetting& setting : FormerSettings::GetAll())
        {
            const std::string what = setting.owner + "::" + setting.attribute;
            NS_TEST_EXPECT_MSG_EQ(seen.emplace(setting.owner, setting.attribute).second,
                                  true,
                                  what);
            if (setting.one == 0)
            {
                continue; // another name for the same
            }
            NS_TEST_EXPECT_MSG_EQ(GetError([&] { QueueLimit::Parse("x", "1" + setting.unit); }),
                                  "",
                                  what);
        }
        NS_TEST_EXPECT_MSG_EQ(TranslateFormerSetting("thing",
                                                     TypeId::LookupByName("ns3::Object"),
                                                     "MarkThreshold",
                                                     "20"),
                              "",
                              "no setting of this class");
    }
};

/**
 * @ingroup support-tests
 * @brief Lengths of queues.
 */
class QueueLimitTestSuite : public TestSuite
{
  public:
    QueueLimitTestSuite()
        : TestSuite("queue-limit", Type::UNIT)
    {
        AddTestCase(new QueueLimitTestCase);
        AddTestCase(new FormerSettingsTestCase);
    }
};

static QueueLimitTestSuite g_queueLimitTestSuite; ///< the suite

} // namespace
