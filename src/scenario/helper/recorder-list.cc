/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "recorder-list.h"

#include "ns3/input-error.h"
#include "ns3/object-settings.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/workload.h"

#include <algorithm>

namespace ns3
{

void
RecorderList::Request(const std::string& argument, const Spec& specs)
{
    m_argument = argument;
    for (const Spec& spec : specs.GetItems(argument))
    {
        const std::string name = spec.GetName();
        if (IsRequested(name))
        {
            throw InputError(argument, spec.ToString(), "there can be one recorder " + name);
        }
        m_requested.push_back(spec);
    }
}

bool
RecorderList::IsRequested(const std::string& name) const
{
    return std::ranges::find(m_requested, name, &Spec::GetName) != m_requested.end();
}

Ptr<Recorder>
RecorderList::Add(const std::string& name, const Settings& defaults)
{
    const auto requested = std::ranges::find(m_requested, name, &Spec::GetName);
    const Spec spec = requested == m_requested.end() ? Spec(name) : *requested;
    m_recorders.emplace_back(
        name,
        CreateFromSpec<Recorder>(m_argument, spec, MakeAttributeValues(defaults)));
    return m_recorders.back().second;
}

std::vector<JsonObject>
RecorderList::GetSettings() const
{
    std::vector<JsonObject> all;
    for (const auto& [name, recorder] : m_recorders)
    {
        JsonObject settings;
        settings.Set("name", name);
        AddSettings(settings, *recorder);
        all.push_back(settings);
    }
    return all;
}

void
RecorderList::Attach(Network& network, const TimeWindow& measured)
{
    for (const Spec& spec : m_requested)
    {
        const std::string name = spec.GetName();
        const auto isKnown = [&name](const auto& entry) { return entry.first == name; };
        if (std::ranges::none_of(m_recorders, isKnown))
        {
            Add(name);
        }
    }
    for (const auto& [name, recorder] : m_recorders)
    {
        recorder->Attach(network, measured);
    }
}

void
RecorderList::Watch(Ptr<Workload> workload) const
{
    for (const auto& [name, recorder] : m_recorders)
    {
        recorder->Watch(workload);
    }
}

void
RecorderList::Start(const std::string& folder) const
{
    for (const auto& [name, recorder] : m_recorders)
    {
        recorder->Start(folder);
    }
}

void
RecorderList::Write(const std::string& folder) const
{
    for (const auto& [name, recorder] : m_recorders)
    {
        recorder->Write(folder);
    }
}

void
RecorderList::ReportResults(Results& results) const
{
    for (const auto& [name, recorder] : m_recorders)
    {
        results.SetSource({"recorder", name});
        recorder->ReportResults(results);
    }
}

void
RecorderList::Print(std::ostream& os) const
{
    for (const auto& [name, recorder] : m_recorders)
    {
        recorder->Print(os);
    }
}

void
RecorderList::Dispose()
{
    for (const auto& [name, recorder] : m_recorders)
    {
        recorder->Dispose();
    }
    m_recorders.clear();
}

} // namespace ns3
