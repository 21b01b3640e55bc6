/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline.h"

#include "ns3/csv-writer.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/number-text.h"
#include "ns3/object-spec.h"
#include "ns3/simulator.h"
#include "ns3/tenant-statements.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

Timeline::Timeline(Network& network, const std::string& argument, const std::string& text)
    : m_network(network),
      m_argument(argument)
{
    for (const std::string& item : CutList(text, ';'))
    {
        Add(item);
    }
    std::ranges::stable_sort(m_entries, {}, &Entry::time);
    CheckToggles();
    Rehearse();
}

void
Timeline::Add(const std::string& item)
{
    std::istringstream stream(item);
    const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    if (words.size() < 2)
    {
        throw InputError(m_argument,
                         item,
                         "TIME EVENT and what it needs, such as 10ms fail-switch core0");
    }
    Entry entry{ParseTime(m_argument, words[0]), words[1], "", nullptr};
    const TypeId tid = LookupRegisteredName(m_argument, entry.kind, TimelineEvent::GetTypeId());
    std::vector<Spec::Setting> settings;
    const auto set = [&](const std::string& attribute, const std::string& value) {
        if (std::ranges::find(settings, attribute, &Spec::Setting::first) != settings.end())
        {
            throw InputError(m_argument, item, "the attribute is set twice");
        }
        settings.emplace_back(attribute, value);
    };
    for (auto word = words.begin() + 2; word != words.end(); ++word)
    {
        entry.details += (entry.details.empty() ? "" : " ") + *word;
        const auto equals = word->find('=');
        if (equals == std::string::npos)
        {
            TypeId::AttributeInformation unused;
            if (!tid.LookupAttributeByName("Target", &unused))
            {
                throw InputError(m_argument, item, entry.kind + " takes settings name=value only");
            }
            set("Target", *word);
            continue;
        }
        std::string name = word->substr(0, equals);
        name[0] = static_cast<char>(std::toupper(name[0]));
        set(name, word->substr(equals + 1));
    }
    const Spec spec(entry.kind, settings);
    entry.event = CreateFromSpec<TimelineEvent>(m_argument, spec);
    for (std::string needed : entry.event->GetNeeded())
    {
        if (!SetsAttribute(m_argument, spec, needed))
        {
            needed[0] = static_cast<char>(std::tolower(needed[0]));
            throw InputError(m_argument, item, entry.kind + " needs " + needed + "=");
        }
    }
    entry.event->Resolve(m_network, m_argument + " " + entry.kind);
    m_entries.push_back(entry);
}

void
Timeline::CheckToggles() const
{
    std::map<std::string, bool> states;
    for (const Entry& entry : m_entries)
    {
        if (const auto toggle = entry.event->GetToggle())
        {
            const bool initial = toggle->initial.value_or(!toggle->on);
            const auto known = states.emplace(toggle->subject, initial).first;
            if (known->second == toggle->on)
            {
                throw InputError(m_argument,
                                 entry.kind + " " + entry.details,
                                 "changes nothing at " + SecondsText(entry.time) +
                                     "s, that is so already");
            }
            known->second = toggle->on;
        }
    }
}

void
Timeline::Rehearse() const
{
    const auto tenants = m_network.GetTenants();
    if (!tenants || m_entries.empty())
    {
        return;
    }
    const auto copy = CopyTenants(*tenants);
    for (const Entry& entry : m_entries)
    {
        entry.event->Rehearse(m_network,
                              *copy,
                              m_argument + " " + SecondsText(entry.time) + "s " + entry.kind);
    }
}

void
Timeline::Start()
{
    std::set<std::string> subjects;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
    {
        const auto toggle = m_entries[i].event->GetToggle();
        m_entries[i].event->Announce(m_network, toggle && subjects.insert(toggle->subject).second);
        Simulator::Schedule(m_entries[i].time, &Timeline::Apply, this, i);
    }
}

void
Timeline::Apply(std::size_t index)
{
    m_entries[index].event->Apply(m_network);
    m_happened.push_back(Simulator::Now());
}

void
Timeline::Write(const std::string& path) const
{
    CsvWriter file(path, {"time_s", "event", "details"});
    for (std::size_t i = 0; i < m_happened.size(); ++i)
    {
        file.Row(SecondsText(m_happened[i]), m_entries[i].kind, m_entries[i].details);
    }
    file.Close();
}

} // namespace ns3
