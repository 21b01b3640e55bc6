/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support-test.h"

#include "ns3/csv-writer.h"
#include "ns3/number-text.h"
#include "ns3/output-file.h"
#include "ns3/test.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <locale>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup support
 * @defgroup support-tests Support tests
 */

/**
 * @ingroup support-tests
 * @brief Numbers are written shortest, exactly and without an exponent where one would only
 * disturb.
 */
class NumberTextTestCase : public TestCase
{
  public:
    NumberTextTestCase()
        : TestCase("numbers as text")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(NumberText(0), "0", "zero");
        NS_TEST_EXPECT_MSG_EQ(NumberText(0.1), "0.1", "shortest text that reads back");
        NS_TEST_EXPECT_MSG_EQ(NumberText(1e10), "10000000000", "a rate without an exponent");
        NS_TEST_EXPECT_MSG_EQ(NumberText(-2.5e-6), "-0.0000025", "small, without an exponent");
        NS_TEST_EXPECT_MSG_EQ(NumberText(1e-7), "1e-07", "smaller, with an exponent");
        NS_TEST_EXPECT_MSG_EQ(NumberText(1e300), "1e+300", "too large to write out");
        NS_TEST_EXPECT_MSG_EQ(NumberText(1.0 / 3), "0.3333333333333333", "16 digits needed");

        std::mt19937_64 bits(1);
        for (int i = 0; i < 10000; ++i)
        {
            const auto value = std::bit_cast<double>(bits());
            if (std::isfinite(value))
            {
                NS_TEST_ASSERT_MSG_EQ(std::strtod(NumberText(value).c_str(), nullptr),
                                      value,
                                      "reads back");
            }
        }
    }
};

/**
 * @ingroup support-tests
 * @brief Times are written exactly, whatever Time's resolution.
 */
class TimeTextTestCase : public TestCase
{
  public:
    TimeTextTestCase()
        : TestCase("times as text")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(DecimalText(1234567, 3), "1234.567", "point inside");
        NS_TEST_EXPECT_MSG_EQ(DecimalText(7, 3), "0.007", "zeros before");
        NS_TEST_EXPECT_MSG_EQ(DecimalText(-70, 3), "-0.070", "negative, trailing zero kept");
        NS_TEST_EXPECT_MSG_EQ(DecimalText(42, 0), "42", "no point");
        NS_TEST_EXPECT_MSG_EQ(DecimalText(std::numeric_limits<int64_t>::min(), 18),
                              "-9.223372036854775808",
                              "the least of all");

        NS_TEST_EXPECT_MSG_EQ(NanosecondsText(1500, Time::NS), "1500", "nanoseconds");
        NS_TEST_EXPECT_MSG_EQ(NanosecondsText(1500, Time::PS), "1.500", "picoseconds: 3 decimals");
        NS_TEST_EXPECT_MSG_EQ(NanosecondsText(1500, Time::FS), "0.001500", "femtoseconds");
        NS_TEST_EXPECT_MSG_EQ(NanosecondsText(15, Time::US), "15000", "microseconds");
        NS_TEST_EXPECT_MSG_EQ(NanosecondsText(0, Time::US), "0", "zero");
        NS_TEST_EXPECT_MSG_EQ(SecondsText(1500000, Time::NS), "0.0015", "no trailing zeros");
        NS_TEST_EXPECT_MSG_EQ(SecondsText(2000000000, Time::NS), "2", "whole seconds");
        NS_TEST_EXPECT_MSG_EQ(SecondsText(1, Time::PS), "0.000000000001", "one picosecond");
        NS_TEST_EXPECT_MSG_EQ(SecondsText(100, Time::S), "100", "resolution of a second");
        NS_TEST_EXPECT_MSG_EQ(NanosecondsText(MicroSeconds(3)), "3000", "in Time's resolution");
        NS_TEST_EXPECT_MSG_EQ(SecondsText(MicroSeconds(3)), "0.000003", "in Time's resolution");
    }
};

/**
 * @ingroup support-tests
 * @brief A file has what was written, or says that it cannot.
 */
class OutputFileTestCase : public TestCase
{
  public:
    OutputFileTestCase()
        : TestCase("a file is written or refused")
    {
    }

  private:
    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("whole.txt");
        for (const std::string text : {"one", "two"})
        {
            OutputFile file(path);
            file.Write(text);
            file.Close();
            NS_TEST_EXPECT_MSG_EQ(FileText(path), text, "in place of what was there");
        }
        const std::string nowhere = path + "/below/a/file.txt";
        NS_TEST_EXPECT_MSG_EQ(ErrorText([&] { OutputFile file(nowhere); }),
                              "--out = '" + nowhere +
                                  "': must be a writable folder (Not a directory)",
                              "one line that names the option");
        OutputFile full("/dev/full");
        full.Write("one");
        NS_TEST_EXPECT_MSG_EQ(ErrorText([&] { full.Close(); }),
                              "--out = '/dev/full': must be a writable folder (No space left on "
                              "device)",
                              "what does not fit");
    }
};

/**
 * @ingroup support-tests
 * @brief A run takes the place of an earlier one as a whole, or not at all.
 */
class OutputFolderTestCase : public TestCase
{
  public:
    OutputFolderTestCase()
        : TestCase("a run's output takes an earlier one's place as a whole")
    {
    }

  private:
    /**
     * @brief Write a file as it is.
     * @param path of the file
     * @param text in it
     */
    static void Write(const std::string& path, const std::string& text)
    {
        OutputFile file(path);
        file.Write(text);
        file.Close();
    }

    /**
     * @param folder a folder
     * @return the names of what is in it, with blanks behind them
     */
    static std::string List(const std::string& folder)
    {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
        {
            names.insert(entry.path().filename());
        }
        std::string list;
        for (const std::string& name : names)
        {
            list += name + ' ';
        }
        return list;
    }

    void DoRun() override
    {
        const std::string root = CreateTempDirFilename("a");
        const std::string folder = root + "/b/c";
        {
            OutputFolder output("--out", folder);
            Write(output.GetPath() + "/flows.csv", "half");
        }
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(root), false, "given up: nothing was made");

        const auto run = [&](const std::string& content, const std::vector<std::string>& names) {
            OutputFolder output("--out", folder);
            std::string list;
            std::map<std::string, std::uint64_t> sizes;
            for (const std::string& name : names)
            {
                Write(output.GetPath() + "/" + name, content);
                list += '"' + name + "\": 3, ";
                sizes[name] = content.size();
            }
            NS_TEST_EXPECT_MSG_EQ((output.GetFiles() == sizes), true, "what was written");
            Write(output.GetPath() + "/run.json", "{\"output\": {" + list + "\"../mine\": 4}}");
            output.Finish();
        };
        run("one", {"flows.csv", "queues.csv"});
        NS_TEST_EXPECT_MSG_EQ(List(folder), "flows.csv queues.csv run.json ", "all is there");
        Write(folder + "/note.txt", "mine");
        Write(folder + "/../mine", "mine");
        {
            OutputFolder output("--out", folder);
            Write(output.GetPath() + "/flows.csv", "half");
        }
        NS_TEST_EXPECT_MSG_EQ(FileText(folder + "/flows.csv"), "one", "given up: the older stays");
        std::filesystem::create_directories(folder + "/unfinished.tmp"); // of a run that was killed
        Write(folder + "/unfinished.tmp/drops.csv", "half");
        run("two", {"flows.csv", "tasks.csv"});
        NS_TEST_EXPECT_MSG_EQ(List(folder),
                              "flows.csv note.txt run.json tasks.csv ",
                              "nothing of the older one, nor of the killed one");
        NS_TEST_EXPECT_MSG_EQ(FileText(folder + "/flows.csv"), "two", "the new one");
        NS_TEST_EXPECT_MSG_EQ(FileText(folder + "/../mine"), "mine", "what is not in the folder");
        Write(folder + "/run.json", "broken");
        run("three", {"flows.csv"});
        NS_TEST_EXPECT_MSG_EQ(FileText(folder + "/flows.csv"), "three", "whatever was there");

        OutputFolder output("--out", folder);
        const std::string busy = ErrorText([&] { OutputFolder("--out", folder); });
        NS_TEST_EXPECT_MSG_EQ(busy,
                              "--out = '" + folder +
                                  "': another run writes there; wait for its end or name another "
                                  "folder",
                              "one at a time");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(output.GetPath()), true, "the first goes on");

        const std::string file = folder + "/flows.csv";
        const std::string error = ErrorText([&] { OutputFolder("--out", file); });
        NS_TEST_EXPECT_MSG_EQ(error.find("--out = '" + file + "': must be a writable folder"),
                              0,
                              "a file is no folder: " << error);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
    }
};

/**
 * @ingroup support-tests
 * @brief Cells of all kinds, whatever the locale.
 */
class CsvWriterTestCase : public TestCase
{
  public:
    CsvWriterTestCase()
        : TestCase("tidy CSV")
    {
    }

  private:
    /// Writes 1234.5 as 1.234,5.
    class Continental : public std::numpunct<char>
    {
        char do_decimal_point() const override
        {
            return ',';
        }

        char do_thousands_sep() const override
        {
            return '.';
        }

        std::string do_grouping() const override
        {
            return "\3";
        }
    };

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("cells.csv");
        const auto locale = std::locale::global(std::locale(std::locale(), new Continental));
        CsvWriter csv(path, {"name", "count", "rate_bps", "finished"});
        csv.Row("plain", 1234567, 1234.5, true);
        csv.Row("comma, and \"quote\"", uint64_t{18446744073709551615U}, NAN, false);
        csv.Row(std::string("line\nbreak"), -1, std::optional<double>(), std::optional<int>(7));
        csv.Close();
        std::locale::global(locale);
        NS_TEST_EXPECT_MSG_EQ(FileText(path),
                              "name,count,rate_bps,finished\n"
                              "plain,1234567,1234.5,1\n"
                              "\"comma, and \"\"quote\"\"\",18446744073709551615,,0\n"
                              "\"line\nbreak\",-1,,7\n",
                              "by RFC 4180");
    }
};

/**
 * @ingroup support-tests
 * @brief Tests of CsvWriter and what it is made of.
 */
class CsvWriterTestSuite : public TestSuite
{
  public:
    CsvWriterTestSuite()
        : TestSuite("csv-writer", Type::UNIT)
    {
        AddTestCase(new NumberTextTestCase);
        AddTestCase(new TimeTextTestCase);
        AddTestCase(new OutputFileTestCase);
        AddTestCase(new OutputFolderTestCase);
        AddTestCase(new CsvWriterTestCase);
    }
};

static CsvWriterTestSuite g_csvWriterTestSuite; //!< Static variable for test initialization
