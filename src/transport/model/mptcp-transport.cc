/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mptcp-transport.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MptcpTransport);

TypeId
MptcpTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MptcpTransport")
            .SetParent<LeanTransport>()
            .SetGroupName("Transport")
            .AddConstructor<MptcpTransport>()
            .AddAttribute("Subflows",
                          "Subflows of each flow",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MptcpTransport::m_subflows),
                          MakeUintegerChecker<uint32_t>(1, MAX_SUBFLOWS))
            .AddAttribute("Coupling",
                          "How the growth of subflows' windows is coupled: Lia: Reno with linked "
                          "increases (RFC 6356); None: each subflow has CongestionOps for itself",
                          EnumValue(LIA),
                          MakeEnumAccessor<Coupling>(&MptcpTransport::m_coupling),
                          MakeEnumChecker(LIA, "Lia", NONE, "None"))
            .AddAttribute("Reinject",
                          "Whether the other subflows send again what is outstanding on one whose "
                          "retransmission timer expires (RFC 8684, section 3.3.6)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MptcpTransport::m_reinject),
                          MakeBooleanChecker())
            .AddAttribute("JoinOption",
                          "Bytes of the MP_CAPABLE or MP_JOIN option of SYN and SYN-ACK (RFC 8684, "
                          "sections 3.1 and 3.2: 12 for most)",
                          UintegerValue(12),
                          MakeUintegerAccessor(&MptcpTransport::m_joinOption),
                          MakeUintegerChecker<uint32_t>(0, 20))
            .AddAttribute("DssOption",
                          "Bytes of the DSS option of data (RFC 8684, section 3.3: 20 with a "
                          "mapping of 4-byte numbers, acknowledgment and checksum)",
                          UintegerValue(20),
                          MakeUintegerAccessor(&MptcpTransport::m_dssOption),
                          MakeUintegerChecker<uint32_t>(0, 28))
            .AddAttribute("DataAckOption",
                          "Bytes of the DSS option of acknowledgments (RFC 8684, section 3.3: 8 "
                          "with a 4-byte acknowledgment)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MptcpTransport::m_dataAckOption),
                          MakeUintegerChecker<uint32_t>(0, 12));
    return tid;
}

std::string
MptcpTransport::GetSummary() const
{
    return "multipath TCP (RFC 8684): subflows of lean TCP, coupled by linked increases";
}

std::string
MptcpTransport::GetCongestionOps() const
{
    const std::string name = LeanTransport::GetCongestionOps();
    if (m_coupling == NONE)
    {
        return name;
    }
    const std::string bare = name.starts_with("ns3::") ? name.substr(5) : name;
    if (!std::set<std::string>{"TcpLia", "TcpLinuxReno", "TcpNewReno"}.contains(bare))
    {
        throw InputError("CongestionOps",
                         name,
                         "Coupling=Lia couples TcpLinuxReno only; others need Coupling=None");
    }
    return "ns3::TcpLia";
}

void
MptcpTransport::DoAttach()
{
    ::ns3::LeanTcpSettings& settings = GetMutableSettings();
    if (settings.m_persistence != Persistence::PER_FLOW)
    {
        throw InputError("Persistence",
                         settings.m_persistence == Persistence::SHARED ? "Shared" : "ReuseIdle",
                         "PerFlow: each flow has subflows of its own");
    }
    settings.m_multipath = true;
    settings.m_synOption = m_joinOption;
    settings.m_dataOption = m_dssOption;
    settings.m_acknowledgmentOption = m_dataAckOption;
    LeanTransport::DoAttach();
}

void
MptcpTransport::DoDispose()
{
    m_connections.clear();
    m_choosePaths = nullptr;
    LeanTransport::DoDispose();
}

void
MptcpTransport::SetPathChooser(PathChooser chooser)
{
    m_choosePaths = std::move(chooser);
}

void
MptcpTransport::ReportResults(Results& results) const
{
    LeanTransport::ReportResults(results);
    results.Add("reinjected_bytes", static_cast<double>(m_reinjected));
}

void
MptcpTransport::ForgetPaths()
{
    m_choosePaths = nullptr;
    for (const auto& [flow, connection] : m_connections)
    {
        connection->ForgetPaths();
    }
}

MptcpConnection*
MptcpTransport::GetMultipathConnection(FlowId flow) const
{
    const auto found = m_connections.find(flow);
    return found == m_connections.end() ? nullptr : found->second;
}

std::vector<FlowState>
MptcpTransport::GetStates(FlowId flow) const
{
    std::vector<FlowState> states;
    if (const MptcpConnection* connection = GetMultipathConnection(flow))
    {
        for (const MptcpSubflow* subflow : connection->GetSubflows())
        {
            states.push_back(subflow->GetSender().GetFlowState());
        }
    }
    return states;
}

void
MptcpTransport::DoStartFlow(const FlowRecord& record)
{
    auto paths = m_choosePaths ? m_choosePaths(record.request, m_subflows)
                               : std::vector<MptcpPath>(m_subflows);
    const auto connection = std::make_shared<MptcpConnection>(*this, record, std::move(paths));
    m_connections[record.id] = connection.get(); // its subflows own it
    connection->Open(connection);
}

void
MptcpTransport::StopFlow(FlowId flow)
{
    if (MptcpConnection* connection = GetMultipathConnection(flow))
    {
        FlowRecord& record = connection->GetRecord();
        record.delivered = Simulator::Now();
        record.acknowledged = Simulator::Now();
        Finish(*connection);
    }
}

void
MptcpTransport::Finish(MptcpConnection& connection)
{
    const FlowRecord record = connection.GetRecord();
    m_connections.erase(record.id);
    for (MptcpSubflow* subflow : connection.GetSubflows())
    {
        Close(*subflow);
    }
    NotifyFinished(record);
}

} // namespace ns3
