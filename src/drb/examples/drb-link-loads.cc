/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The loads of links under feasible traffic (DRB, Theorem 1 and Appendix A): spread evenly over the
// bouncing switches, or each pair over a single one, as flow hashing does with a flow per pair.
// Rates are added up along paths; simulates nothing.

#include "ns3/calculation.h"
#include "ns3/csv-writer.h"
#include "ns3/input-error.h"
#include "ns3/link-loads.h"
#include "ns3/random-variable-stream.h"
#include "ns3/topology.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

using namespace ns3;

namespace
{

/// @brief Traffic from one host to another.
struct Demand
{
    uint32_t source;      //!< sending host
    uint32_t destination; //!< receiving host
    double rate;          //!< over that of a host's link
};

/// @brief Draws traffic that no host's link is too slow for.
class Traffic
{
  public:
    /**
     * @param hosts number of hosts
     * @param random source of randomness
     */
    Traffic(uint32_t hosts, UniformRandomVariable& random)
        : m_hosts(hosts),
          m_random(random)
    {
    }

    /**
     * @brief Draw traffic.
     * @param kind "permutation": each host sends to one; "rack": the hosts of a rack to those of
     * one other, half the network away; "mixture": parts of permutations that make up at most 1,
     *        which any feasible traffic can be written as (Birkhoff and von Neumann)
     * @return rates
     * @throws InputError if there is no such kind
     */
    std::vector<Demand> Draw(const std::string& kind)
    {
        if (kind == "permutation")
        {
            return Permute(1);
        }
        if (kind == "rack")
        {
            std::vector<Demand> demands;
            for (uint32_t i = 0; i < m_hosts; ++i)
            {
                demands.push_back({i, (i + m_hosts / 2) % m_hosts, 1});
            }
            return demands;
        }
        if (kind == "mixture")
        {
            return Mix();
        }
        throw InputError("--traffic", kind, "permutation, rack or mixture");
    }

  private:
    std::vector<Demand> Permute(double rate)
    {
        std::vector<uint32_t> order(m_hosts);
        std::iota(order.begin(), order.end(), 0);
        for (uint32_t i = m_hosts - 1; i > 0; --i)
        {
            std::swap(order[i], order[m_random.GetInteger(0, i)]);
        }
        std::vector<Demand> demands;
        for (uint32_t i = 0; i < m_hosts; ++i)
        {
            if (order[i] != i)
            {
                demands.push_back({i, order[i], rate});
            }
        }
        return demands;
    }

    std::vector<Demand> Mix()
    {
        constexpr uint32_t PARTS = 8;
        std::vector<double> cuts{0, 1}; // between the parts; the last one is left out
        while (cuts.size() < PARTS + 2)
        {
            cuts.push_back(m_random.GetValue());
        }
        std::ranges::sort(cuts);
        std::vector<Demand> demands;
        for (uint32_t part = 0; part < PARTS; ++part)
        {
            for (const Demand& demand : Permute(cuts[part + 1] - cuts[part]))
            {
                if (m_random.GetValue() < 0.75) // else all hosts would send alike
                {
                    demands.push_back(demand);
                }
            }
        }
        return demands;
    }

    uint32_t m_hosts;                //!< number of hosts
    UniformRandomVariable& m_random; //!< source of randomness
};

/// @brief Loads of all links over all traffic that was drawn.
class Statistics
{
  public:
    /**
     * @brief Take loads into account.
     * @param fabric the fabric
     * @param loads of its links
     */
    void Add(const Fabric& fabric, const LinkLoads& loads)
    {
        m_counts.resize(loads.GetNLinks());
        fabric.ForEachPort([this, &loads](const FabricPort& port) {
            ++m_counts[loads.GetLink(port)][std::llround(PER_UNIT * loads.GetLoad(port))];
            m_largest.resize(m_counts.size());
            double& largest = m_largest[loads.GetLink(port)];
            largest = std::max(largest, loads.GetLoad(port));
        });
    }

    /**
     * @brief Tell the largest loads.
     * @param report takes them
     */
    void Report(const std::function<void(const std::string&, double)>& report) const
    {
        for (std::size_t link = 0; link < m_largest.size(); ++link)
        {
            report("load_max_l" + std::to_string(link), m_largest[link]);
        }
        const auto middle = m_largest.begin() + static_cast<std::ptrdiff_t>(m_largest.size()) / 2;
        report("load_max_up", *std::max_element(m_largest.begin(), middle));
        report("load_max_down", *std::max_element(middle, m_largest.end()));
        report("load_max", *std::ranges::max_element(m_largest));
    }

    /**
     * @brief Write how often each load occurs, in steps of a thousandth.
     * @param out folder
     */
    void Write(const std::string& out) const
    {
        CsvWriter file(out + "/loads.csv", {"link", "load", "count"});
        for (std::size_t link = 0; link < m_counts.size(); ++link)
        {
            for (const auto& [load, count] : m_counts[link])
            {
                file.Row(link, static_cast<double>(load) / PER_UNIT, count);
            }
        }
        file.Close();
    }

  private:
    static constexpr double PER_UNIT = 1000; //!< steps of load that are told apart
    std::vector<std::map<int64_t, uint64_t>>
        m_counts;                  //!< number of occurrences of a load, by link of a path
    std::vector<double> m_largest; //!< largest load, by link of a path
};

} // namespace

int
main(int argc, char* argv[])
{
    Spec topology = "fat-tree:K=4";
    std::string scheme = "even";
    std::string traffic = "permutation";
    uint32_t matrices = 20;
    Calculation calculation("drb-link-loads", "adds up the loads of links");
    calculation.AddSpecOption<Topology>("topology", "the network", topology);
    calculation.AddOption(
        "scheme",
        "where a pair's traffic bounces: even (everywhere alike), single (at one switch)",
        scheme);
    calculation.AddOption("traffic",
                          "who sends: permutation, rack (to another rack), mixture",
                          traffic);
    calculation.AddOption("matrices", "how often traffic is drawn", matrices);
    return calculation.Main(argc, argv, [&] {
        if (scheme != "even" && scheme != "single")
        {
            throw InputError("--scheme", scheme, "even or single");
        }
        if (matrices == 0)
        {
            throw InputError("--matrices", "0", "must be above 0");
        }
        const auto fabric = CreateObject<Fabric>();
        CreateFromSpec<Topology>("--topology", topology)->AddTo(*fabric);
        fabric->Build();
        const BouncingRoutes routes(*fabric, "drb");
        const uint32_t points = routes.GetNPoints();
        if (points == 0)
        {
            throw InputError("--topology",
                             topology.ToString(),
                             "a layer of switches above those of racks");
        }
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        Traffic source(fabric->GetNHosts(), *random);
        LinkLoads loads(*fabric, routes);
        Statistics statistics;
        for (uint32_t i = 0; i < matrices; ++i)
        {
            loads.Clear();
            for (const Demand& demand : source.Draw(traffic))
            {
                std::vector<double> shares(points, 1.0 / points);
                if (scheme == "single")
                {
                    std::ranges::fill(shares, 0);
                    shares[random->GetInteger(0, points - 1)] = 1;
                }
                loads.Add(demand.source, demand.destination, demand.rate, shares);
            }
            statistics.Add(*fabric, loads);
        }
        statistics.Report([&calculation](const std::string& name, double value) {
            calculation.Report(name, value);
        });
        if (!calculation.GetOutputFolder().empty())
        {
            statistics.Write(calculation.GetOutputFolder());
        }
        fabric->Dispose();
    });
}
