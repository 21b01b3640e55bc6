/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_EVENT_H
#define TIMELINE_EVENT_H

#include "ns3/object.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class Network;
class TenantTable;

/**
 * @ingroup schemes
 * @brief Something that happens to a network at a time that the user gives (see Timeline).
 *
 * Any class derived from TimelineEvent that is registered with a TypeId has a name:
 * ns3::FailLinkTimelineEvent is `fail-link`. What a user writes behind the name sets attributes: a
 * word alone the attribute Target, `limit=20Gbps` the attribute Limit.
 */
class TimelineEvent : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief A description of the event, for `--events=help`.
     * @return one line
     */
    virtual std::string GetSummary() const = 0;

    /**
     * @brief Attributes that the user must set, because no default makes sense.
     * @return their names; by default none
     */
    virtual std::vector<std::string> GetNeeded() const;

    /**
     * @brief Find what the attributes name.
     * @param network is built, without traffic
     * @param argument the setting that errors name
     * @throws InputError if it is not there
     */
    virtual void Resolve(Network& network, const std::string& argument) = 0;

    /**
     * @brief Have it happen, now.
     * @param network the same network
     */
    virtual void Apply(Network& network) = 0;

    /// @brief Something that is on or off.
    struct Toggle
    {
        std::string subject; //!< the same for all events that turn the same on or off
        bool on;             //!< state that the event turns it to
        /// The state when the simulation starts; nothing: off if its first event turns it on, and
        /// on if that turns it off.
        std::optional<bool> initial;
    };

    /**
     * @brief The thing that the event turns on or off. An event that changes nothing is refused.
     * @return that, once resolved; nothing for other events
     */
    virtual std::optional<Toggle> GetToggle() const;

    /**
     * @brief True if the event only makes sense for tenants that have workloads of their own.
     * @return false by default
     */
    virtual bool NeedsTenantWorkloads() const;

    /**
     * @brief Do to the tenants' terms what the event will do, so that what the network cannot keep
     * is refused before anything runs. Events rehearse in the order in which they will happen.
     * @param network is built, without traffic
     * @param tenants a copy of its tenants, as earlier events leave them
     * @param argument the setting that errors name
     * @throws InputError if the network cannot keep what the tenants are guaranteed then
     */
    virtual void Rehearse(const Network& network,
                          TenantTable& tenants,
                          const std::string& argument) const;

    /**
     * @brief The timeline begins: say what is to come.
     * @param network is built, without traffic
     * @param isFirst true if no earlier event turns the same subject on or off
     */
    virtual void Announce(Network& network, bool isFirst);
};

} // namespace ns3

#endif /* TIMELINE_EVENT_H */
