/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-header-writer.h"

#include "lean-tcp-connection.h"

#include "ns3/buffer.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric.h"
#include "ns3/tcp-header.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint8_t TCP = 6;           //!< IP protocol number
constexpr uint32_t IPV4_HEADER = 20; //!< bytes
constexpr uint32_t FIXED_PART = 20;  //!< of a TCP header, in bytes
constexpr uint32_t FIRST_BYTE = 1;   //!< number of the first byte of payload: the SYN has 0

// Kinds of options (RFC 9293, RFC 7323, RFC 2018, RFC 8684).
constexpr uint8_t NO_OPERATION = 1;
constexpr uint8_t WINDOW_SCALE = 3;
constexpr uint8_t SACK_PERMITTED = 4;
constexpr uint8_t SACK = 5;
constexpr uint8_t TIMESTAMP = 8;
constexpr uint8_t MULTIPATH = 30;

// The DSS option of RFC 8684, section 3.3.
constexpr uint8_t DSS = 2 << 4;           //!< subtype
constexpr uint8_t DATA_ACK = 1;           //!< flag A, four bytes
constexpr uint8_t DATA_MAPPING = 4;       //!< flag M, four bytes
constexpr uint8_t DSS_OF_DATA = 20;       //!< length
constexpr uint8_t DSS_ACKNOWLEDGMENT = 8; //!< length

// Flags of the header.
constexpr uint8_t SYN = 0x02;
constexpr uint8_t PSH = 0x08;
constexpr uint8_t ACK = 0x10;
constexpr uint8_t ECE = 0x40;
constexpr uint8_t CWR = 0x80;

/// @brief Bytes in network order.
class Bytes : public std::vector<uint8_t>
{
  public:
    /**
     * @brief Append a number.
     * @param value the number
     * @param size its bytes
     */
    void Put(uint64_t value, uint32_t size)
    {
        for (uint32_t i = size; i-- > 0;)
        {
            push_back(static_cast<uint8_t>(value >> (8 * i)));
        }
    }
};

/**
 * @param number of a byte of payload, or of the next one expected
 * @return the same on the wire
 */
uint32_t
ToWire(uint64_t number)
{
    return static_cast<uint32_t>(number + FIRST_BYTE);
}

/**
 * @param time in time steps
 * @return the clock of the timestamp option: microseconds
 */
uint32_t
ToClock(int64_t time)
{
    return static_cast<uint32_t>(TimeStep(time).GetMicroSeconds());
}

/**
 * @param window of a receiver in bytes
 * @return places by which the window is shifted (RFC 7323)
 */
uint8_t
GetWindowShift(uint32_t window)
{
    uint8_t shift = 0;
    while (window >> shift > LeanTcpConnection::MAX_UNSCALED_WINDOW)
    {
        ++shift;
    }
    return shift;
}

/**
 * @param header of a segment
 * @param settings of its connection
 * @param isAnswer true if it goes to the sender of data
 * @return the options that it has by the settings
 */
Bytes
MakeOptions(const LeanTcpHeader& header, const LeanTcpSettings& settings, bool isAnswer)
{
    Bytes options;
    const bool opens = header.flags & LeanTcpHeader::SYN;
    if (opens && settings.m_windowScaling)
    {
        options.Put(WINDOW_SCALE << 8 | 3, 2);
        options.Put(GetWindowShift(settings.m_rcvWindow), 1);
    }
    if (opens && settings.m_sack)
    {
        options.Put(SACK_PERMITTED << 8 | 2, 2);
    }
    if (settings.m_timestamps)
    {
        const uint32_t now = ToClock(DirectEvent::Now());
        const bool sends = header.length > 0 || (opens && !isAnswer);
        options.Put(TIMESTAMP << 8 | 10, 2);
        options.Put(sends ? ToClock(header.timestamp) : now, 4);
        options.Put(isAnswer ? ToClock(header.timestamp) : 0, 4);
    }
    if (settings.m_multipath && header.length > 0 && settings.m_dataOption >= DSS_OF_DATA)
    {
        options.Put(MULTIPATH << 8 | DSS_OF_DATA, 2);
        options.Put(DSS << 8 | DATA_MAPPING | DATA_ACK, 2);
        options.Put(FIRST_BYTE, 4); // nothing comes back
        options.Put(ToWire(header.acknowledgment), 4);
        options.Put(ToWire(header.sequence), 4);
        options.Put(header.length, 2);
        options.Put(0, 2); // no checksum
    }
    else if (settings.m_multipath && isAnswer && !opens &&
             settings.m_acknowledgmentOption >= DSS_ACKNOWLEDGMENT)
    {
        options.Put(MULTIPATH << 8 | DSS_ACKNOWLEDGMENT, 2);
        options.Put(DSS << 8 | DATA_ACK, 2);
        options.Put(ToWire(header.sequence), 4);
    }
    if (header.sackBlocks > 0)
    {
        options.Put(SACK << 8 | LeanTcpHeader::GetSackOptionSize(header.sackBlocks), 2);
        for (uint32_t i = 0; i < header.sackBlocks; ++i)
        {
            options.Put(ToWire(header.acknowledgment + header.sack[i].begin), 4);
            options.Put(ToWire(header.acknowledgment + header.sack[i].end), 4);
        }
    }
    return options;
}

/**
 * @param header of a segment
 * @param settings of its connection
 * @param isAnswer true if it goes to the sender of data
 * @return the flags on the wire
 */
uint8_t
GetFlags(const LeanTcpHeader& header, const LeanTcpSettings& settings, bool isAnswer)
{
    uint8_t flags = header.length > 0 ? PSH : 0;
    flags |= header.flags & LeanTcpHeader::ACK ? ACK : 0;
    flags |= header.flags & LeanTcpHeader::ECE ? ECE : 0;
    flags |= header.flags & LeanTcpHeader::CWR ? CWR : 0;
    if (header.flags & LeanTcpHeader::SYN)
    {
        // RFC 3168, section 6.1.1
        const uint8_t negotiation = isAnswer ? ECE : ECE | CWR;
        flags |= settings.m_useEcn ? SYN | negotiation : SYN;
    }
    return flags;
}

/**
 * @param header of a segment
 * @param settings of its connection
 * @param isAnswer true if it goes to the sender of data
 * @return the window on the wire
 */
uint16_t
GetWindow(const LeanTcpHeader& header, const LeanTcpSettings& settings, bool isAnswer)
{
    const bool opens = header.flags & LeanTcpHeader::SYN;
    const uint32_t window = isAnswer ? header.window : settings.m_rcvWindow;
    const bool scales = settings.m_windowScaling && !opens;
    const uint32_t shifted = scales ? window >> GetWindowShift(settings.m_rcvWindow) : window;
    return static_cast<uint16_t>(std::min(shifted, LeanTcpConnection::MAX_UNSCALED_WINDOW));
}

/**
 * @brief Read a header as ns-3's own, with whose help it can be removed and printed.
 * @param bytes the header, its options included
 * @return the same as a TcpHeader
 */
TcpHeader
ToTcpHeader(const Bytes& bytes)
{
    Buffer buffer;
    buffer.AddAtStart(static_cast<uint32_t>(bytes.size()));
    buffer.Begin().Write(bytes.data(), static_cast<uint32_t>(bytes.size()));
    TcpHeader header;
    header.Deserialize(buffer.Begin());
    return header;
}

} // namespace

LeanTcpHeaderWriter::LeanTcpHeaderWriter(const Fabric& fabric)
    : m_fabric(fabric)
{
}

const LeanTcpHeaderWriter::Connection*
LeanTcpHeaderWriter::Find(const FabricItem& item) const
{
    if (const auto known = m_connections.find(item.flow); known != m_connections.end())
    {
        return &known->second;
    }
    const ItemSink* sink = item.flow ? m_fabric.GetEndpoint(item) : nullptr;
    const LeanTcpConnection* connection = nullptr;
    if (const auto* receiver = dynamic_cast<const LeanTcpReceiver*>(sink))
    {
        connection = &receiver->GetConnection();
    }
    else if (const auto* sender = dynamic_cast<const LeanTcpSender*>(sink))
    {
        connection = &sender->GetConnection();
    }
    if (!connection)
    {
        return nullptr;
    }
    const Connection found{&connection->GetSettings(),
                           connection->GetSourcePort(),
                           connection->GetDestinationPort()};
    return &m_connections.emplace(item.flow, found).first->second;
}

Ptr<Packet>
LeanTcpHeaderWriter::MakePacket(const FabricItem& item) const
{
    const Connection* connection = Find(item);
    if (!connection)
    {
        return nullptr;
    }
    LeanTcpHeader header;
    std::memcpy(&header, item.transport, sizeof(header));
    const LeanTcpSettings& settings = *connection->settings;
    const bool isAnswer = item.kind & FabricItem::TOWARDS_SENDER;
    const bool opens = header.flags & LeanTcpHeader::SYN;
    const bool acknowledges = header.flags & LeanTcpHeader::ACK;

    Bytes options = MakeOptions(header, settings, isAnswer);
    // A segment is as long as its item, in steps of four bytes of padding.
    const uint32_t room = item.size - IPV4_HEADER - FIXED_PART - header.length;
    options.resize(std::max<std::size_t>((options.size() + 3) / 4 * 4,
                                         std::min(room, LeanTcpHeader::MAX_OPTIONS) / 4 * 4),
                   NO_OPERATION);

    Bytes bytes;
    bytes.Put(isAnswer ? connection->destination : connection->source, 2);
    bytes.Put(isAnswer ? connection->source : connection->destination, 2);
    bytes.Put(opens ? 0 : (isAnswer ? FIRST_BYTE : ToWire(header.sequence)), 4);
    bytes.Put(!acknowledges ? 0 : (isAnswer ? ToWire(header.acknowledgment) : FIRST_BYTE), 4);
    bytes.Put((FIXED_PART + options.size()) / 4 << 4, 1);
    bytes.Put(GetFlags(header, settings, isAnswer), 1);
    bytes.Put(GetWindow(header, settings, isAnswer), 2);
    bytes.Put(0, 4); // checksum, urgent pointer
    bytes.insert(bytes.end(), options.begin(), options.end());

    auto packet = Create<Packet>(header.length);
    TcpHeader tcp = ToTcpHeader(bytes);
    tcp.EnableChecksums();
    tcp.InitializeChecksum(FabricNetDevice::GetHostAddress(item.source),
                           FabricNetDevice::GetHostAddress(item.destination),
                           TCP);
    packet->AddHeader(tcp);
    AddIpv4Header(packet, item, TCP);
    return packet;
}

} // namespace ns3
