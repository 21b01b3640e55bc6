/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "file-topology.h"

#include "ns3/csv-input.h"
#include "ns3/input-error.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FileTopology);

namespace
{

/// @brief Columns of the file, in order.
enum Column : std::size_t
{
    WHAT,
    FROM,
    TO,
    RATE,
    DELAY
};

} // namespace

/// @brief The network that the file describes.
struct FileTopology::Plan
{
    /// @brief A host or switch.
    struct Node
    {
        uint32_t tier;         //!< 0: a host
        uint32_t links{0};     //!< so far
        std::size_t island{0}; //!< a node that it is connected with; in the end, of all its island
    };

    /// @brief A link.
    struct Link
    {
        std::size_t from; //!< node
        std::size_t to;   //!< node
        DataRate rate;    //!< in each direction
        Time delay;       //!< in each direction
    };

    /**
     * @brief Take a row in.
     * @param csv stands at the row
     */
    void AddRow(const CsvInput& csv)
    {
        if (csv.Text(WHAT) == "tier")
        {
            AddTier(csv);
        }
        else if (csv.Text(WHAT) == "link")
        {
            AddLink(csv);
        }
        else
        {
            csv.Reject(WHAT, "must be tier or link");
        }
    }

    /**
     * @brief Take a row in that names a tier.
     * @param csv stands at the row
     */
    void AddTier(const CsvInput& csv)
    {
        const std::string name = csv.Text(FROM);
        const bool isWord = !name.empty() && std::ranges::all_of(name, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        });
        if (!isWord)
        {
            csv.Reject(FROM, "must be a name of letters only");
        }
        if (std::ranges::find(tiers, name) != tiers.end())
        {
            csv.Reject(FROM,
                       name == tiers.front() ? "is the name of the hosts; tiers are of switches"
                                             : "is a tier already");
        }
        tiers.push_back(name);
        counts.push_back(0);
    }

    /**
     * @brief Take a row in that lays a link.
     * @param csv stands at the row
     */
    void AddLink(const CsvInput& csv)
    {
        const std::size_t from = GetNode(csv, FROM);
        const std::size_t to = GetNode(csv, TO);
        if (from == to)
        {
            csv.Reject(TO, "must be another end");
        }
        if (nodes[from].tier == 0 && nodes[to].tier == 0)
        {
            csv.Reject(TO, "must be a switch: a host is attached to a switch");
        }
        for (const auto& [node, column] : {std::pair(from, FROM), std::pair(to, TO)})
        {
            if (++nodes[node].links > 1 && nodes[node].tier == 0)
            {
                csv.Reject(column, "must have no link yet: a host has one");
            }
        }
        links.push_back({from, to, csv.Rate(RATE), csv.Duration(DELAY)});
        const auto [low, high] = std::minmax({GetIsland(from), GetIsland(to)});
        nodes[high].island = low;
    }

    /**
     * @brief Find an end, which may be new.
     * @param csv stands at the row
     * @param column the column of the end's name
     * @return its place in nodes
     */
    std::size_t GetNode(const CsvInput& csv, Column column)
    {
        const std::string name = csv.Text(column);
        const auto [found, isNew] = places.try_emplace(name, nodes.size());
        if (isNew)
        {
            const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
            const auto tier = std::ranges::find(tiers, name.substr(0, digits));
            if (tier == tiers.end())
            {
                csv.Reject(column, "must be host or the name of a tier above, and a number");
            }
            uint32_t& next = counts[tier - tiers.begin()];
            if (name.substr(digits) != std::to_string(next))
            {
                csv.Reject(column,
                           "must be an end named above, or " + *tier + std::to_string(next) +
                               ", the next one");
            }
            ++next;
            nodes.push_back({static_cast<uint32_t>(tier - tiers.begin()), 0, nodes.size()});
        }
        return found->second;
    }

    /**
     * @brief The island of a node: the nodes connected with it (union-find).
     * @param node a node
     * @return the lowest node of the island
     */
    std::size_t GetIsland(std::size_t node) const
    {
        while (nodes[node].island != node)
        {
            node = nodes[node].island;
        }
        return node;
    }

    /**
     * @brief Refuse what is no network.
     * @param file path of the file
     */
    void Check(const std::string& file) const
    {
        if (counts[0] < 2)
        {
            throw InputError(file, std::to_string(counts[0]) + " hosts", "at least 2 hosts");
        }
        for (const auto& [name, place] : places)
        {
            if (GetIsland(place) != 0)
            {
                throw InputError(file, name, "an end that is connected with all others");
            }
        }
    }

    std::vector<std::string> tiers{"host"};    //!< from the hosts up
    std::vector<uint32_t> counts{0};           //!< nodes by tier
    std::vector<Node> nodes;                   //!< in the order of being named
    std::vector<Link> links;                   //!< in the order of rows
    std::map<std::string, std::size_t> places; //!< in nodes, by name
};

TypeId
FileTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FileTopology")
            .SetParent<Topology>()
            .SetGroupName("Fabric")
            .AddConstructor<FileTopology>()
            .AddAttribute("File",
                          "Path of a CSV file with the columns what,from,to,rate,delay: rows "
                          "tier,NAME and link,FROM,TO,RATE,DELAY",
                          StringValue(""),
                          MakeStringAccessor(&FileTopology::m_file),
                          MakeStringChecker());
    return tid;
}

FileTopology::Plan
FileTopology::Read() const
{
    CsvInput csv(m_file, {"what", "from", "to", "rate", "delay"});
    Plan plan;
    while (csv.Next())
    {
        plan.AddRow(csv);
    }
    plan.Check(m_file);
    return plan;
}

void
FileTopology::AddTo(Fabric& fabric) const
{
    const Plan plan = Read();
    fabric.SetTierNames(plan.tiers);
    std::vector<Fabric::End> ends;
    for (const Plan::Node& node : plan.nodes)
    {
        ends.push_back(node.tier == 0 ? fabric.AddHost() : fabric.AddSwitch(node.tier));
    }
    for (const Plan::Link& link : plan.links)
    {
        fabric.Connect(ends[link.from], ends[link.to], link.rate, link.delay);
    }
}

std::string
FileTopology::GetSummary() const
{
    if (m_file.empty())
    {
        return "a topology from a CSV file, a line per link, such as file:links.csv";
    }
    const Plan plan = Read();
    return m_file + ": " + std::to_string(plan.counts[0]) + " hosts, " +
           std::to_string(plan.nodes.size() - plan.counts[0]) + " switches, " +
           std::to_string(plan.links.size()) + " links";
}

} // namespace ns3
