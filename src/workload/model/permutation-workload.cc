/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "permutation-workload.h"

#include "derangement.h"
#include "flow-size-distribution.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PermutationWorkload");
NS_OBJECT_ENSURE_REGISTERED(PermutationWorkload);

TypeId
PermutationWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PermutationWorkload")
            .SetParent<Workload>()
            .SetGroupName("Workload")
            .AddConstructor<PermutationWorkload>()
            .AddAttribute("Shift",
                          "Host i sends to host i + Shift, modulo their number; 0: random.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PermutationWorkload::m_shift),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RackSize",
                          "Hosts per rack, numbered rack by rack: no pair is drawn within a rack; "
                          "0: pairs may be.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PermutationWorkload::m_rackSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Bytes",
                          "Size of each flow in bytes; 0: the flows last for the whole run.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PermutationWorkload::m_bytes),
                          MakeDoubleChecker<double>(0, MAX_FLOW_SIZE))
            .AddAttribute("Jitter",
                          "Starts are spread uniformly over so long.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&PermutationWorkload::m_maxDelay),
                          MakeTimeChecker(Time()));
    return tid;
}

std::string
PermutationWorkload::GetSummary() const
{
    return "Every host sends to one other host and receives from one other host";
}

Derangement::IsLocal
PermutationWorkload::GetIsLocal() const
{
    return [this](uint32_t a, uint32_t b) { return IsLocal(a, b); };
}

std::vector<uint32_t>
PermutationWorkload::Destinations()
{
    if (m_shift > 0)
    {
        auto destinations = AllHosts(HostCount());
        std::rotate(destinations.begin(), destinations.begin() + m_shift, destinations.end());
        return destinations;
    }
    auto destinations = Derangement::Draw(HostCount(), GetIsLocal(), m_pairs);
    if (m_rackSize > 0)
    {
        LeaveRacks(destinations);
    }
    return destinations;
}

void
PermutationWorkload::LeaveRacks(std::vector<uint32_t>& destinations)
{
    const auto inRack = [&](uint32_t source, uint32_t destination) {
        return source / m_rackSize == destination / m_rackSize;
    };
    for (uint32_t source = 0; source < HostCount(); ++source)
    {
        while (inRack(source, destinations[source]))
        {
            // Not with a sender that would get into its own rack by it.
            const uint32_t other = m_pairs->GetInteger(0, HostCount() - 1);
            if (!inRack(source, destinations[other]) && !inRack(other, destinations[source]))
            {
                std::swap(destinations[source], destinations[other]);
            }
        }
    }
}

void
PermutationWorkload::DoPrepare()
{
    NS_LOG_FUNCTION(this);
    if (m_shift >= HostCount())
    {
        throw InputError("permutation:Shift",
                         std::to_string(m_shift),
                         "must be below the number of hosts, " + std::to_string(HostCount()));
    }
    if (m_rackSize > 0 && 2 * uint64_t{m_rackSize} > HostCount())
    {
        throw InputError("permutation:RackSize",
                         std::to_string(m_rackSize),
                         "at most half the number of hosts, " + std::to_string(HostCount()));
    }
    if (!Derangement::IsPossible(HostCount(), GetIsLocal()))
    {
        throw InputError("permutation", "VMs", "at most half of them may be on one host");
    }
    const auto destinations = Destinations();
    if (Derangement::HasLocalPair(destinations, GetIsLocal()))
    {
        throw InputError("permutation:Shift",
                         std::to_string(m_shift),
                         "must not lead from a VM to another on its host");
    }
    for (uint32_t host = 0; host < HostCount(); ++host)
    {
        FlowArrival flow;
        flow.at = RandomDelay(m_maxDelay);
        flow.request.source = host;
        flow.request.destination = destinations[host];
        flow.request.bytes = std::llround(m_bytes);
        flow.request.group = host; // rates are recorded per group
        Plan(flow);
    }
}

} // namespace ns3
