/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario.h"

#include "own-schemes.h"
#include "progress.h"
#include "run-notices.h"

#include "ns3/base-rtt.h"
#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/host-model.h"
#include "ns3/input-error.h"
#include "ns3/notice.h"
#include "ns3/number-text.h"
#include "ns3/object-settings.h"
#include "ns3/object-spec.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tenant-source.h"
#include "ns3/tenant-statements.h"
#include "ns3/topology.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <numeric>

namespace ns3
{

namespace
{

constexpr uint32_t FULL_PACKET = 1500; //!< bytes of an IP datagram, for base RTTs
constexpr uint32_t ANSWER = 40;        //!< bytes of its acknowledgment

/**
 * @param workload the scenario's own
 * @return first of its random variable streams
 */
int64_t
GetStream(const Workload& workload)
{
    return dynamic_cast<const TenantWorkloads*>(&workload) ? Network::TENANT_WORKLOAD_STREAM
                                                           : Network::WORKLOAD_STREAM;
}

} // namespace

Scenario::Scenario(std::string name, std::string summary)
    : m_name(name),
      m_options(std::move(name), std::move(summary))
{
    LoadOwnSchemes();
    // 64 bytes at 100 Gbit/s take 5.12 ns: transmission times need picoseconds.
    Time::SetResolution(Time::PS);
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::TimingWheelSimulatorImpl"));
    AddSpecOption<Scheme>("scheme", "how the network is run", m_schemeSpec);
    AddSpecOption<Topology>("topology",
                            "hosts, switches and links (empty: the scenario's own)",
                            m_topologySpec);
    m_options.AddSpecs<Transport>(
        "transport",
        "how hosts send (empty: as the scheme says); several side by side "
        "may have names, as in web=lean;bulk=udp:Rate=1Gbps",
        m_transportSpec);
    AddSpecOption<HostModel>("hosts",
                             "what stands between the transport and the link",
                             m_hostsSpec);
    AddSpecOption<TenantSource>("tenants", "who rents the network (empty: nobody)", m_tenantSpec);
    AddOption("forwardingDelay", "time that each switch takes to forward", m_forwardingDelay);
    m_options.AddSpecs<Recorder>("record",
                                 "what is recorded besides what the scenario needs",
                                 m_record);
    m_options.AddNaming<TimelineEvent>("events",
                                       "what happens to the network and when",
                                       "TIME EVENT [TARGET] [attribute=value]...[;TIME...]",
                                       m_events);
    AddOption("pcap", "ports and hosts whose packets are captured, such as leaf0:3,host0", m_pcap);
    AddOption("failLinks", "random links between switches that have failed", m_failLinks);
    AddOption("out", "folder for CSV files and run.json; empty: none are written", m_out);
}

Scenario::~Scenario() = default;

void
Scenario::SetDefaultTopology(const Spec& spec)
{
    if (m_topologySpec.IsEmpty())
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
        m_manifest = std::make_unique<RunManifest>(m_name, m_schemeSpec.ToString());
        body();
        CollectNotices();
        WriteOutput();
        PrintSummary();
        WriteRows();
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
    if (!m_tenantSpec.IsEmpty())
    {
        m_network->SetTenants(m_tenantSpec);
    }
    m_network->Build();
    if (m_fabric->GetNHosts() < 2)
    {
        RefuseTopology("must have at least 2 hosts");
    }
    m_manifest->SetHosts(m_network->GetHostModel()->GetDeviations());
    for (uint32_t host = 1; host < m_fabric->GetNHosts(); ++host)
    {
        m_baseRtt = std::max(m_baseRtt, GetBaseRtt(*m_fabric, 0, host, FULL_PACKET, ANSWER));
    }
    if (GetTenants())
    {
        m_tenantSettings = DescribeTenants(*GetTenants());
    }
    GetTransports()->AddObserver(&m_watch);
    GetTransports()->AddObserver(&m_backlog);
    m_recorders.Request("--record", m_record);
    m_recorders.Add("ports");
    m_recorders.Add("drops");
    if (!m_pcap.empty())
    {
        if (m_recorders.IsRequested("pcap"))
        {
            throw InputError("--pcap", m_pcap, "--record says pcap, too; name all in one place");
        }
        m_recorders.Add("pcap", {{"Ports", m_pcap}});
    }
    if (m_failLinks > 0)
    {
        Topology::FailLinks(*m_fabric, m_failLinks, Network::FAILURE_STREAM, "--failLinks");
        CheckConnected();
    }
    return *m_fabric;
}

void
Scenario::CheckConnected() const
{
    std::map<uint16_t, uint32_t> racks; // a host of each
    for (uint32_t host = 0; host < m_fabric->GetNHosts(); ++host)
    {
        racks.emplace(m_fabric->GetLocation(host).rack, host);
    }
    for (const auto& [from, source] : racks)
    {
        for (const auto& [to, destination] : racks)
        {
            if (from != to && m_fabric->GetPath(source, destination).empty())
            {
                throw InputError("--failLinks",
                                 std::to_string(m_failLinks),
                                 "no way is left from host" + std::to_string(source) + " to host" +
                                     std::to_string(destination) + "; fail fewer");
            }
        }
    }
}

void
Scenario::SetDefaultTenants(const Spec& spec)
{
    if (m_tenantSpec.IsEmpty())
    {
        m_tenantSpec = spec;
    }
}

Ptr<TenantWorkloads>
Scenario::CreateTenantWorkloads() const
{
    if (!GetTenants())
    {
        throw InputError("--tenants",
                         m_tenantSpec.ToString(),
                         "this scenario needs tenants; help lists kinds");
    }
    const auto workloads = CreateObject<TenantWorkloads>();
    workloads->SetTenants(GetTenants(), [this](const std::string& name) {
        return GetTransports()->Require("--tenants transport", name);
    });
    return workloads;
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

void
Scenario::SetMeasuredTime(Time from, Time to)
{
    m_measured = {from, to};
}

Ptr<Recorder>
Scenario::Record(const std::string& name, const RecorderList::Settings& defaults)
{
    return m_recorders.Add(name, defaults);
}

void
Scenario::SetDefaultEvents(const std::function<std::string()>& makeEvents)
{
    if (m_events.empty())
    {
        m_events = makeEvents();
    }
}

void
Scenario::Prepare()
{
    if (!m_timeline)
    {
        m_timeline = std::make_unique<Timeline>(*m_network, "--events", m_events);
        m_timeline->Start();
        m_recorders.Attach(*m_network, m_measured);
    }
}

void
Scenario::CheckTimeline(Time end) const
{
    for (const Timeline::Entry& entry : m_timeline->GetEntries())
    {
        if (entry.time >= end)
        {
            throw InputError("--events",
                             SecondsText(entry.time) + "s " + entry.kind + " " + entry.details,
                             "must be before the end, " + SecondsText(end) + "s");
        }
    }
}

void
Scenario::CheckPresence(const Workload& workload) const
{
    for (const Timeline::Entry& entry : m_timeline->GetEntries())
    {
        if (entry.event->NeedsTenantWorkloads() && !dynamic_cast<const TenantWorkloads*>(&workload))
        {
            throw InputError("--events",
                             entry.kind + " " + entry.details,
                             "here flows are the scenario's own; only workloads of tenants come "
                             "and go with them, as in the scenario tenants");
        }
    }
}

// ---- Running ----

void
Scenario::SetAttribute(Ptr<Object> object,
                       const std::string& attribute,
                       const AttributeValue& value,
                       const std::string& option)
{
    const TypeId tid = object->GetInstanceTypeId();
    CheckDefault(tid, attribute, option);
    if (object->SetAttributeFailSafe(attribute, value))
    {
        return;
    }
    TypeId::AttributeInformation information;
    tid.LookupAttributeByName(attribute, &information);
    ParseAttributeValue(option,
                        *information.checker,
                        WriteAttributeValue(value, information.checker)); // throws
}

void
Scenario::SetUnlessSpecified(Ptr<Object> object,
                             const Spec& spec,
                             const std::string& attribute,
                             const AttributeValue& value,
                             const std::string& option) const
{
    if (!SetsAttribute("--workload", spec, attribute))
    {
        SetAttribute(object, attribute, value, option);
    }
    else if (m_options.IsGiven(option.substr(2)))
    {
        throw InputError("--workload",
                         spec.ToString(),
                         "sets " + attribute + ", and so does " + option);
    }
}

void
Scenario::CheckRole(const std::string& role) const
{
    if (m_fabric->GetCapacity(role).GetBitRate() == 0)
    {
        std::string roles;
        for (const std::string& known : m_fabric->GetRoles())
        {
            roles += (roles.empty() ? "" : ", ") + known;
        }
        throw InputError("--tier", role, "tiers of this topology are " + roles);
    }
}

void
Scenario::SetLoad(Ptr<PoissonWorkload> workload,
                  double load,
                  const std::string& tier,
                  const Spec& spec)
{
    if (SetsAttribute("--workload", spec, "FlowRate"))
    {
        if (m_options.IsGiven("load"))
        {
            throw InputError("--workload",
                             spec.ToString(),
                             "sets FlowRate, and --load would set it, too");
        }
    }
    else
    {
        const std::string role = tier.empty() ? GetLoadedRole() : tier;
        CheckRole(role);
        const LoadedLinks links = workload->GetLoadedLinks(*m_fabric, role);
        if (!(links.crossing > 0) && tier.empty())
        {
            RefuseTopology("no flow of this workload crosses its tier " + role +
                           ", of which --load is a share; --tier names another one");
        }
        if (!(links.crossing > 0))
        {
            throw InputError("--tier", role, "no flow of this workload crosses it");
        }
        SetUnlessSpecified(workload, spec, "Load", DoubleValue(load), "--load");
        SetUnlessSpecified(workload, spec, "Capacity", DataRateValue(links.capacity), "--tier");
        SetUnlessSpecified(workload, spec, "Crossing", DoubleValue(links.crossing), "--tier");
    }
    Report("flow_rate_per_s", workload->GetFlowRate());
    Report("flow_size_mean_bytes", workload->GetSizes()->Mean());
}

void
Scenario::RefuseTopology(const std::string& reason) const
{
    throw InputError("--topology", m_topologySpec.ToString(), reason);
}

void
Scenario::CheckSources(uint32_t sources, const std::string& option) const
{
    const uint32_t hosts = m_fabric->GetNHosts();
    if (sources < hosts)
    {
        return;
    }
    if (!m_options.IsGiven(option.substr(2)))
    {
        RefuseTopology("has " + std::to_string(hosts) +
                       " hosts, one of them sent to: too few for " + option + "=" +
                       std::to_string(sources) + ", which is the default");
    }
    throw InputError(option,
                     std::to_string(sources),
                     "at most " + std::to_string(hosts - 1) +
                         " in this topology, which has a host more to send to");
}

const FabricPort&
Scenario::GetBottleneck(uint32_t sources, const std::string& option) const
{
    CheckSources(sources, option);
    const uint32_t last = m_fabric->GetNHosts() - 1;
    PathTable& paths = m_fabric->GetPathTable();
    const uint16_t rack = m_fabric->GetLocation(last).rack;
    std::map<const FabricPort*, uint32_t> crossed; // by how many of the sources, on all their paths
    for (uint32_t source = 0; source < sources; ++source)
    {
        const uint16_t from = m_fabric->GetLocation(source).rack;
        std::map<const FabricPort*, uint32_t> onPaths;
        for (uint32_t path = 0; from != rack && path < paths.GetNPaths(from, rack); ++path)
        {
            for (const FabricPort* port : paths.GetPorts(paths.Get(from, rack, path)))
            {
                ++onPaths[port];
            }
        }
        for (const auto& [port, count] : onPaths)
        {
            crossed[port] += count == paths.GetNPaths(from, rack) ? 1 : 0;
        }
    }
    const FabricPort* slowest = m_fabric->GetPath(0, last).back();
    for (const auto& [port, count] : crossed)
    {
        if (count == sources && port->GetDescription().rate < slowest->GetDescription().rate)
        {
            slowest = port;
        }
    }
    return *slowest;
}

double
Scenario::GetSentBits(const FabricPort& port) const
{
    UintegerValue overhead; // of a packet's frame
    m_fabric->GetAttribute("FrameOverhead", overhead);
    return 8.0 * static_cast<double>(port.GetTxBytes() + overhead.Get() * port.GetTxPackets());
}

void
Scenario::RefuseOptions(const std::vector<std::string>& options, const std::string& reason) const
{
    for (const std::string& option : options)
    {
        if (m_options.IsGiven(option))
        {
            throw InputError("option", "--" + option, reason);
        }
    }
}

void
Scenario::RunFlows(Ptr<Workload> workload, Time limit)
{
    StartWorkload(workload, GetStream(*workload));
    m_watch.StopAfter(workload, *GetTransports());
    RunUntil(limit);
}

void
Scenario::RunFor(Ptr<Workload> workload, Time end)
{
    StartWorkload(workload, GetStream(*workload));
    RunUntil(end);
}

void
Scenario::RunUntil(Time end)
{
    CheckTimeline(end);
    Simulator::Stop(end);
    const Time expected = std::min(end, m_measured.to);
    m_backlog.SetEnd(expected);
    Simulate(expected);
}

void
Scenario::StartWorkload(Ptr<Workload> workload, int64_t stream)
{
    Prepare();
    CheckPresence(*workload);
    m_recorders.Watch(workload);
    m_workloads.push_back(workload);
    workload->AssignStreams(stream);
    workload->Start(GetTransports(), GetHosts());
}

void
Scenario::Simulate(Time expected)
{
    m_options.EndCheck();
    m_folder = m_options.PrepareOutput(m_out);
    m_recorders.Start(GetRecordersFolder());
    const auto start = std::chrono::steady_clock::now();
    {
        const Progress progress(expected);
        Simulator::Run();
    }
    m_wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CollectResults();
}

void
Scenario::CollectResults()
{
    m_recorders.ReportResults(m_results);
    m_network->ReportResults(m_results);
}

void
Scenario::CollectNotices() const
{
    UnstartedFlows unstarted;
    for (const auto& workload : m_workloads)
    {
        const UnstartedFlows some = workload->GetUnstarted();
        unstarted.flows += some.flows;
        unstarted.first = std::min(unstarted.first, some.first);
    }
    for (const std::string& text : FindNotices({*m_network, m_results, m_backlog, unstarted}))
    {
        PrintNotice(text);
    }
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
    if (m_folder.empty())
    {
        return;
    }
    m_recorders.Write(m_folder);
    if (!m_timeline->GetEntries().empty())
    {
        m_timeline->Write(m_folder + "/events.csv");
    }
    m_results.Write(m_folder + "/results.csv");
    for (const auto& total : m_results.GetTotals())
    {
        m_manifest->SetResult(total.name, total.value);
    }
    RecordSettings();
    m_options.FinishOutput(*m_manifest);
}

void
Scenario::RecordSettings() const
{
    m_options.Record(*m_manifest);
    JsonObject& settings = m_manifest->GetSettings();
    settings.Set("hosts", m_network->GetHostModel()->GetSettings());
    settings.Set("record", m_recorders.GetSettings());
    JsonObject transports;
    for (uint32_t i = 0; i < GetTransports()->GetN(); ++i)
    {
        JsonObject transport;
        AddSettings(transport, *GetTransports()->Get(i));
        transports.Set(GetTransports()->GetName(i), transport);
    }
    settings.Set("transports", transports);
    if (!m_workloads.empty())
    {
        const Workload& last = *m_workloads.back(); // which the scenario has set up and run
        JsonObject workload;
        workload.Set("name", GetRegisteredName(last.GetInstanceTypeId(), Workload::GetTypeId()));
        AddSettings(workload, last);
        settings.Set("workload", workload);
    }
    AddSetting(settings, "baseRtt", TimeValue(m_baseRtt), MakeTimeChecker());
    settings.Set("tenants", m_tenantSettings);
    m_network->GetScheme()->ReportSettings(settings);
}

std::string
Scenario::DescribeScheme() const
{
    // The summary is of the scheme as its name alone makes it.
    std::string changes;
    for (const auto& [attribute, value] : m_schemeSpec.GetSettings("--scheme"))
    {
        changes += (changes.empty() ? "" : ", ") + attribute + "=" + value.ToString();
    }
    if (m_options.IsGiven("transport"))
    {
        changes += (changes.empty() ? "" : ", ") + ("--transport=" + m_transportSpec.ToString());
    }
    return m_network->GetScheme()->GetSummary() + (changes.empty() ? "" : "; but " + changes);
}

void
Scenario::PrintSummary() const
{
    std::cout << m_name << ": " << DescribeScheme() << "\n  on "
              << m_network->GetTopology()->GetSummary() << "\n";
    std::cout << "  hosts: " << m_network->GetHostModel()->GetSummary() << "\n";
    for (const std::string& deviation : m_network->GetHostModel()->GetDeviations())
    {
        std::cout << "  hosts: " << deviation << "\n";
    }
    for (const Timeline::Entry& entry : m_timeline->GetPast())
    {
        std::cout << "  at " << SecondsText(entry.time) << " s: " << entry.kind
                  << (entry.details.empty() ? "" : " ") << entry.details << "\n";
    }
    for (std::size_t i = m_timeline->GetPast().size(); i < m_timeline->GetEntries().size(); ++i)
    {
        const Timeline::Entry& entry = m_timeline->GetEntries()[i];
        std::cout << "  over before " << SecondsText(entry.time) << " s: " << entry.kind
                  << (entry.details.empty() ? "" : " ") << entry.details << "\n";
    }
    m_recorders.Print(std::cout);
    for (const auto& total : m_results.GetTotals())
    {
        if (total.kind != "recorder")
        {
            PrintResult(std::cout, total.name, total.value);
        }
    }
    std::cout << "  simulated " << Simulator::Now().GetSeconds() << " s with "
              << Simulator::GetEventCount() << " events in " << std::setprecision(3)
              << m_wallSeconds << " s" << std::setprecision(6) << std::endl;
    if (!m_out.empty())
    {
        std::cout << "  files: " << m_out << std::endl;
    }
}

std::string
Scenario::GetRecordersFolder() const
{
    // ./repro sim computes statistics, by the functions that figures use.
    const char* rows = std::getenv("SUITE_ROWS");
    const bool isAsked = rows && m_folder.empty() && !m_recorders.IsRequested("pcap");
    return isAsked && m_pcap.empty() ? rows : m_folder; // captures refuse to be in no folder
}

void
Scenario::WriteRows()
{
    if (const std::string folder = GetRecordersFolder(); folder != m_folder)
    {
        m_recorders.Write(folder);
    }
}

void
Scenario::CloseNetwork()
{
    m_recorders.Dispose();
    m_network->Dispose();
    Simulator::Destroy();
}

} // namespace ns3
