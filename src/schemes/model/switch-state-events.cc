/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Failures and repairs of switches.

#include "network.h"
#include "timeline-event.h"

#include "ns3/input-error.h"
#include "ns3/string.h"

#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief The common part of failures and repairs of a switch.
 */
class SwitchStateTimelineEvent : public TimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::SwitchStateTimelineEvent")
                                .SetParent<TimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddAttribute("Target",
                                              "The switch's name, such as core0",
                                              StringValue(""),
                                              MakeStringAccessor(&SwitchStateTimelineEvent::m_name),
                                              MakeStringChecker());
        return tid;
    }

    void Resolve(Network& network, const std::string& argument) override
    {
        const Fabric& fabric = *network.GetFabric();
        std::map<uint32_t, std::vector<std::string>> tiers;
        for (m_switch = 0; m_switch < fabric.GetNSwitches(); ++m_switch)
        {
            const FabricSwitch& s = fabric.GetSwitch(m_switch);
            if (s.GetName() == m_name)
            {
                return;
            }
            tiers[s.GetTier()].push_back(s.GetName());
        }
        std::string known;
        for (const auto& [tier, names] : tiers)
        {
            known += known.empty() ? "" : ", ";
            known += names.size() == 1 ? names[0] : names.front() + " to " + names.back();
        }
        throw InputError(argument, m_name, "a switch: " + known);
    }

    void Apply(Network& network) override
    {
        network.GetFabric()->SetSwitchUp(m_switch, TurnsOn());
    }

    std::optional<Toggle> GetToggle() const override
    {
        return Toggle{"switch " + m_name, TurnsOn(), true};
    }

  protected:
    /**
     * @brief True if the switch works from then on.
     * @return true for a repair
     */
    virtual bool TurnsOn() const = 0;

  private:
    std::string m_name;   //!< attribute Target
    uint32_t m_switch{0}; //!< its number
};

/**
 * @ingroup schemes
 * @brief `fail-switch NAME`: all links of a switch fail.
 */
class FailSwitchTimelineEvent : public SwitchStateTimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::FailSwitchTimelineEvent")
                                .SetParent<SwitchStateTimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddConstructor<FailSwitchTimelineEvent>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a switch fails: fail-switch core0";
    }

  protected:
    bool TurnsOn() const override
    {
        return false;
    }
};

/**
 * @ingroup schemes
 * @brief `repair-switch NAME`: a switch that has failed works again.
 */
class RepairSwitchTimelineEvent : public SwitchStateTimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RepairSwitchTimelineEvent")
                                .SetParent<SwitchStateTimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddConstructor<RepairSwitchTimelineEvent>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a switch works again: repair-switch core0";
    }

  protected:
    bool TurnsOn() const override
    {
        return true;
    }
};

NS_OBJECT_ENSURE_REGISTERED(SwitchStateTimelineEvent);
NS_OBJECT_ENSURE_REGISTERED(FailSwitchTimelineEvent);
NS_OBJECT_ENSURE_REGISTERED(RepairSwitchTimelineEvent);

} // namespace ns3
