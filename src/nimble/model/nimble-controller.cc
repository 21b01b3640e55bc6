/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nimble-controller.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/number-text.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NimbleController");
NS_OBJECT_ENSURE_REGISTERED(NimbleController);

namespace
{

constexpr uint32_t YELLOW_BURST = 16384; //!< bytes (Section 4.2)

/**
 * @brief Order ports as paths use them: up-links from the lowest tier on, then down-links from the
 * highest on, hosts' own ports last, so that of equal bottlenecks a switch is limited, and the
 * first one.
 * @param port the port
 * @return the key to sort by
 */
std::tuple<bool, bool, int64_t>
GetRank(const FabricPort* port)
{
    const FabricPort::Description& d = port->GetDescription();
    const bool down = d.peerTier <= d.tier;
    return {d.tier == 0, down, down ? -static_cast<int64_t>(d.tier) : d.tier};
}

} // namespace

TypeId
NimbleController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NimbleController")
            .SetParent<Object>()
            .SetGroupName("Nimble")
            .AddAttribute("DetectionDelay",
                          "Time from the first packet on a new path, or the end of a flow, until "
                          "rates are computed. Not in the paper; the default lets a first packet "
                          "cross the network",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&NimbleController::m_detectionDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("YellowBurst",
                          "Yellow threshold of meters and virtual queues in bytes, unless the "
                          "policy says a burst (Nimble, SOSR 2021, Section 4.2: 16 KB)",
                          UintegerValue(YELLOW_BURST),
                          MakeUintegerAccessor(&NimbleController::m_yellowBurst),
                          MakeUintegerChecker<uint32_t>(0, MAX_BURST))
            .AddAttribute("YellowShare",
                          "The same as a share of the class's part of the port's buffer, its red "
                          "threshold (Nimble, SOSR 2021, Section 5: 20 % of the buffer, for "
                          "physical queues as well as logical ones); 0: YellowBurst",
                          DoubleValue(0),
                          MakeDoubleAccessor(&NimbleController::m_yellowShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("PolicingBurst",
                          "Burst of policers in bytes, unless the policy says one. Not in the "
                          "paper; the default is the yellow threshold of its simulations",
                          UintegerValue(81920),
                          MakeUintegerAccessor(&NimbleController::m_policingBurst),
                          MakeUintegerChecker<uint32_t>(1, MAX_BURST))
            .AddAttribute("LargestPacket",
                          "Least that a threshold is, and the red one beyond the yellow one, in "
                          "bytes",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&NimbleController::m_largestPacket),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("UpdateDelay",
                          "How long a switch takes to use new settings, such as "
                          "'normal:Mean=1ms,Variance=10' (Nimble, SOSR 2021, Section "
                          "6.3.3); all of a switch are written together. Empty: no time",
                          SpecValue(""),
                          MakeSpecAccessor(&NimbleController::m_delaySpec),
                          MakeSpecChecker<UpdateDelay>())
            .AddAttribute("DataPlaneWrites",
                          "Whether switches take rates of logical meters from control packets, too "
                          "(Nimble, SOSR 2021, Section 4.1); see RateWrite",
                          BooleanValue(false),
                          MakeBooleanAccessor(&NimbleController::m_dataPlaneWrites),
                          MakeBooleanChecker())
            .AddAttribute("NativeMeter",
                          "Native meters, but for rates and bursts",
                          SpecValue("native"),
                          MakeSpecAccessor(&NimbleController::m_nativeMeter),
                          MakeSpecChecker<Meter>())
            .AddAttribute("LogicalMeter",
                          "Logical meters, but for rates and bursts, such as "
                          "'logical:SignificantBits=4' (Nimble, SOSR 2021, Section 6.1.1)",
                          SpecValue("logical"),
                          MakeSpecAccessor(&NimbleController::m_logicalMeter),
                          MakeSpecChecker<Meter>());
    return tid;
}

NimbleController::NimbleController() = default;

NimbleController::~NimbleController() = default;

void
NimbleController::DoDispose()
{
    m_review.Cancel();
    for (const auto& table : m_tables)
    {
        table->SetWatcher({});
    }
    m_tables.clear();
    m_switches.clear();
    m_classes = {};
    m_delay = nullptr;
    Object::DoDispose();
}

void
NimbleController::Start(Fabric& fabric,
                        const std::map<const FabricPort*, LimiterPort>& ports,
                        NimbleClasses classes)
{
    m_fabric = &fabric;
    m_classes = std::move(classes);
    m_meters = std::make_unique<MeterSource>(m_nativeMeter, m_logicalMeter);
    if (m_yellowShare > 0 && m_yellowBurst != YELLOW_BURST)
    {
        throw InputError("RateController YellowBurst",
                         std::to_string(m_yellowBurst),
                         "leave it out: YellowShare says where yellow begins");
    }
    if (!m_delaySpec.IsEmpty())
    {
        m_delay = CreateFromSpec<UpdateDelay>("UpdateDelay", m_delaySpec);
    }
    ListPorts(ports);
    ResolveLocalRules();
    if (NeedsPaths())
    {
        WatchPorts();
    }
    fabric.TraceConnectWithoutContext("LinkState",
                                      MakeCallback(&NimbleController::HandleLinkState, this));
    if (const auto tenants = m_classes.GetTenants())
    {
        tenants->TraceConnectWithoutContext(
            "Changed",
            MakeCallback(&NimbleController::HandleTenantChange, this));
    }
    Configure();
}

int64_t
NimbleController::AssignStreams(int64_t stream)
{
    return m_delay ? m_delay->AssignStreams(stream) : 0;
}

void
NimbleController::ListPorts(const std::map<const FabricPort*, LimiterPort>& ports)
{
    m_fabric->ForEachPort([this](FabricPort& port) { m_ports.push_back(&port); });
    std::ranges::stable_sort(m_ports, {}, GetRank);
    std::vector<std::map<uint32_t, LimiterPort>> bySwitch(m_fabric->GetNSwitches());
    for (uint32_t i = 0; i < m_ports.size(); ++i)
    {
        const FabricPort* port = m_ports[i];
        m_indices[port] = i;
        if (port->GetDescription().tier > 0)
        {
            const LimiterPort& limiters = ports.at(port);
            m_tables.push_back(limiters.meters);
            m_buffers.push_back(limiters.buffer);
            bySwitch[m_fabric->GetSwitchIndex(*port->GetDescription().node)].emplace(
                port->GetDescription().index,
                limiters);
        }
    }
    const auto nClasses = static_cast<uint32_t>(m_classes.GetPolicy().GetClasses().size());
    for (auto& limiters : bySwitch)
    {
        m_switches.push_back(
            std::make_unique<LimiterSwitch>(std::move(limiters), *m_meters, nClasses));
    }
    for (uint32_t i = 0; m_dataPlaneWrites && i < m_switches.size(); ++i)
    {
        m_rateWrites.push_back(std::make_unique<RateWriteStage>(i, *m_switches[i]));
        m_fabric->GetSwitch(i).AddIngressStage(m_rateWrites.back().get());
    }
}

void
NimbleController::ResolveLocalRules()
{
    const auto find = [this](const std::string& where, const std::string& name) {
        const auto found = std::ranges::find_if(m_ports, [&name](const FabricPort* port) {
            return port->GetDescription().name == name && port->GetDescription().tier > 0;
        });
        if (found == m_ports.end())
        {
            throw InputError(where,
                             name,
                             "must be a port of a switch, such as " +
                                 m_ports.front()->GetDescription().name);
        }
        return static_cast<uint32_t>(found - m_ports.begin());
    };
    const auto checkLimit = [](const std::string& where, const NimbleRule& rule, DataRate most) {
        if (rule.limit.rate > most)
        {
            throw InputError(
                where,
                NumberText(static_cast<double>(rule.limit.rate.GetBitRate()) / 1e9) + " Gbps",
                "a limit is at most the rate of the link, " +
                    NumberText(static_cast<double>(most.GetBitRate()) / 1e9) + " Gbps");
        }
    };
    DataRate largest;
    for (const FabricPort* port : m_ports)
    {
        largest = std::max(largest, port->GetDescription().rate);
    }
    for (const NimbleClass& named : m_classes.GetPolicy().GetClasses())
    {
        checkLimit("class " + named.name + " rate", named.rule, largest);
    }
    for (const NimbleLocalRule& local : m_classes.GetPolicy().GetLocalRules())
    {
        const bool anyOutput = local.output.empty();
        const uint32_t output = find(local.where, anyOutput ? local.input : local.output);
        const FabricPort::Description& port = m_ports[output]->GetDescription();
        checkLimit(local.where, local.rule, port.rate);
        const uint32_t number = local.trafficClass + 1;
        if (local.input.empty())
        {
            m_local[{output, number}] = local.rule;
            continue;
        }
        const FabricPort::Description& input =
            m_ports[find(local.where, local.input)]->GetDescription();
        if (input.node != port.node)
        {
            throw InputError(local.where, local.input, "must be of the same switch as at=");
        }
        if (local.rule.limit.rate.GetBitRate() == 0)
        {
            throw InputError(local.where, "in=" + local.input, "needs a rate");
        }
        m_byInput.push_back({{output, number, input.index, anyOutput}, local.rule});
    }
}

void
NimbleController::WatchPorts()
{
    for (uint32_t i = 0; i < m_tables.size(); ++i)
    {
        m_tables[i]->SetWatcher([this, i](const FabricItem& item, uint32_t trafficClass) {
            HandleItem(i, item, trafficClass);
        });
    }
}

// ---- Paths (step 3 of doc/nimble.rst, From a policy to a mark) ----

void
NimbleController::HandleItem(uint32_t port, const FabricItem& item, uint32_t trafficClass)
{
    const FlowId flow = m_fabric->GetFlowTag(item).flow;
    const bool isLate = flow < m_over.size() && m_over[flow];
    if (flow == 0 || isLate || trafficClass == ItemClassifier::NO_CLASS)
    {
        return;
    }
    const auto [place, isNew] = m_flows.try_emplace(flow, ActiveFlow{item.flow, trafficClass, {}});
    ActiveFlow& active = place->second;
    if (isNew)
    {
        active.ports.push_back(m_indices.at(&m_fabric->GetHost(item.source).GetNicPort()));
    }
    active.ports.push_back(port);
    Trigger();
}

void
NimbleController::FlowFinished(const FlowRecord& record)
{
    if (record.id >= m_over.size())
    {
        m_over.resize(record.id + record.id / 2 + 64, false);
    }
    m_over[record.id] = true;
    const auto found = m_flows.find(record.id);
    if (found == m_flows.end())
    {
        return;
    }
    for (const uint32_t port : found->second.ports)
    {
        if (port < m_tables.size())
        {
            m_tables[port]->ForgetFlow(found->second.item); // the connection may be used again
        }
    }
    m_flows.erase(found);
    Trigger();
}

void
NimbleController::HandleLinkState(uint32_t link, bool up)
{
    std::set<uint32_t> changed;
    for (const FabricPort* port : m_fabric->GetLink(link))
    {
        changed.insert(m_indices.at(port));
    }
    // After a repair any flow may go another way; after a failure those that went over the link.
    std::erase_if(m_flows, [&](const auto& entry) {
        const ActiveFlow& flow = entry.second;
        const bool concerned = up || std::ranges::any_of(flow.ports, [&](uint32_t port) {
                                   return changed.contains(port);
                               });
        for (const auto& table : m_tables)
        {
            if (concerned)
            {
                table->ForgetFlow(flow.item);
            }
        }
        return concerned;
    });
    Trigger();
}

void
NimbleController::HandleTenantChange(TenantId /* tenant */)
{
    Configure();
}

void
NimbleController::SetLimit(uint32_t number, DataRate limit)
{
    m_classes.SetLimit(number, limit);
    Configure();
}

void
NimbleController::Trigger()
{
    if (!m_review.IsPending())
    {
        m_review = Simulator::Schedule(m_detectionDelay, &NimbleController::Review, this);
    }
}

void
NimbleController::Review()
{
    std::set<RoutingPath> paths;
    for (const auto& [id, flow] : m_flows)
    {
        RoutingPath path{flow.trafficClass - 1, flow.ports};
        std::ranges::sort(path.ports);
        paths.insert(path);
    }
    if (paths != m_paths)
    {
        m_paths = std::move(paths);
        Configure();
    }
}

// ---- Rates (step 4) ----

void
NimbleController::Configure()
{
    ++m_runs;
    SendUpdates(MakeSettings(Allocate(MakeProblem())));
}

uint32_t
NimbleController::CountClasses() const
{
    uint32_t count = m_classes.Count();
    for (const RoutingPath& path : m_paths)
    {
        count = std::max(count, path.trafficClass + 1);
    }
    return count;
}

NimbleRule
NimbleController::GetRuleAt(uint32_t port, uint32_t number) const
{
    const auto found = m_local.find({port, number});
    return found == m_local.end() ? m_classes.GetRule(number)
                                  : m_classes.Amend(number, found->second);
}

AllocationProblem
NimbleController::MakeProblem() const
{
    const auto toShare = [](const NimbleRule& rule) {
        const auto rate = static_cast<double>(rule.limit.rate.GetBitRate());
        return ShareRule{rule.weight,
                         rule.priority,
                         rate > 0 ? std::optional(rate) : std::nullopt,
                         rule.limit.hard};
    };
    AllocationProblem problem;
    for (const FabricPort* port : m_ports)
    {
        problem.capacities.push_back(static_cast<double>(port->GetDescription().rate.GetBitRate()));
    }
    const uint32_t nClasses = CountClasses();
    for (uint32_t number = 1; number <= nClasses; ++number)
    {
        problem.classes.push_back(toShare(m_classes.GetRule(number)));
    }
    for (const auto& [place, rule] : m_local)
    {
        problem.local[{place.first, place.second - 1}] =
            toShare(GetRuleAt(place.first, place.second));
    }
    problem.paths.assign(m_paths.begin(), m_paths.end());
    return problem;
}

// ---- Limiters (step 5) ----

LimiterSettings
NimbleController::MakeSettings(const AllocationResult& result)
{
    std::set<std::pair<uint32_t, uint32_t>> members; // classes of ports: active, or limited
    for (const RoutingPath& path : m_paths)
    {
        for (const uint32_t port : path.ports)
        {
            members.emplace(port, path.trafficClass + 1);
        }
    }
    for (const PortLimit& limit : result.limits)
    {
        members.emplace(limit.port, limit.trafficClass + 1);
    }
    std::map<uint32_t, double> weights; // by port
    std::map<uint32_t, double> hard;    // sum of hard limits, by port
    for (const auto& [port, number] : members)
    {
        const NimbleRule rule = GetRuleAt(port, number);
        weights[port] += rule.weight;
        hard[port] += rule.limit.hard ? static_cast<double>(rule.limit.rate.GetBitRate()) : 0;
    }
    Warn(hard);
    LimiterSettings settings;
    for (const PortLimit& limit : result.limits)
    {
        const uint32_t number = limit.trafficClass + 1;
        if (limit.port < m_tables.size()) // a host's link is limit enough
        {
            const NimbleRule rule = GetRuleAt(limit.port, number);
            const double sum = weights[limit.port];
            settings[{limit.port, number}] =
                MakeSetting(rule,
                            limit.rate,
                            sum > 0 ? m_buffers[limit.port] * rule.weight / sum : 0);
        }
    }
    for (const auto& [key, rule] : m_byInput)
    {
        settings[key] = MakeSetting(rule,
                                    static_cast<double>(rule.limit.rate.GetBitRate()),
                                    m_buffers[key.port]);
    }
    return settings;
}

void
NimbleController::Warn(const std::map<uint32_t, double>& sums)
{
    for (const auto& [port, sum] : sums)
    {
        const FabricPort::Description& d = m_ports[port]->GetDescription();
        const auto capacity = static_cast<double>(d.rate.GetBitRate());
        const std::string warning = "hard limits at " + d.name + " sum to " +
                                    NumberText(sum / 1e9) + " Gbps, its link has " +
                                    NumberText(capacity / 1e9) + " Gbps";
        if (sum > capacity && std::ranges::find(m_warnings, warning) == m_warnings.end())
        {
            NS_LOG_WARN(warning);
            m_warnings.push_back(warning);
        }
    }
}

LimiterSetting
NimbleController::MakeSetting(const NimbleRule& rule, double rate, double part) const
{
    LimiterSetting setting;
    const DataRate limit = rule.limit.rate;
    const DataRate least(limit.GetBitRate() > 0 ? std::min(limit.GetBitRate(), LEAST_LIMITER_RATE)
                                                : LEAST_LIMITER_RATE);
    setting.rate = std::max(DataRate(static_cast<uint64_t>(std::llround(rate))), least);
    setting.queue = rule.queue;
    setting.enforcement = rule.enforcement;
    setting.actions = GetActions(rule);
    if (rule.enforcement == NimbleEnforcement::POLICING)
    {
        setting.redBurst =
            std::max(rule.limit.burst > 0 ? rule.limit.burst : m_policingBurst, m_largestPacket);
        setting.yellowBurst = setting.redBurst;
        return setting;
    }
    // Section 4.2: the red threshold is the class's part of the port's buffer; it leaves room for a
    // packet, however many classes there are.
    const auto yellow = m_yellowShare > 0 ? static_cast<uint32_t>(std::lround(m_yellowShare * part))
                                          : m_yellowBurst;
    setting.yellowBurst =
        std::max(rule.limit.burst > 0 ? rule.limit.burst : yellow, m_largestPacket);
    setting.redBurst =
        std::max(static_cast<uint32_t>(std::lround(part)), setting.yellowBurst + m_largestPacket);
    return setting;
}

// ---- Updates (step 6) ----

void
NimbleController::SendUpdates(const LimiterSettings& settings)
{
    const LimiterDelta delta(m_configured, settings, RATE_TOLERANCE);
    m_updates += delta.Count();
    std::map<uint32_t, LimiterUpdates> bySwitch;
    const auto add = [&](const LimiterKey& key, const std::optional<LimiterSetting>& setting) {
        const FabricPort::Description& port = m_ports[key.port]->GetDescription();
        bySwitch[m_fabric->GetSwitchIndex(*port.node)].push_back(
            {{port.index, key.trafficClass, key.input, key.anyOutput}, setting});
        if (setting)
        {
            m_configured[key] = *setting;
        }
        else
        {
            m_configured.erase(key);
        }
    };
    for (const auto* changed : {&delta.added, &delta.modified})
    {
        for (const LimiterKey& key : *changed)
        {
            add(key, settings.at(key));
        }
    }
    for (const LimiterKey& key : delta.removed)
    {
        add(key, std::nullopt);
    }
    std::vector<uint32_t> switches;
    for (const auto& [index, updates] : bySwitch)
    {
        switches.push_back(index);
    }
    const auto delays = m_delay ? m_delay->Issue(switches) : std::vector<Time>(switches.size());
    auto delay = delays.begin();
    for (const auto& [index, updates] : bySwitch)
    {
        if (delay->IsZero())
        {
            Program(index, updates, m_updates);
        }
        else
        {
            Simulator::Schedule(*delay,
                                &NimbleController::Program,
                                this,
                                index,
                                updates,
                                m_updates);
        }
        ++delay;
    }
}

void
NimbleController::Program(uint32_t index, const LimiterUpdates& updates, uint64_t order)
{
    for (const auto& [key, setting] : updates)
    {
        uint64_t& latest = m_orders[{index, key}];
        if (order >= latest) // else a later update has been faster
        {
            latest = order;
            m_switches.at(index)->Write(key, setting);
        }
    }
    m_switches[index]->Flip();
}

void
NimbleController::ReportResults(Results& results) const
{
    results.Add("nimble_runs", m_runs);
    results.Add("nimble_limiter_updates", static_cast<double>(m_updates));
    results.Add("nimble_limiters", static_cast<double>(m_configured.size()));
    results.Add("nimble_warnings", static_cast<double>(m_warnings.size()));
}

} // namespace ns3
