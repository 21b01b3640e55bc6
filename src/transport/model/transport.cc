/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transport.h"

#include "link-stages.h"
#include "small-queue.h"

#include "ns3/flow-control.h"
#include "ns3/input-error.h"
#include "ns3/results.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Transport);

TypeId
Transport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Transport").SetParent<Object>().SetGroupName("Transport");
    return tid;
}

Transport::Transport()
    : m_lastFlow(std::make_shared<FlowId>(0))
{
}

void
Transport::Join(const Transport& first, uint8_t place)
{
    constexpr uint32_t DISTANCE = 256; // of the ports of two transports
    m_lastFlow = first.m_lastFlow;
    m_portOffset = place * DISTANCE;
}

void
Transport::CheckBacklog(const std::string& attribute, const QueueLimit& backlog) const
{
    for (uint32_t host = 0; host < m_fabric->GetNHosts(); ++host)
    {
        SmallQueue::Resolve(attribute, backlog, m_fabric->GetHost(host));
    }
}

void
Transport::DoDispose()
{
    m_fabric = nullptr;
    m_observers.clear();
    Object::DoDispose();
}

void
Transport::Attach(Ptr<Fabric> fabric)
{
    m_fabric = fabric;
    DoAttach();
    if (const auto flowControl = fabric->GetFlowControl())
    {
        const PacketSizes sizes = GetPacketSizes();
        flowControl->CheckPacketSize(sizes.payload + sizes.header);
    }
}

void
Transport::ReportResults(Results& results) const
{
    if (const auto retransmissions = CountRetransmissions())
    {
        results.Add("retransmissions", static_cast<double>(*retransmissions));
    }
}

std::vector<FlowState>
Transport::GetStates(FlowId /* flow */) const
{
    return {};
}

FlowId
Transport::StartFlow(const FlowRequest& request)
{
    const auto checkHost = [this](const char* what, uint32_t host) {
        if (host >= m_fabric->GetNHosts())
        {
            throw InputError(what,
                             std::to_string(host),
                             "hosts are 0 to " + std::to_string(m_fabric->GetNHosts() - 1));
        }
    };
    checkHost("flow source", request.source);
    checkHost("flow destination", request.destination);
    if (request.source == request.destination)
    {
        throw InputError("flow destination",
                         std::to_string(request.destination),
                         "must differ from the source");
    }
    FlowRecord record;
    record.id = ++*m_lastFlow;
    record.request = request;
    record.requested = Simulator::Now();
    for (FlowObserver* observer : m_observers)
    {
        observer->FlowStarted(record);
    }
    DoStartFlow(record);
    return record.id;
}

void
Transport::AddObserver(FlowObserver* observer)
{
    m_observers.push_back(observer);
}

int64_t
Transport::AssignStreams(int64_t /* stream */)
{
    return 0;
}

void
Transport::NotifyDelivered(FlowRecord& record, uint32_t bytes)
{
    record.deliveredBytes += bytes;
    for (FlowObserver* observer : m_observers)
    {
        observer->FlowDelivered(record, bytes);
    }
}

void
Transport::NotifyFinished(const FlowRecord& record)
{
    for (FlowObserver* observer : m_observers)
    {
        observer->FlowFinished(record);
    }
}

Time
Transport::GetIdealOverAllPaths(const FlowRequest& request) const
{
    const PacketSizes sizes = GetPacketSizes();
    const auto full = static_cast<int64_t>((request.bytes - 1) / sizes.payload);
    const auto last = static_cast<uint32_t>(request.bytes - full * sizes.payload) + sizes.header;
    const auto path = m_fabric->GetPath(request.source, request.destination);
    const auto stages = FindLinkStages(*m_fabric, path, request.destination);
    const auto getFull = [&sizes](const FabricPort& port) {
        return port.GetTransmissionSteps(sizes.payload + sizes.header);
    };
    // The host's own link carries all packets, one after the other. Without the receiver's:
    const uint32_t leading = GetLeadingSize(request);
    int64_t first = leading ? path.front()->GetTransmissionSteps(leading) : 0; // full one's arrival
    int64_t alone = first + full * getFull(*path.front()); // the last one's if it meets no other
    int64_t spread = 0;                                    // between the full packets, at least
    for (const LinkStage& stage : stages)
    {
        const int64_t transmission = getFull(*stage.fastest);
        spread = std::max(spread, (full - 1) / stage.GetWidth() * transmission);
        if (&stage != &stages.back())
        {
            first += transmission + stage.delay;
            alone += stage.fastest->GetTransmissionSteps(last) + stage.delay;
        }
    }
    // So does the receiver's. On a path of its own the last packet, which may be shorter,
    // overtakes.
    const int64_t each = getFull(*path.back());
    const int64_t end = path.back()->GetTransmissionSteps(last);
    int64_t arrival = alone + end;
    if (full > 0)
    {
        const int64_t begin = HaveSeveralPaths(stages) ? std::min(first, alone) : first;
        arrival = std::max({arrival, first + each + spread, begin + full * each + end});
    }
    arrival += stages.back().delay;
    if (sizes.acknowledgment > 0)
    {
        const auto back = m_fabric->GetPath(request.destination, request.source);
        for (const LinkStage& stage : FindLinkStages(*m_fabric, back, request.source))
        {
            arrival += stage.fastest->GetTransmissionSteps(sizes.acknowledgment) + stage.delay;
        }
    }
    return TimeStep(arrival);
}

Time
Transport::GetIdealCompletionTime(const FlowRequest& request) const
{
    const auto path = m_fabric->GetPath(request.source, request.destination);
    if (HasSeveralPaths(*m_fabric, path, request.destination))
    {
        return GetIdealOverAllPaths(request);
    }
    const PacketSizes sizes = GetPacketSizes();
    const auto full = static_cast<int64_t>((request.bytes - 1) / sizes.payload);
    const auto last = static_cast<uint32_t>(request.bytes - full * sizes.payload) + sizes.header;
    // Arrival of four packets at the end of each link: what precedes the data, the first full one,
    // the last full one, and the last of all, which may be shorter. A packet leaves when it is
    // there and those before it have left. Those between the full ones are there in time.
    const uint32_t leading = GetLeadingSize(request);
    int64_t ahead = 0;
    int64_t first = 0;
    int64_t lastFull = 0;
    int64_t end = 0;
    for (const FabricPort* port : path)
    {
        const int64_t delay = port->GetDescription().delay.GetTimeStep();
        int64_t linkFree = 0;
        if (leading > 0)
        {
            linkFree = ahead + port->GetTransmissionSteps(leading);
            ahead = linkFree + delay;
        }
        if (full > 0)
        {
            const int64_t transmission = port->GetTransmissionSteps(sizes.payload + sizes.header);
            first = std::max(first, linkFree) + transmission;
            lastFull = std::max(lastFull + transmission, first + (full - 1) * transmission);
            linkFree = lastFull;
            first += delay;
            lastFull += delay;
        }
        end = std::max(end, linkFree) + port->GetTransmissionSteps(last) + delay;
    }
    return TimeStep(sizes.acknowledgment > 0 ? GetIdealAcknowledgment(request, lastFull, end)
                                             : end);
}

int64_t
Transport::GetIdealAcknowledgment(const FlowRequest& request, int64_t before, int64_t last) const
{
    const PacketSizes sizes = GetPacketSizes();
    const bool follows = sizes.acknowledgesEach && request.bytes > sizes.payload;
    for (const FabricPort* port : m_fabric->GetPath(request.destination, request.source))
    {
        const int64_t delay = port->GetDescription().delay.GetTimeStep();
        const int64_t transmission = port->GetTransmissionSteps(sizes.acknowledgment);
        before += transmission;
        last = std::max(last, follows ? before : 0) + transmission + delay;
        before += delay;
    }
    return last;
}

void
Transport::ConfigurePackets(PacketMaker& /* packets */) const
{
}

} // namespace ns3
