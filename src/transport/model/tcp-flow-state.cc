/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-flow-state.h"

#include "tcp-ops-compatibility.h"

#include "ns3/tcp-dctcp.h"

namespace ns3
{

namespace
{

/**
 * @brief DCTCP's estimate of the marked share. TcpDctcp tells it at changes only, but takes half of
 * it off the window when there is a mark (RFC 8257, section 3.3, step 9), which changes nothing.
 * @param dctcp the congestion control
 * @return alpha, to nine digits
 */
double
GetAlpha(TcpDctcp& dctcp)
{
    constexpr uint32_t WINDOW = 1U << 31;
    const auto state = CreateObject<TcpSocketState>();
    state->m_cWnd = WINDOW;
    return 2 * (1 - static_cast<double>(dctcp.TcpDctcp::GetSsThresh(state, 0)) / WINDOW);
}

} // namespace

FlowState
GetTcpFlowState(const TcpSocketState& state, Ptr<TcpCongestionOps> congestion)
{
    FlowState flow;
    flow.window = state.m_cWnd.Get();
    flow.inFlight = state.m_bytesInFlight.Get();
    if (const uint32_t threshold = state.m_ssThresh; threshold != UINT32_MAX)
    {
        flow.threshold = threshold;
    }
    if (const Time rtt = SmoothedRtt(state); !rtt.IsZero())
    {
        flow.rtt = rtt.GetSeconds();
    }
    if (state.m_pacing)
    {
        flow.rate = static_cast<double>(state.m_pacingRate.Get().GetBitRate());
    }
    if (const auto dctcp = DynamicCast<TcpDctcp>(congestion))
    {
        flow.alpha = GetAlpha(*dctcp);
    }
    return flow;
}

} // namespace ns3
