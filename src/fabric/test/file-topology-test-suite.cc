/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/input-error.h"
#include "ns3/test.h"

#include <algorithm>
#include <fstream>

using namespace ns3;

namespace
{

/// @brief Two leaves with a host each, and two spines; the links to spine1 are slow.
const std::string LINK_TABLE = R"(what,from,to,rate,delay
# from the hosts up
tier,leaf
tier,spine

link,host0,leaf0,10Gbps,1us
link,host1,leaf1,10Gbps,2us
link,leaf0,spine0,40Gbps,500ns
link,leaf1,spine0,40Gbps,500ns
link,leaf0,spine1,1Gbps,3us
link,spine1,leaf1,1Gbps,3us
)";

} // namespace

/**
 * @ingroup fabric-tests
 * @brief The network built is the one that the file describes.
 */
class FileTopologyTestCase : public TestCase
{
  public:
    FileTopologyTestCase()
        : TestCase("a network from a file")
    {
    }

  private:
    void DoRun() override
    {
        const std::string file = CreateTempDirFilename("links.csv");
        std::ofstream(file) << LINK_TABLE;
        std::string blanks = LINK_TABLE;
        std::ranges::replace(blanks, ',', '\t');
        const std::string odd = CreateTempDirFilename("a:link.txt");
        std::ofstream(odd) << "\xef\xbb\xbf" << blanks << "\r\n";
        for (const std::string& spec : {"file:" + file, "file:File=" + file, "file:" + odd})
        {
            TestNetwork network(spec);
            network.Build();
            const Fabric& fabric = *network.fabric;
            NS_TEST_EXPECT_MSG_EQ(fabric.GetNHosts(), 2, "hosts");
            NS_TEST_EXPECT_MSG_EQ(fabric.GetNSwitches(), 4, "switches");
            NS_TEST_EXPECT_MSG_EQ(fabric.GetNLinks(), 6, "links");
            NS_TEST_EXPECT_MSG_EQ(fabric.GetNRacks(), 2, "racks");
            const auto& port = fabric.GetLink(5)[0]->GetDescription();
            NS_TEST_EXPECT_MSG_EQ(port.name, "spine1:1", "in the order of rows");
            NS_TEST_EXPECT_MSG_EQ(port.role, "spine-leaf", "by tiers");
            NS_TEST_EXPECT_MSG_EQ(port.rate, DataRate("1Gbps"), "rate");
            NS_TEST_EXPECT_MSG_EQ(port.delay, MicroSeconds(3), "delay");
            NS_TEST_EXPECT_MSG_EQ(fabric.GetPath(0, 1).size(), 4, "two ways, of four links");
            const uint16_t route[] = {2, 1, 1}; // over spine0
            network.Send(0, 1, 1500, 0, route);
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(network.recorder.arrivals.size(), 1, "arrives");
            NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals[0].arrived,
                                  1200 + 1000 + 2 * (300 + 500) + 1200 + 2000,
                                  "ns");
        }
        const std::string summary =
            CreateFromSpec<Topology>("--topology", "file:" + file)->GetSummary();
        NS_TEST_EXPECT_MSG_EQ(summary, file + ": 2 hosts, 4 switches, 6 links", "summary");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Each mistake is one line that names file, line and what is allowed.
 */
class FileTopologyErrorTestCase : public TestCase
{
  public:
    FileTopologyErrorTestCase()
        : TestCase("mistakes in a file")
    {
    }

  private:
    void DoRun() override
    {
        Refuses("", {"is empty", "what,from,to,rate,delay"});
        Refuses("tier,leaf\nlink,host0,leaf0,1Gbps,1us\n", {"line 1", "what,from,to,rate,delay"});
        Refuses("from,to\n", {"line 1", "what,from,to,rate,delay"});
        Refuses(With("hub,host2,leaf0,1Gbps,1us"), {"line 12", "what", "'hub'", "tier or link"});
        Refuses(With("tier,leaf"), {"line 12", "from", "'leaf'", "tier already"});
        Refuses(With("tier,host"), {"line 12", "'host'", "name of the hosts"});
        Refuses(With("tier,leaf2"), {"line 12", "'leaf2'", "letters only"});
        Refuses(With("link,host2,leaf3,1Gbps,1us"), {"line 12", "to", "'leaf3'", "leaf2"});
        Refuses(With("link,host3,leaf0,1Gbps,1us"), {"line 12", "from", "'host3'", "host2"});
        Refuses(With("link,host2,leaf00,1Gbps,1us"), {"line 12", "'leaf00'", "leaf2"});
        Refuses(With("link,host2,core0,1Gbps,1us"), {"line 12", "'core0'", "tier"});
        Refuses(With("link,host2,,1Gbps,1us"), {"line 12", "to", "''"});
        Refuses(With("link,leaf0,leaf0,1Gbps,1us"), {"line 12", "'leaf0'", "another end"});
        Refuses(With("link,host0,leaf1,1Gbps,1us"), {"line 12", "from", "'host0'", "has one"});
        Refuses(With("link,leaf1,host0,1Gbps,1us"), {"line 12", "to", "'host0'", "has one"});
        Refuses(With("link,host2,host3,1Gbps,1us"), {"line 12", "'host3'", "switch"});
        Refuses(With("link,host2,leaf0,0Gbps,1us"), {"line 12 rate", "'0Gbps'"});
        Refuses(With("link,host2,leaf0,-1Gbps,1us"), {"line 12 rate", "'-1Gbps'"});
        Refuses(With("link,host2,leaf0,10,1us"), {"line 12 rate", "'10'", "unit"});
        Refuses(With("link,host2,leaf0,1Gbps,soon"), {"line 12 delay", "'soon'"});
        Refuses(With("link,host2,leaf0,1Gbps,-1us"), {"line 12 delay", "'-1us'"});
        Refuses(With("link,host2,leaf0"), {"line 12 rate", "''"});
        Refuses(With("link,host2,leaf0,1Gbps,1us,7"), {"line 12", "6 cells"});
        Refuses(With("link,host2,leaf2,1Gbps,1us"), {"host2", "connected"});
        Refuses("what,from,to,rate,delay\ntier,leaf\nlink,host0,leaf0,1Gbps,1us\n",
                {"1 hosts", "at least 2"});
        try
        {
            CreateFromSpec<Topology>("--topology", "file:absent.csv")->GetSummary();
            NS_TEST_EXPECT_MSG_EQ(true, false, "an absent file was accepted");
        }
        catch (const InputError& error)
        {
            NS_TEST_EXPECT_MSG_EQ(std::string(error.what()).find("file = 'absent.csv'"), 0, "file");
        }
    }

    /**
     * @param row a row
     * @return a good file with the row behind it
     */
    static std::string With(const std::string& row)
    {
        return LINK_TABLE + row + "\n";
    }

    /**
     * @param text of the file
     * @param words texts that the error must contain
     */
    void Refuses(const std::string& text, const std::vector<std::string>& words)
    {
        const std::string file = CreateTempDirFilename("links.csv");
        std::ofstream(file) << text;
        try
        {
            auto fabric = CreateObject<Fabric>();
            CreateFromSpec<Topology>("--topology", "file:" + file)->AddTo(*fabric);
            NS_TEST_EXPECT_MSG_EQ(true, false, "accepted: " << text);
        }
        catch (const InputError& error)
        {
            const std::string message = error.what();
            NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line: " << message);
            NS_TEST_EXPECT_MSG_EQ(message.find(file), 0, "begins with the file: " << message);
            for (const std::string& word : words)
            {
                NS_TEST_EXPECT_MSG_NE(message.find(word),
                                      std::string::npos,
                                      word << " in: " << message);
            }
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of topologies from files.
 */
class FileTopologyTestSuite : public TestSuite
{
  public:
    FileTopologyTestSuite()
        : TestSuite("file-topology", Type::UNIT)
    {
        AddTestCase(new FileTopologyTestCase);
        AddTestCase(new FileTopologyErrorTestCase);
    }
};

static FileTopologyTestSuite g_fileTopologyTestSuite; //!< registers the suite
