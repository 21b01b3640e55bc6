/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/simulator.h"
#include "ns3/tenant-table.h"
#include "ns3/test.h"
#include "ns3/topology.h"
#include "ns3/transports.h"
#include "ns3/workload.h"

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup workload-tests
 * @brief The pairs and times of flows, period by period.
 */
class PulsedArrivalsTestCase : public TestCase
{
  public:
    PulsedArrivalsTestCase()
        : TestCase("pairs are redrawn at intervals")
    {
    }

  private:
    void DoRun() override
    {
        const auto workload =
            CreateFromSpec<Workload>("--workload",
                                     "pulsed:Flows=3,Period=2ms,On=1500us,Start=1ms,Stop=200ms");
        workload->AssignStreams(1);
        workload->Prepare(AllHosts(5));
        std::map<int64_t, std::vector<uint32_t>> periods; // destinations, by start in us
        std::map<uint32_t, uint32_t> received;
        bool areOthers = true;
        while (const auto flow = workload->Next())
        {
            auto& period = periods[flow->at.GetMicroSeconds()];
            NS_TEST_ASSERT_MSG_EQ(flow->request.source, period.size() / 3, "three flows of each");
            NS_TEST_ASSERT_MSG_EQ(flow->request.bytes, 0, "without end");
            NS_TEST_ASSERT_MSG_EQ(flow->lifetime, MicroSeconds(1500), "but stopped");
            period.push_back(flow->request.destination);
            ++received[flow->request.destination];
            areOthers = areOthers && flow->request.destination != flow->request.source;
        }
        NS_TEST_EXPECT_MSG_EQ(areOthers, true, "nobody sends to itself");
        NS_TEST_ASSERT_MSG_EQ(periods.size(), 100, "from 1 ms to 199 ms");
        NS_TEST_EXPECT_MSG_EQ(periods.begin()->first, 1000, "the first");
        NS_TEST_EXPECT_MSG_EQ(periods.rbegin()->first, 199'000, "the last");
        std::set<std::vector<uint32_t>> different;
        for (const auto& [start, destinations] : periods)
        {
            NS_TEST_EXPECT_MSG_EQ(destinations.size(), 15, "flows that start at " << start);
            different.insert(destinations);
        }
        NS_TEST_EXPECT_MSG_EQ(different.size(), 100, "drawn anew");
        for (const auto& [host, flows] : received)
        {
            // 1500 flows, a fifth to each; four standard deviations of a binomial.
            NS_TEST_EXPECT_MSG_EQ_TOL(flows, 300, 62, "all are as likely; host " << host);
        }
    }
};

/**
 * @ingroup workload-tests
 * @brief Starts are drawn within Jitter, and come in time order.
 */
class PulsedJitterTestCase : public TestCase
{
  public:
    PulsedJitterTestCase()
        : TestCase("starts are drawn within a time")
    {
    }

  private:
    void DoRun() override
    {
        const auto workload = CreateFromSpec<Workload>(
            "--workload",
            "pulsed:Destinations=Last,Period=8ms,On=4ms,Jitter=4us,Stop=800ms");
        workload->AssignStreams(1);
        workload->Prepare(AllHosts(11));
        std::map<int64_t, std::set<uint32_t>> periods; // sources, by number
        double sum = 0;
        Time last;
        while (const auto flow = workload->Next())
        {
            const Time late = flow->at - MilliSeconds(8) * (flow->at / MilliSeconds(8)).GetHigh();
            NS_TEST_EXPECT_MSG_LT_OR_EQ(late, MicroSeconds(4), "within the time");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(flow->at, last, "in order");
            NS_TEST_EXPECT_MSG_EQ(flow->lifetime, MilliSeconds(4), "On after its own start");
            last = flow->at;
            sum += late.ToDouble(Time::US);
            periods[(flow->at / MilliSeconds(8)).GetHigh()].insert(flow->request.source);
        }
        NS_TEST_EXPECT_MSG_EQ(periods.size(), 100, "periods");
        for (const auto& [period, sources] : periods)
        {
            NS_TEST_EXPECT_MSG_EQ(sources.size(), 10, "each sender once");
        }
        // Uniform: 1000 draws with a standard deviation of 1.15 us each; four of the mean.
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / 1000, 2, 0.15, "uniformly");
    }
};

/**
 * @ingroup workload-tests
 * @brief Each period has a permutation of its own.
 */
class PulsedPermutationTestCase : public TestCase
{
  public:
    PulsedPermutationTestCase()
        : TestCase("all flows of a host go to one other, drawn anew")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t HOSTS = 5;
        constexpr uint32_t PERIODS = 2000;
        const auto workload =
            CreateFromSpec<Workload>("--workload",
                                     "pulsed:Destinations=Permutation,Flows=2,Period=1ms,Stop=2s");
        workload->AssignStreams(1);
        workload->Prepare(AllHosts(HOSTS));
        std::map<int64_t, std::vector<uint32_t>> periods; // destinations, by start in ms
        while (const auto flow = workload->Next())
        {
            auto& period = periods[flow->at.GetMilliSeconds()];
            NS_TEST_ASSERT_MSG_EQ(flow->request.source, period.size() / 2, "two flows of each");
            period.push_back(flow->request.destination);
        }
        NS_TEST_ASSERT_MSG_EQ(periods.size(), PERIODS, "each millisecond");
        std::map<std::vector<uint32_t>, uint32_t> drawn;
        for (const auto& [start, destinations] : periods)
        {
            std::map<uint32_t, uint32_t> received;
            for (uint32_t flow = 0; flow < 2 * HOSTS; ++flow)
            {
                NS_TEST_ASSERT_MSG_NE(destinations[flow], flow / 2, "nobody sends to itself");
                NS_TEST_ASSERT_MSG_EQ(destinations[flow],
                                      destinations[flow - flow % 2],
                                      "both go to the same host");
                ++received[destinations[flow]];
            }
            NS_TEST_ASSERT_MSG_EQ(received.size(), HOSTS, "everybody receives");
            ++drawn[destinations];
        }
        // Five have 44 derangements; five standard deviations of a binomial.
        NS_TEST_ASSERT_MSG_EQ(drawn.size(), 44, "all derangements");
        for (const auto& [destinations, times] : drawn)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(times, PERIODS / 44, 33, "all are as likely");
        }
    }
};

/**
 * @ingroup workload-tests
 * @brief Demands that alternate between a rate and all that goes.
 */
class AlternatingDemandTestCase : public TestCase, private FlowObserver
{
  public:
    AlternatingDemandTestCase()
        : TestCase("demands alternate")
    {
    }

  private:
    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        // Those of a packet that was under way when its flow was stopped count for the next.
        m_delivered[(Simulator::Now() / MilliSeconds(4)).GetHigh()] += bytes;
        NS_TEST_EXPECT_MSG_EQ(record.request.destination, 2, "all goes to the last");
    }

    void DoRun() override
    {
        auto fabric = CreateObject<Fabric>();
        CreateFromSpec<Topology>("topology", "single-switch:Hosts=3,HostRate=10Gbps")
            ->AddTo(*fabric);
        fabric->Build();
        const auto transports = CreateObject<Transports>();
        transports->Add("low", CreateFromSpec<Transport>("t", "udp:Rate=500Mbps"));
        transports->Add("high", CreateFromSpec<Transport>("t", "udp:Rate=4Gbps"));
        transports->Attach(fabric);
        transports->AddObserver(this);
        const std::string common =
            "pulsed:Destinations=Last,Period=8ms,On=4ms,Stop=16ms,Transport=";
        const auto low = CreateFromSpec<Workload>("w", common + "low");
        const auto high = CreateFromSpec<Workload>("w", common + "high,Start=4ms");
        low->Start(transports, AllHosts(3));
        high->Start(transports, AllHosts(3));
        Simulator::Stop(MilliSeconds(17));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(low->IsOver() && high->IsOver(), true, "nothing starts any more");
        for (uint64_t phase = 0; phase < 4; ++phase)
        {
            const double rate = 8e-6 / 4e-3 * static_cast<double>(m_delivered[phase]);
            const double expected = 2 * (phase % 2 ? 4000 : 500) * 1472.0 / 1500; // two senders
            NS_TEST_EXPECT_MSG_EQ_TOL(rate, expected, 0.01 * expected, "phase " << phase);
        }
        NS_TEST_EXPECT_MSG_LT(m_delivered[4], 10 * 1500, "all is stopped");
        transports->Dispose();
        fabric->Dispose();
        Simulator::Destroy();
    }

    std::map<uint64_t, uint64_t> m_delivered; //!< bytes, by phase of 4 ms
};

/**
 * @ingroup workload-tests
 * @brief Settings that cannot be used are told in one line.
 */
class PulsedInputTestCase : public TestCase
{
  public:
    PulsedInputTestCase()
        : TestCase("bad input")
    {
    }

  private:
    void DoRun() override
    {
        std::string error;
        try
        {
            CreateFromSpec<Workload>("w", "pulsed:Period=1ms,On=2ms")->Prepare(AllHosts(3));
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_EQ(error, "pulsed:On = '0.002s': at most the period, 0.001s", "On");

        auto tenants = CreateObject<TenantTable>();
        tenants->AddTenant({"A"});
        for (const uint32_t host : {0, 1, 1})
        {
            tenants->AddVm({0, host});
        }
        error.clear();
        try
        {
            CreateFromSpec<Workload>("w", "pulsed:Destinations=Last")->Prepare(tenants, 0);
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_EQ(error,
                              "pulsed:Destinations = 'Last': no other VM on the host of the last",
                              "two VMs of one host");
        error.clear();
        try
        {
            CreateFromSpec<Workload>("w", "pulsed:Destinations=Permutation")->Prepare(tenants, 0);
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_EQ(
            error,
            "pulsed:Destinations = 'Permutation': at most half of the VMs on one host",
            "two of three VMs on one host");
    }
};

/**
 * @ingroup workload-tests
 * @brief Flows that are started anew period by period.
 */
class PulsedWorkloadTestSuite : public TestSuite
{
  public:
    PulsedWorkloadTestSuite()
        : TestSuite("pulsed-workload", Type::UNIT)
    {
        AddTestCase(new PulsedArrivalsTestCase, Duration::QUICK);
        AddTestCase(new PulsedJitterTestCase, Duration::QUICK);
        AddTestCase(new PulsedPermutationTestCase, Duration::QUICK);
        AddTestCase(new AlternatingDemandTestCase, Duration::QUICK);
        AddTestCase(new PulsedInputTestCase, Duration::QUICK);
    }
};

static PulsedWorkloadTestSuite g_pulsedWorkloadTestSuite; //!< registers the suite
