/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_FLOW_STATE_H
#define TCP_FLOW_STATE_H

#include "flow.h"

#include "ns3/tcp-congestion-ops.h"

namespace ns3
{

/**
 * @ingroup transport
 * @brief The state of a TCP sender, as ns-3 keeps it.
 * @param state the state that the congestion control sees
 * @param congestion the congestion control; only DCTCP's kind has an alpha
 * @return the state; a rate only if the sender is paced
 */
FlowState GetTcpFlowState(const TcpSocketState& state, Ptr<TcpCongestionOps> congestion);

} // namespace ns3

#endif /* TCP_FLOW_STATE_H */
