/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which way each packet of a server pair takes, while all other servers send as well: paths.csv
// with the up-link of the rack and the core of each. Seen at the ports, whatever the scheme.

#include "ns3/csv-writer.h"
#include "ns3/direct-event.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/permutation-workload.h"
#include "ns3/scenario.h"
#include "ns3/uinteger.h"

#include <map>
#include <set>

using namespace ns3;

namespace
{

/// @brief Follows the packets with payload that a server sends.
class PathRecorder
{
  public:
    /// @brief The way of a packet.
    struct Way
    {
        int64_t time;          //!< departure from the server, in time steps
        uint32_t upLink;       //!< of the rack's switch, counted from 0
        const FabricNode* top; //!< switch that it went up to; nullptr: it has not yet
    };

    /**
     * @param fabric the fabric, built
     * @param source sending host
     * @param start packets sent earlier are of no account
     */
    PathRecorder(const Fabric& fabric, uint32_t source, Time start)
        : m_fabric(fabric),
          m_source(source),
          m_start(start.GetTimeStep())
    {
        const FabricNode* rack = fabric.GetHost(source).GetNicPort().GetDescription().peer;
        fabric.ForEachPort([this, rack](FabricPort& port) {
            const FabricPort::Description& description = port.GetDescription();
            if (description.peerTier <= description.tier)
            {
                return;
            }
            port.AddStage(CreateObject<DepartureStage>(
                [this](FabricItem* item, const FabricPort& from) { Follow(item, from); }));
            if (description.node == rack)
            {
                m_upLinks.emplace(&port, m_upLinks.size());
            }
        });
    }

    /**
     * @brief Ways of the packets.
     * @return in the order in which packets were sent
     */
    const std::vector<Way>& GetWays() const
    {
        return m_ways;
    }

  private:
    /**
     * @brief An item leaves a port on the way up.
     * @param item the item
     * @param port the port
     */
    void Follow(FabricItem* item, const FabricPort& port)
    {
        if (item->source != m_source || DirectEvent::Now() < m_start)
        {
            return;
        }
        const auto payload = m_fabric.GetPayload(*item);
        if (!payload || payload->length == 0)
        {
            return;
        }
        const FabricPort::Description& description = port.GetDescription();
        if (description.tier == 0)
        {
            // An item may have been another packet before; its last departure from here counts.
            m_under[item] = m_ways.size();
            m_ways.push_back({DirectEvent::Now(), 0, nullptr});
            return;
        }
        const auto found = m_under.find(item);
        if (found == m_under.end())
        {
            return; // it was sent before the start
        }
        Way& way = m_ways[found->second];
        if (const auto upLink = m_upLinks.find(&port); upLink != m_upLinks.end())
        {
            way.upLink = upLink->second;
        }
        way.top = description.peer; // in the end, that of the highest layer
    }

    const Fabric& m_fabric;                           //!< knows what a packet carries
    uint32_t m_source;                                //!< sending host
    int64_t m_start;                                  //!< in time steps
    std::map<const FabricPort*, uint32_t> m_upLinks;  //!< of the rack, by port
    std::map<const FabricItem*, std::size_t> m_under; //!< place in m_ways of what is under way
    std::vector<Way> m_ways;                          //!< in the order of sending
};

/**
 * @brief Number the switches of the highest layer.
 * @param fabric the fabric
 * @return numbers from 0
 */
std::map<const FabricNode*, uint32_t>
NumberTops(const Fabric& fabric)
{
    std::map<const FabricNode*, uint32_t> tops;
    uint32_t highest = 0;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        const FabricSwitch& node = fabric.GetSwitch(i);
        if (node.GetTier() > highest)
        {
            highest = node.GetTier();
            tops.clear();
        }
        if (node.GetTier() == highest)
        {
            tops.emplace(&node, static_cast<uint32_t>(tops.size()));
        }
    }
    return tops;
}

/// @brief A packet's way up.
struct Row
{
    double sent;     //!< departure, in us
    uint32_t upLink; //!< of its rack
    uint32_t top;    //!< switch of the highest layer
};

/**
 * @brief The ways that lead to the highest layer.
 * @param recorder saw the packets
 * @param fabric the fabric
 * @param packets so many at most
 * @return in the order of sending
 */
std::vector<Row>
SelectWays(const PathRecorder& recorder, const Fabric& fabric, uint32_t packets)
{
    const auto tops = NumberTops(fabric);
    std::vector<Row> rows;
    for (const PathRecorder::Way& way : recorder.GetWays())
    {
        const auto top = tops.find(way.top);
        if (top != tops.end() && rows.size() < packets) // the last ones are still on their way
        {
            rows.push_back({TimeStep(way.time).ToDouble(Time::US), way.upLink, top->second});
        }
    }
    return rows;
}

/**
 * @brief Write paths.csv.
 * @param folder directory of the file
 * @param rows packets
 */
void
WritePaths(const std::string& folder, const std::vector<Row>& rows)
{
    CsvWriter file(folder + "/paths.csv", {"packet", "sent_us", "uplink", "top_switch"});
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        file.Row(i, rows[i].sent, rows[i].upLink, rows[i].top);
    }
    file.Close();
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("drb-paths", "which way each packet of a server pair takes");
    uint32_t packets = 64;
    Time warmUp = MilliSeconds(2);
    Time duration = MilliSeconds(10);
    scenario.AddOption("packets", "packets of server 0 whose way is recorded, at most", packets);
    scenario.AddOption("warmUp", "time before the first of them", warmUp);
    scenario.AddOption("duration", "time in which they are sent", duration);

    return scenario.Main(argc, argv, [&] {
        scenario.SetDefaultTopology("fat-tree:K=8,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps");
        const Fabric& fabric = scenario.BuildNetwork();
        PathRecorder recorder(fabric, 0, warmUp);
        const auto workload = CreateObject<PermutationWorkload>();
        // To the other half of the network, so that every packet goes up to the highest layer.
        workload->SetAttribute("Shift", UintegerValue(fabric.GetNHosts() / 2));
        workload->SetAttribute("Bytes", DoubleValue(0)); // for the whole run
        scenario.RunFor(workload, warmUp + duration);

        const auto rows = SelectWays(recorder, fabric, packets);
        std::set<uint32_t> visited;
        uint32_t changes = 0; // of the rack's up-link, from packet to packet
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            visited.insert(rows[i].top);
            changes += i > 0 && rows[i].upLink != rows[i - 1].upLink ? 1 : 0;
        }
        scenario.Report("packets", static_cast<double>(rows.size()));
        scenario.Report("top_switches", static_cast<double>(visited.size()));
        scenario.Report("uplink_changes", changes);
        if (!scenario.GetOutputFolder().empty())
        {
            WritePaths(scenario.GetOutputFolder(), rows);
        }
    });
}
