/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_USE_H
#define LINK_USE_H

#include "ns3/fabric-port.h"
#include "ns3/port-stage.h"

#include <cstdint>
#include <deque>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The busy time of a link, and the packets on it, exactly.
 *
 * A port counts a packet when its first bit leaves. Over a stretch of time that count is up to a
 * packet off at either end, so a full link can seem more than full; the time in which bits left is
 * not.
 */
class LinkUse : public PortStage
{
  public:
    /**
     * @brief Look at a link from now on.
     * @param port feeds the link; the last stage is added to it now
     * @return the stage that observes the link
     */
    static Ptr<LinkUse> Watch(FabricPort& port);

    void Depart(FabricItem* item, const FabricPort& port) override;

    /**
     * @brief Time in which packets were transmitted, up to now. Pause frames do not count.
     * @return the time
     */
    Time GetBusyTime() const;

    /// @brief Packets whose first bit has left and that arrive later than now.
    uint64_t GetOnLink() const;

    /// @brief Packets that arrive now: whether they have arrived yet depends on the order of
    /// events.
    uint64_t GetArriving() const;

  private:
    int64_t m_busy{0};              //!< time of all transmissions, the present one's end included
    int64_t m_end{0};               //!< of the last transmission
    std::deque<int64_t> m_arrivals; //!< of the packets that may still be on the link, in order
};

} // namespace ns3

#endif /* LINK_USE_H */
