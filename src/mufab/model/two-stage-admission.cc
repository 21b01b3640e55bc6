/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "two-stage-admission.h"

#include <algorithm>

namespace ns3
{

void
TwoStageAdmission::Join(double bootstrap)
{
    m_stage = RAMP;
    m_ramp = bootstrap;
    m_lastIncrement = INT64_MIN / 2; // the first response is one RTT later in any case
}

double
TwoStageAdmission::OnResponse(const Response& response, int64_t now, int64_t rtt)
{
    if (response.isDemandLimited)
    {
        m_stage = RAMP;
        m_ramp = response.shareWindow;
    }
    else if (m_stage == RAMP && now - m_lastIncrement >= rtt)
    {
        m_ramp += response.growth.value_or(response.shareWindow);
        m_lastIncrement = now;
    }
    if (m_stage == RAMP && !response.isDemandLimited && m_ramp > response.utilizationWindow)
    {
        m_stage = UTILIZATION;
    }
    return m_stage == UTILIZATION ? response.utilizationWindow
                                  : std::min(m_ramp, response.utilizationWindow);
}

} // namespace ns3
