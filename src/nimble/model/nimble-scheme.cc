/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nimble-scheme.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/network.h"
#include "ns3/notice.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NimbleScheme);

TypeId
NimbleScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NimbleScheme")
            .SetParent<Scheme>()
            .SetGroupName("Nimble")
            .AddConstructor<NimbleScheme>()
            .AddAttribute("Policy",
                          "Traffic classes and what they are to get: statements in braces, or a "
                          "file, see the chapter on Nimble. Empty: a class per tenant or, without "
                          "tenants, per group of senders, all alike",
                          StringValue(""),
                          MakeStringAccessor(&NimbleScheme::m_policyText),
                          MakeStringChecker())
            .AddAttribute(
                "Limit",
                "Most that each class may have at a port, where there is no policy and its "
                "tenant has no limit (Nimble, SOSR 2021, Section 6.2.2: 1 Mbps); 0: none",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&NimbleScheme::m_limit),
                MakeDataRateChecker())
            .AddAttribute("RateController",
                          "What computes rates, with its attributes, such as "
                          "global:YellowBurst=81920",
                          SpecValue("global"),
                          MakeSpecAccessor(&NimbleScheme::m_controllerSpec),
                          MakeSpecChecker<NimbleController>())
            .AddAttribute(
                "PortBuffer",
                "What the classes at a port share by weight, in bytes or time at the link's rate: "
                "their meters' red thresholds, or the buffers of their virtual queues (Nimble, "
                "SOSR 2021, Sections 4.2 and 5: 400 KB)",
                QueueLimitValue(QueueLimit("409600B")),
                MakeQueueLimitAccessor(&NimbleScheme::m_portBuffer),
                MakeQueueLimitChecker())
            .AddAttribute("Limiter",
                          "Holds a class to its rate, where there is no policy: a logical meter, a "
                          "native one, or a virtual queue (QTYPE of Table 1)",
                          EnumValue(NimbleQueue::LM),
                          MakeEnumAccessor<NimbleQueue>(&NimbleScheme::m_limiter),
                          MakeEnumChecker(NimbleQueue::LM,
                                          "LogicalMeter",
                                          NimbleQueue::NM,
                                          "NativeMeter",
                                          NimbleQueue::VQ,
                                          "VirtualQueue"))
            .AddAttribute("Enforcement",
                          "Happens to what exceeds a rate, where there is no policy: it waits, is "
                          "dropped, or is marked (ETYPE of Table 1)",
                          EnumValue(NimbleEnforcement::ECN_SHAPING),
                          MakeEnumAccessor<NimbleEnforcement>(&NimbleScheme::m_enforcement),
                          MakeEnumChecker(NimbleEnforcement::ECN_SHAPING,
                                          "EcnShaping",
                                          NimbleEnforcement::SHAPING,
                                          "Shaping",
                                          NimbleEnforcement::POLICING,
                                          "Policing"))
            .AddAttribute("ChargeDropped",
                          "Whether a yellow packet that is dropped at random has been charged to "
                          "its meter: true, since the congestion manager stands behind the meters "
                          "(Nimble, SOSR 2021, Fig. 4); the text can be read as false",
                          BooleanValue(true),
                          MakeBooleanAccessor(&NimbleScheme::m_chargeDropped),
                          MakeBooleanChecker());
    return tid;
}

NimbleScheme::NimbleScheme() = default;

NimbleScheme::~NimbleScheme() = default;

NimbleRule
NimbleScheme::GetRule() const
{
    NimbleRule rule;
    rule.queue = m_limiter;
    rule.enforcement = m_enforcement;
    return rule;
}

void
NimbleScheme::ConfigureFabric(Network& network)
{
    if (!m_policyText.empty())
    {
        m_policy = NimblePolicy("--scheme Policy", m_policyText, GetRule());
    }
    m_controller = CreateFromSpec<NimbleController>("--scheme RateController", m_controllerSpec);
    m_classifier = CreateObject<TrafficClassifier>();
    if (!m_policyText.empty())
    {
        m_classifier->SetPolicy(m_policy);
    }
    Scheme::ConfigureFabric(network);
}

void
NimbleScheme::ReportSettings(JsonObject& settings) const
{
    if (!m_policyText.empty())
    {
        m_policy.ReportSettings(settings);
    }
}

bool
NimbleScheme::UsesVirtualQueues() const
{
    const auto isVirtual = [](const NimbleRule& rule) { return rule.queue == NimbleQueue::VQ; };
    return m_policy.GetClasses().empty()
               ? isVirtual(GetRule())
               : std::ranges::any_of(m_policy.GetClasses(), isVirtual, &NimbleClass::rule) ||
                     std::ranges::any_of(m_policy.GetLocalRules(),
                                         isVirtual,
                                         &NimbleLocalRule::rule);
}

Ptr<FabricQueueDisc>
NimbleScheme::CreatePhysicalQueue(QueueLimit buffer) const
{
    return CreateObjectWithAttributes<StepMarkQueueDisc>("MaxSize",
                                                         QueueLimitValue(buffer),
                                                         "MarkThreshold",
                                                         QueueLimitValue(GetMarkThreshold()));
}

QueueLimit
NimbleScheme::GetPortBuffer(DataRate rate) const
{
    const QueueLimit buffer = m_portBuffer.Resolve("--scheme PortBuffer", rate);
    if (!buffer.IsInBytes() || buffer.GetBytes() > MAX_BURST)
    {
        throw InputError("--scheme PortBuffer",
                         m_portBuffer.ToString(),
                         "at most " + std::to_string(MAX_BURST) + "B, in bytes or as a time");
    }
    return buffer;
}

Ptr<ShapedQueueDisc>
NimbleScheme::CreateVirtualQueues(Ptr<LimiterTable> table) const
{
    table->SetTrafficClassifier(m_classifier);
    for (uint32_t i = 0; i < m_policy.GetClasses().size(); ++i)
    {
        if (const std::string& outer = m_policy.GetClasses()[i].within; !outer.empty())
        {
            table->Set(i + 1, LimiterTable::ANY_INPUT, *m_policy.Find(outer) + 1);
        }
    }
    const auto shaped = CreateObject<ShapedQueueDisc>();
    shaped->SetClassifier(table);
    return shaped;
}

Ptr<FabricQueueDisc>
NimbleScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    if (port.tier == 0)
    {
        return CreatePhysicalQueue(buffer);
    }
    LimiterPort& limiters = m_ports[{port.node, port.index}];
    limiters.rate = port.rate;
    limiters.buffer = GetPortBuffer(port.rate).GetBytes();
    limiters.meters = CreateObject<LimiterTable>();
    limiters.meters->SetTrafficClassifier(m_classifier);
    limiters.metered = CreateObject<MeteredQueueDisc>();
    limiters.metered->SetClassifier(limiters.meters);
    limiters.metered->SetAttribute("ChargeDropped", BooleanValue(m_chargeDropped));
    if (UsesVirtualQueues())
    {
        limiters.queues = CreateObject<LimiterTable>();
        limiters.shaped = CreateVirtualQueues(limiters.queues);
        limiters.metered->SetInner(limiters.shaped);
    }
    else
    {
        limiters.metered->SetInner(CreatePhysicalQueue(buffer));
    }
    return limiters.metered;
}

void
NimbleScheme::ConfigureNodes(Network& network)
{
    Scheme::ConfigureNodes(network);
    Fabric& fabric = *network.GetFabric();
    std::map<const FabricPort*, LimiterPort> ports;
    DataRate largest;
    fabric.ForEachPort([&](FabricPort& port) {
        const FabricPort::Description& d = port.GetDescription();
        largest = std::max(largest, d.rate);
        const auto found = m_ports.find({d.node, d.index});
        if (d.tier > 0 && found == m_ports.end())
        {
            throw InputError("--scheme Queue",
                             port.GetQueueDisc().GetInstanceTypeId().GetName(),
                             "leave it empty: a port of this scheme has meters");
        }
        if (d.tier > 0)
        {
            ports.emplace(&port, found->second);
            if (found->second.shaped)
            {
                // What is not limited has the port's buffer.
                found->second.shaped->SetInner(0, CreatePhysicalQueue(GetPortBuffer(d.rate)));
            }
        }
    });
    if (m_limit > largest)
    {
        throw InputError("--scheme Limit",
                         std::to_string(m_limit.GetBitRate()) + "bps",
                         "at most the rate of a link, " + std::to_string(largest.GetBitRate()) +
                             "bps");
    }
    NimbleRule rule = GetRule();
    rule.limit.rate = m_limit;
    const NimbleClasses classes =
        m_policyText.empty() ? NimbleClasses(rule, network.GetTenants()) : NimbleClasses(m_policy);
    m_controller->Start(fabric, ports, classes);
    network.GetTransports()->AddObserver(PeekPointer(m_controller));
}

int64_t
NimbleScheme::AssignStreams(int64_t stream)
{
    const int64_t used = m_controller->AssignStreams(stream);
    return used + Scheme::AssignStreams(stream + used);
}

void
NimbleScheme::ReportResults(const Network& network, Results& results) const
{
    Scheme::ReportResults(network, results);
    m_controller->ReportResults(results);
    const auto& classes = m_policy.GetClasses();
    for (uint32_t i = 0; i < classes.size(); ++i)
    {
        const bool isMatched =
            !classes[i].groups.empty() ||
            std::ranges::find(m_policy.GetTupleRules(), i + 1, &TupleRule::trafficClass) !=
                m_policy.GetTupleRules().end();
        if (isMatched && !m_classifier->HasMet(i + 1))
        {
            PrintNotice("--scheme Policy: no packet was of class " + classes[i].name);
        }
    }
}

std::optional<uint32_t>
NimbleScheme::FindClass(const std::string& name) const
{
    return m_controller->GetClasses().Find(name);
}

bool
NimbleScheme::LimitsTenants() const
{
    return m_policyText.empty(); // else the policy's classes have limits, not tenants
}

void
NimbleScheme::SetClassLimit(uint32_t number, DataRate limit)
{
    m_controller->SetLimit(number, limit);
}

void
NimbleScheme::DoDispose()
{
    if (m_controller)
    {
        m_controller->Dispose();
    }
    m_controller = nullptr;
    m_ports.clear();
    m_classifier = nullptr;
    Scheme::DoDispose();
}

} // namespace ns3
