/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bench-case.h"

#include "ns3/lean-tcp-header.h"
#include "ns3/network.h"
#include "ns3/random-variable-stream.h"

#include <utility>

namespace ns3
{

namespace
{

/// @brief Below a bouncing agent: takes the packets that it lets go, and makes them as they were.
class Catcher : public EdgeAgent
{
  public:
    void Outgoing(FabricItem* item) override
    {
        item->route = nullptr;
        item->size = PAYLOAD + HEADERS;
    }
};

Measurement
RunBouncing(uint32_t pairs, uint64_t packets)
{
    constexpr uint32_t PEERS = 250; // of each server, as many servers as it takes
    const auto network = CreateObject<Network>();
    network->SetTopology("fat-tree:K=24,Pods=6");
    network->SetScheme("drb");
    network->Build();
    const auto fabric = network->GetFabric();
    for (uint32_t host = 0; host < fabric->GetNHosts(); ++host)
    {
        fabric->GetHost(host).AddEdgeAgent(CreateObject<Catcher>());
    }
    std::vector<std::pair<uint32_t, uint32_t>> order; // of sources and destinations
    for (uint32_t i = 0; i < pairs; ++i)
    {
        const uint32_t source = i / PEERS;
        // From the rack behind the source's on, so that all packets bounce.
        order.emplace_back(source, (source + 24 + i % PEERS) % fabric->GetNHosts());
    }
    auto random = CreateObject<UniformRandomVariable>();
    for (std::size_t i = order.size() - 1; i > 0; --i)
    {
        std::swap(order[i], order[random->GetInteger(0, static_cast<uint32_t>(i))]);
    }
    FabricItem* item = FabricItem::Create();
    item->size = PAYLOAD + HEADERS;
    item->As<LeanTcpHeader>() = {};
    item->As<LeanTcpHeader>().length = PAYLOAD;
    Measurement measurement;
    for (const bool isMeasured : {false, true}) // first all pairs' state is created
    {
        const uint64_t count = isMeasured ? packets : pairs;
        const double start = GetProcessorSeconds();
        for (uint64_t i = 0; i < count; ++i)
        {
            const auto [source, destination] = order[i % pairs];
            item->source = source;
            item->destination = destination;
            fabric->GetHost(source).Send(item);
        }
        measurement.seconds = GetProcessorSeconds() - start;
    }
    measurement.hops = static_cast<double>(packets);
    item->Release();
    network->Dispose();
    return measurement;
}

} // namespace

std::vector<Case>
GetBouncingCases(const Scale& scale)
{
    const auto bouncing = [scale](uint32_t pairs) {
        return [=] { return RunBouncing(pairs, scale.Packets(10'000'000)); };
    };
    // A packet per server pair in turn: state is looked up, a bouncing switch chosen.
    return {
        {"DRB's choice, 10^3 pairs", bouncing(1'000), {}, 0, 1000},
        {"DRB's choice, 10^5 pairs", bouncing(100'000), {}, 0, 1000},
    };
}

} // namespace ns3
