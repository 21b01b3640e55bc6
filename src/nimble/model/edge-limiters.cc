/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-limiters.h"

#include "rate-allocation.h"

#include "ns3/results.h"
#include "ns3/simulator.h"

#include <cmath>
#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DestinationTable);

TypeId
DestinationTable::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DestinationTable").SetParent<ItemClassifier>().SetGroupName("Nimble");
    return tid;
}

void
DestinationTable::SetTrafficClassifier(Ptr<ItemClassifier> classifier)
{
    m_classes = classifier;
}

uint32_t
DestinationTable::Add(uint32_t destination, uint32_t trafficClass)
{
    const auto number = static_cast<uint32_t>(m_numbers.size() + 1);
    return m_numbers.emplace(MakeKey(destination, trafficClass), number).first->second;
}

uint32_t
DestinationTable::Classify(const FabricItem& item) const
{
    const auto found = m_numbers.find(MakeKey(item.destination, m_classes->Classify(item)));
    return found == m_numbers.end() ? NO_CLASS : found->second;
}

void
DestinationTable::Install(const Fabric* fabric, bool headersOnly)
{
    m_classes->Install(fabric, headersOnly);
}

EdgeLimiters::EdgeLimiters(std::vector<HostPort> hosts,
                           Ptr<TrafficClassifier> classifier,
                           NimbleClasses classes,
                           Ptr<UpdateDelay> delay)
    : m_hosts(std::move(hosts)),
      m_classifier(classifier),
      m_classes(std::move(classes)),
      m_delay(delay)
{
    for (const HostPort& host : m_hosts)
    {
        m_links.push_back(static_cast<double>(host.rate.GetBitRate()));
    }
}

EdgeLimiters::~EdgeLimiters()
{
    m_compute.Cancel();
}

EdgeLimiters::Pair
EdgeLimiters::GetPair(const FlowRecord& record) const
{
    return {record.request.source,
            record.request.destination,
            m_classifier->GetClassOfGroup(record.request.group)};
}

void
EdgeLimiters::FlowStarted(const FlowRecord& record)
{
    const Pair pair = GetPair(record);
    if (std::get<2>(pair) != ItemClassifier::NO_CLASS && ++m_flows[pair] == 1)
    {
        Trigger();
    }
}

void
EdgeLimiters::FlowFinished(const FlowRecord& record)
{
    const auto found = m_flows.find(GetPair(record));
    if (found != m_flows.end() && --found->second == 0)
    {
        m_flows.erase(found);
        Trigger();
    }
}

void
EdgeLimiters::SetLimit(uint32_t number, DataRate limit)
{
    m_classes.SetLimit(number, limit);
    Trigger();
}

void
EdgeLimiters::Trigger()
{
    if (!m_compute.IsPending())
    {
        m_compute = Simulator::ScheduleNow(&EdgeLimiters::Compute, this);
    }
}

double
EdgeLimiters::GetRate(uint32_t trafficClass, uint32_t source, uint32_t destination) const
{
    const auto found = m_rates.find({source, destination, trafficClass});
    return found == m_rates.end() ? 0 : found->second;
}

namespace
{

/**
 * @brief Share hosts' links among classes, and what a class has among those that it has to do with.
 * @param flows number of flows of each pair that sends
 * @param sending true if links are shared by what they send, false if by what they receive
 * @param links rates of the hosts' links in bit/s
 * @param classes the classes that limits are for
 * @return the rate for a peer, by host and class
 */
std::map<std::pair<uint32_t, uint32_t>, double>
ShareHostLinks(const std::map<EdgeLimiters::Pair, uint32_t>& flows,
               bool sending,
               const std::vector<double>& links,
               const NimbleClasses& classes)
{
    std::map<uint32_t, std::map<uint32_t, uint32_t>> peers; // by host and class
    for (const auto& [pair, count] : flows)
    {
        const auto& [source, destination, trafficClass] = pair;
        ++peers[sending ? source : destination][trafficClass];
    }
    std::map<std::pair<uint32_t, uint32_t>, double> shares;
    for (const auto& [host, present] : peers)
    {
        std::vector<ShareClaim> claims;
        for (const auto& [number, count] : present)
        {
            const NimbleRule rule = classes.GetRule(number);
            const auto limit = static_cast<double>(rule.limit.rate.GetBitRate());
            claims.push_back(
                {rule.weight, rule.priority, limit > 0 ? std::optional(limit) : std::nullopt});
        }
        ShareByPolicy(links.at(host), claims);
        auto claim = claims.begin();
        for (const auto& [number, count] : present)
        {
            shares[{host, number}] = (claim++)->share / count;
        }
    }
    return shares;
}

} // namespace

std::map<EdgeLimiters::Pair, double>
EdgeLimiters::GetRates(const std::map<Pair, uint32_t>& flows,
                       const std::vector<double>& links,
                       const NimbleClasses& classes)
{
    const auto sent = ShareHostLinks(flows, true, links, classes);
    const auto received = ShareHostLinks(flows, false, links, classes);
    std::map<Pair, double> rates;
    for (const auto& [pair, count] : flows)
    {
        const auto& [source, destination, number] = pair;
        rates[pair] = std::min(sent.at({source, number}), received.at({destination, number}));
    }
    return rates;
}

void
EdgeLimiters::Compute()
{
    std::map<Pair, double> rates = GetRates(m_flows, m_links, m_classes);
    for (auto& [pair, rate] : rates)
    {
        rate = std::max(rate, static_cast<double>(LEAST_LIMITER_RATE));
    }
    SetRates(rates);
}

void
EdgeLimiters::SetRates(const std::map<Pair, double>& rates)
{
    std::vector<std::pair<Pair, double>> updates;
    for (const auto& [pair, rate] : rates)
    {
        const auto old = m_rates.find(pair);
        if (old == m_rates.end() || std::abs(old->second - rate) > RATE_TOLERANCE * old->second)
        {
            updates.emplace_back(pair, rate);
        }
    }
    for (const auto& [pair, rate] : m_rates)
    {
        if (!rates.contains(pair))
        {
            updates.emplace_back(pair, 0);
        }
    }
    std::vector<uint32_t> devices;
    for (const auto& [pair, rate] : updates)
    {
        devices.push_back(std::get<0>(pair));
        if (rate > 0)
        {
            m_rates[pair] = rate;
        }
        else
        {
            m_rates.erase(pair);
        }
    }
    m_updates += updates.size();
    const auto delays = m_delay ? m_delay->Issue(devices) : std::vector<Time>(devices.size());
    for (std::size_t i = 0; i < updates.size(); ++i)
    {
        if (delays[i].IsZero())
        {
            Program(updates[i].first, updates[i].second, m_updates);
        }
        else
        {
            Simulator::Schedule(delays[i],
                                &EdgeLimiters::Program,
                                this,
                                updates[i].first,
                                updates[i].second,
                                m_updates);
        }
    }
}

void
EdgeLimiters::Program(const Pair& pair, double rate, uint64_t order)
{
    uint64_t& latest = m_orders[pair];
    if (order < latest)
    {
        return; // a later update has been faster
    }
    latest = order;
    const auto& [source, destination, number] = pair;
    const HostPort& host = m_hosts[source];
    const uint32_t limiter = host.table->Add(destination, number);
    host.shaped->SetRate(limiter,
                         rate > 0 ? DataRate(static_cast<uint64_t>(std::llround(rate)))
                                  : host.rate);
}

void
EdgeLimiters::ReportResults(Results& results) const
{
    results.Add("nimble_limiter_updates", static_cast<double>(m_updates));
    results.Add("nimble_limiters", static_cast<double>(m_rates.size()));
}

} // namespace ns3
