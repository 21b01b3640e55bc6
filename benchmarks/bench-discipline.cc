/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bench-fabric.h"

#include "ns3/fabric-item.h"

namespace ns3
{

namespace
{

/**
 * @brief Only a discipline: packets of 16 flows leave and come back, 64 of them waiting.
 * @param type TypeId of the discipline
 * @param packets number of packets that leave
 * @return each packet counts as a hop
 */
Measurement
RunQueueDisc(const std::string& type, uint64_t packets)
{
    constexpr uint32_t FLOWS = 16;
    constexpr uint32_t WAITING = 64;
    const auto disc = CreateQueueDisc(type);
    disc->SetPort(nullptr);
    for (uint32_t i = 0; i < WAITING; ++i)
    {
        FabricItem* item = FabricItem::Create();
        item->hash = i % FLOWS * 0x9e3779b9U; // any hash
        item->size = PAYLOAD + HEADERS;
        disc->EnqueueItem(item);
    }
    Measurement measurement;
    const double start = GetProcessorSeconds();
    for (uint64_t i = 0; i < packets; ++i)
    {
        disc->EnqueueItem(disc->DequeueItem());
    }
    measurement.seconds = GetProcessorSeconds() - start;
    measurement.hops = static_cast<double>(packets);
    disc->Dispose();
    return measurement;
}

} // namespace

std::vector<Case>
GetDisciplineCases(const Scale& scale)
{
    const auto alone = [scale](const std::string& type) {
        return [=] { return RunQueueDisc(type, scale.Packets(20'000'000)); };
    };
    const auto fabric = [scale](FabricCase parameters) {
        parameters.packets = scale.Packets(parameters.packets);
        return [parameters] { return RunFabric(parameters); };
    };
    const auto reno = [scale](const std::string& queueDisc) {
        return [=] {
            return RunFabric({.packets = 0,
                              .queueDisc = queueDisc,
                              .transport = "lean",
                              .paths = "ns3::FlowHashPathSelector",
                              .duration = scale.Duration(20000)});
        };
    };
    const std::string dropTail = "discipline alone, drop-tail";
    const std::string renoDropTail = "fabric, drop-tail, lean TCP";
    const std::string flowPaths = "fabric, drop-tail, paths per flow";
    return {
        {dropTail, alone("ns3::DropTailQueueDisc"), {}},
        {"discipline alone, AFQ", alone("ns3::AfqQueueDisc"), {{dropTail, 1.0 / 3}}},
        // A flow keeps its path, as in AFQ's networks: with spray, a port would see every flow.
        {flowPaths, fabric({.paths = "ns3::FlowHashPathSelector"}), {}},
        {"fabric, AFQ, paths per flow",
         fabric({.queueDisc = "ns3::AfqQueueDisc", .paths = "ns3::FlowHashPathSelector"}),
         {{flowPaths, 0.5}}},
        {"fabric, AFQ, spray", fabric({.queueDisc = "ns3::AfqQueueDisc"}), {}},
        // The same with hosts that react: the schemes tcp, afq-tcp and afq.
        {renoDropTail, reno("ns3::DropTailQueueDisc"), {}},
        {"fabric, AFQ, lean TCP", reno("ns3::AfqQueueDisc"), {{renoDropTail, 0.5}}},
        {"fabric, AFQ, packet-pair",
         fabric({.queueDisc = "ns3::AfqQueueDisc",
                 .transport = "packet-pair",
                 .paths = "ns3::FlowHashPathSelector"}),
         {{renoDropTail, 0.5}}},
    };
}

} // namespace ns3
