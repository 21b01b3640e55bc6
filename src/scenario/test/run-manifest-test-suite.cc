/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/config.h"
#include "ns3/json-object.h"
#include "ns3/notice.h"
#include "ns3/output-file.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/run-manifest.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cmath>
#include <limits>
#include <sstream>

using namespace ns3;

/**
 * @ingroup scenario
 * @defgroup scenario-tests Tests of what programs share
 */

/**
 * @ingroup scenario-tests
 * @brief JSON text by RFC 8259.
 */
class JsonObjectTestCase : public TestCase
{
  public:
    JsonObjectTestCase()
        : TestCase("JSON")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(JsonObject().GetText(), "{}", "empty");
        NS_TEST_EXPECT_MSG_EQ(JsonObject::Quoted("a\"b\\c\n\t\x01/"),
                              R"("a\"b\\c\u000a\u0009\u0001/")",
                              "what must be escaped");
        const std::string utf8 = "\xc2\xb5s \xe2\x82\xac \xf0\x9f\x98\x80"; // 2, 3 and 4 bytes
        NS_TEST_EXPECT_MSG_EQ(JsonObject::Quoted(utf8), '"' + utf8 + '"', "UTF-8 stays");
        for (const std::string bad : {"\xff",             // no lead byte
                                      "\xc0\xaf",         // overlong
                                      "\xe0\x80\xaf",     // overlong
                                      "\xed\xa0\x80",     // a surrogate
                                      "\xf4\x90\x80\x80", // above U+10FFFF
                                      "\xe2\x82"})        // cut short
        {
            const std::string quoted = JsonObject::Quoted(bad);
            std::ostringstream expected; // \u00 and two digits for each byte
            for (const char byte : bad)
            {
                expected << "\\u00" << std::hex << static_cast<int>(static_cast<uint8_t>(byte));
            }
            NS_TEST_EXPECT_MSG_EQ(quoted, '"' + expected.str() + '"', "each byte is escaped");
        }

        JsonObject inner;
        inner.Set("x", 0.5);
        JsonObject object;
        object.Set("yes", true);
        object.Set("count", std::numeric_limits<uint64_t>::max());
        object.Set("none", NAN);
        object.Set("endless", -INFINITY);
        object.Set("text", "a, \"b\"");
        object.Set("inner", inner);
        object.Set("empty", std::vector<std::string>{});
        object.Set("list", std::vector<std::string>{"a", "b\n"});
        object.Set("count", -1); // again
        NS_TEST_EXPECT_MSG_EQ(object.GetText(),
                              "{\n"
                              "  \"yes\": true,\n"
                              "  \"count\": -1,\n"
                              "  \"none\": null,\n"
                              "  \"endless\": null,\n"
                              "  \"text\": \"a, \\\"b\\\"\",\n"
                              "  \"inner\": {\n"
                              "    \"x\": 0.5\n"
                              "  },\n"
                              "  \"empty\": [],\n"
                              "  \"list\": [\"a\", \"b\\u000a\"]\n"
                              "}",
                              "in order, indented");
    }
};

/**
 * @ingroup scenario-tests
 * @brief run.json says what was run and how.
 */
class RunManifestTestCase : public TestCase
{
  public:
    RunManifestTestCase()
        : TestCase("a run's manifest")
    {
    }

  private:
    /**
     * @param json a manifest
     * @param key a key
     * @return the value on the key's line; empty if there is no such key
     */
    static std::string Field(const std::string& json, const std::string& key)
    {
        const std::string start = '"' + key + "\": ";
        const auto place = json.find(start);
        if (place == std::string::npos)
        {
            return "";
        }
        const auto from = place + start.size();
        const std::string value = json.substr(from, json.find('\n', from) - from);
        return value.ends_with(',') ? value.substr(0, value.size() - 1) : value;
    }

    void DoRun() override
    {
        RunManifest manifest("fct", "dctcp:MinRto=1ms");
        manifest.SetHosts({"swift has its own Backlog"});
        JsonObject input;
        input.Set("scheme", "dctcp:MinRto=1ms");
        manifest.SetInput(input);
        manifest.GetSettings().Set("load", 0.7);
        manifest.GetSettings().Set("handshake", false);
        manifest.SetResult("fct_mean_ns", 1234.5);
        manifest.SetResult("fct_p99_ns", NAN);
        Simulator::Schedule(MicroSeconds(1500), [] {});
        Simulator::Schedule(MicroSeconds(1), [] {});
        Simulator::Run();

        const OutputFolder output("--out", CreateTempDirFilename("result"));
        const std::string path = output.GetPath() + "/run.json";
        OutputFile flows(output.GetPath() + "/flows.csv");
        flows.Write("bytes\n");
        flows.Close();
        HoldNotices();
        manifest.Write(output);
        const std::string before = FileText(path);
        PrintNotice("believe nothing");
        Config::SetDefault("ns3::QueuesRecorder::Interval", TimeValue(MicroSeconds(7)));
        manifest.Write(output);
        const std::string after = FileText(path);
        Config::SetDefault("ns3::QueuesRecorder::Interval", TimeValue(MicroSeconds(100)));
        manifest.Write(output);
        const std::string restored = FileText(path);
        Simulator::Destroy();

        NS_TEST_EXPECT_MSG_EQ(Field(before, "notices"), "[]", "nothing to say");
        NS_TEST_EXPECT_MSG_EQ(Field(after, "notices"), R"(["believe nothing"])", "what is held");
        NS_TEST_EXPECT_MSG_EQ(before.find("{\n  \"scenario\": \"fct\",\n"
                                          "  \"scheme\": \"dctcp:MinRto=1ms\",\n"
                                          "  \"hosts\": {\n"
                                          "    \"deviations\": [\"swift has its own Backlog\"]\n"
                                          "  },\n"
                                          "  \"input\": {\n"
                                          "    \"scheme\": \"dctcp:MinRto=1ms\"\n"
                                          "  },\n"
                                          "  \"settings\": {\n"
                                          "    \"load\": 0.7,\n"
                                          "    \"handshake\": false\n"
                                          "  },\n"
                                          "  \"attributes\": {\n"),
                              0,
                              before);
        const std::string run = std::to_string(RngSeedManager::GetRun());
        NS_TEST_EXPECT_MSG_EQ(Field(before, "RngRun"), '"' + run + '"', "a global value");
        NS_TEST_EXPECT_MSG_EQ(Field(before, "SchedulerType").substr(0, 6), "\"ns3::", "another");
        NS_TEST_EXPECT_MSG_EQ(Field(before, "rng_run"), run, "a number");
        NS_TEST_EXPECT_MSG_EQ(Field(before, "rng_seed"),
                              std::to_string(RngSeedManager::GetSeed()),
                              "a number");
        NS_TEST_EXPECT_MSG_EQ(Field(before, "suite"),
                              '"' + std::string(RunManifest::GetSuiteVersion()) + '"',
                              "our version");
        NS_TEST_EXPECT_MSG_EQ(Field(before, "ns3").substr(0, 2), "\"3", "ns-3's version");
        NS_TEST_EXPECT_MSG_GT(Field(before, "compiler").size(), 4, "the compiler");
        NS_TEST_EXPECT_MSG_GT(std::stod(Field(before, "wall_s")), 0, "it took some time");
        NS_TEST_EXPECT_MSG_EQ(Field(before, "events"), "2", "two events");
        NS_TEST_EXPECT_MSG_EQ(Field(before, "flows.csv"), "6", "a file's size");
        NS_TEST_EXPECT_MSG_EQ(Field(before, "simulated_s"), "0.0015", "1500 us");
        NS_TEST_EXPECT_MSG_EQ(Field(before, "fct_mean_ns"), "1234.5", "a result");
        NS_TEST_EXPECT_MSG_EQ(Field(before, "fct_p99_ns"), "null", "a result that does not exist");
        NS_TEST_EXPECT_MSG_EQ(before.substr(before.size() - 6), "  }\n}\n", "whole");

        const std::string changed = "\"ns3::QueuesRecorder::Interval\": \"";
        NS_TEST_EXPECT_MSG_EQ(before.find(changed), std::string::npos, "a default goes unsaid");
        NS_TEST_EXPECT_MSG_NE(after.find(changed), std::string::npos, "another value is told");
        NS_TEST_EXPECT_MSG_EQ(restored.find(changed), std::string::npos, "the default once more");
    }
};

/**
 * @ingroup scenario-tests
 * @brief Tests of RunManifest.
 */
class RunManifestTestSuite : public TestSuite
{
  public:
    RunManifestTestSuite()
        : TestSuite("run-manifest", Type::UNIT)
    {
        AddTestCase(new JsonObjectTestCase);
        AddTestCase(new RunManifestTestCase);
    }
};

static RunManifestTestSuite g_runManifestTestSuite; //!< Static variable for test initialization
