/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transports.h"

#include "ns3/input-error.h"
#include "ns3/results.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Transports);

TypeId
Transports::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Transports")
                            .SetParent<Object>()
                            .SetGroupName("Transport")
                            .AddConstructor<Transports>();
    return tid;
}

Transports::Transports(Ptr<Transport> transport)
{
    Add("", transport);
}

void
Transports::DoDispose()
{
    for (const Entry& entry : m_entries)
    {
        entry.transport->Dispose();
    }
    m_entries.clear();
    Object::DoDispose();
}

void
Transports::Add(const std::string& name, Ptr<Transport> transport)
{
    if (Find(name))
    {
        throw InputError(m_argument, name, "each of the transports needs another name");
    }
    if (m_entries.size() == MOST)
    {
        throw InputError(m_argument, name, "at most " + std::to_string(MOST) + " transports");
    }
    if (!m_entries.empty())
    {
        transport->Join(*m_entries.front().transport, static_cast<uint8_t>(m_entries.size()));
    }
    m_entries.push_back({name, transport});
}

uint32_t
Transports::GetN() const
{
    return static_cast<uint32_t>(m_entries.size());
}

Ptr<Transport>
Transports::Get(uint32_t index) const
{
    return m_entries.at(index).transport;
}

const std::string&
Transports::GetName(uint32_t index) const
{
    return m_entries.at(index).name;
}

std::optional<uint8_t>
Transports::Find(const std::string& name) const
{
    const auto found = std::ranges::find(m_entries, name, &Entry::name);
    return found == m_entries.end()
               ? std::nullopt
               : std::optional(static_cast<uint8_t>(found - m_entries.begin()));
}

uint8_t
Transports::Require(const std::string& argument, const std::string& name) const
{
    const auto found = Find(name);
    if (!found)
    {
        std::string known;
        for (const Entry& entry : m_entries)
        {
            known += (known.empty() ? "" : ", ") + entry.name;
        }
        throw InputError(argument, name, "the network's transports are " + known);
    }
    return *found;
}

void
Transports::Attach(Ptr<Fabric> fabric)
{
    for (const Entry& entry : m_entries)
    {
        try
        {
            entry.transport->Attach(fabric);
        }
        catch (const InputError& error)
        {
            throw InputError("transport " + entry.name, error);
        }
    }
}

Transport&
Transports::Choose(const FlowRequest& request) const
{
    if (request.transport >= m_entries.size())
    {
        throw InputError("transport of a flow",
                         std::to_string(request.transport),
                         "the network's transports are 0 to " +
                             std::to_string(m_entries.size() - 1));
    }
    return *m_entries[request.transport].transport;
}

void
Transports::SetPairFinder(PairFinder find)
{
    m_findPair = std::move(find);
}

FlowId
Transports::StartFlow(const FlowRequest& request)
{
    FlowRequest belonging = request;
    if (request.pair == 0 && m_findPair)
    {
        belonging.pair = m_findPair(request);
    }
    return Choose(request).StartFlow(belonging);
}

void
Transports::StopFlow(FlowId flow)
{
    for (const Entry& entry : m_entries)
    {
        entry.transport->StopFlow(flow); // all but one of them do not know it
    }
}

void
Transports::AddObserver(FlowObserver* observer)
{
    for (const Entry& entry : m_entries)
    {
        entry.transport->AddObserver(observer);
    }
}

Time
Transports::GetIdealCompletionTime(const FlowRequest& request) const
{
    return Choose(request).GetIdealCompletionTime(request);
}

void
Transports::ReportResults(Results& results) const
{
    for (const Entry& entry : m_entries)
    {
        results.SetSource({"transport", entry.name});
        entry.transport->ReportResults(results);
    }
}

int64_t
Transports::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    for (const Entry& entry : m_entries)
    {
        stream += entry.transport->AssignStreams(stream);
    }
    return stream - first;
}

} // namespace ns3
