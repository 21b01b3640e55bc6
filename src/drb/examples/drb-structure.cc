/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a Clos network is to Digit-Reversal Bouncing (DRB, Sections 2.1, 3.2 and 4.1): how many
// switches, servers and links, how many ways between racks by way of a bouncing switch, how large
// the tables of switches. Counted in the network as it is built; simulates nothing.

#include "ns3/bouncing-routes.h"
#include "ns3/calculation.h"
#include "ns3/input-error.h"
#include "ns3/path-census.h"
#include "ns3/topology.h"

#include <algorithm>
#include <functional>
#include <map>

using namespace ns3;

namespace
{

constexpr uint32_t EXAMPLES = 8; //!< so many points, switches and racks are told one by one

/// @brief Takes a name and a number.
using Report = std::function<void(const std::string&, double)>;

/**
 * @brief Count what there is.
 * @param fabric the fabric
 * @param report takes the numbers
 */
void
ReportCounts(const Fabric& fabric, const Report& report)
{
    std::map<uint32_t, uint32_t> switches; // by tier
    std::map<uint32_t, uint32_t> links;    // by tier of the upper end
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        ++switches[fabric.GetSwitch(i).GetTier()];
    }
    for (uint32_t i = 0; i < fabric.GetNLinks(); ++i)
    {
        const FabricPort::Description& end = fabric.GetLink(i)[0]->GetDescription();
        ++links[std::max(end.tier, end.peerTier)];
    }
    report("servers", fabric.GetNHosts());
    for (const auto& [tier, count] : switches)
    {
        report("switches_tier" + std::to_string(tier), count);
    }
    for (const auto& [tier, count] : links)
    {
        report("links_to_tier" + std::to_string(tier), count);
    }
}

/**
 * @brief Size and content of tables.
 * @param fabric the fabric
 * @param routes its tables
 * @param report takes the numbers
 */
void
ReportTables(const Fabric& fabric, const BouncingRoutes& routes, const Report& report)
{
    report("racks", routes.GetNRacks());
    report("points", routes.GetNPoints());
    std::map<uint32_t, uint32_t> entries; // most, by tier
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        uint32_t& most = entries[fabric.GetSwitch(i).GetTier()];
        most = std::max(most, routes.GetNEntries(i));
    }
    uint32_t largest = 0;
    for (const auto& [tier, count] : entries)
    {
        report("table_tier" + std::to_string(tier) + "_entries", count);
        largest = std::max(largest, count);
    }
    report("table_largest_entries", largest);
    report("table_bound_entries", routes.GetNRacks() + routes.GetNPoints());

    // The up-links of the first rack and the ports of the first point, counted from 0.
    const uint16_t first = routes.GetUpRoute(0, 0)[1];
    for (uint32_t point = 0; point < std::min(EXAMPLES, routes.GetNPoints()); ++point)
    {
        report("uplink_to_point" + std::to_string(point), routes.GetUpRoute(0, point)[1] - first);
        report("switch_of_point" + std::to_string(point),
               routes.GetSwitch(point) - routes.GetSwitch(0));
    }
    for (uint16_t rack = 0; rack < std::min(EXAMPLES, routes.GetNRacks()); ++rack)
    {
        report("port_to_rack" + std::to_string(rack), routes.GetDownPort(0, rack));
    }
}

/**
 * @brief Count ways between racks.
 * @param fabric the fabric
 * @param routes its tables
 * @param report takes the numbers
 */
void
ReportWays(const Fabric& fabric, const BouncingRoutes& routes, const Report& report)
{
    const PathCensus census(fabric, routes);
    const auto both = [&report](const std::string& name, PathCensus::Range range) {
        report(name + "_least", range.least);
        report(name + "_most", range.most);
    };
    both("ways_per_switch", census.GetWaysPerSwitch());
    both("ways_per_point", census.GetWaysPerPoint());
    both("ports_per_point", census.GetPortsPerPoint());
}

} // namespace

int
main(int argc, char* argv[])
{
    Spec topology = "fat-tree:K=4";
    bool ways = true;
    Calculation calculation("drb-structure", "counts switches, paths and table entries");
    calculation.AddSpecOption<Topology>("topology", "the network", topology);
    calculation.AddOption("ways", "whether the ways between all racks are counted, too", ways);
    return calculation.Main(argc, argv, [&] {
        const auto report = [&calculation](const std::string& name, double value) {
            calculation.Report(name, value);
        };
        const auto fabric = CreateObject<Fabric>();
        CreateFromSpec<Topology>("--topology", topology)->AddTo(*fabric);
        fabric->Build();
        const BouncingRoutes routes(*fabric, "drb");
        if (routes.GetNPoints() == 0)
        {
            throw InputError("--topology",
                             topology.ToString(),
                             "a layer of switches above those of racks");
        }
        ReportCounts(*fabric, report);
        ReportTables(*fabric, routes, report);
        if (ways)
        {
            ReportWays(*fabric, routes, report);
        }
        fabric->Dispose();
    });
}
