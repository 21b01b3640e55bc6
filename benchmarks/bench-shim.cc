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

constexpr uint32_t SHIM_HOSTS = 16; //!< of the fat-tree
constexpr uint32_t PEERS = SHIM_HOSTS - 1;

/**
 * @brief One tenant with as many VMs on each host as it takes.
 * @param vms on each host; VM v of host h has number v * SHIM_HOSTS + h
 * @return the tenant
 */
Ptr<TenantTable>
CreateShimTenant(uint32_t vms)
{
    auto tenants = CreateObject<TenantTable>();
    tenants->AddTenant({"all"});
    const DataRate hose(uint64_t{9'000'000'000} / vms); // R_G is most of the link
    for (uint32_t i = 0; i < vms * SHIM_HOSTS; ++i)
    {
        tenants->AddVm({0, i % SHIM_HOSTS, hose, hose});
    }
    return tenants;
}

/**
 * @brief Every host of a fat-tree sends to all others, a TCP flow per VM pair.
 * @param pairs of each host
 * @param scheme specification
 * @param duration simulated
 * @return its cost
 */
Measurement
RunShim(uint32_t pairs, const std::string& scheme, Time duration)
{
    constexpr uint32_t PAIRS_PER_VM = 25;
    const uint32_t vms = (pairs + PAIRS_PER_VM - 1) / PAIRS_PER_VM;
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::TimingWheelSimulatorImpl"));
    auto network = CreateObject<Network>();
    network->SetTopology("fat-tree:K=4,HostRate=10Gbps,FabricRate=10Gbps,CoreRate=10Gbps");
    network->SetScheme(scheme);
    network->SetTransports("lean:MaxWindow=65535");
    const auto tenants = CreateShimTenant(vms);
    network->SetTenants(tenants);
    network->Build();
    for (uint32_t i = 0; i < SHIM_HOSTS * pairs; ++i)
    {
        const uint32_t host = i % SHIM_HOSTS;
        const uint32_t from = i / SHIM_HOSTS % vms; // VM at its host
        const uint32_t peer = i / SHIM_HOSTS / vms; // of the VM
        const uint32_t to = (from + peer) % vms;    // so that no VM has more than its share
        FlowRequest request{host, (host + 1 + peer % PEERS) % SHIM_HOSTS};
        request.pair =
            tenants->GetPair(from * SHIM_HOSTS + host, to * SHIM_HOSTS + request.destination) + 1;
        network->GetTransports()->StartFlow(request);
    }
    return RunFor(*network->GetFabric(), duration);
}

} // namespace

std::vector<Case>
GetShimCases(const Scale& scale)
{
    std::vector<Case> cases;
    for (const auto& [pairs, microseconds] :
         {std::pair(1U, 20'000.0), std::pair(100U, 20'000.0), std::pair(10'000U, 4'000.0)})
    {
        const std::string count = ", " + std::to_string(pairs) + " pairs per host";
        const Time duration = scale.Duration(microseconds);
        const auto run = [pairs = pairs, duration](const std::string& scheme) {
            return [=] { return RunShim(pairs, scheme, duration); };
        };
        cases.push_back({"no shim" + count, run("cubic"), {}});
        cases.push_back({"Trinity's shim" + count, run("trinity"), {}});
        if (pairs == 100)
        {
            cases.back().requirements = {{"no shim" + count, 0.5}}; // twice the time per hop
        }
    }
    return cases;
}

} // namespace ns3
