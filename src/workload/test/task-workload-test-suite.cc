/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/poisson-workload.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/task-runner.h"
#include "ns3/tenant-statements.h"
#include "ns3/tenant-workloads.h"
#include "ns3/test.h"
#include "ns3/transport.h"
#include "ns3/workload.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @brief A transport on which every flow takes a fixed time, or as long as the test says.
class TimedTransport : public Transport
{
  public:
    /// @brief A flow's life.
    struct Life
    {
        FlowRequest request;    //!< as asked for
        Time begun;             //!< start of the flow
        Time over{Time::Max()}; //!< time at which it finished, or was stopped
        bool stopped{false};    //!< true if it was stopped
    };

    std::map<FlowId, Life> flows;                             //!< all, by number
    std::function<Time(const FlowRequest& request)> duration; //!< time that a flow takes
    Time acknowledgment; //!< above 0: data arrives so long before its sender knows

    std::string GetSummary() const override
    {
        return "takes a time per flow";
    }

    void StopFlow(FlowId flow) override
    {
        if (const auto known = flows.find(flow); known != flows.end())
        {
            known->second.stopped = true;
            Finish(flow);
        }
    }

    PacketSizes GetPacketSizes() const override
    {
        return {1460, 40, 40};
    }

    /**
     * @brief Most flows that are under way at one time.
     * @param matches tells the flows that count
     * @return their number
     */
    uint32_t GetPeak(const std::function<bool(const FlowRequest&)>& matches) const
    {
        std::multimap<int64_t, int> changes;
        for (const auto& [id, life] : flows)
        {
            if (matches(life.request))
            {
                changes.emplace(2 * life.begun.GetTimeStep() + 1, 1);
                changes.emplace(2 * life.over.GetTimeStep(), -1); // ends before others begin
            }
        }
        int now = 0;
        int peak = 0;
        for (const auto& [at, change] : changes)
        {
            now += change;
            peak = std::max(peak, now);
        }
        return peak;
    }

  private:
    void DoAttach() override
    {
    }

    void DoStartFlow(const FlowRecord& record) override
    {
        flows[record.id] = {record.request, Simulator::Now()};
        if (duration)
        {
            const Time over = duration(record.request);
            if (acknowledgment.IsZero())
            {
                const auto bytes = static_cast<uint32_t>(record.request.bytes);
                Simulator::Schedule(over, &TimedTransport::Deliver, this, record.id, bytes);
            }
            Simulator::Schedule(over, &TimedTransport::Finish, this, record.id);
            if (acknowledgment.IsStrictlyPositive())
            {
                const auto half = static_cast<uint32_t>(record.request.bytes / 2);
                const auto rest = static_cast<uint32_t>(record.request.bytes) - half;
                for (const uint32_t bytes : {half, rest})
                {
                    Simulator::Schedule(over - acknowledgment,
                                        &TimedTransport::Deliver,
                                        this,
                                        record.id,
                                        bytes);
                }
            }
        }
    }

    void Deliver(FlowId flow, uint32_t bytes)
    {
        FlowRecord record;
        record.id = flow;
        record.request = flows.at(flow).request;
        NotifyDelivered(record, bytes);
    }

    void Finish(FlowId flow)
    {
        Life& life = flows.at(flow);
        if (life.over == Time::Max())
        {
            life.over = Simulator::Now();
            FlowRecord record;
            record.id = flow;
            record.request = life.request;
            NotifyFinished(record);
        }
    }
};

/**
 * @brief A star of hosts with a transport.
 * @param hosts number of hosts
 * @param duration time that each flow takes; 0: for ever
 * @return the transport
 */
Ptr<TimedTransport>
CreateTransport(uint32_t hosts, Time duration)
{
    auto fabric = CreateObject<Fabric>();
    fabric->SetTierNames({"host", "switch"});
    const auto hub = fabric->AddSwitch(1);
    for (uint32_t i = 0; i < hosts; ++i)
    {
        fabric->Connect(fabric->AddHost(), hub, DataRate("10Gbps"), MicroSeconds(1));
    }
    fabric->Build();
    auto transport = CreateObject<TimedTransport>();
    transport->Attach(fabric);
    if (duration.IsStrictlyPositive())
    {
        transport->duration = [duration](const FlowRequest&) { return duration; };
    }
    return transport;
}

/**
 * @brief Make tenants.
 * @param statements as AddTenantStatement() takes them
 * @return the table
 */
Ptr<TenantTable>
CreateTenants(const std::vector<std::string>& statements)
{
    auto table = CreateObject<TenantTable>();
    for (const auto& statement : statements)
    {
        AddTenantStatement(*table, "test", statement);
    }
    return table;
}

/// @brief A test with a transport and the tasks that were over.
class TaskTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * @brief Run a workload on hosts.
     * @param spec kind and attributes
     * @param hosts number of hosts
     * @param duration time that a flow takes
     * @param end end of the simulation
     */
    void Run(const std::string& spec, uint32_t hosts, Time duration, Time end)
    {
        m_tasks.clear();
        m_transport = CreateTransport(hosts, duration);
        m_workload = CreateFromSpec<Workload>("--workload", spec);
        m_workload->AssignStreams(1);
        m_workload->TraceConnectWithoutContext("TaskFinished",
                                               MakeCallback(&TaskTestCase::Note, this));
        m_workload->Start(CreateObject<Transports>(m_transport), AllHosts(hosts));
        Simulator::Stop(end);
        Simulator::Run();
    }

    /// @brief Clean up after Run().
    void Close()
    {
        Simulator::Destroy();
        m_workload = nullptr;
        m_transport = nullptr;
    }

    /**
     * @brief A task or step is over.
     * @param record the record
     */
    void Note(const TaskRecord& record)
    {
        m_tasks.push_back(record);
    }

    /**
     * @brief The error of a workload.
     * @param spec kind and attributes
     * @param hosts number of hosts
     * @return the error; empty if there is none
     */
    static std::string Complaint(const std::string& spec, uint32_t hosts)
    {
        try
        {
            auto workload = CreateFromSpec<Workload>("--workload", spec);
            workload->AssignStreams(1);
            workload->Prepare(AllHosts(hosts));
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }

    Ptr<TimedTransport> m_transport; //!< on which the workload ran
    Ptr<Workload> m_workload;        //!< the workload
    std::vector<TaskRecord> m_tasks; //!< told by it
};

} // namespace

/**
 * @ingroup workload-tests
 * @brief A flow of a task is over when its data has arrived, not when its sender knows.
 */
class TaskDeliveryTestCase : public TestCase
{
  public:
    TaskDeliveryTestCase()
        : TestCase("who waits for data does not wait for its acknowledgment")
    {
    }

  private:
    void DoRun() override
    {
        const auto transport = CreateTransport(2, MicroSeconds(15));
        transport->acknowledgment = MicroSeconds(5);
        std::vector<TaskRecord> over;
        TaskRunner runner([&transport](const FlowRequest& r) { return transport->StartFlow(r); },
                          [&over](const TaskRecord& record, bool) { over.push_back(record); },
                          {"exchange"});
        transport->AddObserver(&runner);
        TaskPlan plan;
        plan.flows = {{0, 1, 1001}, {1, 0, 7}};
        plan.flows[1].after = {0};
        runner.Run(plan);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(over.size(), 1, "the task");
        NS_TEST_EXPECT_MSG_EQ(over[0].finished, MicroSeconds(20), "10 us there, 10 us back");
        NS_TEST_EXPECT_MSG_EQ(runner.GetRunning(), 0, "none is left");
        Simulator::Destroy();
    }
};

/**
 * @ingroup workload-tests
 * @brief Tasks of random flows with random dependencies: each begins when the last that it waits
 * for is over.
 */
class TaskRunnerTestCase : public TestCase
{
  public:
    TaskRunnerTestCase()
        : TestCase("dependent flows begin when they may, and not before")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (uint32_t trial = 0; trial < 100; ++trial)
        {
            const uint32_t parallel = random->GetInteger(0, 2);
            const auto transport = CreateTransport(5, Time());
            transport->duration = [random](const FlowRequest&) {
                return NanoSeconds(random->GetInteger(1, 5));
            };
            std::vector<TaskRecord> records;
            TaskRunner runner(
                [&](const FlowRequest& request) { return transport->StartFlow(request); },
                [&](const TaskRecord& record, bool) { records.push_back(record); },
                {"a", "b"},
                parallel);
            transport->AddObserver(&runner);
            const TaskPlan plan = Draw(random);
            runner.Run(plan);
            Simulator::Run();
            Check(plan, *transport, parallel);
            NS_TEST_ASSERT_MSG_EQ(runner.GetRunning(), 0, "over");
            NS_TEST_ASSERT_MSG_EQ(records.back().step, "task", "the task is told last");
            NS_TEST_ASSERT_MSG_EQ(records.back().flows, plan.flows.size(), "all its flows");
            Simulator::Destroy();
        }
        Delays();
    }

    /// A flow waits for another, and then for its delay; a task that is given up starts no more.
    void Delays()
    {
        for (const bool isGivenUp : {false, true})
        {
            const auto transport = CreateTransport(3, MicroSeconds(10));
            TaskRunner runner(
                [&](const FlowRequest& request) { return transport->StartFlow(request); },
                [](const TaskRecord&, bool) {},
                {"a"});
            transport->AddObserver(&runner);
            TaskPlan plan;
            plan.flows = {{0, 1, 1}, {1, 2, 2, 0, {0}, MicroSeconds(7)}};
            plan.flows[0].delay = MicroSeconds(3);
            runner.Run(plan);
            if (isGivenUp)
            {
                Simulator::Schedule(MicroSeconds(15), &TaskRunner::Cancel, &runner);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(transport->flows.size(), (isGivenUp ? 1 : 2), "started");
            for (const auto& [id, life] : transport->flows)
            {
                const uint64_t at = life.request.bytes == 1 ? 3 : 20;
                NS_TEST_EXPECT_MSG_EQ(life.begun,
                                      MicroSeconds(at),
                                      "delay counts from when it may");
            }
            Simulator::Destroy();
        }
    }

    /**
     * @brief Draw a task.
     * @param random draws it
     * @return the task
     */
    static TaskPlan Draw(Ptr<UniformRandomVariable> random)
    {
        TaskPlan plan;
        const uint32_t count = random->GetInteger(1, 12);
        for (uint32_t i = 0; i < count; ++i)
        {
            const uint32_t source = random->GetInteger(0, 4);
            TaskFlow flow{source, (source + random->GetInteger(1, 4)) % 5, i + 1};
            flow.step = random->GetInteger(0, 1);
            for (uint32_t earlier = 0; earlier < i; ++earlier)
            {
                if (random->GetValue() < 0.3)
                {
                    flow.after.push_back(earlier);
                }
            }
            plan.flows.push_back(flow);
        }
        return plan;
    }

    /**
     * @brief Hold the lives of flows against the plan.
     * @param plan the plan
     * @param transport has run the flows; the bytes of a flow are its place, plus 1
     * @param parallel flows that one receives at a time
     */
    void Check(const TaskPlan& plan, const TimedTransport& transport, uint32_t parallel)
    {
        NS_TEST_ASSERT_MSG_EQ(transport.flows.size(), plan.flows.size(), "each flow once");
        std::vector<const TimedTransport::Life*> lives(plan.flows.size());
        for (const auto& [id, life] : transport.flows)
        {
            lives[life.request.bytes - 1] = &life;
        }
        for (uint32_t i = 0; i < plan.flows.size(); ++i)
        {
            Time earliest;
            for (const uint32_t before : plan.flows[i].after)
            {
                earliest = std::max(earliest, lives[before]->over);
            }
            NS_TEST_ASSERT_MSG_GT_OR_EQ(lives[i]->begun, earliest, "flow " << i << " waits");
            NS_TEST_ASSERT_MSG_EQ((parallel > 0 || lives[i]->begun == earliest),
                                  true,
                                  "flow " << i << " begins at once");
            NS_TEST_ASSERT_MSG_EQ(lives[i]->request.task, 1, "number of the task");
        }
        for (uint32_t host = 0; host < 5 && parallel > 0; ++host)
        {
            NS_TEST_ASSERT_MSG_LT_OR_EQ(
                transport.GetPeak([host](const auto& flow) { return flow.destination == host; }),
                parallel,
                "flows to host " << host);
        }
    }
};

/**
 * @ingroup workload-tests
 * @brief Requests in a closed loop and with several servers.
 */
class RequestTestCase : public TaskTestCase
{
  public:
    RequestTestCase()
        : TaskTestCase("requests: closed loop, fan-out")
    {
    }

  private:
    void DoRun() override
    {
        ClosedLoop();
        FanOut();
        OpenLoop();
        OneAfterAnother();
        NS_TEST_EXPECT_MSG_EQ(Complaint("request:FlowRate=1,Sizes=fixed:Bytes=1,FanOut=3", 4),
                              "request:FanOut = '3': client 0 has 2 servers on other hosts",
                              "too many servers");
        NS_TEST_EXPECT_MSG_EQ(
            Complaint("request:FlowRate=1,Sizes=fixed:Bytes=1,RequestSizes=nothing", 4).empty(),
            false,
            "no distribution");
    }

    /// Two clients keep three requests each, every one 10 us there and 10 us back, for 1 ms.
    void ClosedLoop()
    {
        Run("request:Clients=2,Outstanding=3,RequestSizes=fixed:Bytes=64,Sizes=fixed:Bytes=2048,"
            "Jitter=0ns,Stop=1ms",
            5,
            MicroSeconds(10),
            MilliSeconds(2));
        NS_TEST_EXPECT_MSG_EQ(m_tasks.size(), 300, "2 x 3 x 1000 / 20");
        NS_TEST_EXPECT_MSG_EQ(m_workload->IsOver(), true, "over");
        for (const auto& task : m_tasks)
        {
            NS_TEST_EXPECT_MSG_EQ(task.finished - task.started, MicroSeconds(20), "there and back");
            NS_TEST_EXPECT_MSG_EQ(task.flows, 2, "request and response");
            NS_TEST_EXPECT_MSG_EQ(task.bytes, 2112, "bytes");
        }
        for (uint32_t client = 0; client < 2; ++client)
        {
            const auto ofClient = [client](const FlowRequest& flow) {
                return flow.source == client || flow.destination == client;
            };
            NS_TEST_EXPECT_MSG_EQ(m_transport->GetPeak(ofClient), 3, "never more");
        }
        for (const auto& [id, life] : m_transport->flows)
        {
            const bool isRequest = life.request.source < 2;
            NS_TEST_EXPECT_MSG_EQ(life.request.bytes, (isRequest ? 64 : 2048), "size");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(
                (isRequest ? life.request.destination : life.request.source),
                2,
                "servers are the others");
        }
        Close();
    }

    /// A query of Trinity, Section 5.3: all eight servers are asked, the last answer counts.
    void FanOut()
    {
        Run("request:Clients=8,FanOut=0,FlowRate=1600,RequestSizes=fixed:Bytes=32,"
            "Sizes=fixed:Bytes=1048,Stop=1s",
            16,
            MicroSeconds(5),
            Seconds(2));
        NS_TEST_EXPECT_MSG_EQ_TOL(m_tasks.size(), 1600, 160, "queries in a second");
        for (const auto& task : m_tasks)
        {
            NS_TEST_EXPECT_MSG_EQ(task.flows, 16, "eight there, eight back");
            NS_TEST_EXPECT_MSG_EQ(task.bytes, 8 * (32 + 1048), "bytes");
        }
        std::map<uint32_t, std::set<uint32_t>> asked;
        for (const auto& [id, life] : m_transport->flows)
        {
            if (life.request.bytes == 32)
            {
                asked[life.request.task].insert(life.request.destination);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(asked.begin()->second.size(), 8, "different servers");
        Close();
    }

    /// Ten requests of 20 us, one after the other.
    void OneAfterAnother()
    {
        Run("request:Clients=1,Outstanding=1,RequestSizes=fixed:Bytes=64,Sizes=fixed:Bytes=2048,"
            "Jitter=0ns,Stop=200us",
            2,
            MicroSeconds(10),
            MilliSeconds(2));
        NS_TEST_ASSERT_MSG_EQ(m_tasks.size(), 10, "told");
        for (uint32_t i = 0; i < m_tasks.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_tasks[i].task, i + 1, "number");
            NS_TEST_EXPECT_MSG_EQ(m_tasks[i].started, i * MicroSeconds(20), "start");
            NS_TEST_EXPECT_MSG_EQ(m_tasks[i].finished, (i + 1) * MicroSeconds(20), "end");
            NS_TEST_EXPECT_MSG_EQ(m_tasks[i].flows, 2, "request and response");
            NS_TEST_EXPECT_MSG_EQ(m_tasks[i].bytes, 2112, "of both");
            NS_TEST_EXPECT_MSG_EQ(m_tasks[i].step, "task", "one step: only the task is told");
        }
        Close();
    }

    /// Without sizes of requests there are only responses.
    void OpenLoop()
    {
        Run("request:FlowRate=10000,Sizes=fixed:Bytes=1000,Stop=10ms",
            8,
            MicroSeconds(5),
            MilliSeconds(20));
        NS_TEST_EXPECT_MSG_EQ(m_tasks.size(), m_transport->flows.size(), "a task per response");
        NS_TEST_EXPECT_MSG_EQ(m_workload->IsOver(), true, "over");
        for (const auto& [id, life] : m_transport->flows)
        {
            NS_TEST_EXPECT_MSG_LT(life.request.destination, 4, "to a client");
        }
        Close();
    }
};

/**
 * @ingroup workload-tests
 * @brief Shuffles.
 */
class ShuffleTestCase : public TaskTestCase
{
  public:
    ShuffleTestCase()
        : TaskTestCase("shuffle: pairs, connections, limits, jobs")
    {
    }

  private:
    void DoRun() override
    {
        // Trinity, Section 5.3: 8 mappers to 4 reducers over 2 connections each.
        Run("shuffle:Mappers=8,Sizes=fixed:Bytes=1001,Connections=2",
            12,
            MicroSeconds(10),
            Seconds(1));
        NS_TEST_ASSERT_MSG_EQ(m_tasks.size(), 1, "one job");
        NS_TEST_EXPECT_MSG_EQ(m_tasks[0].flows, 64, "flows");
        NS_TEST_EXPECT_MSG_EQ(m_tasks[0].bytes, 32 * 1001, "bytes");
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> sent;
        for (const auto& [id, life] : m_transport->flows)
        {
            sent[{life.request.source, life.request.destination}] += life.request.bytes;
            NS_TEST_EXPECT_MSG_EQ(life.begun, Time(), "all at once");
        }
        NS_TEST_EXPECT_MSG_EQ(sent.size(), 32, "pairs");
        for (const auto& [pair, bytes] : sent)
        {
            NS_TEST_EXPECT_MSG_EQ(bytes, 1001, "of a pair");
        }
        Close();

        // Three at a time: 8 flows to each reducer take three turns; two jobs, one by one.
        Run("shuffle:Mappers=8,Sizes=fixed:Bytes=1000,Parallel=3,Jobs=2",
            12,
            MicroSeconds(10),
            Seconds(1));
        NS_TEST_ASSERT_MSG_EQ(m_tasks.size(), 2, "two jobs");
        NS_TEST_EXPECT_MSG_EQ(m_tasks[0].finished, MicroSeconds(30), "three turns");
        NS_TEST_EXPECT_MSG_EQ(m_tasks[1].started, MicroSeconds(30), "one by one");
        NS_TEST_EXPECT_MSG_EQ(
            m_transport->GetPeak([](const auto& flow) { return flow.destination == 9; }),
            3,
            "at a time");
        NS_TEST_EXPECT_MSG_EQ(m_workload->IsOver(), true, "over");
        Close();

        // FileStore: four reducers of eight, drawn.
        Run("shuffle:Mappers=8,Reducers=4,Sizes=fixed:Bytes=1000,Jobs=3,Interval=1ms",
            16,
            MicroSeconds(10),
            Seconds(1));
        std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> reducers;
        for (const auto& [id, life] : m_transport->flows)
        {
            reducers[{life.request.task, life.request.source}].insert(life.request.destination);
        }
        NS_TEST_EXPECT_MSG_EQ(reducers.size(), 24, "mappers of three jobs");
        for (const auto& [mapper, set] : reducers)
        {
            NS_TEST_EXPECT_MSG_EQ(set.size(), 4, "different ones");
        }
        NS_TEST_EXPECT_MSG_EQ(m_tasks[2].started, MilliSeconds(2), "third job");
        Close();
        Jitter();
        NS_TEST_EXPECT_MSG_EQ(Complaint("shuffle:Mappers=3,Reducers=2,Sizes=fixed:Bytes=1", 4),
                              "shuffle:Reducers = '2': mapper 0 has 1 on other hosts",
                              "too many");
        NS_TEST_EXPECT_MSG_EQ(Complaint("shuffle:Mappers=4,Sizes=fixed:Bytes=1", 4),
                              "shuffle:Mappers = '4': must be below the number of hosts, 4",
                              "nobody reduces");
    }

    /// Two jobs of 500 flows that begin within 5 ms of their job, the second when the first is
    /// over.
    void Jitter()
    {
        Run("shuffle:Mappers=5,Sizes=fixed:Bytes=1000,Connections=10,Jitter=5ms,Jobs=2",
            15,
            MicroSeconds(10),
            Seconds(1));
        NS_TEST_ASSERT_MSG_EQ(m_tasks.size(), 2, "two jobs");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(m_tasks[1].started, m_tasks[0].finished, "one by one");
        double sum = 0;
        std::set<Time> times;
        for (const auto& [id, life] : m_transport->flows)
        {
            const bool isFirst = life.request.task == m_tasks[0].task;
            const Time job = isFirst ? Time() : m_tasks[0].finished;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(life.begun - job, MilliSeconds(5), "at most");
            sum += (life.begun - job).GetSeconds();
            times.insert(life.begun);
        }
        NS_TEST_EXPECT_MSG_EQ(m_transport->flows.size(), 1000, "flows");
        NS_TEST_EXPECT_MSG_GT(times.size(), 990, "each at a time of its own");
        // Uniform: a mean of 2.5 ms, five standard errors of 5 ms / sqrt(12 * 1000) apart.
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / 1000, 2.5e-3, 2.3e-4, "mean");
        NS_TEST_EXPECT_MSG_EQ(m_workload->IsOver(), true, "over");
        Close();

        // What waits for a turn of its receiver waits from its own time on.
        Run("shuffle:Mappers=8,Sizes=fixed:Bytes=1000,Parallel=1,Jitter=1ms",
            12,
            MicroSeconds(500),
            Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(
            m_transport->GetPeak([](const auto& flow) { return flow.destination == 9; }),
            1,
            "at a time");
        NS_TEST_ASSERT_MSG_EQ(m_tasks.size(), 1, "over");
        Close();
    }
};

/**
 * @ingroup workload-tests
 * @brief Tasks of steps.
 */
class TaskGraphTestCase : public TaskTestCase
{
  public:
    TaskGraphTestCase()
        : TaskTestCase("task-graph: steps in order, roles, errors")
    {
    }

  private:
    void DoRun() override
    {
        Storage();
        Arrivals();
        Replies();
        Errors();
    }

    /// Poisson arrivals: as many tasks as periods, at intervals that vary as much as they last.
    void Arrivals()
    {
        Run("task-graph:Interval=20us,Poisson=true,Stop=40ms,Of={role a vms=0; role b vms=1;"
            "step x from=a to=b bytes=1}",
            2,
            MicroSeconds(1),
            MilliSeconds(50));
        std::vector<double> starts;
        for (const auto& record : m_tasks)
        {
            if (record.step == "task")
            {
                starts.push_back(record.started.GetSeconds());
            }
        }
        std::ranges::sort(starts);
        NS_TEST_ASSERT_MSG_GT(starts.size(), 2, "some");
        const auto intervals = static_cast<double>(starts.size() - 1);
        const double mean = (starts.back() - starts.front()) / intervals;
        double variance = 0;
        for (std::size_t i = 1; i < starts.size(); ++i)
        {
            variance += std::pow(starts[i] - starts[i - 1] - mean, 2) / intervals;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(mean, 20e-6, 2e-6, "2000 periods");
        NS_TEST_EXPECT_MSG_EQ_TOL(std::sqrt(variance) / mean, 1, 0.1, "exponential");
        Close();
    }

    /// uFAB, Section 5.3: 64 KB to a block agent every 320 us, which then writes three copies.
    void Storage()
    {
        Run("task-graph:Interval=320us,Stop=32ms,Of={role agent vms=0-3; role block vms=4-7;"
            "role chunk vms=4-7; step write from=agent to=block bytes=65536;"
            "step copy from=block to=chunk times=3 bytes=fixed:Bytes=65536 after=write}",
            8,
            MicroSeconds(10),
            MilliSeconds(40));
        std::map<std::string, uint32_t> count;
        for (const auto& record : m_tasks)
        {
            ++count[record.step];
            const bool isTask = record.step == "task";
            NS_TEST_EXPECT_MSG_EQ(record.finished - record.started,
                                  MicroSeconds(isTask ? 20 : 10),
                                  record.step);
            NS_TEST_EXPECT_MSG_EQ(record.flows,
                                  (isTask                  ? 4
                                   : record.step == "copy" ? 3
                                                           : 1),
                                  record.step);
            NS_TEST_EXPECT_MSG_LT(record.starter, 4, "an agent's task");
        }
        NS_TEST_EXPECT_MSG_EQ(count["task"], 400, "4 agents, 100 periods");
        NS_TEST_EXPECT_MSG_EQ(count["write"], 400, "4 agents, 100 periods");
        NS_TEST_EXPECT_MSG_EQ(count["copy"], 400, "4 agents, 100 periods");
        std::map<uint32_t, std::vector<FlowRequest>> flows;
        for (const auto& [id, life] : m_transport->flows)
        {
            flows[life.request.task].push_back(life.request);
        }
        for (const auto& [task, requests] : flows)
        {
            std::set<uint32_t> chunks;
            for (uint32_t i = 1; i < 4; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(requests[i].source, requests[0].destination, "by the agent");
                chunks.insert(requests[i].destination);
            }
            NS_TEST_EXPECT_MSG_EQ(chunks.size(), 3, "different servers");
            NS_TEST_EXPECT_MSG_EQ(chunks.contains(requests[0].destination), false, "others");
        }
        NS_TEST_EXPECT_MSG_EQ(m_workload->IsOver(), true, "over");
        Close();
    }

    /// A reader answers each asker on its own; a report follows when all has come. Closed loop.
    void Replies()
    {
        Run("task-graph:Jitter=0ns,Stop=90us,Of={role c vms=0; role s vms=1-3; role r vms=4;"
            "step ask from=c to=s times=2 bytes=10; step answer from=s to=c bytes=20 after=ask;"
            "step report from=c to=r bytes=30 connections=2 after=answer}",
            5,
            Time(),
            MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(m_transport->flows.size(), 2, "the others wait");
        Close();

        const auto transport = CreateTransport(5, Time());
        transport->duration = [](const FlowRequest& request) {
            return MicroSeconds(request.bytes == 10 ? 10 * request.destination : 5);
        };
        auto workload = CreateFromSpec<Workload>(
            "--workload",
            "task-graph:Jitter=0ns,Stop=1us,Of={role c vms=0; role s vms=1,2; role r vms=4;"
            "step ask from=c to=s times=2 bytes=10; step answer from=s to=c bytes=20 after=ask;"
            "step report from=c to=r bytes=30 connections=2 after=answer}");
        workload->AssignStreams(1);
        workload->Start(CreateObject<Transports>(transport), AllHosts(5));
        Simulator::Run();
        std::map<std::pair<uint64_t, uint32_t>, Time> begun; // by bytes and source
        for (const auto& [id, life] : transport->flows)
        {
            begun[{life.request.bytes, life.request.source}] = life.begun;
        }
        NS_TEST_EXPECT_MSG_EQ((begun[{20, 1}]), MicroSeconds(10), "when its request has come");
        NS_TEST_EXPECT_MSG_EQ((begun[{20, 2}]), MicroSeconds(20), "when its request has come");
        NS_TEST_EXPECT_MSG_EQ((begun[{15, 0}]), MicroSeconds(25), "when all answers have come");
        NS_TEST_EXPECT_MSG_EQ(transport->flows.size(), 6, "one task: 2 + 2 + 2 flows");
        Simulator::Destroy();
    }

    void Errors()
    {
        const std::string roles = "task-graph:Of={role a vms=0; role b vms=1-2;";
        const std::vector<std::pair<std::string, std::string>> bad{
            {roles + "}",
             "task-graph:Of = '{role a vms=0; role b vms=1-2;}': needs at least one step"},
            {roles + "role a vms=3}", "task-graph:Of statement 3 role = 'a': is named twice"},
            {roles + "step x from=a to=c bytes=1}",
             "task-graph:Of statement 3 step = 'c': must be a role that was named before"},
            {roles + "step x from=a to=b bytes=1; step y from=a to=b bytes=1 after=z}",
             "task-graph:Of statement 4 after = 'z': must be an earlier step"},
            {roles + "role c vms=3; step x from=a to=b bytes=1; step y from=c to=b bytes=1}",
             "task-graph:Of statement 5 from = 'c': must be the first step's, or the to= of an "
             "earlier step"},
            {roles + "step x from=a to=b bytes=1 times=3}",
             "task-graph step x times = '3': host 0 can choose among 2"},
            {roles + "role c vms=9; step x from=a to=b bytes=1}",
             "task-graph role c = '9': must be below the number of hosts, 4"},
            {roles + "step x from=a to=b}",
             "task-graph:Of statement 3 = 'step x': bytes= is missing"}};
        for (const auto& [spec, complaint] : bad)
        {
            NS_TEST_EXPECT_MSG_EQ(Complaint(spec, 4), complaint, spec);
        }
        const std::string path = CreateTempDirFilename("tasks.txt");
        std::ofstream(path) << "role a vms=0\n\nstep x from=a to=b bytes=1 # no b\n";
        NS_TEST_EXPECT_MSG_EQ(Complaint("task-graph:File=\"" + path + "\"", 4),
                              path + " line 3 step = 'b': must be a role that was named before",
                              "line");
    }
};

/**
 * @ingroup workload-tests
 * @brief Workloads between the VMs of tenants.
 */
class TenantWorkloadsTestCase : public TestCase
{
  public:
    TenantWorkloadsTestCase()
        : TestCase("workloads of tenants: pairs, transports, joining and leaving")
    {
    }

  private:
    void DoRun() override
    {
        JoinAndLeave();
        for (const auto* spec : {"poisson:FlowRate=1e6,Sizes=fixed:Bytes=1000,Stop=1ms",
                                 "permutation:Bytes=1000",
                                 "incast:Senders=2,Requests=50,AllAsk=true,Interval=10us",
                                 "closed-loop:Sizes=fixed:Bytes=1000,Stop=1ms",
                                 "request:Outstanding=2,Sizes=fixed:Bytes=1000,Stop=1ms",
                                 "shuffle:Sizes=fixed:Bytes=1000"})
        {
            SharedHosts(spec);
        }
        InProportion();
        Errors();
    }

    /// Flows in proportion to guarantees, from each VM to its peers only.
    void InProportion()
    {
        const auto table = CreateTenants({"tenant A hosts=0-3 send=1Gbps receive=1Gbps",
                                          "vm A hosts=0 send=3Gbps receive=3Gbps",
                                          "tenant B hosts=0-4 send=1Gbps receive=1Gbps"});
        auto workload = CreateFromSpec<Workload>(
            "--workload",
            "hose-poisson:Load=0.6,Capacity=100Gbps,Sizes=fixed:Bytes=10000");
        workload->AssignStreams(1);
        workload->Prepare(table, 0);
        // 0.6 * 100 Gbps / 80,000 bits, 7 of 12 parts.
        NS_TEST_EXPECT_MSG_EQ_TOL(DynamicCast<PoissonWorkload>(workload)->GetFlowRate(),
                                  437500,
                                  1e-6,
                                  "flows/s");
        std::map<VmId, uint32_t> flows;
        std::map<VmId, std::set<VmId>> peers;
        Time last;
        for (uint32_t i = 0; i < 70000; ++i)
        {
            const FlowArrival arrival = workload->Next().value();
            const VmPair& pair = table->GetVmPair(arrival.request.pair - 1);
            ++flows[pair.from];
            peers[pair.from].insert(pair.to);
            NS_TEST_ASSERT_MSG_NE(arrival.request.source, arrival.request.destination, "local");
            last = arrival.at;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(last.GetSeconds(), 70000 / 437500.0, 0.003, "as many as that");
        NS_TEST_EXPECT_MSG_EQ(flows.size(), 5, "all VMs of A and no other");
        for (const auto& [vm, number] : flows)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(number, (vm == 4 ? 30000 : 10000), 600, "VM " << vm);
        }
        // 200 tenants' VMs have two peers on average, fewer if there are but four others.
        double sum = 0;
        for (int64_t stream = 1; stream <= 200; ++stream)
        {
            workload->AssignStreams(10 * stream);
            workload->Prepare(table, 1);
            std::set<uint32_t> pairs;
            for (uint32_t i = 0; i < 1000; ++i)
            {
                pairs.insert(workload->Next().value().request.pair);
            }
            sum += static_cast<double>(pairs.size()) / 5;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / 200, 1.875, 0.08, "1 + 1/2 + 1/4 + 1/8");
    }

    /// Three tenants: one from the beginning, one for a while, one on another transport later.
    void JoinAndLeave()
    {
        const auto table = CreateTenants(
            {"tenant A hosts=0-3 workload=permutation:Shift=1",
             "tenant B hosts=2,3 joins=2ms leaves=5ms transport=cubic "
             "workload=permutation:Shift=1,Start=1ms",
             "tenant C hosts=0,1 joins=1ms workload=poisson:FlowRate=1e4,Sizes=fixed:"
             "Bytes=1,Stop=2ms workload=shuffle:Sizes=fixed:Bytes=5,Jobs=2,Interval=3ms"});
        const auto first = CreateTransport(4, Time());
        const auto cubic = CreateTransport(4, Time());
        const auto transports = CreateObject<Transports>();
        transports->Add("first", first);
        transports->Add("cubic", cubic);
        auto workloads = CreateObject<TenantWorkloads>();
        workloads->SetTenants(table, [transports](const std::string& name) {
            return transports->Require("tenant", name);
        });
        workloads->AssignStreams(1);
        workloads->Start(transports, AllHosts(4));
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        auto all = first->flows;
        all.insert(cubic->flows.begin(), cubic->flows.end());
        std::map<TenantId, uint32_t> flows;
        std::set<uint32_t> jobs;
        for (const auto& [id, life] : all)
        {
            const FlowRequest& flow = life.request;
            NS_TEST_ASSERT_MSG_GT(flow.pair, 0, "of a pair");
            const PairId pair = flow.pair - 1;
            NS_TEST_EXPECT_MSG_EQ(table->GetTenantOf(pair), flow.group, "tenant is the group");
            NS_TEST_EXPECT_MSG_EQ(table->GetSource(pair), flow.source, "source");
            NS_TEST_EXPECT_MSG_EQ(table->GetDestination(pair), flow.destination, "destination");
            NS_TEST_EXPECT_MSG_EQ(+flow.transport, (flow.group == 1 ? 1 : 0), "transport");
            NS_TEST_EXPECT_MSG_EQ(life.stopped, (flow.group == 1), "stopped when it leaves");
            ++flows[flow.group];
            if (flow.group == 0)
            {
                NS_TEST_EXPECT_MSG_EQ(life.begun, Time(), "from the beginning");
            }
            else if (flow.group == 1)
            {
                NS_TEST_EXPECT_MSG_EQ(life.begun, MilliSeconds(3), "1 ms after it joins");
                NS_TEST_EXPECT_MSG_EQ(life.over, MilliSeconds(5), "when it leaves");
            }
            else if (flow.bytes == 1)
            {
                NS_TEST_EXPECT_MSG_GT(life.begun, MilliSeconds(1), "from when it joins");
                NS_TEST_EXPECT_MSG_LT(life.begun, MilliSeconds(3), "2 ms long");
            }
            else
            {
                jobs.insert(flow.task);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(flows[0], 4, "permutation of 4");
        NS_TEST_EXPECT_MSG_EQ(flows[1], 2, "permutation of 2");
        NS_TEST_EXPECT_MSG_EQ((jobs == std::set<uint32_t>{1, 2}), true, "tasks");
        NS_TEST_EXPECT_MSG_EQ(workloads->GetStarted(), all.size(), "started");
        Simulator::Destroy();
        workloads->Dispose();
    }

    /**
     * @brief VMs that share hosts send nothing to each other.
     * @param spec kind and attributes
     */
    void SharedHosts(const std::string& spec)
    {
        const auto table = CreateTenants({"tenant A hosts=0-2 vms=6"});
        const auto transport = CreateTransport(3, MicroSeconds(7));
        auto workload = CreateFromSpec<Workload>("--workload", spec);
        workload->AssignStreams(1);
        workload->Start(CreateObject<Transports>(transport), table, 0);
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run(); // the transport refuses flows from a host to itself
        std::set<uint32_t> pairs;
        for (const auto& [id, life] : transport->flows)
        {
            pairs.insert(life.request.pair);
        }
        NS_TEST_EXPECT_MSG_GT(pairs.size(), 4, spec);
        Simulator::Destroy();
    }

    void Errors()
    {
        const auto complain = [](const std::string& statement) -> std::string {
            try
            {
                auto workloads = CreateObject<TenantWorkloads>();
                workloads->SetTenants(CreateTenants({statement}),
                                      [](const std::string&) -> uint8_t { return 0; });
                workloads->AssignStreams(1);
                workloads->Prepare(AllHosts(4));
            }
            catch (const InputError& error)
            {
                return error.what();
            }
            return "";
        };
        NS_TEST_EXPECT_MSG_EQ(
            complain("tenant A hosts=0,1 workload=hose-poisson:FlowRate=1,Sizes=fixed"),
            "workload hose-poisson of tenant A: hose-poisson = 'no hose': the tenant's VMs must be "
            "guaranteed a rate",
            "no guarantee");
        NS_TEST_EXPECT_MSG_EQ(complain("tenant A hosts=0,0 workload=permutation"),
                              "workload permutation of tenant A: tenant A = '2 VMs': a workload "
                              "needs VMs on at least 2 hosts",
                              "one host");
        NS_TEST_EXPECT_MSG_EQ(complain("tenant A hosts=0,0,1 workload=permutation"),
                              "workload permutation of tenant A: permutation = 'VMs': at most half "
                              "of them may be on one host",
                              "no permutation");
        NS_TEST_EXPECT_MSG_EQ(complain("tenant A hosts=0,0,1,1 workload=permutation:Shift=1"),
                              "workload permutation of tenant A: permutation:Shift = '1': must not "
                              "lead from a VM to another on its "
                              "host",
                              "to itself");
        NS_TEST_EXPECT_MSG_EQ(complain("tenant A hosts=0,0,1 workload=incast:Senders=2"),
                              "workload incast of tenant A: incast:Senders = '2': at most 1, the "
                              "VMs on other hosts than that of "
                              "VM 0",
                              "too many");
        NS_TEST_EXPECT_MSG_EQ(
            complain("tenant A hosts=0,1 workload=no").starts_with("workload of tenant A = 'no'"),
            true,
            "no workload");
    }
};

/**
 * @ingroup workload-tests
 * @brief Requests, shuffles, dependent tasks, and workloads of tenants.
 */
class TaskWorkloadTestSuite : public TestSuite
{
  public:
    TaskWorkloadTestSuite()
        : TestSuite("task-workload", Type::UNIT)
    {
        AddTestCase(new TaskDeliveryTestCase, Duration::QUICK);
        AddTestCase(new TaskRunnerTestCase, Duration::QUICK);
        AddTestCase(new RequestTestCase, Duration::QUICK);
        AddTestCase(new ShuffleTestCase, Duration::QUICK);
        AddTestCase(new TaskGraphTestCase, Duration::QUICK);
        AddTestCase(new TenantWorkloadsTestCase, Duration::QUICK);
    }
};

static TaskWorkloadTestSuite g_taskWorkloadTestSuite; //!< registers the suite
