/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROBE_WORKLOAD_H
#define PROBE_WORKLOAD_H

#include "workload.h"

#include <string>

namespace ns3
{

/**
 * @ingroup workload
 * @brief One host sends another a short flow at regular times, to see how long it takes beside
 * other traffic. Sizes come in turn.
 */
class ProbeWorkload : public Workload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    void DoPrepare() override;
    std::optional<FlowArrival> DoNext() override;

    uint32_t m_source;             //!< index of the sending host
    uint32_t m_destination;        //!< index of the receiving host
    Time m_interval;               //!< from start to start
    std::string m_sizes;           //!< sizes as the user wrote them
    std::vector<uint64_t> m_bytes; //!< sizes
    uint64_t m_next{0};            //!< probes so far
};

} // namespace ns3

#endif /* PROBE_WORKLOAD_H */
