/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "byte-count-classifier.h"

#include "ns3/fabric.h"

#include <algorithm>

namespace ns3
{

int64_t
TrinityFlow::GetGreenTime(int64_t tokens, int64_t now, int64_t tau)
{
    if (!m_isRed || tau == 0 || tokens == NEVER)
    {
        return tokens;
    }
    if (m_greenSince > now) // it has not come to that yet
    {
        m_greenSince = tokens;
    }
    return std::max(tokens, m_greenSince + tau);
}

void
TrinityFlow::Send(bool isRed)
{
    m_isRed = isRed;
    if (!isRed)
    {
        m_greenSince = NEVER;
    }
}

bool
ByteCountClassifier::Classify(const Settings& settings,
                              const FabricItem& item,
                              uint32_t payload,
                              int64_t now)
{
    if (m_flows.size() >= m_forgetAt) [[unlikely]]
    {
        Forget(settings, now);
    }
    TrinityFlow& flow = m_flows[GetKey(item)];
    if (settings.idleReset > 0 && now - flow.m_last > settings.idleReset && flow.m_waiting == 0)
    {
        flow = TrinityFlow();
    }
    flow.m_last = now;
    flow.m_bytes += std::min(payload, UINT32_MAX - flow.m_bytes); // it stays at the most it can be
    return flow.m_bytes >= settings.threshold;
}

void
ByteCountClassifier::Forget(const Settings& settings, int64_t now)
{
    std::erase_if(m_flows, [&](const auto& entry) {
        const auto& [key, flow] = entry;
        const bool isIdle = settings.forget > 0 && flow.m_last < now - settings.forget;
        const bool isOver =
            settings.fabric && settings.fabric->IsOver(static_cast<uint32_t>(key >> 32));
        return flow.m_waiting == 0 && (isIdle || isOver);
    });
    m_forgetAt = std::max<size_t>(64, 2 * m_flows.size());
}

} // namespace ns3
