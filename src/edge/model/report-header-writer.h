/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPORT_HEADER_WRITER_H
#define REPORT_HEADER_WRITER_H

#include "ns3/packet-maker.h"

namespace ns3
{

/**
 * @ingroup edge
 * @brief Turns reports of ECN marks into bytes: an IPv4 header with protocol 143 and a ReportHeader
 * (Trinity Section 4.1).
 *
 * For networks whose hosts report by MarkReceiver.
 */
class ReportHeaderWriter : public ItemHeaderWriter
{
  public:
    Ptr<Packet> MakePacket(const FabricItem& item) const override;
};

} // namespace ns3

#endif /* REPORT_HEADER_WRITER_H */
