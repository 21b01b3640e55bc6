/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "request-workload.h"

#include "ns3/input-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RequestWorkload);

TypeId
RequestWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RequestWorkload")
            .SetParent<PoissonWorkload>()
            .SetGroupName("Workload")
            .AddConstructor<RequestWorkload>()
            .AddAttribute("Clients",
                          "So many of the first hosts are clients, the others servers; 0: half of "
                          "them (AFQ, Section 6.1: 4 of 8).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RequestWorkload::m_clients),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

std::string
RequestWorkload::GetSummary() const
{
    return "Responses from random servers to random clients arrive as a Poisson process";
}

void
RequestWorkload::DoPrepare()
{
    if (m_clients >= HostCount())
    {
        throw InputError("request:Clients",
                         std::to_string(m_clients),
                         "must be below the number of hosts, " + std::to_string(HostCount()));
    }
    PoissonWorkload::DoPrepare();
}

void
RequestWorkload::DrawPair(FlowRequest& request)
{
    const uint32_t clients = m_clients ? m_clients : HostCount() / 2;
    request.source = RandomHostFrom(clients, HostCount() - 1);
    request.destination = RandomHostFrom(0, clients - 1);
}

} // namespace ns3
