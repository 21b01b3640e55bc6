/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bench-case.h"

#include "ns3/global-value.h"
#include "ns3/network.h"
#include "ns3/string.h"
#include "ns3/tenant-table.h"

#include <string>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @brief Every host sends to one in another pod without end, each pair a tenant.
 * @param topology specification
 * @param hosts number of its hosts
 * @param shift difference between the numbers of a pair's receiver and sender
 * @param scheme specification
 * @param duration simulated
 * @return its cost
 */
Measurement
RunTenants(const std::string& topology,
           uint32_t hosts,
           uint32_t shift,
           const std::string& scheme,
           Time duration)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::TimingWheelSimulatorImpl"));
    auto network = CreateObject<Network>();
    network->SetTopology(topology);
    network->SetScheme(scheme);
    network->SetTransports("lean:MaxWindow=65535");
    auto tenants = CreateObject<TenantTable>();
    for (uint32_t host = 0; host < hosts; ++host)
    {
        const TenantId tenant = tenants->AddTenant({"t" + std::to_string(host)});
        const DataRate hose("4Gbps");
        const VmId from = tenants->AddVm({tenant, host, hose, hose});
        tenants->GetPair(from, tenants->AddVm({tenant, (host + shift) % hosts, hose, hose}));
    }
    network->SetTenants(tenants);
    network->Build();
    for (uint32_t host = 0; host < hosts; ++host)
    {
        FlowRequest request{host, (host + shift) % hosts};
        request.pair = tenants->GetPair(2 * host, 2 * host + 1) + 1;
        network->GetTransports()->StartFlow(request);
    }
    return RunFor(*network->GetFabric(), duration);
}

} // namespace

std::vector<Case>
GetMufabCases(const Scale& scale)
{
    const std::string small = "fat-tree:K=8,HostRate=10Gbps,FabricRate=10Gbps,CoreRate=10Gbps";
    const std::string large = "three-tier:Pods=16,RacksPerPod=4,HostsPerRack=8,"
                              "AggregationsPerPod=8,Cores=32,CoreLinks=4,HostRate=100Gbps,"
                              "FabricRate=100Gbps,CoreRate=100Gbps,LinkDelay=1us";
    const auto run =
        [](const std::string& topology, uint32_t hosts, uint32_t shift, Time duration) {
            return [=](const std::string& scheme) {
                return [=] { return RunTenants(topology, hosts, shift, scheme, duration); };
            };
        };
    const auto k8 = run(small, 128, 16, scale.Duration(4000));
    const auto servers = run(large, 512, 32, scale.Duration(400));
    const std::string dctcp = "DCTCP, 128 tenants";
    return {{dctcp, k8("dctcp"), {}},
            {"uFAB, 128 tenants", k8("mufab"), {{dctcp, 1.0 / 3}}}, // three times the time per hop
            {"uFAB, 512 servers", servers("mufab"), {}, 2048}};
}

} // namespace ns3
