/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcap-tap.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/output-file.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t LINKTYPE_RAW = 101; //!< packets start with their IP header

/// @brief Writes what arrives at a host.
class ReceiveTap : public EdgeAgent
{
  public:
    explicit ReceiveTap(PcapTap& tap)
        : m_tap(tap)
    {
    }

    void Incoming(FabricItem* item) override
    {
        m_tap.Write(*item);
        DeliverOn(item);
    }

  private:
    PcapTap& m_tap; //!< the file
};

} // namespace

PcapTap::PcapTap(const std::string& fileName, PacketMaker packets, uint32_t snapLength)
    : m_fileName(fileName),
      m_file(CreateObject<PcapFileWrapper>()),
      m_packets(std::move(packets))
{
    m_file->SetAttribute("NanosecMode", BooleanValue(true));
    m_file->Open(fileName, std::ios::out | std::ios::binary);
    if (m_file->Fail())
    {
        throw InputError("capture file", fileName, "must be a file that can be written");
    }
    m_file->Init(LINKTYPE_RAW, snapLength);
}

void
PcapTap::TapPort(FabricPort& port)
{
    port.AddStage(CreateObject<DepartureStage>(
        [this](const FabricItem* item, const FabricPort& /* port */) { Write(*item); }));
}

void
PcapTap::TapHost(FabricHost& host)
{
    TapPort(host.GetNicPort());
    host.AddEdgeAgent(CreateObject<ReceiveTap>(*this));
}

void
PcapTap::Write(const FabricItem& item)
{
    m_file->Write(Simulator::Now(), m_packets.MakePacket(item));
    CheckWritten();
}

void
PcapTap::Close()
{
    m_file->Close();
    CheckWritten();
}

void
PcapTap::CheckWritten() const
{
    if (m_file->Fail()) // ns-3 would assert at the next packet
    {
        throw MakeWriteError(m_fileName);
    }
}

} // namespace ns3
