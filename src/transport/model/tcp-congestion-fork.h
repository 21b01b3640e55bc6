/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_CONGESTION_FORK_H
#define TCP_CONGESTION_FORK_H

#include "ns3/tcp-congestion-ops.h"

namespace ns3
{

/**
 * @ingroup transport
 * @brief Repair what TcpCongestionOps::Fork() made.
 *
 * Copy constructors of ns-3 leave attributes out: ns3::TcpCubic (3.44 and earlier) whether to be
 * friendly to Reno, ns3::TcpHybla its reference RTT, ns3::TcpLinuxReno and ns3::TcpNewReno (3.47
 * and later) by how much to reduce the window. Each connection would have what happens to be in its
 * memory.
 *
 * @param prototype the object forked
 * @param fork the copy
 */
void RepairFork(const TcpCongestionOps& prototype, TcpCongestionOps& fork);

/**
 * @ingroup transport
 * @brief Copy a congestion control for a connection.
 * @param prototype has the settings
 * @return a complete copy
 */
Ptr<TcpCongestionOps> ForkCongestionOps(TcpCongestionOps& prototype);

} // namespace ns3

#endif /* TCP_CONGESTION_FORK_H */
