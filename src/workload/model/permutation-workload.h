/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PERMUTATION_WORKLOAD_H
#define PERMUTATION_WORKLOAD_H

#include "workload.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Every host sends to one other host and receives from one other host.
 *
 * Which one is drawn, all derangements being equally likely, or is Shift hosts further on. Each
 * flow is a group of its own.
 */
class PermutationWorkload : public Workload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    void DoPrepare() override;

    /**
     * @brief Choose who sends to whom.
     * @return destination by source
     */
    std::vector<uint32_t> Destinations();

    uint32_t m_shift; //!< distance of the destination; 0: random
    double m_bytes;   //!< size of each flow in bytes; 0: long-lived
    Time m_maxDelay;  //!< starts are spread over so long
};

} // namespace ns3

#endif /* PERMUTATION_WORKLOAD_H */
