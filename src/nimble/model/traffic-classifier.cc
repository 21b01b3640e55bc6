/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-classifier.h"

#include "ns3/fabric-net-device.h"
#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/ipv4-header.h"
#include "ns3/udp-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TrafficClassifier);
NS_OBJECT_ENSURE_REGISTERED(LimiterTable);

namespace
{

constexpr uint8_t PROTOCOL_TCP = 6;  //!< IP protocol number
constexpr uint8_t PROTOCOL_UDP = 17; //!< IP protocol number

/**
 * @brief Read what is known of an item's headers.
 * @param item the item
 * @return addresses; protocol and ports if the item has bytes
 */
SevenTuple
ReadHeaders(const FabricItem& item)
{
    SevenTuple tuple;
    tuple.values[SevenTuple::SOURCE_ADDRESS] = FabricNetDevice::GetHostAddress(item.source).Get();
    tuple.values[SevenTuple::DESTINATION_ADDRESS] =
        FabricNetDevice::GetHostAddress(item.destination).Get();
    if (!item.packet)
    {
        return tuple;
    }
    const Ptr<Packet> packet = item.packet->Copy();
    Ipv4Header ip;
    packet->RemoveHeader(ip);
    tuple.values[SevenTuple::PROTOCOL] = ip.GetProtocol();
    if ((ip.GetProtocol() == PROTOCOL_TCP || ip.GetProtocol() == PROTOCOL_UDP) &&
        ip.GetFragmentOffset() == 0)
    {
        std::array<uint8_t, 4> ports{}; // TCP and UDP begin alike
        packet->CopyData(ports.data(), ports.size());
        tuple.values[SevenTuple::SOURCE_PORT] = ports[0] << 8 | ports[1];
        tuple.values[SevenTuple::DESTINATION_PORT] = ports[2] << 8 | ports[3];
    }
    return tuple;
}

} // namespace

TypeId
TrafficClassifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TrafficClassifier").SetParent<ItemClassifier>().SetGroupName("Nimble");
    return tid;
}

void
TrafficClassifier::SetPolicy(const NimblePolicy& policy)
{
    m_hasPolicy = true;
    m_met.assign(policy.GetClasses().size() + 1, 0);
    for (uint32_t i = 0; i < policy.GetClasses().size(); ++i)
    {
        for (const uint32_t group : policy.GetClasses()[i].groups)
        {
            m_byGroup.resize(std::max<std::size_t>(m_byGroup.size(), group + 1), NO_CLASS);
            m_byGroup[group] = i + 1;
        }
    }
    for (const TupleRule& rule : policy.GetTupleRules())
    {
        m_byHeaders.Add(rule);
        m_hasHeaderRules = true;
    }
}

void
TrafficClassifier::Install(const Fabric* fabric, bool /* headersOnly */)
{
    m_fabric = fabric;
    if (!fabric)
    {
        throw InputError("classifier",
                         "of a Nimble policy",
                         "needs a fabric; in a stock ns-3 program, take a table by packet filters "
                         "or by DSCP");
    }
}

uint32_t
TrafficClassifier::FindByHeaders(const FabricItem& item) const
{
    return m_byHeaders.Find(ReadHeaders(item));
}

uint32_t
TrafficClassifier::Classify(const FabricItem& item) const
{
    uint32_t found = m_hasHeaderRules ? FindByHeaders(item) : NO_CLASS;
    if (found == NO_CLASS)
    {
        found = GetClassOfGroup(m_fabric->GetFlowTag(item).group);
    }
    if (found < m_met.size())
    {
        m_met[found] = 1;
    }
    return found;
}

TypeId
LimiterTable::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LimiterTable").SetParent<ItemClassifier>().SetGroupName("Nimble");
    return tid;
}

void
LimiterTable::SetTrafficClassifier(Ptr<ItemClassifier> classifier)
{
    m_classes = classifier;
}

void
LimiterTable::SetWatcher(Watcher watcher)
{
    m_watcher = std::move(watcher);
}

void
LimiterTable::ForgetFlow(uint32_t flow)
{
    if (flow < m_seen.size())
    {
        m_seen[flow] = false;
    }
}

void
LimiterTable::Set(uint32_t trafficClass, uint16_t input, uint32_t limiter)
{
    if (input != ANY_INPUT)
    {
        m_byInput[MakeKey(trafficClass, input)] = limiter;
        return;
    }
    if (trafficClass >= m_limiters.size())
    {
        m_limiters.resize(trafficClass + 1, NO_CLASS);
    }
    m_limiters[trafficClass] = limiter;
}

void
LimiterTable::SetForAnyOutput(uint32_t trafficClass, uint16_t input, uint32_t limiter)
{
    m_anyOutput[MakeKey(trafficClass, input)] = limiter;
}

uint32_t
LimiterTable::FindByInput(const ByInput& table, uint32_t trafficClass, uint16_t input)
{
    const auto found = table.find(MakeKey(trafficClass, input));
    return found == table.end() ? NO_CLASS : found->second;
}

void
LimiterTable::Install(const Fabric* fabric, bool headersOnly)
{
    m_classes->Install(fabric, headersOnly);
}

void
LimiterTable::Watch(const FabricItem& item, uint32_t trafficClass) const
{
    if (item.flow >= m_seen.size())
    {
        m_seen.resize(item.flow + item.flow / 2 + 64, false);
    }
    if (!m_seen[item.flow] && item.flow != 0 && !(item.kind & FabricItem::TOWARDS_SENDER))
    {
        m_seen[item.flow] = true;
        m_watcher(item, trafficClass);
    }
}

uint32_t
LimiterTable::Classify(const FabricItem& item) const
{
    const uint32_t trafficClass = m_classes->Classify(item);
    if (m_watcher)
    {
        Watch(item, trafficClass);
    }
    if (!m_byInput.empty()) [[unlikely]]
    {
        const uint32_t found = FindByInput(m_byInput, trafficClass, item.inPort);
        if (found != NO_CLASS)
        {
            return found;
        }
    }
    const uint32_t own = trafficClass < m_limiters.size() ? m_limiters[trafficClass] : NO_CLASS;
    if (own == NO_CLASS && !m_anyOutput.empty()) [[unlikely]]
    {
        return FindByInput(m_anyOutput, trafficClass, item.inPort);
    }
    return own;
}

} // namespace ns3
