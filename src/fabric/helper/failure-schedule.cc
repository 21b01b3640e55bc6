/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "failure-schedule.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/number-text.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

namespace
{

constexpr const char* FORM = "NAME:down@TIME or NAME:up@TIME, with commas between";

/**
 * @brief The name of the node that a port belongs to.
 * @param port the port
 * @return what stands before the colon in the port's name
 */
std::string
GetNodeName(const FabricPort& port)
{
    const std::string& name = port.GetDescription().name;
    return name.substr(0, name.rfind(':'));
}

/**
 * @brief Say what can fail.
 * @param fabric the fabric
 * @return names of switches by tier, and how a link is called
 */
std::string
DescribeNames(const Fabric& fabric)
{
    std::map<uint32_t, std::vector<std::string>> tiers;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        tiers[fabric.GetSwitch(i).GetTier()].push_back(fabric.GetSwitch(i).GetName());
    }
    std::string text = "a switch (";
    for (const auto& [tier, names] : tiers)
    {
        text += tier == tiers.begin()->first ? "" : ", ";
        text += names.size() == 1 ? names[0] : names.front() + " to " + names.back();
    }
    const auto link = fabric.GetLink(fabric.GetNLinks() - 1);
    return text + ") or a link (" + GetNodeName(*link[0]) + "-" + GetNodeName(*link[1]) +
           " and the like)";
}

} // namespace

FailureSchedule::FailureSchedule(const Fabric& fabric,
                                 const std::string& argument,
                                 const std::string& text)
{
    if (text.empty())
    {
        return;
    }
    std::size_t begin = 0;
    while (begin != std::string::npos)
    {
        const std::size_t comma = text.find(',', begin);
        Add(fabric, argument, text.substr(begin, comma - begin));
        begin = comma == std::string::npos ? comma : comma + 1;
    }
    std::stable_sort(m_events.begin(), m_events.end(), [](const Event& a, const Event& b) {
        return a.time < b.time;
    });
    Check(argument);
}

void
FailureSchedule::Add(const Fabric& fabric, const std::string& argument, const std::string& item)
{
    const std::size_t at = item.rfind('@');
    const std::size_t colon = item.rfind(':', at);
    if (at == std::string::npos || colon == std::string::npos)
    {
        throw InputError(argument, item, FORM);
    }
    const std::string state = item.substr(colon + 1, at - colon - 1);
    if (state != "up" && state != "down")
    {
        throw InputError(argument, item, FORM);
    }
    Event event{ParseTime(argument, item.substr(at + 1)), item.substr(0, colon), state == "up"};
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        if (fabric.GetSwitch(i).GetName() == event.name)
        {
            event.isSwitch = true;
            event.parts = {i};
        }
    }
    const std::size_t hyphen = event.name.find('-');
    if (!event.isSwitch && hyphen != std::string::npos)
    {
        event.parts =
            FindLinks(fabric, event.name.substr(0, hyphen), event.name.substr(hyphen + 1));
    }
    if (event.parts.empty())
    {
        throw InputError(argument, event.name, DescribeNames(fabric));
    }
    m_events.push_back(event);
}

std::vector<uint32_t>
FailureSchedule::FindLinks(const Fabric& fabric, const std::string& a, const std::string& b)
{
    std::vector<uint32_t> links;
    const std::set<std::string> wanted{a, b};
    for (uint32_t link = 0; link < fabric.GetNLinks(); ++link)
    {
        const auto ports = fabric.GetLink(link);
        if (std::set{GetNodeName(*ports[0]), GetNodeName(*ports[1])} == wanted)
        {
            links.push_back(link);
        }
    }
    return links;
}

void
FailureSchedule::Check(const std::string& argument) const
{
    // By what happens, not by name: a link may be called by its ends in either order.
    std::map<std::pair<bool, std::vector<uint32_t>>, const Event*> last;
    for (const Event& event : m_events)
    {
        const Event*& before = last[{event.isSwitch, event.parts}];
        const bool wasUp = !before || before->up;
        if (wasUp == event.up)
        {
            throw InputError(argument,
                             event.name + (event.up ? ":up" : ":down"),
                             std::string("it ") + (wasUp ? "works" : "is down") + " already at " +
                                 NumberText(event.time.GetSeconds()) + "s");
        }
        before = &event;
    }
}

void
FailureSchedule::Start(Ptr<Fabric> fabric) const
{
    for (const Event& event : m_events)
    {
        for (const uint32_t part : event.parts)
        {
            Simulator::Schedule(event.time,
                                event.isSwitch ? &Fabric::SetSwitchUp : &Fabric::SetLinkUp,
                                fabric,
                                part,
                                event.up);
        }
    }
}

} // namespace ns3
