/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bid-audit.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"

#include <cmath>

namespace ns3
{

BidAudit::BidAudit(const std::string& argument, const std::string& shadows)
{
    const auto reject = [&] {
        throw InputError(argument,
                         shadows,
                         "sizes such as 2x1024, separated by '+' or ',': 1 to " +
                             std::to_string(MaxUpdateSketch::MAX_ROWS) +
                             " rows of 1 to 2^24 columns");
    };
    std::string sizes = shadows;
    std::replace(sizes.begin(), sizes.end(), '+', ','); // for specifications within specifications
    for (const std::string& entry : CutList(sizes))
    {
        const auto cross = entry.find('x');
        if (cross == std::string::npos)
        {
            reject();
        }
        const uint64_t rows = ParseCount(argument, entry.substr(0, cross));
        const uint64_t columns = ParseCount(argument, entry.substr(cross + 1));
        if (rows < 1 || rows > MaxUpdateSketch::MAX_ROWS || columns < 1 || columns > 1 << 24)
        {
            reject();
        }
        const auto checkedRows = static_cast<uint32_t>(rows);
        const auto checkedColumns = static_cast<uint32_t>(columns);
        m_shadows.push_back(
            {MaxUpdateSketch(checkedRows, checkedColumns), Errors{checkedRows, checkedColumns}});
    }
}

/**
 * Only cells above R * BpR can mislead: those of flows with packets waiting, and of flows whose
 * last packet left in the round still going on.
 */
uint32_t
BidAudit::CountOthers(uint32_t flow, uint64_t reached)
{
    if (m_flows.size() >= m_forgetAt)
    {
        ForgetFlows(reached);
    }
    const auto known = m_flows.find(flow);
    const bool counted = known != m_flows.end() && known->second.waiting > 0;
    return m_flowsAtPort + m_leftThisRound - (counted ? 1 : 0);
}

void
BidAudit::Count(Errors& errors, bool wrong, uint32_t others)
{
    errors.misestimated += wrong ? 1 : 0;
    if (errors.rows > 0)
    {
        errors.expectedAtMost += GetCollisionProbability(others, errors.rows, errors.columns);
    }
}

void
BidAudit::ForgetFlows(uint64_t reached)
{
    std::erase_if(m_flows, [reached](const auto& entry) {
        return entry.second.waiting == 0 && entry.second.bid <= reached;
    });
    m_forgetAt = 2 * m_flows.size() + 1024;
}

void
BidAudit::Leave(uint32_t flow, uint64_t round)
{
    if (round != m_lastLeft)
    {
        m_lastLeft = round;
        m_leftThisRound = 0;
    }
    if (--m_flows.at(flow).waiting == 0)
    {
        --m_flowsAtPort;
        ++m_leftThisRound;
    }
}

std::vector<BidAudit::Errors>
BidAudit::GetErrors() const
{
    std::vector<Errors> all{m_port};
    for (const Shadow& shadow : m_shadows)
    {
        all.push_back(shadow.errors);
    }
    return all;
}

double
BidAudit::GetCollisionProbability(uint32_t others, uint32_t rows, uint32_t columns)
{
    return std::pow(1 - std::pow(1 - 1.0 / columns, others), rows);
}

} // namespace ns3
