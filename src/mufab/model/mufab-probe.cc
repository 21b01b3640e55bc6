/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-probe.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace ns3
{

namespace
{

/// @brief Memory of probes that are gone.
std::vector<std::unique_ptr<std::byte[]>>&
GetProbePool()
{
    static std::vector<std::unique_ptr<std::byte[]>> pool;
    return pool;
}

/// @brief phi_D of a pair that the receiver does not limit, on the wire: all ones.
constexpr uint32_t UNBOUND_ON_WIRE = UINT32_MAX;

} // namespace

void*
MufabProbe::operator new(std::size_t size)
{
    auto& pool = GetProbePool();
    if (pool.empty())
    {
        return ::operator new[](size);
    }
    std::byte* memory = pool.back().release();
    pool.pop_back();
    return memory;
}

void
MufabProbe::operator delete(void* memory)
{
    GetProbePool().emplace_back(static_cast<std::byte*>(memory));
}

ProbeHeader
MufabProbe::MakeHeader(const IntUnits& fields) const
{
    ProbeHeader header;
    header.SetType(type);
    header.SetTokens(std::isinf(tokens) ? UNBOUND_ON_WIRE
                                        : static_cast<uint32_t>(std::ceil(tokens)));
    header.SetRoom(room, 0);
    for (uint32_t hop = 0; hop < hops; ++hop)
    {
        const LinkState& link = records[hop].link;
        header.Push(fields.Encode({static_cast<uint64_t>(std::ceil(link.window)),
                                   static_cast<uint64_t>(std::ceil(link.tokens)),
                                   static_cast<uint64_t>(std::llround(link.rate)),
                                   static_cast<uint64_t>(std::llround(link.queue)),
                                   static_cast<uint64_t>(std::llround(link.capacity))}));
    }
    for (uint32_t hop = hops; hop < room; ++hop)
    {
        header.SetWindow(
            hop,
            fields.Encode({.window = static_cast<uint64_t>(std::ceil(records[hop].window))})
                .window);
    }
    return header;
}

} // namespace ns3
