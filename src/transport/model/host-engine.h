/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_ENGINE_H
#define HOST_ENGINE_H

#include "ns3/direct-timer.h"
#include "ns3/fabric-host.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup transport
 * @brief Server for the data packets that arrive at a host: takes one after the other, in the order
 * of their arrival, each for the same time. It makes hosts that are slower than their links.
 */
class HostEngine
{
  public:
    /**
     * @brief Set up.
     * @param host the host that it serves
     * @param time that a packet takes
     */
    HostEngine(FabricHost& host, Time time);
    ~HostEngine();

    HostEngine(const HostEngine&) = delete;
    HostEngine& operator=(const HostEngine&) = delete;

    /**
     * @brief A packet arrived.
     * @param item the packet; goes to ReliableFlow::Process() in its time
     */
    void Take(FabricItem* item);

  private:
    void Finish();

    FabricHost& m_host;  //!< the host that it serves
    int64_t m_time;      //!< that a packet takes, in time steps
    ItemFifo m_waiting;  //!< packets, the first one in work
    DirectTimer m_timer; //!< pending while it works on a packet
};

} // namespace ns3

#endif /* HOST_ENGINE_H */
