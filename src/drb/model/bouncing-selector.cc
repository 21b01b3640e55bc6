/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bouncing-selector.h"

#include "digit-reversal.h"

#include <functional>
#include <numeric>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BouncingSelector);
NS_OBJECT_ENSURE_REGISTERED(CyclicBouncingSelector);
NS_OBJECT_ENSURE_REGISTERED(DigitReversalBouncingSelector);
NS_OBJECT_ENSURE_REGISTERED(RoundRobinBouncingSelector);
NS_OBJECT_ENSURE_REGISTERED(RandomBouncingSelector);

namespace
{

/**
 * @brief Number of points behind the layers.
 * @param radices number of up-links per switch in each layer
 * @return their product
 */
uint32_t
CountPoints(const std::vector<uint32_t>& radices)
{
    return std::accumulate(radices.begin(), radices.end(), 1U, std::multiplies<>());
}

} // namespace

TypeId
BouncingSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BouncingSelector").SetParent<Object>().SetGroupName("Drb");
    return tid;
}

TypeId
CyclicBouncingSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CyclicBouncingSelector").SetParent<BouncingSelector>().SetGroupName("Drb");
    return tid;
}

void
CyclicBouncingSelector::SetLayers(const std::vector<uint32_t>& radices)
{
    m_order.resize(CountPoints(radices));
    for (uint32_t turn = 0; turn < m_order.size(); ++turn)
    {
        m_order[turn] = static_cast<uint16_t>(GetPoint(turn, radices));
    }
}

uint32_t
CyclicBouncingSelector::Choose(uint16_t& turn, UniformRandomVariable& /* random */) const
{
    const uint32_t point = m_order[turn];
    turn = turn + 1U < m_order.size() ? turn + 1 : 0;
    return point;
}

TypeId
DigitReversalBouncingSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DigitReversalBouncingSelector")
                            .SetParent<CyclicBouncingSelector>()
                            .SetGroupName("Drb")
                            .AddConstructor<DigitReversalBouncingSelector>();
    return tid;
}

uint32_t
DigitReversalBouncingSelector::GetPoint(uint32_t turn, const std::vector<uint32_t>& radices) const
{
    return ReverseDigits(turn, radices);
}

TypeId
RoundRobinBouncingSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RoundRobinBouncingSelector")
                            .SetParent<CyclicBouncingSelector>()
                            .SetGroupName("Drb")
                            .AddConstructor<RoundRobinBouncingSelector>();
    return tid;
}

uint32_t
RoundRobinBouncingSelector::GetPoint(uint32_t turn,
                                     const std::vector<uint32_t>& /* radices */) const
{
    return turn;
}

TypeId
RandomBouncingSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RandomBouncingSelector")
                            .SetParent<BouncingSelector>()
                            .SetGroupName("Drb")
                            .AddConstructor<RandomBouncingSelector>();
    return tid;
}

void
RandomBouncingSelector::SetLayers(const std::vector<uint32_t>& radices)
{
    m_last = CountPoints(radices) - 1;
}

uint32_t
RandomBouncingSelector::Choose(uint16_t& /* turn */, UniformRandomVariable& random) const
{
    return random.GetInteger(0, m_last);
}

} // namespace ns3
