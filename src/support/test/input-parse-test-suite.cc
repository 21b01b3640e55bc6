/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/test.h"

#include <functional>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup support-tests
 * @brief Accepted texts have the value that they say.
 */
class InputParseValueTestCase : public TestCase
{
  public:
    InputParseValueTestCase()
        : TestCase("Values of good input")
    {
    }

  private:
    void DoRun() override
    {
        // Every unit that ns-3 knows means the same here.
        for (const std::string prefix : {"", "k", "K", "M", "G"})
        {
            for (const std::string unit : {"bps", "b/s", "Bps", "B/s"})
            {
                const auto text = "2.5" + prefix + unit;
                const DataRate expected(prefix.empty() && unit[0] == 'b' ? DataRate(3)
                                                                         : DataRate(text));
                NS_TEST_EXPECT_MSG_EQ(ParseRate("-", text), expected, text);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(ParseRate("-", "1.6Tbps"), DataRate("1600Gbps"), "terabits");
        NS_TEST_EXPECT_MSG_EQ(ParseRate("-", "1TB/s"), DataRate("8000Gbps"), "terabytes");
        for (const std::string text : {"3Kib/s", "3KiB/s", "3Mib/s", "3MiB/s", "3Gib/s", "3GiB/s"})
        {
            NS_TEST_EXPECT_MSG_EQ(ParseRate("-", text), DataRate(text), text);
        }
        for (const std::string unit : {"y", "d", "h", "min", "s", "ms", "us", "ns"})
        {
            const auto text = "1.5" + unit;
            NS_TEST_EXPECT_MSG_EQ(ParseTime("-", text), Time(text), text);
        }
        for (const std::string text :
             {"1500B", "1.5kB", "64KB", "64KiB", "2MB", "2MiB", "100p", "3kp"})
        {
            NS_TEST_EXPECT_MSG_EQ((ParseQueueSize("-", text) == QueueSize(text)), true, text);
        }
        NS_TEST_EXPECT_MSG_EQ(ParseQueueSize("-", "4294967295B").GetValue(), UINT32_MAX, "most");
        NS_TEST_EXPECT_MSG_EQ(CheckedSeconds("-", "", 1.5), MilliSeconds(1500), "computed");
        NS_TEST_EXPECT_MSG_EQ(ParseTime("-", "0s"), Time(0), "no time");
        NS_TEST_EXPECT_MSG_EQ(ParseTime("-", "1e3us"), MilliSeconds(1), "exponent");
        NS_TEST_EXPECT_MSG_EQ(ParseNumber("-", "-2.5e-1"), -0.25, "number");
        NS_TEST_EXPECT_MSG_EQ(ParseCount("-", "18446744073709551615"), UINT64_MAX, "count");
        const std::vector<std::string> entries{"1", "", "2"};
        NS_TEST_EXPECT_MSG_EQ((CutList("1,,2") == entries), true, "list");
        NS_TEST_EXPECT_MSG_EQ(CutList("").empty(), true, "empty list");
        NS_TEST_EXPECT_MSG_EQ((CutList(" 1;; 2 ", ';') == entries), true, "blanks go");
        NS_TEST_EXPECT_MSG_EQ((CutList("1\t,\r\n,\n 2\n") == entries), true, "line breaks, too");
    }
};

/**
 * @ingroup support-tests
 * @brief Anything else is an error that names the argument and the value.
 */
class InputParseErrorTestCase : public TestCase
{
  public:
    InputParseErrorTestCase()
        : TestCase("Errors of bad input")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string>
            never{"", " ", "x", "1 x", "nan", "inf", "--1", "1,5", "1s1"};
        auto rates = never;
        rates.insert(rates.end(),
                     {"10",
                      "-1Gbps",
                      "0bps",
                      "Gbps",
                      "1Gbp",
                      "1Kibps",
                      "1gbps",
                      "1tbps",
                      "1e30Gbps",
                      "1Gbps ",
                      " 1Gbps",
                      "infGbps",
                      "0.1bps",
                      "1s",
                      "1/s"});
        Expect(rates, [](const std::string& text) { ParseRate("--rate", text); });
        auto times = never;
        times.insert(times.end(), {"10", "-1s", "s", "1sec", "1 s", "1e300s", "1Gbps", "300y"});
        Expect(times, [](const std::string& text) { ParseTime("--rate", text); });
        auto numbers = never;
        numbers.insert(numbers.end(), {"1x", "0x10", "1 ", " 1", "1e999"});
        Expect(numbers, [](const std::string& text) { ParseNumber("--rate", text); });
        auto sizes = never;
        sizes.insert(sizes.end(),
                     {"30", "30 kB", "-1B", "kB", "4294967296B", "5000MB", "1e30p", "1Gb"});
        Expect(sizes, [](const std::string& text) { ParseQueueSize("--rate", text); });
        Expect({"1e30", "-1", "nan"},
               [](const std::string& text) { CheckedSeconds("--rate", text, std::stod(text)); });
        auto counts = numbers;
        counts.insert(counts.end(), {"-1", "+1", "1.0", "1e3", "18446744073709551616"});
        Expect(counts, [](const std::string& text) { ParseCount("--rate", text); });
    }

    /**
     * @param texts texts that cannot be read
     * @param parse reads a text
     */
    void Expect(const std::vector<std::string>& texts,
                const std::function<void(const std::string&)>& parse)
    {
        for (const auto& text : texts)
        {
            std::string message = "no error";
            try
            {
                parse(text);
            }
            catch (const InputError& error)
            {
                message = error.what();
            }
            const bool named = message.starts_with("--rate = '" + text + "': ");
            NS_TEST_EXPECT_MSG_EQ(named, true, "'" << text << "' gave: " << message);
        }
    }
};

/**
 * @ingroup support-tests
 * @brief The input parsing test suite.
 */
class InputParseTestSuite : public TestSuite
{
  public:
    InputParseTestSuite()
        : TestSuite("input-parse", Type::UNIT)
    {
        AddTestCase(new InputParseValueTestCase);
        AddTestCase(new InputParseErrorTestCase);
    }
};

static InputParseTestSuite g_inputParseTestSuite; ///< static variable for test initialization
