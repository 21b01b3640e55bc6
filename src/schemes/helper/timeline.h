/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_H
#define TIMELINE_H

#include "ns3/network.h"
#include "ns3/nstime.h"
#include "ns3/timeline-event.h"

#include <span>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief A sequence of events in a network, as a user writes it:
 * `10ms fail-link edge0:aggregation1; 20ms repair-link edge0:aggregation1; 30ms fail-switch core0`.
 *
 * An event is a time, what happens (a TimelineEvent's name), and what that needs: a word alone
 * (what it happens to), settings `name=value`. Events may stand in any order; those of one time
 * happen in the order in which they stand.
 */
class Timeline
{
  public:
    /// @brief Something that is to happen.
    struct Entry
    {
        Time time;                //!< from the start of the timeline
        std::string kind;         //!< name of the event, such as "fail-link"
        std::string details;      //!< the rest, as the user wrote it
        Ptr<TimelineEvent> event; //!< has it happen
    };

    /**
     * @brief Read a timeline.
     * @param network is built, without traffic; outlives the timeline
     * @param argument the setting that errors name
     * @param text the timeline; empty: nothing happens
     * @throws InputError if the text cannot be read, names what is not there, or changes nothing
     */
    Timeline(Network& network, const std::string& argument, const std::string& text);

    /**
     * @brief All events of the timeline.
     * @return in order of time
     */
    const std::vector<Entry>& GetEntries() const
    {
        return m_entries;
    }

    /**
     * @brief The events that have happened by now.
     * @return in order of time
     */
    std::span<const Entry> GetPast() const
    {
        return {m_entries.data(), m_happened.size()};
    }

    /**
     * @brief Have it happen, times counted from now on. The timeline outlives the simulation.
     */
    void Start();

    /**
     * @brief Write what has happened by now: `time_s,event,details`.
     * @param path the file
     * @throws InputError naming --out if the file cannot be written
     */
    void Write(const std::string& path) const;

  private:
    /**
     * @brief Read one event.
     * @param item such as "10ms fail-switch core0"
     */
    void Add(const std::string& item);

    /// @brief Refuse what would change nothing.
    void CheckToggles() const;

    /// @brief Refuse what leaves guarantees that the network cannot keep.
    void Rehearse() const;

    /**
     * @brief An event's time has come.
     * @param index its place
     */
    void Apply(std::size_t index);

    Network& m_network;           //!< the network
    std::string m_argument;       //!< setting that errors name
    std::vector<Entry> m_entries; //!< in order of time
    std::vector<Time> m_happened; //!< times at which the first of them happened
};

} // namespace ns3

#endif /* TIMELINE_H */
