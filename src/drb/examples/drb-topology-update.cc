/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The topology update protocol of Digit-Reversal Bouncing (DRB, Section 4.3) without traffic: how
// many messages a failure makes, and how long it takes until the last server knows.

#include "ns3/bouncing-agent.h"
#include "ns3/bouncing-scheme.h"
#include "ns3/calculation.h"
#include "ns3/csv-writer.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/network.h"
#include "ns3/object-spec.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/timeline.h"

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// @brief A failure, as results call it and as a Timeline does.
using Failure = std::pair<std::string, std::string>;

const std::vector<Failure> FAILURES{{"rack_link", "link edge0:aggregation0"},
                                    {"core_link", "link aggregation0:core1"},
                                    {"core_switch", "switch core1"}};

/// @brief Takes a name and a number.
using Report = std::function<void(const std::string&, double)>;

/// @brief A network under the protocol, without traffic.
class QuietNetwork
{
  public:
    /**
     * @param scheme specification of the scheme
     * @param ports ports of each switch of the fat-tree
     * @param settings attributes of the scheme, over those in its specification
     */
    QuietNetwork(const Spec& scheme,
                 uint32_t ports,
                 const std::vector<std::pair<std::string, std::string>>& settings)
        : m_network(CreateObject<Network>()),
          m_scheme(DynamicCast<BouncingScheme>(Scheme::Create(scheme))),
          m_fabric(m_network->GetFabric())
    {
        if (!m_scheme)
        {
            throw InputError("--scheme", scheme.ToString(), "one that bounces: drb, rrb or rb");
        }
        for (const auto& [name, value] : settings)
        {
            m_scheme->SetAttribute(name, StringValue(value));
        }
        m_network->SetScheme(m_scheme);
        m_network->SetTopology(
            CreateFromSpec<Topology>("--ports", Spec("fat-tree", {{"K", std::to_string(ports)}})));
        m_network->Build();
        m_scheme->AssignStreams(STREAM);
        m_told.resize(m_fabric->GetNHosts());
        for (uint32_t host = 0; host < m_fabric->GetNHosts(); ++host)
        {
            auto record = [this, host](uint32_t) { m_told[host] = Simulator::Now(); };
            m_fabric->GetHost(host).GetEdgeAgents().back()->TraceConnectWithoutContext(
                "View",
                Callback<void, uint32_t>(record));
        }
    }

    ~QuietNetwork()
    {
        m_network->Dispose();
        Simulator::Destroy();
    }

    QuietNetwork(const QuietNetwork&) = delete;
    QuietNetwork& operator=(const QuietNetwork&) = delete;

    /**
     * @brief Have things fail and be repaired.
     * @param events as for Timeline
     */
    void Schedule(const std::string& events)
    {
        m_timelines.emplace_back(*m_network, "events", events).Start();
    }

    /**
     * @brief Let time pass.
     * @param end end of that time, from the beginning
     */
    void RunUntil(Time end)
    {
        Simulator::Stop(end - Simulator::Now());
        Simulator::Run();
    }

    /// @brief Counters of the protocol so far.
    TopologyUpdate::Counts GetCounts() const
    {
        return m_scheme->GetTopologyUpdate()->GetCounts();
    }

    /**
     * @brief Packets that servers sent so far.
     * @return their number
     */
    uint64_t CountSentByServers() const
    {
        uint64_t packets = 0;
        for (uint32_t host = 0; host < m_fabric->GetNHosts(); ++host)
        {
            packets += m_fabric->GetHost(host).GetNicPort().GetTxPackets();
        }
        return packets;
    }

    /**
     * @brief Last times at which servers changed their views.
     * @return times, by host
     */
    const std::vector<Time>& GetTold() const
    {
        return m_told;
    }

  private:
    static constexpr int64_t STREAM = 1; //!< of the times of switches' first hellos

    Ptr<Network> m_network;          //!< all of it
    Ptr<BouncingScheme> m_scheme;    //!< its scheme
    Ptr<Fabric> m_fabric;            //!< its fabric
    std::list<Timeline> m_timelines; //!< failures and repairs
    std::vector<Time> m_told;        //!< last change of each server's view
};

/**
 * @brief Count the messages of single failures, and of a round in which each switch advertises
 * once.
 * @param scheme specification of the scheme
 * @param ports ports of a switch
 * @param report takes the results
 */
void
CountMessages(const Spec& scheme, uint32_t ports, const Report& report)
{
    uint64_t byServers = 0;
    for (const auto& [failure, name] : FAILURES)
    {
        QuietNetwork network(scheme,
                             ports,
                             {{"FailureDetection", "LinkDown"}, {"AdvertisementInterval", "0s"}});
        network.Schedule("1ms fail-" + name);
        network.RunUntil(Seconds(1));
        byServers += network.CountSentByServers();
        const auto counts = network.GetCounts();
        report(failure + "_messages", static_cast<double>(counts.advertisements));
        report(failure + "_originators", counts.originators);
        report(failure + "_broadcasters", counts.broadcasters);
        report(failure + "_repeated_messages",
               static_cast<double>(counts.duplicates + counts.receivedDuplicates));
        const auto& told = network.GetTold();
        report(failure + "_servers_told",
               static_cast<double>(told.size() - std::count(told.begin(), told.end(), Time(0))));
    }
    QuietNetwork network(scheme,
                         ports,
                         {{"TopologyUpdate", "Always"},
                          {"FailureDetection", "LinkDown"},
                          {"AdvertisementInterval", "1s"}});
    network.RunUntil(Seconds(1));
    const auto counts = network.GetCounts();
    report("round_messages", static_cast<double>(counts.advertisements));
    report("round_originators", counts.originators);
    report("round_broadcasters", counts.broadcasters);
    byServers += network.CountSentByServers();
    report("messages_of_servers", static_cast<double>(byServers));
}

/**
 * @brief Let something fail again and again, found by hellos, and see when servers come to know.
 * @param scheme specification of the scheme
 * @param ports ports of a switch
 * @param failure the failure
 * @param trials number of trials
 * @param csv takes a row per trial, if there is a file
 * @param report takes the results
 */
void
MeasureDelay(const Spec& scheme,
             uint32_t ports,
             const Failure& failure,
             uint32_t trials,
             CsvWriter* csv,
             const Report& report)
{
    QuietNetwork network(scheme, ports, {{"AdvertisementInterval", "0s"}});
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(0);
    const Time period = Seconds(2);
    double sum = 0;
    double longest = 0;
    for (uint32_t trial = 0; trial < trials; ++trial)
    {
        // At any moment between two hellos; repaired half a period later, which all know by the
        // end.
        const Time begin = trial * period + NanoSeconds(random->GetInteger(1'000'000, 499'999'999));
        const Time repair = trial * period + period / 2;
        network.Schedule(std::to_string((begin - Simulator::Now()).GetNanoSeconds()) + "ns fail-" +
                         failure.second + "; " +
                         std::to_string((repair - Simulator::Now()).GetNanoSeconds()) +
                         "ns repair-" + failure.second);
        network.RunUntil(repair - NanoSeconds(1));
        const auto& told = network.GetTold();
        const auto [first, last] = std::minmax_element(told.begin(), told.end());
        if (*first < begin)
        {
            throw InputError("--scheme",
                             scheme.ToString(),
                             "one whose servers all hear of a failure within 500 ms");
        }
        const double delay = (*last - begin).ToDouble(Time::MS);
        sum += delay;
        longest = std::max(longest, delay);
        if (csv)
        {
            csv->Row(failure.first, trial, (*first - begin).ToDouble(Time::MS), delay);
        }
        network.RunUntil((trial + 1) * period);
    }
    report(failure.first + "_last_server_mean_ms", sum / trials);
    report(failure.first + "_last_server_max_ms", longest);
}

} // namespace

int
main(int argc, char* argv[])
{
    Spec scheme = "drb";
    uint32_t ports = 8;
    uint32_t trials = 20;
    Calculation calculation("drb-topology-update",
                            "counts and times the messages that tell servers of failures");
    calculation.AddSpecOption<Scheme>("scheme", "how the network is run: one that bounces", scheme);
    calculation.AddOption("ports", "ports of a switch of the fat-tree", ports);
    calculation.AddOption("trials", "failures of each kind that are timed; 0: none", trials);
    return calculation.Main(argc, argv, [&] {
        if (ports < 4 || ports > 48)
        {
            throw InputError("--ports", std::to_string(ports), "an even number from 4 to 48");
        }
        Time::SetResolution(Time::PS);
        const auto report = [&calculation](const std::string& name, double value) {
            calculation.Report(name, value);
        };
        CountMessages(scheme, ports, report);
        std::optional<CsvWriter> csv;
        if (const std::string& out = calculation.GetOutputFolder(); !out.empty())
        {
            csv.emplace(out + "/delays.csv",
                        std::initializer_list<std::string_view>{"failure",
                                                                "trial",
                                                                "first_server_ms",
                                                                "last_server_ms"});
        }
        for (const Failure& failure : FAILURES)
        {
            if (trials > 0)
            {
                MeasureDelay(scheme, ports, failure, trials, csv ? &*csv : nullptr, report);
            }
        }
        if (csv)
        {
            csv->Close();
        }
    });
}
