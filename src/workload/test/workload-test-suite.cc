/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric.h"
#include "ns3/flow-rate.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/poisson-workload.h"
#include "ns3/simulator.h"
#include "ns3/staggered-workload.h"
#include "ns3/test.h"
#include "ns3/trace-workload.h"
#include "ns3/transport.h"
#include "ns3/workload.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Make a workload.
 * @param spec kind and attributes
 * @param stream first random variable stream
 * @return the workload
 */
Ptr<Workload>
Make(const std::string& spec, int64_t stream = 1)
{
    auto workload = CreateFromSpec<Workload>("--workload", spec);
    workload->AssignStreams(stream);
    return workload;
}

/**
 * @brief Draw arrivals without a simulation.
 * @param spec kind and attributes
 * @param hosts number of hosts
 * @param most at most so many arrivals
 * @param stream first random variable stream
 * @return the arrivals
 */
std::vector<FlowArrival>
DrawArrivals(const std::string& spec,
             uint32_t hosts,
             std::size_t most = 1000000,
             int64_t stream = 1)
{
    auto workload = Make(spec, stream);
    workload->Prepare(AllHosts(hosts));
    std::vector<FlowArrival> arrivals;
    while (arrivals.size() < most)
    {
        const auto next = workload->Next();
        if (!next)
        {
            break;
        }
        arrivals.push_back(*next);
    }
    return arrivals;
}

/**
 * @brief True if counts are as uniform as chance makes them.
 * @param counts number of times that each case was seen
 * @return false if chance would spread them as far in only one of 10,000 experiments
 */
bool
IsUniform(const std::vector<uint64_t>& counts)
{
    double total = 0;
    for (const auto count : counts)
    {
        total += count;
    }
    const double expected = total / counts.size();
    double statistic = 0;
    for (const auto count : counts)
    {
        statistic += (count - expected) * (count - expected) / expected;
    }
    const boost::math::chi_squared law(counts.size() - 1);
    return statistic < boost::math::quantile(law, 0.9999);
}

/// @brief A transport that only remembers; flows finish when the test says so.
class RecordingTransport : public Transport
{
  public:
    /// @brief Something that happened.
    struct Note
    {
        Time at;             //!< time of the event
        FlowId flow;         //!< to which flow
        FlowRequest request; //!< as started; bytes 0 and no hosts if stopped
        bool started;        //!< started, not stopped
    };

    std::vector<Note> notes; //!< in order of time

    std::string GetSummary() const override
    {
        return "notes what it is asked for";
    }

    void StopFlow(FlowId flow) override
    {
        notes.push_back({Simulator::Now(), flow, {}, false});
    }

    PacketSizes GetPacketSizes() const override
    {
        return {1460, 40, 40};
    }

    /**
     * @brief Let a flow finish.
     * @param record the flow
     */
    void Finish(FlowRecord record)
    {
        NotifyFinished(record);
    }

    Time completion; //!< flows finish so long after their start; 0: never

  private:
    void DoAttach() override
    {
    }

    void DoStartFlow(const FlowRecord& record) override
    {
        notes.push_back({Simulator::Now(), record.id, record.request, true});
        if (completion.IsStrictlyPositive())
        {
            Simulator::Schedule(completion, &RecordingTransport::Finish, this, record);
        }
    }
};

/**
 * @brief A star of hosts with a transport that takes notes.
 * @param hosts number of hosts
 * @return the transport
 */
Ptr<RecordingTransport>
CreateTransport(uint32_t hosts)
{
    auto fabric = CreateObject<Fabric>();
    fabric->SetTierNames({"host", "switch"});
    const auto hub = fabric->AddSwitch(1);
    for (uint32_t i = 0; i < hosts; ++i)
    {
        fabric->Connect(fabric->AddHost(), hub, DataRate("10Gbps"), MicroSeconds(1));
    }
    fabric->Build();
    auto transport = CreateObject<RecordingTransport>();
    transport->Attach(fabric);
    return transport;
}

} // namespace

/**
 * @ingroup workload-tests
 * @brief Arrival rate for a load, with the numbers of the AFQ catalogue.
 */
class FlowRateTestCase : public TestCase
{
  public:
    FlowRateTestCase()
        : TestCase("flow rate for a load")
    {
    }

  private:
    void DoRun() override
    {
        // 9 leaves of 32 hosts, 4 spines, 40 Gbps
        const double p = 256.0 / 287;
        const DataRate full("1440Gbps");
        NS_TEST_EXPECT_MSG_EQ_TOL(FlowRateForLoad(0.7, full, p, 30e3), 4.709e6, 500, "30 KB");
        NS_TEST_EXPECT_MSG_EQ_TOL(FlowRateForLoad(0.7, full, p, 216e3), 6.54e5, 100, "216 KB");
        // 3 leaves of 16 hosts, 2 spines
        NS_TEST_EXPECT_MSG_EQ_TOL(FlowRateForLoad(0.7, DataRate("240Gbps"), 32.0 / 47, 62.7e3),
                                  4.92e5,
                                  100,
                                  "scaled topology");
        auto poisson = DynamicCast<PoissonWorkload>(
            Make("poisson:Load=0.7,Capacity=1440Gbps,Crossing=0.8919861,Sizes=pareto"));
        NS_TEST_EXPECT_MSG_EQ_TOL(poisson->GetFlowRate(), 4.709e6, 500, "by attributes");
    }
};

/**
 * @ingroup workload-tests
 * @brief Poisson arrivals: intervals, counts, pairs, sizes.
 */
class PoissonWorkloadTestCase : public TestCase
{
  public:
    PoissonWorkloadTestCase()
        : TestCase("Poisson arrivals between random pairs")
    {
    }

  private:
    void DoRun() override;
};

void
PoissonWorkloadTestCase::DoRun()
{
    const std::size_t n = 200000;
    const double rate = 4.709e6; // intervals of 212 ns: rounding them to 1 ns would show
    const uint32_t hosts = 8;
    auto poisson = Make("poisson:FlowRate=4.709e6,Sizes=exponential");
    poisson->Prepare(AllHosts(hosts));

    // Intervals are exponential: mean 1/rate, variance 1/rate^2, kurtosis 9.
    double sum = 0;
    double squares = 0;
    double bytes = 0;
    double last = 0;
    std::map<uint64_t, uint64_t> windows;
    std::vector<uint64_t> pairs(hosts * hosts);
    for (std::size_t i = 0; i < n; ++i)
    {
        const FlowArrival flow = poisson->Next().value(); // a Poisson process has no end
        const double interval = flow.at.GetSeconds() - last;
        NS_TEST_ASSERT_MSG_GT_OR_EQ(interval, 0, "time order");
        last += interval;
        sum += interval;
        squares += interval * interval;
        bytes += flow.request.bytes;
        ++windows[flow.at.GetMicroSeconds() / 100];
        ++pairs[flow.request.source * hosts + flow.request.destination];
    }
    const double mean = sum / n;
    NS_TEST_EXPECT_MSG_EQ_TOL(mean * rate, 1, 4 / std::sqrt(n), "mean interval");
    const double variance = squares / n - mean * mean;
    NS_TEST_EXPECT_MSG_EQ_TOL(variance * rate * rate, 1, 4 * std::sqrt(8.0 / n), "variance");
    NS_TEST_EXPECT_MSG_EQ_TOL(bytes / n, 1e5, 4e5 / std::sqrt(n), "mean size");

    // Counts in windows of 100 us have the variance of a Poisson law: its mean.
    double dispersion = 0;
    const double perWindow = rate * 100e-6;
    windows.erase(std::prev(windows.end())); // not complete
    for (const auto& [window, count] : windows)
    {
        dispersion += (count - perWindow) * (count - perWindow) / perWindow;
    }
    const boost::math::chi_squared law(windows.size());
    NS_TEST_EXPECT_MSG_GT(dispersion, boost::math::quantile(law, 0.0001), "too regular");
    NS_TEST_EXPECT_MSG_LT(dispersion, boost::math::quantile(law, 0.9999), "too bursty");

    for (uint32_t host = hosts; host-- > 0;)
    {
        NS_TEST_EXPECT_MSG_EQ(pairs[host * hosts + host], 0, "a host sent to itself");
        pairs.erase(pairs.begin() + host * hosts + host);
    }
    NS_TEST_EXPECT_MSG_EQ(IsUniform(pairs), true, "all pairs are equally likely");

    // Offered payload is the load's share of the tier: 0.6 * 100 Gbps / 0.5 in all.
    const auto loaded =
        DrawArrivals("poisson:Load=0.6,Capacity=100Gbps,Crossing=0.5,Sizes=fixed:Bytes=1e4",
                     hosts,
                     100000);
    const double offered = 8e4 * loaded.size() / loaded.back().at.GetSeconds();
    NS_TEST_EXPECT_MSG_EQ_TOL(offered, 120e9, 120e9 * 4 / std::sqrt(2e4), "offered load");

    // Stop ends it, Start shifts it.
    const auto window = DrawArrivals("poisson:FlowRate=1e6,Sizes=fixed,Start=5ms,Stop=6ms", hosts);
    NS_TEST_EXPECT_MSG_EQ_TOL(window.size(), 1000.0, 150.0, "1 ms at 1e6 flows per second");
    NS_TEST_EXPECT_MSG_GT(window.front().at, MilliSeconds(5), "Start");
    NS_TEST_EXPECT_MSG_LT(window.back().at, MilliSeconds(6), "Stop");
}

/**
 * @ingroup workload-tests
 * @brief Same streams, same flows; sources of chance do not disturb one another.
 */
class WorkloadStreamTestCase : public TestCase
{
  public:
    WorkloadStreamTestCase()
        : TestCase("random variable streams of all kinds")
    {
    }

  private:
    void DoRun() override;

    /**
     * @brief Draw flows as text.
     * @param spec kind and attributes
     * @param stream first random variable stream
     * @return the flows
     */
    static std::string Text(const std::string& spec, int64_t stream)
    {
        std::ostringstream text;
        for (const auto& flow : DrawArrivals(spec, 12, 500, stream))
        {
            text << flow.at << ' ' << flow.request.source << ' ' << flow.request.destination << ' '
                 << flow.request.bytes << '\n';
        }
        return text.str();
    }
};

void
WorkloadStreamTestCase::DoRun()
{
    const std::vector<std::string> specs{"poisson:FlowRate=1e6,Sizes=web-search",
                                         "permutation:Jitter=1ms",
                                         "permutation",
                                         "hot-rack:RackSize=3,Sizes=drb-trace",
                                         "incast:Senders=5,Requests=3",
                                         "closed-loop:Outstanding=2,Sizes=web-search"};
    for (const auto& spec : specs)
    {
        NS_TEST_EXPECT_MSG_EQ(Text(spec, 10), Text(spec, 10), spec << ": same streams");
        NS_TEST_EXPECT_MSG_NE(Text(spec, 10), Text(spec, 20), spec << ": other streams");
    }
    NS_TEST_EXPECT_MSG_EQ(Make("poisson:Sizes=fixed")->AssignStreams(1), 4, "streams used");

    // Other sizes, same times and pairs.
    const auto some = DrawArrivals("poisson:FlowRate=1e6,Sizes=fixed", 12, 500);
    const auto others = DrawArrivals("poisson:FlowRate=1e6,Sizes=pareto", 12, 500);
    bool same = true;
    for (std::size_t i = 0; i < some.size(); ++i)
    {
        same = same && some[i].at == others[i].at &&
               some[i].request.source == others[i].request.source &&
               some[i].request.destination == others[i].request.destination;
    }
    NS_TEST_EXPECT_MSG_EQ(same, true, "sizes have a stream of their own");
}

/**
 * @ingroup workload-tests
 * @brief Permutations: no host is left out, none sends to itself, all are equally likely.
 */
class PermutationWorkloadTestCase : public TestCase
{
  public:
    PermutationWorkloadTestCase()
        : TestCase("permutations")
    {
    }

  private:
    void DoRun() override;
};

void
PermutationWorkloadTestCase::DoRun()
{
    for (const uint32_t hosts : {2, 3, 48})
    {
        const auto flows = DrawArrivals("permutation:Jitter=1ms,Bytes=1e6", hosts);
        std::set<uint32_t> sources;
        std::set<uint32_t> destinations;
        for (const auto& flow : flows)
        {
            sources.insert(flow.request.source);
            destinations.insert(flow.request.destination);
            NS_TEST_EXPECT_MSG_NE(flow.request.source, flow.request.destination, "fixed point");
            NS_TEST_EXPECT_MSG_EQ(flow.request.bytes, 1000000, "bytes");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(flow.at, MilliSeconds(1), "jitter");
        }
        NS_TEST_EXPECT_MSG_EQ(flows.size(), hosts, "a flow per host");
        NS_TEST_EXPECT_MSG_EQ(sources.size(), hosts, "every host sends");
        NS_TEST_EXPECT_MSG_EQ(destinations.size(), hosts, "every host receives");
    }

    // Four elements have 9 derangements.
    std::map<std::string, uint64_t> seen;
    auto workload = Make("permutation");
    for (int i = 0; i < 9000; ++i)
    {
        workload->Prepare(AllHosts(4));
        std::string destinations;
        while (const auto flow = workload->Next())
        {
            destinations += static_cast<char>('0' + flow->request.destination);
        }
        ++seen[destinations];
    }
    std::vector<uint64_t> counts;
    for (const auto& [destinations, count] : seen)
    {
        counts.push_back(count);
    }
    NS_TEST_EXPECT_MSG_EQ(counts.size(), 9, "derangements of 4");
    NS_TEST_EXPECT_MSG_EQ(IsUniform(counts), true, "all derangements are equally likely");

    for (const auto& flow : DrawArrivals("permutation:Shift=3", 8))
    {
        NS_TEST_EXPECT_MSG_EQ(flow.request.destination, (flow.request.source + 3) % 8, "shift");
        NS_TEST_EXPECT_MSG_EQ(flow.request.bytes, 0, "long-lived by default");
    }

    // DRB's, in which every flow leaves its rack.
    for (const auto& [hosts, rackSize] : {std::pair{4u, 2u}, {288u, 12u}, {30u, 15u}})
    {
        std::set<uint32_t> destinations;
        for (const auto& flow :
             DrawArrivals("permutation:RackSize=" + std::to_string(rackSize), hosts))
        {
            destinations.insert(flow.request.destination);
            NS_TEST_EXPECT_MSG_NE(flow.request.source / rackSize,
                                  flow.request.destination / rackSize,
                                  "within a rack");
        }
        NS_TEST_EXPECT_MSG_EQ(destinations.size(), hosts, "every host receives");
    }
}

/**
 * @ingroup workload-tests
 * @brief The stand-in for DRB's trace: loads of the busy racks, servers kept free, sizes.
 */
class HotRackWorkloadTestCase : public TestCase
{
  public:
    HotRackWorkloadTestCase()
        : TestCase("hot racks")
    {
    }

  private:
    void DoRun() override;
};

void
HotRackWorkloadTestCase::DoRun()
{
    constexpr uint32_t HOSTS = 288;
    constexpr uint32_t RACK = 12;
    const auto flows =
        DrawArrivals("hot-rack:Loads=\"0.92,0.9\",OtherLoad=0.1,Sizes=\"drb-trace:MaxSize=3e5\"",
                     HOSTS);
    std::vector<double> sent(HOSTS);
    std::vector<double> received(HOSTS);
    std::map<uint32_t, std::set<uint32_t>> peers;
    for (const auto& [at, request, lifetime] : flows)
    {
        sent[request.source] += request.bytes;
        received[request.destination] += request.bytes;
        NS_TEST_EXPECT_MSG_NE(request.source / RACK, request.destination / RACK, "within a rack");
        if (request.source < 2 * RACK)
        {
            peers[request.source].insert(request.destination);
        }
    }
    const double seconds = flows.back().at.GetSeconds();
    const auto load = [seconds](const std::vector<double>& bytes, uint32_t first, uint32_t last) {
        return std::accumulate(bytes.begin() + first, bytes.begin() + last, 0.0) * 8 / seconds /
               1e9 / (last - first);
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(load(sent, 1, RACK), 0.92, 0.01, "rack 0 sends");
    NS_TEST_EXPECT_MSG_EQ_TOL(load(received, 1, RACK), 0.92, 0.01, "rack 0 receives");
    NS_TEST_EXPECT_MSG_EQ_TOL(load(sent, RACK + 1, 2 * RACK), 0.9, 0.01, "rack 1 sends");
    NS_TEST_EXPECT_MSG_EQ_TOL(load(received, RACK + 1, 2 * RACK), 0.9, 0.01, "rack 1 receives");
    // The others: 0.1 among themselves, and what racks 0 and 1 get from them.
    const double others = 0.1 + (0.92 + 0.9) * (RACK - 1) / (HOSTS - 2 * RACK);
    NS_TEST_EXPECT_MSG_EQ_TOL(load(sent, 2 * RACK, HOSTS), others, 0.005, "others send");
    for (const uint32_t host : {0u, RACK})
    {
        NS_TEST_EXPECT_MSG_EQ(sent[host] + received[host], 0, "free for probes");
        NS_TEST_EXPECT_MSG_EQ(peers[host + 1].size(), HOSTS - 2 * RACK, "peers of a busy server");
    }

    // Closed loop with flows of 10 us: 2 flows per busy server and direction all the time, 100
    // starts each in 1 ms.
    auto transport = CreateTransport(12);
    transport->completion = MicroSeconds(10);
    auto workload = Make("hot-rack:RackSize=3,Loads=\"1,1\",Outstanding=2,OtherLoad=0,"
                         "Sizes=fixed,Start=1ms,Stop=4ms");
    workload->Start(CreateObject<Transports>(transport), AllHosts(12));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(workload->IsOver(), true, "over");
    std::map<uint32_t, uint64_t> out;
    std::map<uint32_t, uint64_t> in;
    for (const auto& note : transport->notes)
    {
        const auto [source, destination] = std::pair{note.request.source, note.request.destination};
        NS_TEST_EXPECT_MSG_GT_OR_EQ(note.at, MilliSeconds(1), "not before Start");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(std::max(source, destination), 6, "one end in a quiet rack");
        NS_TEST_EXPECT_MSG_LT(std::min(source, destination), 6, "the other end in a busy one");
        if (note.at >= MilliSeconds(3))
        {
            ++(source < 6 ? out[source] : in[destination]);
        }
    }
    for (const uint32_t host : {1, 2, 4, 5}) // 0 and 3 are free for probes
    {
        NS_TEST_EXPECT_MSG_EQ(out[host], 200, "flows of server " << host);
        NS_TEST_EXPECT_MSG_EQ(in[host], 200, "flows to server " << host);
    }
    NS_TEST_EXPECT_MSG_EQ(out.size() + in.size(), 8, "nobody else");
    Simulator::Destroy();
}

/**
 * @ingroup workload-tests
 * @brief Probes: times, sizes in turn, no end.
 */
class ProbeWorkloadTestCase : public TestCase
{
  public:
    ProbeWorkloadTestCase()
        : TestCase("probes")
    {
    }

  private:
    void DoRun() override
    {
        const auto flows =
            DrawArrivals("probe:Source=2,Destination=1,Interval=3ms,Sizes=\"4096,1024\",Start=1ms",
                         4,
                         5);
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 5, "as many as are asked for");
        for (int64_t i = 0; i < 5; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(flows[i].at, MilliSeconds(1 + 3 * i), "start");
            NS_TEST_EXPECT_MSG_EQ(flows[i].request.source, 2, "source");
            NS_TEST_EXPECT_MSG_EQ(flows[i].request.destination, 1, "destination");
            NS_TEST_EXPECT_MSG_EQ(flows[i].request.bytes, (i % 2 ? 1024 : 4096), "size");
        }
    }
};

/**
 * @ingroup workload-tests
 * @brief Incast: senders, parts, times, groups.
 */
class IncastWorkloadTestCase : public TestCase
{
  public:
    IncastWorkloadTestCase()
        : TestCase("incast")
    {
    }

  private:
    void DoRun() override;
};

void
IncastWorkloadTestCase::DoRun()
{
    const auto flows =
        DrawArrivals("incast:Senders=7,Receiver=4,Requests=2000,Interval=1ms,Group=10", 12);
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 7 * 2000, "answers");
    std::vector<uint64_t> answersBy(12);
    for (std::size_t request = 0; request < 2000; ++request)
    {
        std::set<uint32_t> senders;
        uint64_t bytes = 0;
        for (std::size_t i = 7 * request; i < 7 * (request + 1); ++i)
        {
            const auto& flow = flows[i];
            senders.insert(flow.request.source);
            ++answersBy[flow.request.source];
            bytes += flow.request.bytes;
            const Time delay = flow.at - request * MilliSeconds(1);
            NS_TEST_EXPECT_MSG_EQ(flow.request.destination, 4, "receiver");
            NS_TEST_EXPECT_MSG_EQ(flow.request.group, 10 + request, "group");
            NS_TEST_EXPECT_MSG_EQ_TOL(flow.request.bytes, 1.5e6 / 7, 1, "equal parts");
            NS_TEST_EXPECT_MSG_EQ((!delay.IsStrictlyNegative() && delay <= MicroSeconds(5)),
                                  true,
                                  "start");
        }
        NS_TEST_EXPECT_MSG_EQ(bytes, 1500000, "the parts make the whole");
        NS_TEST_EXPECT_MSG_EQ(senders.size(), 7, "different senders");
        NS_TEST_EXPECT_MSG_EQ(senders.count(4), 0, "the receiver does not send");
    }
    answersBy.erase(answersBy.begin() + 4);
    NS_TEST_EXPECT_MSG_EQ(IsUniform(answersBy), true, "senders are drawn uniformly");

    // Two requests of each of 12 hosts.
    const auto all = DrawArrivals("incast:Senders=7,AllAsk=true,Requests=2,Interval=1ms", 12);
    NS_TEST_ASSERT_MSG_EQ(all.size(), 2 * 12 * 7, "answers to all");
    std::map<uint32_t, std::set<uint32_t>> sendersOf;
    for (const auto& flow : all)
    {
        NS_TEST_EXPECT_MSG_EQ(flow.request.destination, flow.request.group % 12, "who asked");
        NS_TEST_EXPECT_MSG_EQ((flow.at >= MilliSeconds(1)), (flow.request.group >= 12), "when");
        NS_TEST_EXPECT_MSG_NE(flow.request.source, flow.request.destination, "not to itself");
        sendersOf[flow.request.group].insert(flow.request.source);
    }
    for (const auto& [group, senders] : sendersOf)
    {
        NS_TEST_EXPECT_MSG_EQ(senders.size(), 7, "senders of request " << group);
    }
}

/**
 * @ingroup workload-tests
 * @brief Traces: what is read, and what is refused in which words.
 */
class TraceWorkloadTestCase : public TestCase
{
  public:
    TraceWorkloadTestCase()
        : TestCase("traces, good and broken")
    {
    }

  private:
    void DoRun() override;

    /**
     * @brief Read a trace for three hosts.
     * @param content of the file
     * @return its flows
     */
    std::vector<FlowArrival> Read(const std::string& content)
    {
        const auto path = CreateTempDirFilename("trace.csv");
        std::ofstream(path) << content;
        return DrawArrivals("trace:Start=1s,Group=100,File=\"" + path + "\"", 3);
    }

    /**
     * @brief Expect a complaint.
     * @param content of the file
     * @param words text that the complaint contains
     */
    void Refused(const std::string& content, const std::string& words)
    {
        try
        {
            Read(content);
            NS_TEST_EXPECT_MSG_EQ(true, false, "accepted, should say: " << words);
        }
        catch (const InputError& error)
        {
            const std::string message = error.what();
            NS_TEST_EXPECT_MSG_NE(message.find(words),
                                  std::string::npos,
                                  message << " should say: " << words);
        }
    }
};

void
TraceWorkloadTestCase::DoRun()
{
    const std::string head = "start,source,destination,bytes,group\n";
    const auto flows =
        Read("# three flows\n" + head + "2us,0,1,1000,7\n0.5,2,0,20,\n1e-6,1,2,3,8\n");
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 3, "flows");
    NS_TEST_EXPECT_MSG_EQ(flows[0].at, Seconds(1) + MicroSeconds(1), "sorted, seconds");
    NS_TEST_EXPECT_MSG_EQ(flows[1].at, Seconds(1) + MicroSeconds(2), "time with unit");
    NS_TEST_EXPECT_MSG_EQ(flows[2].at, MilliSeconds(1500), "seconds");
    NS_TEST_EXPECT_MSG_EQ(flows[1].request.source, 0, "source");
    NS_TEST_EXPECT_MSG_EQ(flows[1].request.destination, 1, "destination");
    NS_TEST_EXPECT_MSG_EQ(flows[1].request.bytes, 1000, "bytes");
    NS_TEST_EXPECT_MSG_EQ(flows[1].request.group, 107, "group");
    NS_TEST_EXPECT_MSG_EQ(flows[2].request.group, 100, "no group");
    NS_TEST_EXPECT_MSG_EQ(Read("start,source,destination,bytes\n0,0,1,5\n").size(), 1, "4 columns");
    NS_TEST_EXPECT_MSG_EQ(Read(head).size(), 0, "no flow");
    for (const std::string same : {"2us,0,1,1000,7\n0.5,2,0,20\n",
                                   "\xef\xbb\xbf 2us\t0 1 1000 7\r\n0.5 2 0 20\r\n\r\n",
                                   "bytes;start;source;destination;group\n1000;2us;0;1;7\n"
                                   "20;0.5;2;0;;\n"})
    {
        const auto two = Read(same);
        NS_TEST_ASSERT_MSG_EQ(two.size(), 2, same);
        NS_TEST_EXPECT_MSG_EQ(two[0].at, Seconds(1) + MicroSeconds(2), same);
        NS_TEST_EXPECT_MSG_EQ(two[0].request.bytes, 1000, same);
        NS_TEST_EXPECT_MSG_EQ(two[0].request.group, 107, same);
        NS_TEST_EXPECT_MSG_EQ(two[1].request.source, 2, same);
        NS_TEST_EXPECT_MSG_EQ(two[1].request.group, 100, same);
    }

    const auto path = CreateTempDirFilename("times.csv");
    std::ofstream(path) << head << "0.5,0,1,9,\n2us,2,0,20,\n1,1,2,3,\n";
    const auto readSpan = [&path](const std::string& more) {
        return DynamicCast<TraceWorkload>(Make("trace:File=\"" + path + "\"," + more))->ReadSpan(3);
    };
    NS_TEST_EXPECT_MSG_EQ(readSpan("Start=1s")->first, MicroSeconds(1'000'002), "first start");
    NS_TEST_EXPECT_MSG_EQ(readSpan("Start=1s")->last, Seconds(2), "last start");
    NS_TEST_EXPECT_MSG_EQ(readSpan("Stop=1s")->last, MilliSeconds(500), "last before Stop");
    NS_TEST_EXPECT_MSG_EQ(readSpan("Stop=1us").has_value(), false, "none before Stop");

    Refused("", "is empty");
    Refused("0,0,1\n", "line 1 bytes = ''");
    Refused("start,source,bytes,group\n", "line 1");
    Refused(head + "0,0,1,5,0,0\n", "line 2 = '6 cells'");
    Refused(head + "0,0,1,5,0\n0,0,1\n", "line 3 bytes = ''");
    Refused(head + "0,0,3,5,0\n", "line 2 destination = '3': must be at most 2");
    Refused(head + "0,-1,2,5,0\n", "line 2 source = '-1'");
    Refused(head + "0,1,1,5,0\n", "line 2 destination = '1': must be another host");
    Refused(head + "0,0,1,0,0\n", "line 2 bytes = '0': must be at least 1");
    Refused(head + "0,0,1,1.5,0\n", "line 2 bytes = '1.5'");
    Refused(head + "0,0,1,5,x\n", "line 2 group = 'x'");
    Refused(head + "-1,0,1,5,0\n", "line 2 start = '-1': must be at least 0");
    Refused(head + "-1us,0,1,5,0\n", "line 2 start = '-1us'");
    Refused(head + "\n# now\nsoon,0,1,5,0\n", "line 4 start = 'soon'");
    Refused(head + ",0,1,5,0\n", "line 2 start = ''");
}

/**
 * @ingroup workload-tests
 * @brief Attributes that make no workload.
 */
class WorkloadInputTestCase : public TestCase
{
  public:
    WorkloadInputTestCase()
        : TestCase("bad input")
    {
    }

  private:
    void DoRun() override;
};

void
WorkloadInputTestCase::DoRun()
{
    const std::vector<std::pair<std::string, std::string>> refused{
        {"poison", "poisson"},
        {"poisson", "must be one of"},
        {"poisson:Sizes=fixed", "poisson = 'no FlowRate': needs FlowRate="},
        {"poisson:Sizes=nothing,FlowRate=1", "nothing"},
        {"poisson:Load=0,Sizes=fixed", "Load"},
        {"poisson:Load=-0.5,Sizes=fixed", "-0.5"},
        {"poisson:Load=much,Sizes=fixed", "much"},
        {"poisson:Capacity=10,Sizes=fixed", "10"},
        {"poisson:Crossing=1.5,Sizes=fixed", "1.5"},
        {"poisson:FlowRate=-3,Sizes=fixed", "-3"},
        {"poisson:Laod=0.5", "Load"},
        {"permutation:Shift=4", "permutation:Shift = '4'"},
        {"permutation:RackSize=3", "permutation:RackSize = '3'"},
        {"hot-rack:RackSize=2,Sizes=fixed", "hot-rack:Loads"},
        {"hot-rack:RackSize=2,Loads=,OtherLoad=0,Sizes=fixed", "hot-rack:Loads"},
        {"hot-rack:Loads=1.1,Sizes=fixed", "hot-rack:Loads = '1.1'"},
        {"hot-rack:Loads=much,Sizes=fixed", "hot-rack:Loads = 'much'"},
        {"probe:Source=4", "'4'"},
        {"probe:Source=1", "is the source, too"},
        {"probe:Sizes=\"10,0\"", "probe:Sizes = '0'"},
        {"probe:Interval=0s", "Interval"},
        {"incast:Senders=4", "incast:Senders = '4'"},
        {"incast:Senders=0", "Senders"},
        {"incast:Senders=2,Receiver=4", "incast:Receiver = '4'"},
        {"incast:Senders=3,Bytes=2", "incast:Bytes = '2'"},
        {"incast:Senders=3,Requests=2,Interval=1us", "incast:Interval"},
        {"staggered:Sources=4", "staggered:Sources = '4'"},
        {"staggered:Spacing=0s", "Spacing"},
        {"closed-loop:Sizes=fixed,Outstanding=0", "Outstanding"},
        {"closed-loop:Sizes=", "must be one of"},
        {"trace", "path of a CSV file"},
        {"trace:File=absent.csv", "absent.csv"}};
    for (const auto& [spec, words] : refused)
    {
        try
        {
            DrawArrivals(spec, 4, 10);
            NS_TEST_EXPECT_MSG_EQ(true, false, "accepted " << spec << ", should name " << words);
        }
        catch (const InputError& error)
        {
            const std::string message = error.what();
            NS_TEST_EXPECT_MSG_NE(message.find(words),
                                  std::string::npos,
                                  message << " should say: " << words);
            NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line: " << message);
        }
    }
    bool thrown = false;
    try
    {
        DrawArrivals("permutation", 1);
    }
    catch (const InputError&)
    {
        thrown = true;
    }
    NS_TEST_EXPECT_MSG_EQ(thrown, true, "one host is no network");
}

/**
 * @ingroup workload-tests
 * @brief In a simulation, flows start and stop on time, and one event is pending.
 */
class WorkloadRunTestCase : public TestCase
{
  public:
    WorkloadRunTestCase()
        : TestCase("flows start and stop on time in a simulation")
    {
    }

  private:
    void DoRun() override;
};

void
WorkloadRunTestCase::DoRun()
{
    // What a simulation starts is what Next() returns, here among hosts 3 to 5.
    const std::string spec = "poisson:FlowRate=1e6,Sizes=pareto,Start=1ms,Stop=2ms,Group=3";
    const std::vector<uint32_t> hosts{3, 4, 5};
    auto drawn = Make(spec);
    drawn->Prepare(hosts);
    auto transport = CreateTransport(6);
    auto workload = Make(spec);
    workload->Start(CreateObject<Transports>(transport), hosts);
    NS_TEST_EXPECT_MSG_EQ(workload->IsOver(), false, "not over before it began");
    const uint64_t before = Simulator::GetEventCount();
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(workload->IsOver(), true, "over");
    NS_TEST_EXPECT_MSG_GT(transport->notes.size(), 800, "flows");
    NS_TEST_EXPECT_MSG_EQ(workload->GetStarted(), transport->notes.size(), "flows counted");
    NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount() - before,
                          transport->notes.size(),
                          "an event per flow");
    for (const auto& note : transport->notes)
    {
        const auto flow = drawn->Next();
        NS_TEST_ASSERT_MSG_EQ(flow.has_value(), true, "as many");
        NS_TEST_EXPECT_MSG_EQ(note.at, flow->at, "time");
        NS_TEST_EXPECT_MSG_EQ(note.request.source, flow->request.source, "source");
        NS_TEST_EXPECT_MSG_EQ(note.request.destination, flow->request.destination, "destination");
        NS_TEST_EXPECT_MSG_EQ(note.request.bytes, flow->request.bytes, "bytes");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(note.request.source, 3, "one of the hosts given");
        NS_TEST_EXPECT_MSG_EQ(note.request.group, 3, "group");
    }
    NS_TEST_EXPECT_MSG_EQ(drawn->Next().has_value(), false, "not more");
    Simulator::Destroy();

    // AFQ Fig. 14: five flows start at 0 to 4 s and stop in this order at 5 to 9 s.
    transport = CreateTransport(3);
    auto staggered = DynamicCast<StaggeredWorkload>(Make("staggered:Sources=2,Group=1"));
    staggered->Start(CreateObject<Transports>(transport), AllHosts(3));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(transport->notes.size(), 10, "five starts, five stops");
    for (uint32_t i = 0; i < 10; ++i)
    {
        const auto& note = transport->notes[i];
        NS_TEST_EXPECT_MSG_EQ(note.at, Seconds(i), "time");
        NS_TEST_EXPECT_MSG_EQ(note.started, (i < 5), "start or stop");
        NS_TEST_EXPECT_MSG_EQ(note.flow, i % 5 + 1, "first to start is first to stop");
        if (note.started)
        {
            NS_TEST_EXPECT_MSG_EQ(note.request.source, i % 2, "sources take turns");
            NS_TEST_EXPECT_MSG_EQ(note.request.destination, 2, "the last host receives");
            NS_TEST_EXPECT_MSG_EQ(note.request.bytes, 0, "long-lived");
            NS_TEST_EXPECT_MSG_EQ(note.request.group, i + 1, "a group each");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(staggered->GetEnd(), Seconds(9), "end");
    Simulator::Destroy();

    // All together for 1 s and one spacing: starts at 0 and 1 ms, stops at 1002 and 1003 ms.
    transport = CreateTransport(3);
    staggered = DynamicCast<StaggeredWorkload>(Make("staggered:Flows=2,Spacing=1ms,Hold=1s"));
    staggered->Start(CreateObject<Transports>(transport), AllHosts(3));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(transport->notes.size(), 4, "two starts, two stops");
    NS_TEST_EXPECT_MSG_EQ(transport->notes[2].at, MilliSeconds(1002), "held");
    NS_TEST_EXPECT_MSG_EQ(staggered->GetEnd(), MilliSeconds(1003), "end");
    Simulator::Destroy();

    // Each starts later by a delay of its own, and stops when it would have.
    transport = CreateTransport(3);
    staggered = DynamicCast<StaggeredWorkload>(Make("staggered:Flows=2,Spacing=1ms,Jitter=100us"));
    staggered->Start(CreateObject<Transports>(transport), AllHosts(3));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(transport->notes.size(), 4, "two starts, two stops");
    const Time first = transport->notes[0].at;
    const Time second = transport->notes[1].at - MilliSeconds(1);
    for (const Time& delay : {first, second})
    {
        NS_TEST_EXPECT_MSG_GT(delay, Time(), "later");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(delay, MicroSeconds(100), "not later than allowed");
    }
    NS_TEST_EXPECT_MSG_NE(first, second, "drawn for each");
    NS_TEST_EXPECT_MSG_EQ(transport->notes[2].at, MilliSeconds(2), "stop");
    NS_TEST_EXPECT_MSG_EQ(staggered->GetEnd(), MilliSeconds(3), "end");
    Simulator::Destroy();
}

/**
 * @ingroup workload-tests
 * @brief Flows that were asked for and have not started are counted.
 */
class UnstartedFlowsTestCase : public TestCase
{
  public:
    UnstartedFlowsTestCase()
        : TestCase("flows that are due later, or never")
    {
    }

  private:
    /**
     * @brief Run a workload for 15 ms.
     * @param spec kind and attributes
     * @param flows number of flows that must be left
     * @param first time at which the first of them is due
     */
    void Check(const std::string& spec, uint64_t flows, Time first)
    {
        auto workload = Make(spec);
        workload->Start(CreateObject<Transports>(CreateTransport(4)), AllHosts(4));
        Simulator::Stop(MilliSeconds(15));
        Simulator::Run();
        const UnstartedFlows unstarted = workload->GetUnstarted();
        NS_TEST_EXPECT_MSG_EQ(unstarted.flows, flows, "flows of " << spec);
        NS_TEST_EXPECT_MSG_EQ(unstarted.first, first, "first of " << spec);
        workload->Halt();
        NS_TEST_EXPECT_MSG_EQ(workload->GetUnstarted().flows, 0, "given up: " << spec);
        Simulator::Destroy();
    }

    void DoRun() override
    {
        const auto path = CreateTempDirFilename("trace.csv");
        std::ofstream(path) << "start,source,destination,bytes\n"
                               "0,0,1,1000\n30ms,1,0,10\n12ms,1,0,10\n20ms,1,0,10\n";
        const std::string trace = "trace:File=\"" + path + "\"";
        Check(trace, 2, MilliSeconds(20));
        Check(trace + ",Start=2ms", 2, MilliSeconds(22));
        Check(trace + ",Stop=12ms", 3, MilliSeconds(12));
        Check(trace + ",Stop=1ms", 3, MilliSeconds(12));
        Check("incast:Senders=3,Requests=4,Interval=10ms,Jitter=0us", 6, MilliSeconds(20));
        Check("shuffle:Jobs=3,Interval=10ms,Mappers=1,Sizes=fixed", 3, MilliSeconds(20));
        Check("permutation:Shift=1,Jitter=0us", 0, Time::Max());
        Check("poisson:FlowRate=1e3,Sizes=fixed", 0, Time::Max()); // drawn one by one
    }
};

/**
 * @ingroup workload-tests
 * @brief Closed loop: every host keeps its number of flows, thinks, and stops.
 */
class ClosedLoopWorkloadTestCase : public TestCase
{
  public:
    ClosedLoopWorkloadTestCase()
        : TestCase("closed loop")
    {
    }

  private:
    void DoRun() override;
};

void
ClosedLoopWorkloadTestCase::DoRun()
{
    // Flows of 10 us, no thinking: 3 flows per host all the time, 100 starts each in 1 ms.
    auto transport = CreateTransport(4);
    transport->completion = MicroSeconds(10);
    auto workload =
        Make("closed-loop:Outstanding=3,Sizes=fixed:Bytes=5000,Jitter=0us,Stop=1ms,Group=2");
    workload->Start(CreateObject<Transports>(transport), AllHosts(4));
    transport->StartFlow({0, 1, 77, 9}); // somebody else's
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(workload->IsOver(), true, "over");
    NS_TEST_EXPECT_MSG_EQ(workload->GetStarted(), 4 * 3 * 100, "one start per end");
    std::vector<uint64_t> bySource(4);
    std::map<int64_t, int> byTime;
    for (const auto& note : transport->notes)
    {
        if (note.request.group == 2)
        {
            ++bySource[note.request.source];
            ++byTime[note.at.GetMicroSeconds()];
            NS_TEST_EXPECT_MSG_NE(note.request.source, note.request.destination, "other host");
            NS_TEST_EXPECT_MSG_EQ(note.request.bytes, 5000, "size");
        }
    }
    for (const auto count : bySource)
    {
        NS_TEST_EXPECT_MSG_EQ(count, 300, "each host keeps three flows");
    }
    for (const auto& [time, count] : byTime)
    {
        NS_TEST_EXPECT_MSG_EQ(count, 12, "as many start as end, at " << time << " us");
    }
    Simulator::Destroy();

    // With 30 us of thinking on average, a cycle takes 40 us: 2 flows, 4 hosts, 100 ms.
    transport = CreateTransport(4);
    transport->completion = MicroSeconds(10);
    workload = Make("closed-loop:Outstanding=2,Sizes=fixed,ThinkTime=30us,Stop=100ms");
    workload->Start(CreateObject<Transports>(transport), AllHosts(4));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(workload->GetStarted(), 2 * 4 * 100e3 / 40, 500, "with think time");
    Simulator::Destroy();
}

/**
 * @ingroup workload-tests
 * @brief On-off senders: who sends to whom, and how often.
 */
class OnOffWorkloadTestCase : public TestCase
{
  public:
    OnOffWorkloadTestCase()
        : TestCase("on-off")
    {
    }

  private:
    void DoRun() override;
};

void
OnOffWorkloadTestCase::DoRun()
{
    // Flows of 10 us, 30 us off on average: a cycle of 40 us for each of 3 senders.
    auto transport = CreateTransport(4);
    transport->completion = MicroSeconds(10);
    auto workload = Make("on-off:Sizes=fixed:Bytes=5000,ThinkTime=30us,Stop=100ms");
    workload->Start(CreateObject<Transports>(transport), AllHosts(4));
    Simulator::Run();
    std::vector<uint64_t> bySource(4);
    for (const auto& note : transport->notes)
    {
        ++bySource[note.request.source];
        NS_TEST_EXPECT_MSG_EQ(note.request.destination, 3, "to the last host");
        NS_TEST_EXPECT_MSG_EQ(note.request.bytes, 5000, "size");
    }
    for (uint32_t sender = 0; sender < 3; ++sender)
    {
        // Standard deviation of the count: 2500 (30 / 40) / sqrt(2500) = 37.5.
        NS_TEST_EXPECT_MSG_EQ_TOL(bySource[sender], 100e3 / 40, 150, "flows of one sender");
    }
    NS_TEST_EXPECT_MSG_EQ(bySource[3], 0, "the receiver does not send");
    Simulator::Destroy();

    // Two senders that share 1 byte/ns: flows of 5000 bytes take 10 us, whatever becomes of them.
    transport = CreateTransport(3);
    transport->completion = MicroSeconds(77);
    workload = Make("fair-on-off:Sizes=fixed:Bytes=5000,Rate=8Gbps,Jitter=0s,Stop=95us");
    workload->Start(CreateObject<Transports>(transport), AllHosts(3));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(transport->notes.size(), 20, "two each 10 us");
    for (std::size_t i = 0; i < transport->notes.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(transport->notes[i].request.destination, 2, "to the last host");
        NS_TEST_EXPECT_MSG_EQ_TOL(transport->notes[i].at.GetMicroSeconds(),
                                  static_cast<int64_t>(i / 2 * 10),
                                  1,
                                  "start of flow " << i);
    }
    Simulator::Destroy();
}

/**
 * @ingroup workload-tests
 * @brief Requests: servers answer clients.
 */
class RequestWorkloadTestCase : public TestCase
{
  public:
    RequestWorkloadTestCase()
        : TestCase("requests")
    {
    }

  private:
    void DoRun() override;

    /**
     * @brief Draw responses among 8 hosts.
     * @param spec the workload
     * @param clients number of hosts, the first ones, that must be clients
     */
    void CheckPairs(const std::string& spec, uint32_t clients);
};

void
RequestWorkloadTestCase::CheckPairs(const std::string& spec, uint32_t clients)
{
    auto workload = Make(spec + ",Sizes=fixed:Bytes=1000,FlowRate=1e6");
    workload->Prepare(AllHosts(8));
    std::map<std::pair<uint32_t, uint32_t>, int> pairs;
    const int draws = 16'000;
    for (int i = 0; i < draws; ++i)
    {
        const auto flow = workload->Next();
        ++pairs[{flow->request.source, flow->request.destination}];
        NS_TEST_ASSERT_MSG_GT_OR_EQ(flow->request.source, clients, "a server sends");
        NS_TEST_ASSERT_MSG_LT(flow->request.destination, clients, "a client receives");
    }
    const double expected = 1.0 * draws / (clients * (8 - clients));
    NS_TEST_EXPECT_MSG_EQ(pairs.size(), clients * (8 - clients), "every pair");
    for (const auto& [pair, count] : pairs)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(count, expected, 5 * std::sqrt(expected), "alike");
    }
    workload->Dispose();
}

void
RequestWorkloadTestCase::DoRun()
{
    CheckPairs("request:Stop=0s", 4);
    CheckPairs("request:Clients=2", 2);
    try
    {
        Make("request:Clients=8,Sizes=fixed,FlowRate=1")->Prepare(AllHosts(8));
        NS_TEST_EXPECT_MSG_EQ(true, false, "no server left: must be refused");
    }
    catch (const InputError& error)
    {
        NS_TEST_EXPECT_MSG_NE(std::string(error.what()).find("Clients"),
                              std::string::npos,
                              "named");
    }
    Simulator::Destroy();
}

/**
 * @ingroup workload-tests
 * @brief Kinds of workload.
 */
class WorkloadTestSuite : public TestSuite
{
  public:
    WorkloadTestSuite()
        : TestSuite("workload", Type::UNIT)
    {
        AddTestCase(new FlowRateTestCase);
        AddTestCase(new PoissonWorkloadTestCase);
        AddTestCase(new WorkloadStreamTestCase);
        AddTestCase(new PermutationWorkloadTestCase);
        AddTestCase(new HotRackWorkloadTestCase, Duration::QUICK);
        AddTestCase(new ProbeWorkloadTestCase, Duration::QUICK);
        AddTestCase(new IncastWorkloadTestCase);
        AddTestCase(new TraceWorkloadTestCase);
        AddTestCase(new WorkloadInputTestCase);
        AddTestCase(new WorkloadRunTestCase);
        AddTestCase(new UnstartedFlowsTestCase);
        AddTestCase(new ClosedLoopWorkloadTestCase);
        AddTestCase(new OnOffWorkloadTestCase);
        AddTestCase(new RequestWorkloadTestCase);
    }
};

/// The suite registers itself.
static WorkloadTestSuite g_workloadTestSuite;
