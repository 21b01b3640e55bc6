/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_EVENT_H
#define TIMELINE_EVENT_H

#include "ns3/object.h"

#include <optional>
#include <string>

namespace ns3
{

class Network;

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
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief What happens, for `--events=help`.
     * @return one line
     */
    virtual std::string GetSummary() const = 0;

    /**
     * @brief Find what the attributes name.
     * @param network is built, without traffic
     * @param argument what the user set, for errors
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
        bool on;             //!< what the event turns it to
        bool initial;        //!< what it is when the simulation starts
    };

    /**
     * @brief What the event turns on or off. An event that would change nothing is refused.
     * @return that, once resolved; nothing for other events
     */
    virtual std::optional<Toggle> GetToggle() const;
};

} // namespace ns3

#endif /* TIMELINE_EVENT_H */
