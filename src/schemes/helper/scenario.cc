/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario.h"

#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/object-spec.h"
#include "ns3/output-file.h"
#include "ns3/scheduler.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/topology.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

/**
 * @brief A value as a user would write it.
 * @param value where the value stands
 * @return the text
 */
std::string
ToText(const Scenario::OptionValue& value)
{
    std::ostringstream text;
    std::visit(
        [&text](auto* v) {
            using Value = std::remove_pointer_t<decltype(v)>;
            if constexpr (std::is_same_v<Value, bool>)
            {
                text << (*v ? "true" : "false");
            }
            else if constexpr (std::is_same_v<Value, Time>)
            {
                text << v->As(Time::US);
            }
            else
            {
                text << *v;
            }
        },
        value);
    std::string result = text.str();
    result.erase(0, std::min(result.find_first_not_of('+'), result.size()));
    return result;
}

/**
 * @brief Read a truth value.
 * @param argument the option
 * @param text what was given
 * @return the value
 */
bool
ParseBool(const std::string& argument, const std::string& text)
{
    if (text == "true" || text == "1" || text == "false" || text == "0")
    {
        return text == "true" || text == "1";
    }
    throw InputError(argument, text, "must be true or false");
}

/**
 * @brief Read a count that fits 32 bits.
 * @param argument the option
 * @param text what was given
 * @return the value
 */
uint32_t
ParseCount32(const std::string& argument, const std::string& text)
{
    const uint64_t count = ParseCount(argument, text);
    if (count > UINT32_MAX)
    {
        throw InputError(argument, text, "must be at most " + std::to_string(UINT32_MAX));
    }
    return static_cast<uint32_t>(count);
}

/**
 * @brief Print the attributes that a specification may set.
 * @param argument the option
 * @param name what is to be specified
 * @param base its base class
 */
void
PrintAttributes(const std::string& argument, const std::string& name, TypeId base)
{
    for (TypeId tid = LookupRegisteredName(argument, name, base); tid != Object::GetTypeId();
         tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto attribute = tid.GetAttribute(i);
            std::cout << "  " << attribute.name << "="
                      << attribute.initialValue->SerializeToString(attribute.checker) << "\n      "
                      << attribute.help << "\n";
        }
    }
}

/**
 * @brief Look up an attribute whose default a user sets.
 * @param argument the option, with dashes
 * @param name class and attribute, such as ns3::TcpSocket::SegmentSize
 * @return the attribute's checker
 */
Ptr<const AttributeChecker>
FindChecker(const std::string& argument, const std::string& name)
{
    const auto colons = name.rfind("::");
    TypeId tid;
    TypeId::AttributeInformation attribute;
    if (!TypeId::LookupByNameFailSafe(name.substr(0, colons), &tid))
    {
        throw InputError("option", argument, "no class of ns-3 or the suite has that name");
    }
    if (!tid.LookupAttributeByName(name.substr(colons + 2), &attribute))
    {
        throw InputError("option",
                         argument,
                         "no such attribute; --PrintAttributes=" + tid.GetName() + " lists them");
    }
    return attribute.checker;
}

/**
 * @brief ns-3 ends the program if its kernel is of a wrong class or its seed is zero.
 * @param name a global value
 * @param value what it is to be
 */
void
CheckGlobal(const std::string& name, const std::string& value)
{
    const auto check = [&](TypeId base, const std::string& example) {
        TypeId tid;
        if (!TypeId::LookupByNameFailSafe(value, &tid) || !tid.IsChildOf(base))
        {
            throw InputError("--" + name, value, "must name a class such as " + example);
        }
    };
    if (name == "SimulatorImplementationType")
    {
        check(SimulatorImpl::GetTypeId(), "ns3::DefaultSimulatorImpl");
    }
    else if (name == "SchedulerType")
    {
        check(ns3::Scheduler::GetTypeId(), "ns3::MapScheduler");
    }
    else if (name == "RngSeed" && value.find_first_not_of('0') == std::string::npos)
    {
        throw InputError("--" + name, value, "must be at least 1");
    }
}

} // namespace

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
            const auto& [source, destination, bytes, group] = record.request;
            const Time ideal = bytes > 0
                                   ? m_scenario.m_transport->GetIdealCompletionTime(record.request)
                                   : Time(0);
            flows->Started(record.id, group, source, destination, bytes, record.requested, ideal);
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

Scenario::Scenario(std::string name, std::string summary)
    : m_name(std::move(name)),
      m_summary(std::move(summary))
{
    // 64 bytes at 100 Gbit/s take 5.12 ns: transmission times need picoseconds.
    Time::SetResolution(Time::PS);
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::TimingWheelSimulatorImpl"));
    AddSpecOption<Scheme>("scheme", "how the network is run", m_schemeSpec);
    AddSpecOption<Topology>("topology",
                            "hosts, switches and links (empty: the scenario's own)",
                            m_topologySpec);
    AddSpecOption<Transport>("transport",
                             "how hosts send (empty: as the scheme says)",
                             m_transportSpec);
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
    try
    {
        ParseArguments(argc, argv);
        if (PrintRequestedList())
        {
            return 0;
        }
        m_manifest = std::make_unique<RunManifest>(m_name, m_schemeSpec);
        m_manifest->SetCommand(argc, argv);
        body();
        WriteOutput();
        PrintSummary();
        CloseNetwork();
        return 0;
    }
    catch (const InputError& error)
    {
        std::cerr << m_name << ": " << error.what() << std::endl;
        return 1;
    }
}

// ---- Arguments ----

void
Scenario::ParseArguments(int argc, char* argv[])
{
    m_ns3Arguments = {argv[0]};
    for (int i = 1; i < argc; ++i)
    {
        ParseArgument(argv[i]);
    }
    if (m_ns3Arguments.size() > 1)
    {
        CommandLine commandLine(m_name);
        commandLine.Parse(m_ns3Arguments); // such as --PrintTypeIds; ends the program
    }
}

void
Scenario::ParseArgument(const std::string& argument)
{
    if (argument == "--help" || argument == "-h")
    {
        PrintHelp();
        std::exit(0);
    }
    if (!argument.starts_with("--"))
    {
        throw InputError("argument",
                         argument,
                         "options are written --NAME=VALUE; --help lists them");
    }
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    const bool hasValue = equals != std::string::npos;
    const std::string value = hasValue ? argument.substr(equals + 1) : "";
    if (name.starts_with("Print"))
    {
        m_ns3Arguments.push_back(argument);
    }
    else if (!ParseOption(name, value, hasValue))
    {
        ParseNs3Argument(name, value, hasValue);
    }
}

bool
Scenario::ParseOption(const std::string& name, const std::string& value, bool hasValue)
{
    const auto option = std::find_if(m_options.begin(), m_options.end(), [&](const Option& o) {
        return o.name == name;
    });
    if (option == m_options.end())
    {
        return false;
    }
    const std::string argument = "--" + name;
    if (!hasValue && !std::holds_alternative<bool*>(option->value))
    {
        throw InputError(argument, "", "needs a value: " + argument + "=VALUE");
    }
    std::visit(
        [&](auto* target) {
            using Value = std::remove_pointer_t<decltype(target)>;
            if constexpr (std::is_same_v<Value, std::string>)
            {
                *target = value;
            }
            else if constexpr (std::is_same_v<Value, bool>)
            {
                *target = hasValue ? ParseBool(argument, value) : true;
            }
            else if constexpr (std::is_same_v<Value, double>)
            {
                *target = ParseNumber(argument, value);
            }
            else if constexpr (std::is_same_v<Value, uint64_t>)
            {
                *target = ParseCount(argument, value);
            }
            else if constexpr (std::is_same_v<Value, uint32_t>)
            {
                *target = ParseCount32(argument, value);
            }
            else if constexpr (std::is_same_v<Value, Time>)
            {
                *target = ParseTime(argument, value);
            }
            else
            {
                *target = ParseRate(argument, value);
            }
        },
        option->value);
    return true;
}

void
Scenario::ParseNs3Argument(const std::string& name, const std::string& value, bool hasValue)
{
    const std::string argument = "--" + name;
    const auto global =
        std::find_if(GlobalValue::Begin(), GlobalValue::End(), [&name](const GlobalValue* g) {
            return g->GetName() == name;
        });
    const bool isGlobal = global != GlobalValue::End();
    if (!isGlobal && !name.starts_with("ns3::"))
    {
        throw InputError("option", argument, "known options are " + GetAllowedOptions());
    }
    const auto checker = isGlobal ? (*global)->GetChecker() : FindChecker(argument, name);
    if (!hasValue)
    {
        throw InputError(argument, "", "needs a value: " + argument + "=VALUE");
    }
    const auto parsed = ParseAttributeValue(argument, *checker, value);
    if (isGlobal)
    {
        CheckGlobal(name, value);
        GlobalValue::Bind(name, *parsed);
    }
    else
    {
        Config::SetDefault(name, *parsed);
    }
}

std::string
Scenario::GetAllowedOptions() const
{
    return std::accumulate(m_options.begin(),
                           m_options.end(),
                           std::string{},
                           [](const std::string& list, const Option& option) {
                               return list + "--" + option.name + ", ";
                           }) +
           "--help, ns-3's global values and --ns3::CLASS::ATTRIBUTE";
}

void
Scenario::PrintHelp() const
{
    std::cout << m_name << ": " << m_summary << "\n\nOptions, with their defaults:\n";
    for (const Option& option : m_options)
    {
        std::cout << "  --" << option.name << "=" << ToText(option.value) << "\n      "
                  << option.help << "\n";
    }
    std::cout << "\nns-3's own:\n"
                 "  --RngRun=1  --RngSeed=1\n"
                 "      seed of all random streams: the same seed gives the same output\n"
                 "  --SimulatorImplementationType=ns3::TimingWheelSimulatorImpl\n"
                 "  --SchedulerType=ns3::MapScheduler\n"
                 "      the kernel; results do not depend on it\n"
                 "  --ns3::CLASS::ATTRIBUTE=VALUE\n"
                 "      default of an attribute; --PrintAttributes=ns3::CLASS lists them\n";
}

bool
Scenario::PrintSpecHelp(const std::string& option,
                        const std::string& spec,
                        TypeId base,
                        const std::function<std::string(const std::string&)>& summarize)
{
    if (spec == "help")
    {
        std::cout << "What " << option << " can name (" << option
                  << "=NAME:help shows its attributes):\n";
        for (const std::string& name : ListRegisteredNames(base))
        {
            std::cout << "  " << std::left << std::setw(16) << name << summarize(name) << "\n";
        }
        return true;
    }
    if (spec.ends_with(":help"))
    {
        const std::string name = spec.substr(0, spec.find(':'));
        std::cout << "Attributes of " << name << ", as in " << option << "=" << name
                  << ":ATTRIBUTE=VALUE,ATTRIBUTE=VALUE\n";
        PrintAttributes(option, name, base);
        return true;
    }
    return false;
}

bool
Scenario::PrintRequestedList() const
{
    return std::ranges::any_of(m_options,
                               [](const Option& o) { return o.printHelp && o.printHelp(); });
}

void
Scenario::RecordArguments()
{
    for (const Option& option : m_options)
    {
        if (option.name == "out")
        {
            continue; // where results go is not what they depend on
        }
        std::visit(
            [&](auto* value) {
                using Value = std::remove_pointer_t<decltype(value)>;
                if constexpr (std::is_same_v<Value, Time> || std::is_same_v<Value, DataRate>)
                {
                    m_manifest->SetArgument(option.name, ToText(value));
                }
                else
                {
                    m_manifest->SetArgument(option.name, *value);
                }
            },
            option.value);
    }
}

// ---- Network ----

Fabric&
Scenario::BuildNetwork()
{
    SetDefaultTopology("leaf-spine:Leaves=3,HostsPerLeaf=16,Spines=2");
    const auto topology = CreateFromSpec<Topology>("--topology", m_topologySpec);
    m_scheme = CreateFromSpec<Scheme>("--scheme", m_schemeSpec);
    m_transport = m_scheme->CreateTransport(m_transportSpec);
    m_fabric = CreateObject<Fabric>();
    topology->AddTo(*m_fabric);
    m_topologySummary = topology->GetSummary();
    m_scheme->ConfigureFabric(*m_fabric);
    m_fabric->Build();
    m_scheme->ConfigureNodes(*m_fabric);
    m_fabric->AssignStreams(FABRIC_STREAM);
    m_scheme->AssignStreams(SCHEME_STREAM);
    m_transport->Attach(m_fabric);
    m_transport->AssignStreams(TRANSPORT_STREAM);
    m_tap = std::make_unique<Tap>(*this);
    m_transport->AddObserver(m_tap.get());
    if (m_failLinks > 0)
    {
        Topology::FailLinks(*m_fabric, m_failLinks, FAILURE_STREAM, "--failLinks");
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
Scenario::RecordQueues(Time interval, Time last)
{
    m_queues = CreateObject<QueueRecorder>();
    m_queues->SetAttribute("Interval", TimeValue(interval));
    m_lastQueueSample = last;
    m_fabric->ForEachPort([this](FabricPort& port) {
        const auto& description = port.GetDescription();
        if (description.tier > 0)
        {
            m_queues->AddProbe(description.name, description.role, [&port] {
                return QueueLength{port.GetWaitingBytes(), port.GetWaitingPackets()};
            });
        }
    });
    return *m_queues;
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
    workload->AssignStreams(WORKLOAD_STREAM);
    workload->Start(m_transport, GetHosts());
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
        m_queues->Start(Time(0), m_lastQueueSample, m_out.empty() ? "" : m_out + "/queues.csv");
    }
    const auto start = std::chrono::steady_clock::now();
    Simulator::Run();
    m_wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ReportPorts();
}

void
Scenario::ReportPorts()
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
Scenario::Report(const std::string& name, double value)
{
    m_results.emplace_back(name, value);
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
        m_flows->Report(*m_manifest);
    }
    if (m_rates)
    {
        m_rates->Write(m_out + "/rates.csv", Simulator::Now());
    }
    if (m_queues)
    {
        m_queues->Report(*m_manifest);
    }
    m_latency.Write(m_out + "/latency.csv");
    WritePortCounters(m_out + "/ports.csv", m_ports);
    m_drops.Write(m_out + "/drops.csv");
    m_drops.Report(*m_manifest);
    for (const auto& [name, value] : m_results)
    {
        m_manifest->SetResult(name, value);
    }
    RecordArguments();
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
    std::cout << m_name << ": " << m_scheme->GetSummary() << "\n  on " << m_topologySummary << "\n";
    if (m_flows)
    {
        PrintFlowSummary();
    }
    for (const auto& [name, value] : m_results)
    {
        std::cout << "  " << name << " = " << value << "\n";
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
    m_transport->Dispose();
    m_scheme->Dispose();
    m_fabric->Dispose();
    Simulator::Destroy();
}

} // namespace ns3
