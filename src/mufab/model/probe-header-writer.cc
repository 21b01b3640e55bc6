/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "probe-header-writer.h"

#include "mufab-probe.h"

#include <algorithm>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t IPV4_HEADER = 20;  //!< bytes
constexpr uint32_t TYPE_AND_HOPS = 1; //!< bytes
constexpr uint8_t TO_HOST = 255;      //!< in place of the number of a port
constexpr uint32_t SHORT_TOKENS = 2;  //!< bytes of phi with 16 bits

} // namespace

Ptr<Packet>
ProbeHeaderWriter::MakePacket(const FabricItem& item) const
{
    const MufabProbe* probe = MufabProbe::Find(item);
    if (!probe)
    {
        return nullptr;
    }
    const uint32_t hops = item.route ? item.route[0] : 0U;
    const uint32_t switches = std::max<uint32_t>(hops + 1, probe->room);
    std::vector<uint8_t> route(1 + switches, TO_HOST);
    route[0] = static_cast<uint8_t>(switches);
    for (uint32_t hop = 0; hop < hops; ++hop)
    {
        route[1 + hop] = static_cast<uint8_t>(item.route[1 + hop]);
    }
    ProbeHeader header = probe->MakeHeader(probe->units ? *probe->units : IntUnits());
    const auto routed = static_cast<uint32_t>(IPV4_HEADER + route.size());
    const auto records = static_cast<uint32_t>(sizeof(IntRecord)) * probe->room;
    if (item.size == routed + TYPE_AND_HOPS + SHORT_TOKENS + records)
    {
        header.SetTokenBits(8 * SHORT_TOKENS);
    }
    const uint32_t size = routed + header.GetSerializedSize();
    auto packet = Create<Packet>(item.size - std::min<uint32_t>(item.size, size));
    packet->AddHeader(header);
    auto whole = Create<Packet>(route.data(), static_cast<uint32_t>(route.size()));
    whole->AddAtEnd(packet);
    AddIpv4Header(whole, item, IP_PROTOCOL);
    return whole;
}

} // namespace ns3
