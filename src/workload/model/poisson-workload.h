/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POISSON_WORKLOAD_H
#define POISSON_WORKLOAD_H

#include "sized-workload.h"

#include "ns3/data-rate.h"
#include "ns3/fabric.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Links that a load is meant of.
 */
struct LoadedLinks
{
    DataRate capacity; //!< in one direction, together
    double crossing;   //!< probability that a flow crosses one of them
};

/**
 * @ingroup workload
 * @brief Open loop: flows between random pairs arrive as a Poisson process (AFQ, Section 6.2.1).
 *
 * Source and destination are uniform among all pairs of different hosts. Load is the share of a
 * tier's capacity; which tier that is, its capacity and how many flows cross it, the scenario says
 * by the attributes Capacity and Crossing (see FlowRateForLoad()).
 */
class PoissonWorkload : public SizedWorkload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

    /**
     * @brief Rate at which flows arrive.
     * @return flows per second
     * @throw InputError if the attributes do not give one
     */
    virtual double GetFlowRate() const;

    /**
     * @brief The links that decide how many flows load a tier to a share of its capacity.
     * @param fabric the network
     * @param role role of the tier's ports, such as "leaf-spine"
     * @return all links of the tier: pairs are uniform, and so is the load
     */
    virtual LoadedLinks GetLoadedLinks(Fabric& fabric, const std::string& role) const;

  protected:
    void DoPrepare() override;
    std::optional<FlowArrival> DoNext() override;

    /**
     * @brief Choose who sends to whom.
     * @param [out] request gets the indices of its source and destination
     */
    virtual void DrawPair(FlowRequest& request);

  private:
    double m_load;         //!< share of the tier's capacity
    DataRate m_capacity;   //!< of the tier in one direction
    double m_crossing;     //!< probability that a flow crosses the tier
    double m_flowRate;     //!< flows per second; 0: from the load
    double m_interval{0};  //!< mean time between arrivals in seconds
    double m_lastStart{0}; //!< last arrival in seconds
};

} // namespace ns3

#endif /* POISSON_WORKLOAD_H */
