/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MAX_MIN_SHARES_H
#define MAX_MIN_SHARES_H

#include "ns3/input-error.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <vector>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief A flow that takes part in max-min sharing.
 * @tparam T type of rates and weights: double, or an exact number
 */
template <class T>
struct MaxMinFlow
{
    std::vector<uint32_t> links; //!< numbers of the links it crosses
    T weight{1};                 //!< its part, relative to the others', larger than 0
    std::optional<T> demand{};   //!< most it wants; none: all it can get
    T minimum{0};                //!< least it is guaranteed, at most its demand
};

/**
 * @ingroup telemetry
 * @brief The share of a flow.
 * @tparam T type of rates
 */
template <class T>
struct MaxMinShare
{
    static constexpr uint32_t DEMAND = UINT32_MAX; //!< no link: the flow has all it wants

    T rate;              //!< its rate
    uint32_t bottleneck; //!< number of a full link on which no flow above its minimum has more per
                         //!< weight; or DEMAND
};

/**
 * @ingroup telemetry
 * @brief Weighted max-min fair shares by water-filling.
 *
 * All flows rise together, each in proportion to its weight but never below its minimum, until a
 * link is full or a demand is met; the flows concerned stay there, the others rise on. So no flow
 * could have more without taking from one that has less per weight (or no more than its minimum).
 * Exact if T is; with double, up to rounding.
 */
template <class T>
class MaxMinSharing
{
  public:
    /**
     * @brief Share links.
     * @param capacities of the links
     * @param flows the flows; each crosses a link or has a demand
     * @return the share of each flow
     * @throws InputError if a weight is not positive, a demand is below its minimum, or a link
     *         cannot bear the minimums of its flows
     */
    static std::vector<MaxMinShare<T>> Share(const std::vector<T>& capacities,
                                             const std::vector<MaxMinFlow<T>>& flows)
    {
        MaxMinSharing sharing(capacities, flows);
        while (sharing.m_rising > 0)
        {
            sharing.RaiseToNextLevel();
        }
        return sharing.m_shares;
    }

  private:
    using Flow = MaxMinFlow<T>;

    /// @brief A link.
    struct Link
    {
        T free;                         //!< capacity that is not taken by flows that stay
        std::vector<uint32_t> rising{}; //!< flows that still rise
        std::optional<T> level{};       //!< at which it is full, if flows rise on it
        bool changed{false};            //!< true if the level must be found again
    };

    MaxMinSharing(const std::vector<T>& capacities, const std::vector<Flow>& flows)
        : m_flows(flows),
          m_rises(flows.size(), true),
          m_rising(flows.size()),
          m_shares(flows.size())
    {
        for (const T& capacity : capacities)
        {
            m_links.push_back({capacity});
        }
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            Require(flows[i].weight > 0, "weight of a flow", flows[i].weight, "larger than 0");
            Require(!flows[i].demand || *flows[i].demand >= flows[i].minimum,
                    "minimum of a flow",
                    flows[i].minimum,
                    "at most its demand");
            Require(flows[i].demand || !flows[i].links.empty(),
                    "links of flow",
                    i,
                    "one at least, for a flow without a demand");
            for (const uint32_t link : flows[i].links)
            {
                m_links.at(link).rising.push_back(i);
            }
        }
        for (uint32_t i = 0; i < m_links.size(); ++i)
        {
            T sum{0};
            for (const uint32_t flow : m_links[i].rising)
            {
                sum += flows[flow].minimum;
            }
            std::ostringstream allowed;
            allowed << "at most the capacity of link " << i << ", " << capacities[i];
            Require(sum <= capacities[i], "sum of guaranteed minimums", sum, allowed.str());
            UpdateLevel(m_links[i]);
        }
    }

    template <class V>
    static void Require(bool holds, const char* what, const V& value, const std::string& allowed)
    {
        if (!holds)
        {
            std::ostringstream text;
            text << value;
            throw InputError(what, text.str(), allowed);
        }
    }

    /// @brief The rate of a flow at a level.
    static T GetRate(const Flow& flow, const T& level)
    {
        const T rate = level * flow.weight;
        return std::max(rate, flow.minimum);
    }

    /// @brief Find the level at which a link is full.
    void UpdateLevel(Link& link)
    {
        link.changed = false;
        link.level.reset();
        std::vector<uint32_t> rising = link.rising;
        T free = link.free;
        while (!rising.empty())
        {
            T weights{0};
            for (const uint32_t flow : rising)
            {
                weights += m_flows[flow].weight;
            }
            const T level = free / weights;
            link.level = level;
            // Flows whose minimum is more do not share; the level falls and others may follow.
            const auto fixed =
                std::partition(rising.begin(), rising.end(), [this, &level](uint32_t flow) {
                    return m_flows[flow].minimum <= level * m_flows[flow].weight;
                });
            if (fixed == rising.end())
            {
                return;
            }
            for (auto flow = fixed; flow != rising.end(); ++flow)
            {
                free -= m_flows[*flow].minimum;
            }
            rising.erase(fixed, rising.end());
        }
    }

    /// @brief Raise the water until a link is full or a demand is met.
    void RaiseToNextLevel()
    {
        std::optional<T> level;
        const auto lower = [&level](const T& other) {
            if (!level || other < *level)
            {
                level = other;
            }
        };
        for (const Link& link : m_links)
        {
            if (link.level)
            {
                lower(*link.level);
            }
        }
        for (uint32_t i = 0; i < m_flows.size(); ++i)
        {
            if (m_rises[i] && m_flows[i].demand)
            {
                lower(*m_flows[i].demand / m_flows[i].weight);
            }
        }
        SettleFlows(*level);
    }

    /// @brief Let the flows stay that cannot rise above a level.
    void SettleFlows(const T& level)
    {
        std::vector<uint32_t> full;
        for (uint32_t i = 0; i < m_links.size(); ++i)
        {
            if (m_links[i].level && *m_links[i].level <= level)
            {
                full.push_back(i);
            }
        }
        for (uint32_t i = 0; i < m_flows.size(); ++i)
        {
            const Flow& flow = m_flows[i];
            if (m_rises[i] && flow.demand && *flow.demand <= level * flow.weight)
            {
                Settle(i, {*flow.demand, MaxMinShare<T>::DEMAND});
            }
        }
        for (const uint32_t link : full)
        {
            const std::vector<uint32_t> flows = m_links[link].rising; // Settle() changes the list
            for (const uint32_t flow : flows)
            {
                Settle(flow, {GetRate(m_flows[flow], level), link});
            }
        }
        for (Link& link : m_links)
        {
            if (link.changed)
            {
                UpdateLevel(link);
            }
        }
    }

    /// @brief A flow has its share.
    void Settle(uint32_t index, const MaxMinShare<T>& share)
    {
        m_shares[index] = share;
        m_rises[index] = false;
        --m_rising;
        for (const uint32_t number : m_flows[index].links)
        {
            Link& link = m_links[number];
            link.free -= share.rate;
            link.rising.erase(std::find(link.rising.begin(), link.rising.end(), index));
            link.changed = true;
        }
    }

    const std::vector<Flow>& m_flows;     //!< the flows
    std::vector<Link> m_links;            //!< the links
    std::vector<bool> m_rises;            //!< by flow, true while it rises
    std::size_t m_rising;                 //!< number of flows that rise
    std::vector<MaxMinShare<T>> m_shares; //!< of those that do not
};

} // namespace ns3

#endif /* MAX_MIN_SHARES_H */
