/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-selector.h"

#include "fabric-switch.h"
#include "logged-item.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/random-variable-stream.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PathSelector");
NS_OBJECT_ENSURE_REGISTERED(PathSelector);
NS_OBJECT_ENSURE_REGISTERED(FlowHashPathSelector);
NS_OBJECT_ENSURE_REGISTERED(UnseededHashPathSelector);
NS_OBJECT_ENSURE_REGISTERED(SprayPathSelector);

namespace
{

/**
 * @brief Spread all input bits over all output bits (the finaliser of SplitMix64, Steele et al.,
 * OOPSLA 2014).
 * @param x input
 * @return well-mixed output
 */
uint64_t
Mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/**
 * @brief Map 32 random bits to a choice without a division.
 * @param bits uniform in [0, 2^32)
 * @param count number of choices
 * @return a choice
 */
uint32_t
Scale(uint32_t bits, uint32_t count)
{
    return static_cast<uint32_t>((static_cast<uint64_t>(bits) * count) >> 32);
}

/// @brief Logs what another selector chooses; no switch has one unless that is asked for.
class LoggedPathSelector : public PathSelector
{
  public:
    explicit LoggedPathSelector(Ptr<PathSelector> selector)
        : m_selector(selector),
          m_name(selector->GetInstanceTypeId().GetName())
    {
    }

    uint32_t Choose(const FabricItem& item, uint32_t group, uint32_t count) override
    {
        const uint32_t choice = m_selector->Choose(item, group, count);
        NS_LOG_LOGIC(LoggedItem(item, &m_switch->GetChoice(group, choice))
                     << ": chosen among " << count << " ports by " << m_name);
        return choice;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        return m_selector->AssignStreams(stream);
    }

    void SetSwitch(FabricSwitch& node) override
    {
        m_switch = &node;
        m_selector->SetSwitch(node);
    }

  private:
    Ptr<PathSelector> m_selector;    //!< chooses
    std::string m_name;              //!< its class
    FabricSwitch* m_switch{nullptr}; //!< the switch that owns the ports
};

} // namespace

TypeId
PathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PathSelector").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

Ptr<PathSelector>
PathSelector::Log(Ptr<PathSelector> selector)
{
    if (!g_log.IsEnabled(LOG_LOGIC))
    {
        return selector;
    }
    return CreateObject<LoggedPathSelector>(selector);
}

uint64_t
PathSelector::DrawSeed(int64_t stream)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    const uint64_t high = random->GetInteger(0, UINT32_MAX - 1);
    return high << 32 | random->GetInteger(0, UINT32_MAX - 1);
}

uint32_t
PathSelector::Draw(uint64_t& state, uint32_t count)
{
    state += 0x9e3779b97f4a7c15ULL; // SplitMix64
    return Scale(static_cast<uint32_t>(Mix(state) >> 32), count);
}

TypeId
FlowHashPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FlowHashPathSelector")
                            .SetParent<PathSelector>()
                            .SetGroupName("Fabric")
                            .AddConstructor<FlowHashPathSelector>();
    return tid;
}

FlowHashPathSelector::FlowHashPathSelector()
    : m_seed(DrawSeed(AUTOMATIC_STREAM))
{
}

uint32_t
FlowHashPathSelector::Choose(const FabricItem& item, uint32_t /* group */, uint32_t count)
{
    return Scale(static_cast<uint32_t>(Mix(item.hash + m_seed) >> 32), count);
}

int64_t
FlowHashPathSelector::AssignStreams(int64_t stream)
{
    m_seed = DrawSeed(stream);
    return 1;
}

TypeId
UnseededHashPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::UnseededHashPathSelector")
                            .SetParent<PathSelector>()
                            .SetGroupName("Fabric")
                            .AddConstructor<UnseededHashPathSelector>();
    return tid;
}

uint32_t
UnseededHashPathSelector::Choose(const FabricItem& item, uint32_t /* group */, uint32_t count)
{
    uint64_t state = item.hash;
    return Draw(state, count);
}

int64_t
UnseededHashPathSelector::AssignStreams(int64_t /* stream */)
{
    return 0;
}

TypeId
SprayPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SprayPathSelector")
                            .SetParent<PathSelector>()
                            .SetGroupName("Fabric")
                            .AddConstructor<SprayPathSelector>()
                            .AddAttribute("Mode",
                                          "Whether next hops are taken at random or in turn",
                                          EnumValue(SprayPathSelector::RANDOM),
                                          MakeEnumAccessor<Mode>(&SprayPathSelector::m_mode),
                                          MakeEnumChecker(SprayPathSelector::RANDOM,
                                                          "Random",
                                                          SprayPathSelector::ROUND_ROBIN,
                                                          "RoundRobin"));
    return tid;
}

SprayPathSelector::SprayPathSelector()
    : m_state(DrawSeed(AUTOMATIC_STREAM))
{
}

uint32_t
SprayPathSelector::Choose(const FabricItem& /* item */, uint32_t group, uint32_t count)
{
    if (m_mode == RANDOM)
    {
        return Draw(m_state, count);
    }
    if (group >= m_turns.size())
    {
        m_turns.resize(group + 1, NO_TURN);
    }
    uint32_t& turn = m_turns[group];
    if (turn == NO_TURN) // start anywhere, or all switches would take their turns in step
    {
        turn = Scale(static_cast<uint32_t>(Mix(m_state + group) >> 32), count);
    }
    else
    {
        turn = turn + 1 < count ? turn + 1 : 0;
    }
    return turn;
}

int64_t
SprayPathSelector::AssignStreams(int64_t stream)
{
    m_state = DrawSeed(stream);
    m_turns.clear();
    return 1;
}

} // namespace ns3
