/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ADAPTIVE_PATH_SELECTOR_H
#define ADAPTIVE_PATH_SELECTOR_H

#include "path-selector.h"

#include "ns3/queue-limit.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Adaptive load balancing, packet by packet, by the rule of DeTail (Zats et al., SIGCOMM
 * 2012): uniformly at random among the next hops whose queue is short, else among those whose
 * queue is not long, else among all.
 */
class AdaptivePathSelector : public PathSelector
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    AdaptivePathSelector();

    uint32_t Choose(const FabricItem& item, uint32_t group, uint32_t count) override;
    int64_t AssignStreams(int64_t stream) override;
    void SetSwitch(FabricSwitch& node) override;

  private:
    /// @brief Lengths of a port's queue below which it is short or not long.
    struct Thresholds
    {
        QueueLimit shortQueue; //!< the first
        QueueLimit longQueue;  //!< the second
    };

    FabricSwitch* m_node{nullptr};        //!< the switch that owns the ports
    QueueLimit m_shortQueue;              //!< attribute ShortQueue
    QueueLimit m_longQueue;               //!< attribute LongQueue
    std::vector<Thresholds> m_thresholds; //!< by port
    uint64_t m_state;                     //!< of the generator, seeded from an ns-3 stream
    std::vector<uint32_t> m_candidates;   //!< the best choices found so far
};

} // namespace ns3

#endif /* ADAPTIVE_PATH_SELECTOR_H */
