/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWLET_PATH_SELECTOR_H
#define FLOWLET_PATH_SELECTOR_H

#include "path-selector.h"

#include "ns3/nstime.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Flowlet switching: a flow that paused for longer than a gap may take another next hop.
 *
 * Bursts of a flow that are further apart than paths differ in delay cannot overtake each other. A
 * flowlet's next hop is random (LetFlow, NSDI 2017, Section 3). As in CONGA (SIGCOMM 2014, Section
 * 3.4) a table of fixed size is looked up by the hash of the flow: flows with the same entry share
 * their next hop and their pauses.
 */
class FlowletPathSelector : public PathSelector
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    FlowletPathSelector();

    uint32_t Choose(const FabricItem& item, uint32_t group, uint32_t count) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// @brief A flowlet, or room for one.
    struct Flowlet
    {
        int64_t end{-1};    //!< a packet that comes by then belongs to it, in time steps
        uint32_t choice{0}; //!< its next hop
    };

    Time m_gap;                      //!< attribute Gap
    uint32_t m_entries;              //!< attribute Entries
    uint64_t m_state;                //!< of the generator, seeded from an ns-3 stream
    std::vector<Flowlet> m_flowlets; //!< by hash; empty before there is a choice
};

} // namespace ns3

#endif /* FLOWLET_PATH_SELECTOR_H */
