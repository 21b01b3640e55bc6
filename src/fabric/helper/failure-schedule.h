/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAILURE_SCHEDULE_H
#define FAILURE_SCHEDULE_H

#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Which switches and links fail and are repaired, and when, as a user writes it:
 * `core0:down@4s,core1:down@8s,core1:up@12s,edge0-aggregation1:down@13s`.
 *
 * A switch is called by its name (FabricSwitch::GetName()), a link by the names of its two ends
 * with a hyphen between, in any order, a host being `host` and its number. All links between the
 * two are meant. Events may stand in any order; those of one time happen in the order in which they
 * stand.
 */
class FailureSchedule
{
  public:
    /// @brief A failure or a repair.
    struct Event
    {
        Time time;                     //!< since the start of the simulation
        std::string name;              //!< what fails or is repaired, as the user wrote it
        bool up;                       //!< whether it works from now on
        bool isSwitch{false};          //!< a switch, not a link
        std::vector<uint32_t> parts{}; //!< the switch, or the links, by number in the fabric
    };

    /**
     * @brief Read a schedule.
     * @param fabric is built
     * @param argument what the user set, for errors
     * @param text the schedule; empty: nothing fails
     * @throws InputError if the text cannot be read, names what is not there, or repairs what has
     *         not failed
     */
    FailureSchedule(const Fabric& fabric, const std::string& argument, const std::string& text);

    /**
     * @brief What will happen.
     * @return the events in order of time
     */
    const std::vector<Event>& GetEvents() const
    {
        return m_events;
    }

    /**
     * @brief Have it happen; called at the start of the simulation.
     * @param fabric the same fabric
     */
    void Start(Ptr<Fabric> fabric) const;

    /**
     * @brief The links between two nodes.
     * @param fabric is built
     * @param a name of one
     * @param b name of the other
     * @return their numbers in the fabric, in rising order
     */
    static std::vector<uint32_t> FindLinks(const Fabric& fabric,
                                           const std::string& a,
                                           const std::string& b);

  private:
    void Add(const Fabric& fabric, const std::string& argument, const std::string& item);
    void Check(const std::string& argument) const;

    std::vector<Event> m_events; //!< in order of time
};

} // namespace ns3

#endif /* FAILURE_SCHEDULE_H */
