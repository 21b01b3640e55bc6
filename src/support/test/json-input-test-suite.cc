/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support-test.h"

#include "ns3/json-input.h"
#include "ns3/test.h"

using namespace ns3;

namespace
{

/**
 * @param source JSON or a path
 * @return the options as a command line
 */
std::string
Read(const std::string& source)
{
    std::string line;
    for (const auto& [name, value] : ReadJsonInput("--from", source, "fct"))
    {
        line += "--" + name + "=" + value.ToString() + " ";
    }
    return line;
}

/**
 * @ingroup support-tests
 * @brief JSON says what the command line says.
 */
class JsonInputTestCase : public TestCase
{
  public:
    JsonInputTestCase()
        : TestCase("options from JSON")
    {
    }

  private:
    void DoRun() override
    {
        const auto expect = [this](const std::string& json, const std::string& line) {
            NS_TEST_EXPECT_MSG_EQ(Read(json), line, json);
        };
        expect(R"({})", "");
        expect(R"({"load": 0.7, "count": 12, "handshake": true, "duration": "20ms"})",
               "--load=0.7 --count=12 --handshake=true --duration=20ms ");
        expect(R"({"large": 18446744073709551615, "small": -3, "tiny": 1e-9})",
               "--large=18446744073709551615 --small=-3 --tiny=1e-09 ");
        expect(R"({"scheme": {"dctcp": null}, "topology": {"dumbbell": {}}})",
               "--scheme=dctcp --topology=dumbbell ");
        expect(R"({"scheme": {"tcp": {"Buffer": "40p", "Persistent": false}}})",
               "--scheme=tcp:Buffer=40p,Persistent=false ");
        expect(R"({"scheme": {"tcp": {"Queue": {"red": {"Inner": {"fifo": {"A": 1, "B": 2}}}}}}})",
               R"(--scheme=tcp:Queue=(red:Inner="fifo:A=1,B=2") )");
        expect(R"({"record": ["flows", {"queues": {"Ports": "leaf0:3,leaf1:3"}}]})",
               R"(--record=flows;queues:Ports="leaf0:3,leaf1:3" )");
        expect(R"({"scenario": "fct", "input": {"load": "0.5"}, "settings": {"load": 0.5}})",
               "--load=0.5 ");

        NS_TEST_EXPECT_MSG_EQ(ReadJsonValue("--scheme", R"({"tcp": {"Queue": "afq"}})"),
                              "tcp:Queue=afq",
                              "an object");
        NS_TEST_EXPECT_MSG_EQ(ReadJsonValue("--record", R"(["flows", {"rates": {}}])"),
                              "flows;rates",
                              "a list");
        NS_TEST_EXPECT_MSG_EQ(ReadJsonValue("--x", " [ \"a\" ]"),
                              "a",
                              "blanks before the first word");
        NS_TEST_EXPECT_MSG_EQ(ReadJsonValue("--x", "{\n\"a\": {}}"), "a", "or a line break");
        NS_TEST_EXPECT_MSG_EQ(ReadJsonValue("--x", "[]").IsEmpty(), true, "none of several");
        expect(R"({"a": ["x:y", "{:"], "b\"a": 1, "c": [{"a": null}, {"a": null}]})",
               R"(--a=x:y;{: --b"a=1 --c=a;a )");
        for (const std::string text : {"dctcp", "{class A groups=0}", "", "[a]", "12"})
        {
            NS_TEST_EXPECT_MSG_EQ(ReadJsonValue("--x", text), text, "is no JSON");
        }

        const std::string path = CreateTempDirFilename("input.json");
        for (const std::string mark : {"", "\xef\xbb\xbf"})
        {
            std::ofstream(path) << mark << "{\"RngRun\": 3}\r\n";
            expect(path, "--RngRun=3 ");
        }
    }
};

/**
 * @ingroup support-tests
 * @brief Anything else is refused in one line that says where.
 */
class JsonInputErrorTestCase : public TestCase
{
  public:
    JsonInputErrorTestCase()
        : TestCase("what JSON cannot say is refused")
    {
    }

  private:
    void DoRun() override
    {
        const auto expect = [this](const std::string& source, const std::string& part) {
            const std::string error = ErrorText([&] { Read(source); });
            NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, source + ": " + error);
            NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line: " + error);
        };
        expect("absent.json", "cannot be read");
        expect("/", "not a regular file");
        expect("{\"load\": 0.7,\n \"x\": }", "line 2");
        expect("{\"load\": 0.7", "no JSON");
        expect("{} {}", "no JSON");
        expect(R"({"load": null})", "--from load");
        expect(R"({"scheme": {"tcp": {}, "dctcp": {}}})", "--from scheme");
        expect(R"({"scheme": {"tcp": {"Queue": {"red": 3}}}})", "--from scheme Queue");
        expect(R"({"scenario": "incast", "input": {}})", "not of fct");
        expect(R"({"record": ["flows", ["drops"]]})", "a list within a list");
        expect(R"({"x": {")" + std::string(10000, 'x') + R"(": 1}})", "xxx...': not a text");
        std::string deep = "1";
        for (int i = 0; i < 1000; ++i)
        {
            deep = R"({"a": {"b": )" + deep + "}}";
        }
        expect(deep, "no JSON");
        const std::string path = CreateTempDirFilename("list.json");
        std::ofstream(path) << "[1, 2]";
        expect(path, "must be a JSON object");
        std::ofstream(path) << "\xff\xfe{\0}\0";
        expect(path, "is UTF-16; save it as UTF-8");
    }
};

/**
 * @ingroup support-tests
 * @brief Tests of input from JSON.
 */
class JsonInputTestSuite : public TestSuite
{
  public:
    JsonInputTestSuite()
        : TestSuite("json-input", Type::UNIT)
    {
        AddTestCase(new JsonInputTestCase);
        AddTestCase(new JsonInputErrorTestCase);
    }
};

static JsonInputTestSuite g_jsonInputTestSuite; //!< Static variable for test initialization

} // namespace
