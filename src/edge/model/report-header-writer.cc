/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "report-header-writer.h"

#include "mark-receiver.h"
#include "pair-report.h"

#include "ns3/fabric-item.h"
#include "ns3/packet.h"

#include <cstring>

namespace ns3
{

Ptr<Packet>
ReportHeaderWriter::MakePacket(const FabricItem& item) const
{
    if (item.GetClass() != FabricItem::CONTROL || item.size < ReportHeader::DATAGRAM)
    {
        return nullptr;
    }
    PairReport report;
    std::memcpy(&report, item.transport, sizeof(report));
    auto packet = Create<Packet>(item.size - ReportHeader::DATAGRAM);
    packet->AddHeader(ReportHeader(MarkReceiver::GetFields(report)));
    AddIpv4Header(packet, item, ReportHeader::IP_PROTOCOL);
    return packet;
}

} // namespace ns3
