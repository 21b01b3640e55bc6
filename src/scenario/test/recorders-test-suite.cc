/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/network.h"
#include "ns3/number-text.h"
#include "ns3/object-spec.h"
#include "ns3/recorder.h"
#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/workload.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @ingroup scenario-tests
 * @brief A network with a recorder, as a program without a scenario would have it.
 */
class Recorded
{
  public:
    /**
     * @brief Build both.
     * @param topology specification
     * @param scheme specification
     * @param transports their list; empty: the scheme's
     */
    Recorded(const std::string& topology,
             const std::string& scheme,
             const std::string& transports = "")
    {
        network->SetTopology(topology);
        network->SetScheme(scheme);
        if (!transports.empty())
        {
            network->SetTransports(transports);
        }
    }

    ~Recorded()
    {
        recorder->Dispose();
        network->Dispose();
        Simulator::Destroy();
    }

    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;

    /**
     * @brief Build the network and attach the recorder.
     * @param spec of the recorder
     * @param measured the measured time
     */
    void Attach(const std::string& spec, const TimeWindow& measured)
    {
        network->Build();
        recorder = CreateFromSpec<Recorder>("recorder", spec);
        recorder->Attach(*network, measured);
    }

    /**
     * @brief Start a flow later.
     * @param start its start
     * @param request the flow
     */
    void SendAt(Time start, const FlowRequest& request) const
    {
        Simulator::Schedule(start,
                            [this, request] { network->GetTransports()->StartFlow(request); });
    }

    /**
     * @brief Run, and write the recorder's files.
     * @param folder folder of the files
     * @param end of the run
     */
    void Run(const std::string& folder, Time end)
    {
        recorder->Start(folder);
        Simulator::Stop(end);
        Simulator::Run();
        recorder->Write(folder);
        Results results;
        recorder->ReportResults(results);
        totals = TotalsByName(results);
    }

    Ptr<Network> network{CreateObject<Network>()}; //!< the network
    Ptr<Recorder> recorder;                        //!< its recorder
    std::map<std::string, double> totals;          //!< results that it reported
};

/// Two senders at line rate into one port: its queue has a packet more each 1.2 us.
constexpr const char* STAR = "single-switch:Hosts=3,HostRate=10Gbps";
constexpr const char* DATAGRAMS = "lean;udp:Rate=10Gbps"; //!< theirs is the second transport

} // namespace

/**
 * @ingroup scenario-tests
 * @brief Samples of a queue that grows and drains, against samples of the test's own; the end of
 * the window is included.
 */
class QueuesRecorderTestCase : public TestCase
{
  public:
    QueuesRecorderTestCase()
        : TestCase("queues: file, mean and maximum")
    {
    }

  private:
    void DoRun() override
    {
        Recorded run(STAR, "tcp", DATAGRAMS);
        run.Attach("queues:Interval=10us,From=5us,To=95us,Ports=(switch0:2,host0:0)", {});
        const auto fabric = run.network->GetFabric();
        for (const uint32_t source : {0, 1})
        {
            run.SendAt(NanoSeconds(333),
                       {.source = source, .destination = 2, .bytes = 50'000, .transport = 1});
        }
        std::string rows;
        std::vector<double> bytes;
        std::vector<double> packets;
        for (int64_t time = 5; time <= 95; time += 10)
        {
            Simulator::Schedule(MicroSeconds(time), [&, fabric] {
                const std::string at = SecondsText(Simulator::Now());
                fabric->ForEachPort([&](const FabricPort& port) {
                    const std::string& name = port.GetDescription().name;
                    if (name != "switch0:2" && name != "host0:0")
                    {
                        return;
                    }
                    rows += at + "," + name + "," + std::to_string(port.GetWaitingBytes()) + "," +
                            std::to_string(port.GetWaitingPackets()) + "\n";
                    if (name == "switch0:2")
                    {
                        bytes.push_back(port.GetWaitingBytes());
                        packets.push_back(port.GetWaitingPackets());
                    }
                });
            });
        }
        const std::string folder = CreateTempDirFilename("");
        run.Run(folder, MicroSeconds(200));
        NS_TEST_EXPECT_MSG_EQ(FileText(folder + "/queues.csv"),
                              "time_s,port,bytes,packets\n" + rows,
                              "each port in each sample");
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), 10, "from 5 to 95 us");
        const double most = *std::ranges::max_element(packets);
        NS_TEST_EXPECT_MSG_GT(most, 20, "half of 70 packets wait in the end");
        const std::string role = "switch-host";
        NS_TEST_EXPECT_MSG_EQ(run.totals.at("queue_max_packets_" + role), most, "packets");
        NS_TEST_EXPECT_MSG_EQ(run.totals.at("queue_max_bytes_" + role),
                              *std::ranges::max_element(bytes),
                              "bytes");
        const auto mean = [](const std::vector<double>& values) {
            return std::accumulate(values.begin(), values.end(), 0.0) / values.size();
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(run.totals.at("queue_mean_bytes_" + role),
                                  mean(bytes),
                                  1e-9,
                                  "bytes, empty samples too");
        NS_TEST_EXPECT_MSG_EQ_TOL(run.totals.at("queue_mean_packets_" + role),
                                  mean(packets),
                                  1e-9,
                                  "packets");
    }
};

/**
 * @ingroup scenario-tests
 * @brief A recorder that goes away samples no more.
 */
class QueuesRecorderEndTestCase : public TestCase
{
  public:
    QueuesRecorderEndTestCase()
        : TestCase("queues: ends early")
    {
    }

  private:
    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("");
        Recorded run(STAR, "tcp");
        run.Attach("queues:Interval=1us,From=1us,To=100us", {});
        run.recorder->Start(folder);
        Simulator::Schedule(MicroSeconds(2), [&run] { run.recorder->Dispose(); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(2), "nothing is scheduled any more");
    }
};

/**
 * @ingroup scenario-tests
 * @brief Packets of each flow in a queue, against what the test sees there.
 */
class OccupancyRecorderTestCase : public TestCase
{
  public:
    OccupancyRecorderTestCase()
        : TestCase("occupancy: packets per flow")
    {
    }

  private:
    void DoRun() override
    {
        Recorded run("single-switch:Hosts=6,HostRate=10Gbps", "tcp", DATAGRAMS);
        run.Attach("occupancy:Interval=10us,From=5us,To=95us", {});
        const auto fabric = run.network->GetFabric();
        for (const uint32_t receiver : {2, 5}) // two senders each, so that both queues fill
        {
            run.SendAt(
                NanoSeconds(333),
                {.source = receiver - 2, .destination = receiver, .bytes = 50'000, .transport = 1});
            run.SendAt(
                MicroSeconds(20),
                {.source = receiver - 1, .destination = receiver, .bytes = 50'000, .transport = 1});
        }
        std::map<std::size_t, uint64_t> counts; // by packets
        double flows = 0;
        for (int64_t time = 5; time <= 95; time += 10)
        {
            Simulator::Schedule(MicroSeconds(time), [&, fabric] {
                std::map<uint32_t, std::size_t> waiting; // packets by flow
                for (const uint32_t receiver : {2, 5})
                {
                    fabric->GetSwitch(0).GetPort(receiver).ForEachWaiting(
                        [&waiting](const FabricItem& item) { ++waiting[item.hash]; });
                }
                for (const auto& [flow, packets] : waiting)
                {
                    ++counts[packets];
                }
                flows += static_cast<double>(waiting.size());
            });
        }
        const std::string folder = CreateTempDirFilename("");
        run.Run(folder, MicroSeconds(200));
        std::string rows;
        for (const auto& [packets, count] : counts)
        {
            rows += "switch-host," + std::to_string(packets) + "," + std::to_string(count) + "\n";
        }
        NS_TEST_EXPECT_MSG_GT(counts.size(), 3, "the queue grows and drains");
        NS_TEST_EXPECT_MSG_EQ(FileText(folder + "/occupancy.csv"),
                              "role,packets,count\n" + rows,
                              "file");
        NS_TEST_EXPECT_MSG_EQ_TOL(run.totals.at("switch_flows_mean_switch"),
                                  flows / 10,
                                  1e-12,
                                  "over all snapshots");
        NS_TEST_EXPECT_MSG_EQ(run.totals.at("switch_flows_max_switch"), 4, "of both queues");
    }
};

/**
 * @ingroup scenario-tests
 * @brief Drops and marks by port and reason, of a port that has a small buffer.
 */
class DropsRecorderTestCase : public TestCase
{
  public:
    DropsRecorderTestCase()
        : TestCase("drops: by port and reason, and over time")
    {
    }

  private:
    void DoRun() override
    {
        Recorded run(STAR, "dctcp:EdgeBuffer=30kB,MarkThreshold=15kB", DATAGRAMS);
        run.Attach("drops:Bin=50us", {});
        for (const uint32_t source : {0, 1})
        {
            run.SendAt(Time(0),
                       {.source = source, .destination = 2, .bytes = 147'200, .transport = 1});
        }
        const std::string folder = CreateTempDirFilename("");
        run.Run(folder, MicroSeconds(300));
        // 200 packets in 120 us, of which half go on meanwhile and 20 wait.
        const double drops = run.totals.at("dropped_packets");
        NS_TEST_EXPECT_MSG_EQ_TOL(drops, 80.0, 2.0, "no room");
        NS_TEST_EXPECT_MSG_EQ(run.totals.at("dropped_bytes"), 1500 * drops, "full packets");
        NS_TEST_EXPECT_MSG_EQ(run.totals.at("marked_packets"), 0, "datagrams cannot be marked");
        const auto& counts =
            run.network->GetFabric()->GetSwitch(0).GetPort(2).GetQueueDisc().GetDropCounts();
        NS_TEST_ASSERT_MSG_EQ(counts.size(), 1, "one reason");
        const auto& [reason, packets, bytes] = counts.front();
        NS_TEST_EXPECT_MSG_EQ(FileText(folder + "/drops.csv"),
                              "port,kind,reason,packets,bytes\nswitch0:2,drop," +
                                  std::string(reason) + "," + std::to_string(packets) + "," +
                                  std::to_string(bytes) + "\n",
                              "a port with nothing has no row");
        std::istringstream bins(FileText(folder + "/drops_over_time.csv"));
        std::string row;
        std::getline(bins, row);
        NS_TEST_EXPECT_MSG_EQ(row, "time_s,drops,marks", "columns");
        double sum = 0;
        while (std::getline(bins, row))
        {
            sum += std::stod(row.substr(row.find(',') + 1));
        }
        NS_TEST_EXPECT_MSG_EQ(sum, drops, "each in its bin");
    }
};

/**
 * @ingroup scenario-tests
 * @brief Tasks that start in the measured time, against what the workload tells.
 */
class TasksRecorderTestCase : public TestCase
{
  public:
    TasksRecorderTestCase()
        : TestCase("tasks: rows and number")
    {
    }

  private:
    void DoRun() override
    {
        Recorded run(STAR, "tcp");
        run.Attach("tasks", {MicroSeconds(80), Time::Max()});
        const auto workload = CreateFromSpec<Workload>(
            "workload",
            "request:Clients=1,Outstanding=1,RequestSizes=fixed:Bytes=64,Sizes=fixed:Bytes=2048,"
            "Jitter=0ns,Stop=200us");
        workload->AssignStreams(1);
        run.recorder->Watch(workload);
        m_tasks.clear();
        workload->TraceConnectWithoutContext("TaskFinished",
                                             MakeCallback(&TasksRecorderTestCase::Note, this));
        Simulator::ScheduleNow([&] { workload->Start(run.network->GetTransports(), {0, 1, 2}); });
        const std::string folder = CreateTempDirFilename("");
        run.Run(folder, MilliSeconds(2));
        uint32_t measured = 0;
        std::string rows;
        for (const TaskRecord& task : m_tasks)
        {
            if (task.started >= MicroSeconds(80))
            {
                const Time duration = task.finished - task.started;
                ++measured;
                rows += std::to_string(task.task) + ",task," + std::to_string(task.group) + "," +
                        std::to_string(task.starter) + "," + NanosecondsText(task.started) + "," +
                        NanosecondsText(duration) + ",2,2112,0\n";
            }
        }
        NS_TEST_ASSERT_MSG_GT(measured, 2, "measured");
        NS_TEST_EXPECT_MSG_LT(measured, m_tasks.size(), "the first are left out");
        NS_TEST_EXPECT_MSG_EQ(FileText(folder + "/tasks.csv"),
                              "task,step,group,starter,start_ns,duration_ns,flows,bytes,"
                              "lost_bytes\n" +
                                  rows,
                              "a row each");
        NS_TEST_EXPECT_MSG_EQ(run.totals.at("task_count"), measured, "number");
        NS_TEST_EXPECT_MSG_EQ(run.totals.contains("request_count"), false, "one step");
    }

    /**
     * @brief A task is over.
     * @param record the task
     */
    void Note(const TaskRecord& record)
    {
        m_tasks.push_back(record);
    }

    std::vector<TaskRecord> m_tasks; //!< in the order in which they ended
};

/**
 * @ingroup scenario-tests
 * @brief Delays of lone packets and of packets that meet, computed by hand.
 */
class DelaysRecorderTestCase : public TestCase
{
  public:
    /// @param forwarding time that a switch takes to forward
    explicit DelaysRecorderTestCase(Time forwarding)
        : TestCase("delays: network latency and queueing, forwarding in " +
                   std::to_string(forwarding.GetMicroSeconds()) + " us"),
          m_forwarding(forwarding)
    {
    }

  private:
    void DoRun() override
    {
        Recorded run("fat-tree:K=4,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps,LinkDelay=5us",
                     "tcp",
                     "lean;udp");
        run.network->GetFabric()->SetAttribute("ForwardingDelay", TimeValue(m_forwarding));
        run.Attach("delays", {MilliSeconds(1), MilliSeconds(2)});
        const auto send = [&run](Time start, uint32_t source) {
            run.SendAt(start, {.source = source, .destination = 15, .bytes = 1472, .transport = 1});
        };
        send(Time(0), 0); // outside the measured time
        send(MilliSeconds(1), 0);
        send(MicroSeconds(1500), 4); // these two meet on the way, at the last port at the latest
        send(MicroSeconds(1500), 8);
        send(MilliSeconds(2), 0); // outside
        const std::string folder = CreateTempDirFilename("");
        run.Run(folder, MilliSeconds(3));

        // Five transmissions of 12 us and four links of 5 us between the first and the last switch,
        // and five switches.
        const double alone = 80 + 5.0 * static_cast<double>(m_forwarding.GetMicroSeconds());
        const auto& totals = run.totals;
        NS_TEST_EXPECT_MSG_EQ_TOL(totals.at("network_latency_mean_us"),
                                  alone + 4,
                                  1e-9,
                                  "one of three waits");
        NS_TEST_EXPECT_MSG_EQ(totals.at("network_latency_max_us"), alone + 12, "behind another");
        double mean = 0; // by roles of ports
        double most = 0;
        for (const std::string role : {"edge-aggregation",
                                       "aggregation-core",
                                       "core-aggregation",
                                       "aggregation-edge",
                                       "edge-host"})
        {
            mean += totals.at("queueing_" + role + "_mean_us");
            most = std::max(most, totals.at("queueing_" + role + "_max_us"));
        }
        NS_TEST_EXPECT_MSG_EQ(most, 12, "behind another, at one port");
        NS_TEST_EXPECT_MSG_EQ(mean, 4, "one of three");
        NS_TEST_EXPECT_MSG_EQ(totals.at("queueing_mean_us"), 4, "at all ports");
        NS_TEST_EXPECT_MSG_EQ(totals.contains("queueing_host-edge_max_us"),
                              false,
                              "hosts do not count");
        std::istringstream bins(FileText(folder + "/network_latency.csv"));
        uint64_t packets = 0;
        std::string row;
        for (std::getline(bins, row); std::getline(bins, row);)
        {
            packets += std::stoull(row.substr(row.rfind(',') + 1));
        }
        NS_TEST_EXPECT_MSG_EQ(packets, 3, "in the measured time");
    }

    Time m_forwarding; //!< time that a switch takes to forward
};

/**
 * @ingroup scenario-tests
 * @brief Keeps the second packet back until three others have passed.
 */
class HoldingStage : public IngressStage
{
  public:
    /// @param home its switch
    explicit HoldingStage(FabricSwitch& home)
        : m_home(home)
    {
    }

    bool Process(FabricItem* item) override
    {
        const uint32_t number = m_packets++;
        if (number == 1)
        {
            m_held = item;
            return false;
        }
        if (number == 4)
        {
            Simulator::ScheduleNow([this] { m_home.Receive(m_held); });
        }
        return true;
    }

  private:
    FabricSwitch& m_home;        //!< its switch
    uint32_t m_packets{0};       //!< that came
    FabricItem* m_held{nullptr}; //!< the second
};

/**
 * @ingroup scenario-tests
 * @brief Packets sent in the order 0 to 5 that arrive in the order 0, 2, 3, 4, 1, 5.
 */
class DisorderTestCase : public TestCase
{
  public:
    DisorderTestCase()
        : TestCase("delays: order of arrival")
    {
    }

  private:
    void DoRun() override
    {
        Recorded run(STAR, "tcp", "lean;udp");
        run.Attach("delays", {});
        FabricSwitch& middle = run.network->GetFabric()->GetSwitch(0);
        HoldingStage stage(middle);
        middle.AddIngressStage(&stage);
        run.SendAt(Time(0), {.source = 0, .destination = 2, .bytes = 6 * 1472, .transport = 1});
        run.Run(CreateTempDirFilename(""), MilliSeconds(1));
        // Packet 1 is three places late, and 2, 3 and 4 came before it.
        NS_TEST_EXPECT_MSG_EQ_TOL(run.totals.at("displaced_by_3_share"), 1.0 / 6, 1e-12, "place");
        NS_TEST_EXPECT_MSG_EQ_TOL(run.totals.at("overtaken_by_3_share"), 1.0 / 6, 1e-12, "before");
    }
};

/**
 * @ingroup scenario-tests
 * @brief Packets that arrive in order behind others that a full queue dropped.
 */
class OrderAfterLossTestCase : public TestCase
{
  public:
    OrderAfterLossTestCase()
        : TestCase("delays: a lost packet displaces none")
    {
    }

  private:
    void DoRun() override
    {
        Recorded run(STAR, "tcp:EdgeBuffer=4500B", DATAGRAMS);
        run.Attach("delays", {});
        uint64_t lost = 0;
        run.network->GetFabric()->ForEachPort([&lost](FabricPort& port) {
            port.GetQueueDisc().TraceConnectWithoutContext(
                "ItemDrop",
                Callback<void, const FabricItem*, const char*>(
                    [&lost](const FabricItem*, const char*) { ++lost; }));
        });
        const auto send = [&run](Time start, uint32_t source, uint32_t packets) {
            run.SendAt(
                start,
                {.source = source, .destination = 2, .bytes = packets * 1472, .transport = 1});
        };
        send(Time(0), 0, 20); // both overflow the port to host 2
        send(Time(0), 1, 20);
        send(MicroSeconds(100), 0, 6);
        send(MicroSeconds(200), 1, 6);
        run.Run(CreateTempDirFilename(""), MilliSeconds(1));
        NS_TEST_EXPECT_MSG_GT_OR_EQ(lost, 10, "of the first 40");
        NS_TEST_EXPECT_MSG_EQ(run.totals.at("displaced_by_3_share"), 0, "the others came in order");
    }
};

/**
 * @ingroup scenario-tests
 * @brief Flows in the measured time: counts and rows.
 */
class FlowsRecorderTestCase : public TestCase
{
  public:
    FlowsRecorderTestCase()
        : TestCase("flows: counts and rows")
    {
    }

  private:
    void DoRun() override
    {
        Recorded run(STAR, "tcp");
        run.Attach("flows", {MicroSeconds(10), MicroSeconds(600)});
        for (const Time& start : {MicroSeconds(5), MicroSeconds(10), MicroSeconds(600)})
        {
            run.SendAt(start, {.source = 0, .destination = 1, .bytes = 10'000});
        }
        const std::string folder = CreateTempDirFilename("");
        run.Run(folder, MilliSeconds(2));
        const std::map<std::string, double> expected{{"flows_started", 1},
                                                     {"flows_finished", 1},
                                                     {"flows_unfinished", 0},
                                                     {"flows_excluded", 2},
                                                     {"flows_started_all", 1},
                                                     {"flows_finished_all", 1}};
        for (const auto& [name, value] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(run.totals.at(name), value, name);
        }
        const std::string text = FileText(folder + "/flows.csv");
        NS_TEST_EXPECT_MSG_EQ(std::ranges::count(text, '\n'), 2, "a header and a row");
        NS_TEST_EXPECT_MSG_NE(text.find("\n2,0,0,1,10000,10000,"), std::string::npos, "flow 2");
    }
};

/**
 * @ingroup scenario-tests
 * @brief Tests of the recorders on networks of their own.
 */
class RecordersTestSuite : public TestSuite
{
  public:
    RecordersTestSuite()
        : TestSuite("recorders", Type::UNIT)
    {
        AddTestCase(new QueuesRecorderTestCase, Duration::QUICK);
        AddTestCase(new QueuesRecorderEndTestCase, Duration::QUICK);
        AddTestCase(new OccupancyRecorderTestCase, Duration::QUICK);
        AddTestCase(new DropsRecorderTestCase, Duration::QUICK);
        AddTestCase(new TasksRecorderTestCase, Duration::QUICK);
        AddTestCase(new DelaysRecorderTestCase(Time(0)), Duration::QUICK);
        AddTestCase(new DelaysRecorderTestCase(MicroSeconds(25)), Duration::QUICK);
        AddTestCase(new DisorderTestCase, Duration::QUICK);
        AddTestCase(new OrderAfterLossTestCase, Duration::QUICK);
        AddTestCase(new FlowsRecorderTestCase, Duration::QUICK);
    }
};

static RecordersTestSuite g_recordersTestSuite; //!< Static variable for test initialization
