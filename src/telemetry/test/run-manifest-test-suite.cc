/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "telemetry-test.h"

#include "ns3/config.h"
#include "ns3/drop-recorder.h"
#include "ns3/flow-recorder.h"
#include "ns3/json-object.h"
#include "ns3/latency-histogram.h"
#include "ns3/queue-recorder.h"
#include "ns3/run-manifest.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cmath>
#include <limits>
#include <regex>

using namespace ns3;

/**
 * @ingroup telemetry-tests
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
            NS_TEST_EXPECT_MSG_EQ(quoted.size(), 2 + 6 * bad.size(), "each byte is escaped");
            NS_TEST_EXPECT_MSG_EQ(std::regex_match(quoted, std::regex("\"(\\\\u00[0-9a-f]{2})+\"")),
                                  true,
                                  quoted);
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
 * @ingroup telemetry-tests
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
    void DoRun() override
    {
        RunManifest manifest("fct", "dctcp:MinRto=1ms");
        const char* command[] = {"build/bin/fct", "--scheme=dctcp:MinRto=1ms", "--out=a b"};
        manifest.SetCommand(3, command);
        manifest.SetArgument("load", 0.7);
        manifest.SetArgument("topology", std::string("leaf-spine:Leaves=3"));
        manifest.SetArgument("handshake", false);
        manifest.SetResult("fct_mean_ns", 1234.5);
        manifest.SetResult("fct_p99_ns", NAN);
        Simulator::Schedule(MicroSeconds(1500), [] {});
        Simulator::Schedule(MicroSeconds(1), [] {});
        Simulator::Run();

        const std::string path = CreateTempDirFilename("run.json");
        manifest.Write(path);
        const std::string before = FileText(path);
        Config::SetDefault("ns3::QueueRecorder::Interval", TimeValue(MicroSeconds(7)));
        manifest.Write(path);
        const std::string after = FileText(path);
        Config::SetDefault("ns3::QueueRecorder::Interval", TimeValue(MicroSeconds(100)));
        manifest.Write(path);
        const std::string restored = FileText(path);
        Simulator::Destroy();

        const auto holds = [](const std::string& text, const std::string& pattern) {
            return std::regex_search(text, std::regex(pattern));
        };
        NS_TEST_EXPECT_MSG_EQ(before.find("{\n  \"scenario\": \"fct\",\n"
                                          "  \"scheme\": \"dctcp:MinRto=1ms\",\n"
                                          "  \"arguments\": {\n"
                                          "    \"load\": 0.7,\n"
                                          "    \"topology\": \"leaf-spine:Leaves=3\",\n"
                                          "    \"handshake\": false\n"
                                          "  },\n"
                                          "  \"attributes\": {\n"),
                              0,
                              before);
        NS_TEST_EXPECT_MSG_EQ(holds(before, R"("RngRun": "\d+")"), true, "global values");
        NS_TEST_EXPECT_MSG_EQ(holds(before, R"("SchedulerType": "ns3::)"), true, "global values");
        NS_TEST_EXPECT_MSG_EQ(holds(before, R"(\n  "rng_seed": \d+,\n  "rng_run": \d+,\n)"),
                              true,
                              "seeds are numbers");
        NS_TEST_EXPECT_MSG_EQ(holds(before, R"("suite": "\d+\.\d+\.\d+")"), true, "our version");
        NS_TEST_EXPECT_MSG_EQ(holds(before, R"("ns3": "3[.-])"), true, "ns-3's version");
        NS_TEST_EXPECT_MSG_EQ(holds(before, R"("compiler": "\S+ )"), true, "compiler");
        NS_TEST_EXPECT_MSG_EQ(
            holds(before,
                  R"("command": \["build/bin/fct", "--scheme=dctcp:MinRto=1ms", "--out=a b"\],)"),
            true,
            "the command line, word by word");
        NS_TEST_EXPECT_MSG_EQ(
            holds(before, R"("wall_s": [0-9.e-]+,\n  "events": 2,\n  "simulated_s": 0.0015,\n)"),
            true,
            before);
        NS_TEST_EXPECT_MSG_EQ(
            holds(
                before,
                R"("results": \{\n    "fct_mean_ns": 1234.5,\n    "fct_p99_ns": null\n  \}\n\}\n)"),
            true,
            before);

        const std::string changed = "\"ns3::QueueRecorder::Interval\": \"";
        NS_TEST_EXPECT_MSG_EQ(before.find(changed), std::string::npos, "a default goes unsaid");
        NS_TEST_EXPECT_MSG_NE(after.find(changed), std::string::npos, "another value is told");
        NS_TEST_EXPECT_MSG_EQ(restored.find(changed), std::string::npos, "the default once more");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Recorders add their summaries to the results.
 */
class ReportTestCase : public TestCase
{
  public:
    ReportTestCase()
        : TestCase("summaries of recorders")
    {
    }

  private:
    void DoRun() override
    {
        RunManifest manifest("s", "t");
        auto flows = CreateObject<FlowRecorder>();
        flows->Started(1, 0, 0, 1, 20'000, Time(0), MicroSeconds(10));
        flows->Finished(1, MicroSeconds(30));
        flows->Report(manifest);
        auto queues = CreateObject<QueueRecorder>();
        queues->AddProbe("p", "up", [] { return QueueLength{3000, 2}; });
        queues->Start(Time(0), Time(0));
        LatencyHistogram latency;
        latency.Add(NanoSeconds(200));
        latency.Report(manifest, "latency");
        DropRecorder drops;
        drops.Add("p", DropRecorder::Kind::MARK, "threshold", 2, 3000);
        drops.Report(manifest);
        Simulator::Run();
        queues->Report(manifest);
        const std::string path = CreateTempDirFilename("report.json");
        manifest.Write(path);
        Simulator::Destroy();

        const std::string text = FileText(path);
        for (const auto* line : {"\"flows_started\": 1,",
                                 "\"flows_unfinished\": 0,",
                                 "\"flows_excluded\": 0,",
                                 "\"fct_mean_ns_all\": 30000,",
                                 "\"fct_p99_ns_short\": 30000,",
                                 "\"slowdown_mean_10KB_to_100KB\": 3,",
                                 "\"latency_count\": 1,",
                                 "\"latency_p99_ns\": 200,",
                                 "\"dropped_packets\": 0,",
                                 "\"marked_bytes\": 3000,",
                                 "\"queue_mean_bytes_up\": 3000,",
                                 "\"queue_max_packets_up\": 2\n"})
        {
            NS_TEST_EXPECT_MSG_NE(text.find(line), std::string::npos, line << " in " << text);
        }
        NS_TEST_EXPECT_MSG_EQ(text.find("above_10MB"), std::string::npos, "no such flow");
    }
};

/**
 * @ingroup telemetry-tests
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
        AddTestCase(new ReportTestCase);
    }
};

static RunManifestTestSuite g_runManifestTestSuite; //!< Static variable for test initialization
