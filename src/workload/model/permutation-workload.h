/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PERMUTATION_WORKLOAD_H
#define PERMUTATION_WORKLOAD_H

#include "derangement.h"
#include "workload.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Every host sends to one other host and receives from one other host.
 *
 * Which one is drawn, all derangements being equally likely, or is Shift hosts further on. With
 * RackSize, receivers in the sender's rack are swapped away, as in DRB's Section 5 every packet
 * goes up to a core. Each flow is a group of its own.
 */
class PermutationWorkload : public Workload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    void DoPrepare() override;

    /**
     * @brief A function that tells if two VMs are on one host.
     * @return IsLocal()
     */
    Derangement::IsLocal GetIsLocal() const;

    /**
     * @brief Choose who sends to whom.
     * @return destination by source
     */
    std::vector<uint32_t> Destinations();

    /**
     * @brief Swap receivers until none is in its sender's rack.
     * @param destinations destination by source, a permutation
     */
    void LeaveRacks(std::vector<uint32_t>& destinations);

    uint32_t m_shift;    //!< distance of the destination; 0: random
    uint32_t m_rackSize; //!< hosts per rack; 0: pairs may be in one rack
    double m_bytes;      //!< size of each flow in bytes; 0: long-lived
    Time m_maxDelay;     //!< starts are spread over so long
};

} // namespace ns3

#endif /* PERMUTATION_WORKLOAD_H */
