/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which guarantees can be kept when virtual fabrics choose their paths one by one as they join, and
// leave them when a link has promised more than it has (uFAB, SIGCOMM 2022, Sections 3.5 and 5.2):
// path choice as in src/mufab, no packets.

#include "ns3/calculation.h"
#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/path-choice.h"
#include "ns3/path-table.h"
#include "ns3/topology.h"
#include "ns3/uinteger.h"
#include "ns3/window-law.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

using namespace ns3;

namespace
{

using Ports = std::vector<FabricPort*>;

/// @brief A virtual fabric of one VM pair.
struct Pair
{
    double tokens;            //!< of its guarantee
    std::vector<Ports> paths; //!< it may take
    int path{-1};             //!< it has; below 0: none
};

/// @brief Pairs on the links of a network.
class Placement
{
  public:
    /**
     * @param share the edge's arithmetic
     * @param candidates paths that are asked at once
     * @param preference among qualified paths
     * @param random draws
     */
    Placement(const BandwidthShare& share,
              uint32_t candidates,
              PathPreference preference,
              UniformRandomVariable& random)
        : m_share(share),
          m_candidates(candidates),
          m_preference(preference),
          m_random(random)
    {
    }

    /**
     * @brief A pair looks for a path.
     * @param pair the pair
     * @param joins true if it must have one
     * @return true if it has gone to another
     */
    bool Choose(Pair& pair, bool joins)
    {
        std::vector<int> asked(pair.paths.size());
        std::iota(asked.begin(), asked.end(), 0);
        std::erase(asked, pair.path);
        const auto wanted = std::min<std::size_t>(asked.size(), m_candidates);
        for (std::size_t i = 0; i < wanted; ++i)
        {
            const auto last = static_cast<uint32_t>(asked.size() - 1);
            std::swap(asked[i], asked[m_random.GetInteger(static_cast<uint32_t>(i), last)]);
        }
        asked.resize(wanted);
        std::vector<PathOffer> offers;
        for (const int path : asked)
        {
            offers.push_back(Assess(pair, path));
        }
        auto chosen = ChooseQualified(offers, m_preference, m_share.unit, m_random);
        if (!chosen && joins)
        {
            chosen = ChooseLeastBad(offers);
        }
        if (!chosen)
        {
            return false;
        }
        Add(pair, -pair.tokens);
        pair.path = asked[*chosen];
        Add(pair, pair.tokens);
        return true;
    }

    /**
     * @brief True if each link of a pair's path can keep its promises.
     * @param pair the pair
     * @return true if so
     */
    bool IsKept(const Pair& pair) const
    {
        return std::ranges::all_of(pair.paths[pair.path], [this](FabricPort* port) {
            return m_share.IsQualified(GetState(port), 0);
        });
    }

    /// @brief Take all pairs off the links.
    void Clear()
    {
        m_tokens.clear();
    }

  private:
    LinkState GetState(FabricPort* port) const
    {
        LinkState state;
        const auto found = m_tokens.find(port);
        state.tokens = found == m_tokens.end() ? 0 : found->second;
        state.capacity = static_cast<double>(port->GetDescription().rate.GetBitRate());
        return state;
    }

    PathOffer Assess(const Pair& pair, int path) const
    {
        PathOffer offer{true, std::numeric_limits<double>::infinity(), 0};
        for (FabricPort* port : pair.paths[path])
        {
            const bool isShared =
                pair.path >= 0 && std::ranges::count(pair.paths[pair.path], port) > 0;
            const double extra = isShared ? 0 : pair.tokens;
            const LinkState state = GetState(port);
            offer.qualified = offer.qualified && m_share.IsQualified(state, extra);
            offer.headroom = std::min(offer.headroom, m_share.GetHeadroom(state, extra));
        }
        return offer;
    }

    void Add(const Pair& pair, double tokens)
    {
        if (pair.path >= 0)
        {
            for (FabricPort* port : pair.paths[pair.path])
            {
                m_tokens[port] += tokens;
            }
        }
    }

    BandwidthShare m_share;                 //!< the edge's arithmetic
    uint32_t m_candidates;                  //!< paths that are asked at once
    PathPreference m_preference;            //!< among qualified paths
    UniformRandomVariable& m_random;        //!< draws
    std::map<FabricPort*, double> m_tokens; //!< Phi by link
};

/**
 * @brief Shuffle.
 * @param values the values to shuffle
 * @param random draws
 */
template <class Value>
void
Shuffle(std::vector<Value>& values, UniformRandomVariable& random)
{
    for (std::size_t i = values.size(); i > 1; --i)
    {
        std::swap(values[i - 1], values[random.GetInteger(0, static_cast<uint32_t>(i - 1))]);
    }
}

/**
 * @brief Draw the pairs of the experiment: per class of guarantees a permutation from the first
 * half of the hosts to the second, in random order.
 * @param fabric the network
 * @param random draws
 * @return the pairs
 */
std::vector<Pair>
DrawPairs(Fabric& fabric, UniformRandomVariable& random)
{
    const uint32_t half = fabric.GetNHosts() / 2;
    std::vector<Pair> pairs;
    for (const double tokens : {100.0, 200.0, 500.0})
    {
        std::vector<uint32_t> to(half);
        std::iota(to.begin(), to.end(), half);
        Shuffle(to, random);
        for (uint32_t from = 0; from < half; ++from)
        {
            PathTable& table = fabric.GetPathTable();
            const uint16_t source = fabric.GetLocation(from).rack;
            const uint16_t destination = fabric.GetLocation(to[from]).rack;
            Pair pair{tokens, {}};
            for (uint32_t i = 0; i < table.GetNPaths(source, destination); ++i)
            {
                pair.paths.push_back(table.GetPorts(table.Get(source, destination, i)));
            }
            pairs.push_back(pair);
        }
    }
    Shuffle(pairs, random);
    return pairs;
}

/**
 * @brief Pairs join one by one; after each, those whose guarantee is missed look for other paths.
 * @param pairs the pairs
 * @param placement the links and the choice of paths
 * @param random draws
 * @return pairs whose guarantee is kept in the end
 */
std::size_t
JoinAll(std::vector<Pair>& pairs, Placement& placement, UniformRandomVariable& random)
{
    constexpr uint32_t ATTEMPTS = 400; // in vain, after which nobody will move
    for (std::size_t joined = 1; joined <= pairs.size(); ++joined)
    {
        placement.Choose(pairs[joined - 1], true);
        for (uint32_t inVain = 0; inVain < ATTEMPTS; ++inVain)
        {
            Pair& pair = pairs[random.GetInteger(0, static_cast<uint32_t>(joined - 1))];
            if (!placement.IsKept(pair) && placement.Choose(pair, false))
            {
                inVain = 0;
            }
        }
    }
    return std::ranges::count_if(pairs, [&](const Pair& pair) { return placement.IsKept(pair); });
}

/**
 * @brief True if the guarantees of all pairs can be kept at once: the largest go first, over and
 * over again.
 * @param pairs the pairs
 * @param placement the links and the choice of paths
 * @return true if a way was found
 */
bool
IsFeasible(std::vector<Pair> pairs, Placement& placement)
{
    std::ranges::stable_sort(pairs, std::greater(), &Pair::tokens);
    for (int attempt = 0; attempt < 3000; ++attempt)
    {
        placement.Clear();
        for (Pair& pair : pairs)
        {
            pair.path = -1;
        }
        if (std::ranges::all_of(pairs, [&](Pair& pair) { return placement.Choose(pair, false); }))
        {
            return true;
        }
    }
    return false;
}

} // namespace

int
main(int argc, char* argv[])
{
    Spec topology = "three-tier";
    uint32_t orders = 200;
    uint32_t candidates = 4;
    std::string preference = "Headroom";
    Calculation calculation("mufab-placement", "guarantees kept by pairs that choose paths alone");
    calculation.AddSpecOption<Topology>("topology", "the network, of links of 10 Gbps", topology);
    calculation.AddOption("orders",
                          "orders of joining",
                          orders,
                          MakeUintegerChecker<uint32_t>(1, 1000000));
    calculation.AddOption("candidates",
                          "paths that are asked at once",
                          candidates,
                          MakeUintegerChecker<uint32_t>(1, 16));
    calculation.AddOption("preference",
                          "among qualified paths: Headroom, Most or Uniform",
                          preference);
    return calculation.Main(argc, argv, [&] {
        const std::map<std::string, PathPreference> preferences{
            {"Headroom", PathPreference::HEADROOM},
            {"Most", PathPreference::MOST},
            {"Uniform", PathPreference::UNIFORM}};
        if (!preferences.contains(preference))
        {
            throw InputError("--preference", preference, "Headroom, Most or Uniform");
        }
        const auto fabric = CreateObject<Fabric>();
        CreateFromSpec<Topology>("--topology", topology)->AddTo(*fabric);
        fabric->Build();
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        const BandwidthShare share{10e6, 0.95};
        Placement placement(share, candidates, preferences.at(preference), *random);
        Placement search(share, 16, PathPreference::UNIFORM, *random);
        std::size_t all = 0;
        std::size_t feasible = 0;
        std::size_t least = SIZE_MAX;
        double kept = 0;
        for (uint32_t order = 0; order < orders; ++order)
        {
            auto pairs = DrawPairs(*fabric, *random);
            placement.Clear();
            const std::size_t now = JoinAll(pairs, placement, *random);
            kept += static_cast<double>(now) / orders;
            least = std::min(least, now);
            all += now == pairs.size();
            feasible += now == pairs.size() || IsFeasible(pairs, search);
        }
        calculation.Report("all_kept_percent", 100.0 * static_cast<double>(all) / orders);
        calculation.Report("feasible_percent", 100.0 * static_cast<double>(feasible) / orders);
        calculation.Report("kept_mean", kept);
        calculation.Report("kept_least", static_cast<double>(least));
        fabric->Dispose();
    });
}
