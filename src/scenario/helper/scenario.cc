/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario.h"

#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/host-model.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/object-spec.h"
#include "ns3/output-file.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/topology.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <set>

namespace ns3
{

/// @brief Passes what happens to flows on to the recorders.
class Scenario::Tap : public FlowObserver
{
  public:
    explicit Tap(Scenario& scenario)
        : m_scenario(scenario)
    {
    }

    /**
     * @brief End the simulation when all flows of a workload are over.
     * @param workload the workload
     */
    void StopAfter(Ptr<Workload> workload)
    {
        m_workload = workload;
    }

    void FlowStarted(const FlowRecord& record) override
    {
        ++m_active;
        if (const auto& flows = m_scenario.m_flows)
        {
            const FlowRequest& request = record.request;
            const Time ideal = request.bytes > 0
                                   ? m_scenario.GetTransports()->GetIdealCompletionTime(request)
                                   : Time(0);
            flows->Started(record.id,
                           request.group,
                           request.source,
                           request.destination,
                           request.bytes,
                           record.requested,
                           ideal);
        }
    }

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        if (const auto& rates = m_scenario.m_rates)
        {
            rates->Add(record.request.group, bytes, Simulator::Now());
        }
    }

    void FlowFinished(const FlowRecord& record) override
    {
        --m_active;
        if (const auto& flows = m_scenario.m_flows)
        {
            flows->FirstSent(record.id, record.firstSent);
            flows->Finished(record.id, record.acknowledged);
            m_scenario.m_latency.Add(record.acknowledged - record.firstSent);
        }
        if (m_workload && m_active == 0 && m_workload->IsOver())
        {
            Simulator::Stop();
        }
    }

  private:
    Scenario& m_scenario;     //!< has the recorders
    Ptr<Workload> m_workload; //!< whose end is the end of the simulation
    uint64_t m_active{0};     //!< flows that are not over
};

/// @brief Delays of packets, and what measures them.
struct Scenario::Delays
{
    /**
     * @param fabric is built
     * @param from beginning of the measured time
     * @param to its end
     */
    Delays(Fabric& fabric, Time from, Time to)
        : packets(fabric, from, to),
          from(from),
          to(to)
    {
    }

    /**
     * @brief Count a delay that ends now, if that is in the measured time.
     * @param histogram takes it
     * @param delay how long
     */
    void Add(LatencyHistogram* histogram, Time delay) const
    {
        if (const Time now = Simulator::Now(); now >= from && now < to)
        {
            histogram->Add(delay);
        }
    }

    PacketDelayRecorder packets;   //!< across the network
    Time from;                     //!< beginning of the measured time
    Time to;                       //!< its end
    LatencyHistogram roundTrip;    //!< as senders measure it
    LatencyHistogram resequencing; //!< in buffers of receivers
    bool hasRoundTrip{false};      //!< whether the transport measures round trips
    bool hasResequencing{false};   //!< whether receivers have buffers
};

Scenario::Scenario(std::string name, std::string summary)
    : m_name(name),
      m_options(std::move(name), std::move(summary))
{
    // 64 bytes at 100 Gbit/s take 5.12 ns: transmission times need picoseconds.
    Time::SetResolution(Time::PS);
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::TimingWheelSimulatorImpl"));
    AddSpecOption<Scheme>("scheme", "how the network is run", m_schemeSpec);
    AddSpecOption<Topology>("topology",
                            "hosts, switches and links (empty: the scenario's own)",
                            m_topologySpec);
    AddSpecOption<Transport>("transport",
                             "how hosts send (empty: as the scheme says); several side by side "
                             "are separated by semicolons and may have names, as in "
                             "web=lean;bulk=udp:Rate=1Gbps",
                             m_transportSpec);
    AddSpecOption<HostModel>("hosts",
                             "what stands between the transport and the link",
                             m_hostsSpec);
    AddOption("forwardingDelay", "time that each switch takes to forward", m_forwardingDelay);
    AddOption("failLinks", "random links between switches that have failed", m_failLinks);
    AddOption("out", "folder for CSV files and run.json; empty: none are written", m_out);
}

Scenario::~Scenario() = default;

void
Scenario::SetDefaultTopology(const std::string& spec)
{
    if (m_topologySpec.empty())
    {
        m_topologySpec = spec;
    }
}

std::string
Scenario::GetLoadedRole() const
{
    std::string hosts;
    std::string fabric;
    m_fabric->ForEachPort([&](const FabricPort& port) {
        const auto& description = port.GetDescription();
        if (description.tier == 0)
        {
            hosts = description.role;
        }
        else if (description.tier == 1 && description.peerTier == 2)
        {
            fabric = description.role;
        }
    });
    return fabric.empty() ? hosts : fabric;
}

int
Scenario::Main(int argc, char* argv[], const std::function<void()>& body)
{
    return m_options.Run(argc, argv, [&] {
        m_manifest = std::make_unique<RunManifest>(m_name, m_schemeSpec);
        m_manifest->SetCommand(argc, argv);
        body();
        WriteOutput();
        PrintSummary();
        CloseNetwork();
    });
}

// ---- Network ----

Fabric&
Scenario::BuildNetwork()
{
    SetDefaultTopology("leaf-spine:Leaves=3,HostsPerLeaf=16,Spines=2");
    m_network = CreateObject<Network>();
    m_fabric = m_network->GetFabric();
    m_network->SetTopology(m_topologySpec);
    m_network->SetScheme(m_schemeSpec);
    m_network->SetTransports(m_transportSpec);
    m_network->SetHostModel(m_hostsSpec);
    if (!m_forwardingDelay.IsZero())
    {
        SetAttribute(m_fabric,
                     "ForwardingDelay",
                     TimeValue(m_forwardingDelay),
                     "--forwardingDelay");
    }
    m_network->Build();
    m_tap = std::make_unique<Tap>(*this);
    m_network->GetTransports()->AddObserver(m_tap.get());
    if (m_failLinks > 0)
    {
        Topology::FailLinks(*m_fabric, m_failLinks, Network::FAILURE_STREAM, "--failLinks");
    }
    return *m_fabric;
}

std::vector<uint32_t>
Scenario::GetHosts() const
{
    std::vector<uint32_t> hosts(m_fabric->GetNHosts());
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
}

uint32_t
Scenario::GetRackSize() const
{
    uint32_t size = 0;
    while (size < m_fabric->GetNHosts() &&
           m_fabric->GetLocation(size).rack == m_fabric->GetLocation(0).rack)
    {
        ++size;
    }
    return size;
}

// ---- Recorders ----

FlowRecorder&
Scenario::RecordFlows(Time warmUp, std::optional<Time> end)
{
    m_flows = CreateObject<FlowRecorder>();
    m_flows->SetAttribute("WarmUp", TimeValue(warmUp));
    if (end)
    {
        m_flows->SetAttribute("End", TimeValue(*end));
    }
    return *m_flows;
}

RateRecorder&
Scenario::RecordRates(Time binWidth)
{
    m_rates = CreateObject<RateRecorder>();
    m_rates->SetAttribute("BinWidth", TimeValue(binWidth));
    return *m_rates;
}

QueueRecorder&
Scenario::RecordQueues(Time interval, Time first, Time last, bool file, const std::string& only)
{
    const auto names = CutList(only);
    std::set<std::string> wanted(names.begin(), names.end());
    const bool all = wanted.empty();
    m_queues = CreateObject<QueueRecorder>();
    m_queues->SetAttribute("Interval", TimeValue(interval));
    m_firstQueueSample = first;
    m_lastQueueSample = last;
    m_queueFile = file;
    m_fabric->ForEachPort([&](FabricPort& port) {
        const auto& description = port.GetDescription();
        if (description.tier > 0 && (all || wanted.erase(description.name) > 0))
        {
            m_queues->AddProbe(description.name, description.role, [&port] {
                return QueueLength{port.GetWaitingBytes(), port.GetWaitingPackets()};
            });
        }
    });
    if (!wanted.empty())
    {
        throw InputError("--queuePorts",
                         *wanted.begin(),
                         "a switch's port, such as those in ports.csv");
    }
    return *m_queues;
}

PacketDelayRecorder&
Scenario::RecordDelays(Time from, Time to)
{
    m_delays = std::make_unique<Delays>(*m_fabric, from, to);
    for (uint32_t i = 0; i < GetTransports()->GetN(); ++i)
    {
        m_delays->hasRoundTrip |= GetTransports()->Get(i)->TraceConnectWithoutContext(
            "RoundTrip",
            MakeCallback(&Delays::Add, m_delays.get()).Bind(&m_delays->roundTrip));
    }
    for (const uint32_t host : GetHosts())
    {
        for (const auto& agent : m_fabric->GetHost(host).GetEdgeAgents())
        {
            if (const auto buffer = DynamicCast<ResequencingBuffer>(agent))
            {
                buffer->TraceConnectWithoutContext(
                    "Delay",
                    MakeCallback(&Delays::Add, m_delays.get()).Bind(&m_delays->resequencing));
                m_delays->hasResequencing = true;
            }
        }
    }
    return m_delays->packets;
}

FlowOccupancyRecorder&
Scenario::RecordOccupancy(Time interval, Time last)
{
    m_occupancy = CreateObject<FlowOccupancyRecorder>();
    m_occupancy->SetAttribute("Interval", TimeValue(interval));
    m_fabric->ForEachPort([this](FabricPort& port) {
        if (port.GetDescription().tier == 0)
        {
            return;
        }
        m_occupancy->AddProbe(port.GetDescription().role,
                              [&port](const FlowOccupancyRecorder::Visit& visit) {
                                  port.ForEachWaiting([&visit](const FabricItem& item) {
                                      if (item.GetClass() == FabricItem::DATA)
                                      {
                                          visit(item.hash);
                                      }
                                  });
                              });
    });
    m_occupancy->Start(Time(0), last);
    return *m_occupancy;
}

// ---- Running ----

void
Scenario::SetAttribute(Ptr<Object> object,
                       const std::string& attribute,
                       const AttributeValue& value,
                       const std::string& option)
{
    if (object->SetAttributeFailSafe(attribute, value))
    {
        return;
    }
    TypeId::AttributeInformation information;
    object->GetInstanceTypeId().LookupAttributeByName(attribute, &information);
    ParseAttributeValue(option,
                        *information.checker,
                        value.SerializeToString(information.checker)); // throws
}

void
Scenario::SetLoad(Ptr<PoissonWorkload> workload, double load, const std::string& tier)
{
    const std::string role = tier.empty() ? GetLoadedRole() : tier;
    const DataRate capacity = m_fabric->GetCapacity(role);
    if (capacity.GetBitRate() == 0)
    {
        std::string roles;
        for (const std::string& known : m_fabric->GetRoles())
        {
            roles += (roles.empty() ? "" : ", ") + known;
        }
        throw InputError("--tier", role, "tiers of this topology are " + roles);
    }
    SetAttribute(workload, "Load", DoubleValue(load), "--load");
    workload->SetAttribute("Capacity", DataRateValue(capacity));
    workload->SetAttribute("Crossing", DoubleValue(m_fabric->GetCrossingProbability(role)));
    Report("flow_rate_per_s", workload->GetFlowRate());
    Report("flow_size_mean_bytes", workload->GetSizes()->Mean());
}

void
Scenario::RunFlows(Ptr<Workload> workload, Time limit)
{
    m_tap->StopAfter(workload);
    RunFor(workload, limit);
}

void
Scenario::RunFor(Ptr<Workload> workload, Time end)
{
    workload->AssignStreams(Network::WORKLOAD_STREAM);
    workload->Start(GetTransports(), GetHosts());
    Simulator::Stop(end);
    Simulate();
}

void
Scenario::Simulate()
{
    if (!m_out.empty())
    {
        PrepareOutputDirectory("--out", m_out);
    }
    if (m_queues)
    {
        const bool file = m_queueFile && !m_out.empty();
        m_queues->Start(m_firstQueueSample, m_lastQueueSample, file ? m_out + "/queues.csv" : "");
    }
    const auto start = std::chrono::steady_clock::now();
    Simulator::Run();
    m_wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CountPorts();
    CollectResults();
}

void
Scenario::CollectResults()
{
    ReportDelays();
    m_network->ReportResults(m_results);
}

void
Scenario::CountPorts()
{
    using Kind = DropRecorder::Kind;
    m_fabric->ForEachPort([this](FabricPort& port) {
        const auto& description = port.GetDescription();
        const FabricQueueDisc& queue = port.GetQueueDisc();
        m_ports.push_back({description.name,
                           description.role,
                           description.rate,
                           port.GetTxPackets(),
                           port.GetTxBytes(),
                           queue.GetPeakBytes(),
                           queue.GetPeakPackets()});
        for (const auto& [reason, packets, bytes] : queue.GetDropCounts())
        {
            m_drops.Add(description.name, Kind::DROP, reason, packets, bytes);
        }
        for (const auto& [reason, packets, bytes] : queue.GetMarkCounts())
        {
            m_drops.Add(description.name, Kind::MARK, reason, packets, bytes);
        }
    });
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        const FabricSwitch& s = m_fabric->GetSwitch(i);
        // The bytes of what found no way are not counted.
        m_drops.Add(s.GetName(), Kind::DROP, "No route", s.GetNoRouteDrops(), 0);
        m_drops.Add(s.GetName(), Kind::DROP, "Too many hops", s.GetLoopDrops(), 0);
        m_drops.Add(s.GetName(), Kind::DROP, "Link failed in flight", s.GetLostInFlight(), 0);
    }
}

void
Scenario::ReportDelays()
{
    if (!m_delays)
    {
        return;
    }
    m_results.SetSource({"delays", "delays"});
    const auto report = [this](const std::string& name, const LatencyHistogram& delays) {
        m_results.Add(name + "_mean_us", delays.GetMeanNs() / 1e3);
        m_results.Add(name + "_p99_us", delays.GetQuantile(0.99).ToDouble(Time::US));
        m_results.Add(name + "_max_us", delays.GetMax().ToDouble(Time::US));
    };
    const PacketDelayRecorder& packets = m_delays->packets;
    report("network_latency", packets.GetNetworkLatency());
    double total = 0;
    for (const auto& [role, delays] : packets.GetQueueingDelays())
    {
        if (delays.GetCount() > 0)
        {
            report("queueing_" + role, delays);
            total += delays.GetMeanNs() * static_cast<double>(delays.GetCount());
        }
    }
    m_results.Add("queueing_mean_us",
                  total / static_cast<double>(packets.GetNetworkLatency().GetCount()) / 1e3);
    if (m_delays->hasRoundTrip)
    {
        report("round_trip", m_delays->roundTrip);
    }
    if (m_delays->hasResequencing)
    {
        const LatencyHistogram& waits = m_delays->resequencing;
        report("resequencing", waits);
        const auto data = static_cast<double>(waits.GetCount());
        m_results.Add("resequencing_mean_all_packets_us",
                      waits.GetMeanNs() / 1e3 * data /
                          (data + static_cast<double>(packets.GetNAcknowledgments())));
    }
    const auto& disorder = packets.GetDisorder();
    const auto arrived = static_cast<double>(disorder.packets);
    m_results.Add("displaced_by_3_share", static_cast<double>(disorder.displacedByThree) / arrived);
    m_results.Add("overtaken_by_3_share", static_cast<double>(disorder.overtakenByThree) / arrived);
}

void
Scenario::Report(const std::string& name, double value)
{
    m_results.SetSource({"scenario", m_name});
    m_results.Add(name, value);
}

// ---- Output ----

void
Scenario::WriteOutput()
{
    if (m_queues)
    {
        m_queues->Close();
    }
    if (m_out.empty())
    {
        return;
    }
    if (m_flows)
    {
        m_flows->Write(m_out + "/flows.csv");
        m_results.SetSource({"recorder", "flows"});
        m_flows->ReportResults(m_results);
    }
    if (m_rates)
    {
        m_rates->Write(m_out + "/rates.csv", Simulator::Now());
    }
    if (m_queues)
    {
        m_results.SetSource({"recorder", "queues"});
        m_queues->ReportResults(m_results);
    }
    if (m_occupancy)
    {
        m_occupancy->Write(m_out + "/occupancy.csv");
        m_results.SetSource({"recorder", "occupancy"});
        m_occupancy->ReportResults(m_results);
    }
    if (m_delays)
    {
        m_delays->packets.GetNetworkLatency().Write(m_out + "/network_latency.csv");
        m_delays->roundTrip.Write(m_out + "/round_trip.csv");
        m_delays->resequencing.Write(m_out + "/resequencing.csv");
    }
    m_latency.Write(m_out + "/latency.csv");
    WritePortCounters(m_out + "/ports.csv", m_ports);
    m_drops.Write(m_out + "/drops.csv");
    m_results.SetSource({"recorder", "drops"});
    m_drops.ReportResults(m_results);
    m_results.Write(m_out + "/results.csv");
    for (const auto& total : m_results.GetTotals())
    {
        m_manifest->SetResult(total.name, total.value);
    }
    m_options.Record(*m_manifest);
    m_manifest->Write(m_out + "/run.json"); // last: a folder with this file is complete
}

void
Scenario::PrintFlowSummary() const
{
    std::cout << "  flows: " << m_flows->GetStarted() << " started, " << m_flows->GetFinished()
              << " finished, " << m_flows->GetUnfinished() << " unfinished, "
              << m_flows->GetExcluded() << " outside the measured time\n";
    std::cout << "  " << std::left << std::setw(14) << "size" << std::right << std::setw(9)
              << "flows" << std::setw(14) << "mean FCT us" << std::setw(14) << "median us"
              << std::setw(14) << "99 % us" << std::setw(15) << "mean slowdown" << "\n";
    std::cout << std::fixed;
    for (const FlowSizeClass& sizes : FlowRecorder::GetSizeClasses())
    {
        const FlowSummary summary = m_flows->Summarize(sizes);
        if (summary.finished == 0)
        {
            continue;
        }
        std::cout << "  " << std::left << std::setw(14) << sizes.name << std::right << std::setw(9)
                  << summary.finished << std::setprecision(2) << std::setw(14)
                  << summary.meanFctNs / 1e3 << std::setw(14) << summary.p50FctNs / 1e3
                  << std::setw(14) << summary.p99FctNs / 1e3 << std::setw(15)
                  << summary.meanSlowdown << "\n";
    }
    std::cout << std::defaultfloat << std::setprecision(6);
}

void
Scenario::PrintSummary() const
{
    std::cout << m_name << ": " << m_network->GetScheme()->GetSummary() << "\n  on "
              << m_network->GetTopology()->GetSummary() << "\n";
    if (m_flows)
    {
        PrintFlowSummary();
    }
    for (const auto& total : m_results.GetTotals())
    {
        if (total.kind != "recorder")
        {
            std::cout << "  " << total.name << " = " << total.value << "\n";
        }
    }
    std::cout << "  packets dropped: " << m_drops.GetTotal(DropRecorder::Kind::DROP).packets
              << ", marked: " << m_drops.GetTotal(DropRecorder::Kind::MARK).packets << "\n"
              << "  simulated " << Simulator::Now().GetSeconds() << " s with "
              << Simulator::GetEventCount() << " events in " << std::setprecision(3)
              << m_wallSeconds << " s" << std::setprecision(6) << std::endl;
    if (!m_out.empty())
    {
        std::cout << "  files: " << m_out << std::endl;
    }
}

void
Scenario::CloseNetwork()
{
    m_network->Dispose();
    Simulator::Destroy();
}

} // namespace ns3
