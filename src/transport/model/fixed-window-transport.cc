/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-window-transport.h"

#include "ns3/boolean.h"
#include "ns3/flow-hash.h"
#include "ns3/huge-pages.h"
#include "ns3/ipv4-header.h"
#include "ns3/log.h"
#include "ns3/logged-item.h"
#include "ns3/packet.h"
#include "ns3/segment-size.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FixedWindowTransport");

NS_OBJECT_ENSURE_REGISTERED(FixedWindowTransport);

namespace
{

constexpr uint64_t ENDLESS = UINT64_MAX / 2; //!< packets of a flow that goes on until stopped
constexpr uint32_t HEADER_SIZE = 40;         //!< IPv4 and TCP header of a data packet in bytes

/// @brief Contents of FabricItem::transport.
struct FixedWindowHeader
{
    uint64_t number; //!< of the packet within its flow
};

} // namespace

/// @brief Both ends of a flow.
class FixedWindowTransport::Connection : public InHugePages
{
  public:
    Connection(FixedWindowTransport& transport, const FlowRecord& record)
        : m_transport(transport),
          m_record(record),
          m_source(transport.m_fabric->GetHost(record.request.source)),
          m_destination(transport.m_fabric->GetHost(record.request.destination)),
          m_total(record.request.bytes ? (record.request.bytes - 1) / transport.m_payload + 1
                                       : ENDLESS),
          m_acknowledged(transport.m_window),
          m_received(transport.m_window),
          m_timer(DirectEvent::Call<&Connection::HandleTimeout>, this, m_source.GetContext())
    {
        const auto port = static_cast<uint16_t>(record.id);
        const uint16_t serverPort = transport.GetServerPort();
        const auto [from, to] = std::pair{record.request.source, record.request.destination};
        m_dataHash = HashFiveTuple(from, to, port, serverPort, TCP_PROTOCOL);
        m_acknowledgmentHash = HashFiveTuple(to, from, serverPort, port, TCP_PROTOCOL);
        m_flow = transport.m_fabric->AddEndpoints(&m_receiver, &m_sender, record.GetTag());
    }

    /// @brief The flow is over: nothing comes or goes any more.
    void Retire()
    {
        m_timer.Cancel();
        m_transport.m_fabric->RemoveEndpoints(m_flow);
    }

    const FlowRecord& GetRecord() const
    {
        return m_record;
    }

    FlowState GetState() const
    {
        const double packet = m_transport.m_payload + HEADER_SIZE;
        FlowState state;
        state.window = m_transport.m_window * packet;
        state.inFlight = static_cast<double>(m_next - m_firstUnacknowledged) * packet;
        return state;
    }

    void Start()
    {
        m_record.firstSent = Simulator::Now();
        SendWindow();
        RestartTimer();
    }

    void Stop()
    {
        m_record.delivered = Simulator::Now();
        m_record.acknowledged = Simulator::Now();
    }

  private:
    /// @brief Gets the acknowledgments.
    struct Sender : public ItemSink
    {
        explicit Sender(Connection& c)
            : connection(c)
        {
        }

        void ReceiveItem(FabricItem* item) override
        {
            connection.HandleAcknowledgment(item);
        }

        Connection& connection;
    };

    /// @brief Gets the data.
    struct Receiver : public ItemSink
    {
        explicit Receiver(Connection& c)
            : connection(c)
        {
        }

        void ReceiveItem(FabricItem* item) override
        {
            connection.HandleData(item);
        }

        std::optional<Payload> GetPayload(FabricItem& item) const override
        {
            const uint64_t number = item.As<FixedWindowHeader>().number;
            return Payload{number * connection.m_transport.m_payload,
                           connection.GetPayload(number)};
        }

        Connection& connection;
    };

    uint32_t GetPayload(uint64_t number) const
    {
        const uint32_t full = m_transport.m_payload;
        return number + 1 == m_total ? static_cast<uint32_t>(m_record.request.bytes - number * full)
                                     : full;
    }

    void SendWindow()
    {
        const uint64_t end = std::min(m_total, m_firstUnacknowledged + m_transport.m_window);
        while (m_next < end)
        {
            SendData(m_next++);
        }
    }

    void SendData(uint64_t number)
    {
        const uint32_t payload = GetPayload(number);
        FabricItem* item = FabricItem::Create();
        item->hash = m_dataHash;
        item->flow = m_flow;
        item->source = m_record.request.source;
        item->destination = m_record.request.destination;
        item->size = static_cast<uint16_t>(payload + HEADER_SIZE);
        item->tos = FabricItem::ECT0;
        item->As<FixedWindowHeader>().number = number;
        if (m_transport.m_carryPackets)
        {
            m_transport.AttachPacket(item, payload);
        }
        m_source.Send(item);
    }

    void HandleData(FabricItem* item)
    {
        const uint64_t number = item->As<FixedWindowHeader>().number;
        if (number >= m_firstMissing)
        {
            m_received[number % m_received.size()] = true;
        }
        SendAcknowledgment(item);
        uint32_t delivered = 0;
        while (m_received[m_firstMissing % m_received.size()])
        {
            m_received[m_firstMissing % m_received.size()] = false;
            delivered += GetPayload(m_firstMissing++);
        }
        if (delivered > 0)
        {
            m_record.delivered = Simulator::Now();
            m_transport.NotifyDelivered(m_record, delivered);
        }
    }

    /**
     * @brief Send a data packet back as its own acknowledgment.
     * @param item the data packet
     */
    void SendAcknowledgment(FabricItem* item)
    {
        if (item->packet)
        {
            DetachPacket(item);
        }
        std::swap(item->source, item->destination);
        item->hash = m_acknowledgmentHash;
        item->kind |= FabricItem::TOWARDS_SENDER;
        item->SetClass(FabricItem::ANSWER);
        item->hops = 0;
        item->tos = FabricItem::NOT_ECT;
        item->route = nullptr;
        item->size = static_cast<uint16_t>(m_transport.m_acknowledgment);
        if (m_transport.m_carryPackets)
        {
            m_transport.AttachPacket(item, 0);
        }
        m_destination.Send(item);
    }

    void HandleAcknowledgment(FabricItem* item)
    {
        const uint64_t number = item->As<FixedWindowHeader>().number;
        if (item->packet)
        {
            DetachPacket(item);
        }
        item->Release();
        if (number < m_firstUnacknowledged)
        {
            return; // of a packet that was sent twice
        }
        m_acknowledged[number % m_acknowledged.size()] = true;
        while (m_acknowledged[m_firstUnacknowledged % m_acknowledged.size()])
        {
            m_acknowledged[m_firstUnacknowledged++ % m_acknowledged.size()] = false;
        }
        if (m_firstUnacknowledged == m_total)
        {
            m_record.acknowledged = Simulator::Now();
            m_transport.Forget(this);
            return;
        }
        RestartTimer();
        SendWindow();
    }

    void HandleTimeout()
    {
        NS_LOG_LOGIC(m_record.GetTag() << ": timeout, first packet " << m_firstUnacknowledged);
        for (uint64_t number = m_firstUnacknowledged; number < m_next; ++number)
        {
            if (!m_acknowledged[number % m_acknowledged.size()])
            {
                ++m_transport.m_retransmissions;
                SendData(number);
            }
        }
        RestartTimer();
    }

    void RestartTimer()
    {
        m_timer.Set(m_transport.m_timeout.GetTimeStep());
    }

    FixedWindowTransport& m_transport; //!< settings
    FlowRecord m_record;               //!< the flow's life
    FabricHost& m_source;              //!< sending host
    FabricHost& m_destination;         //!< receiving host
    uint64_t m_total;                  //!< packets of the flow
    uint64_t m_next{0};                //!< next packet to send for the first time
    uint64_t m_firstUnacknowledged{0}; //!< at the sender
    uint64_t m_firstMissing{0};        //!< at the receiver
    std::vector<bool> m_acknowledged;  //!< by number modulo the window, at the sender
    std::vector<bool> m_received;      //!< by number modulo the window, at the receiver
    uint32_t m_dataHash;               //!< of the data's 5-tuple
    uint32_t m_acknowledgmentHash;     //!< of the acknowledgments' 5-tuple
    uint32_t m_flow;                   //!< the fabric's name for the flow
    Sender m_sender{*this};            //!< the sender's endpoint
    Receiver m_receiver{*this};        //!< the receiver's endpoint
    DirectTimer m_timer;               //!< fires when nothing was acknowledged for too long
};

TypeId
FixedWindowTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FixedWindowTransport")
            .SetParent<Transport>()
            .SetGroupName("Transport")
            .AddConstructor<FixedWindowTransport>()
            .AddAttribute("Window",
                          "Packets that may be under way",
                          UintegerValue(16),
                          MakeUintegerAccessor(&FixedWindowTransport::m_window),
                          MakeUintegerChecker<uint32_t>(1, 1'000'000))
            .AddAttribute("SegmentSize",
                          "Payload of a full packet in bytes",
                          UintegerValue(1460),
                          MakeUintegerAccessor(&FixedWindowTransport::m_payload),
                          MakeUintegerChecker<uint32_t>(LEAST_SEGMENT, 65000))
            .AddAttribute("AcknowledgmentSize",
                          "IP datagram of an acknowledgment in bytes",
                          UintegerValue(40),
                          MakeUintegerAccessor(&FixedWindowTransport::m_acknowledgment),
                          MakeUintegerChecker<uint32_t>(40, 1500))
            .AddAttribute(
                "Timeout",
                "What is not acknowledged this long after the last progress is sent again",
                TimeValue(MilliSeconds(1)),
                MakeTimeAccessor(&FixedWindowTransport::m_timeout),
                MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("CarryPackets",
                          "Whether every item carries an ns-3 Packet with IPv4 and TCP headers, "
                          "written and read at the ends",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FixedWindowTransport::m_carryPackets),
                          MakeBooleanChecker());
    return tid;
}

FixedWindowTransport::FixedWindowTransport() = default;

FixedWindowTransport::~FixedWindowTransport() = default;

std::string
FixedWindowTransport::GetSummary() const
{
    return "a fixed number of packets under way, no congestion control";
}

void
FixedWindowTransport::DoDispose()
{
    m_connections.clear();
    m_finished.clear();
    Transport::DoDispose();
}

void
FixedWindowTransport::DoAttach()
{
}

void
FixedWindowTransport::DoStartFlow(const FlowRecord& record)
{
    m_finished.clear();
    const auto& connection = m_connections[record.id] = std::make_unique<Connection>(*this, record);
    connection->Start();
}

void
FixedWindowTransport::StopFlow(FlowId flow)
{
    const auto found = m_connections.find(flow);
    if (found != m_connections.end())
    {
        Connection* connection = found->second.get();
        connection->Stop();
        Forget(connection);
    }
}

void
FixedWindowTransport::Forget(Connection* connection)
{
    const FlowRecord record = connection->GetRecord();
    connection->Retire();
    m_finished.push_back(std::move(m_connections.extract(record.id).mapped()));
    NotifyFinished(record);
}

std::vector<FlowState>
FixedWindowTransport::GetStates(FlowId flow) const
{
    const auto found = m_connections.find(flow);
    return found == m_connections.end() ? std::vector<FlowState>()
                                        : std::vector{found->second->GetState()};
}

Transport::PacketSizes
FixedWindowTransport::GetPacketSizes() const
{
    return {m_payload, HEADER_SIZE, m_acknowledgment};
}

uint64_t
FixedWindowTransport::GetRetransmissions() const
{
    return m_retransmissions;
}

void
FixedWindowTransport::AttachPacket(FabricItem* item, uint32_t payload) const
{
    auto packet = Create<Packet>(payload);
    TcpHeader tcp;
    tcp.SetSourcePort(static_cast<uint16_t>(item->flow));
    tcp.SetDestinationPort(GetServerPort());
    packet->AddHeader(tcp);
    Ipv4Header ip;
    ip.SetSource(Ipv4Address(0x0a000001 + item->source));
    ip.SetDestination(Ipv4Address(0x0a000001 + item->destination));
    ip.SetProtocol(TCP_PROTOCOL);
    ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    ip.SetTtl(64);
    packet->AddHeader(ip);
    item->packet = GetPointer(packet);
}

void
FixedWindowTransport::DetachPacket(FabricItem* item)
{
    const Ptr<Packet> packet(item->packet, false);
    item->packet = nullptr;
    Ipv4Header ip;
    packet->RemoveHeader(ip);
    TcpHeader tcp;
    packet->RemoveHeader(tcp);
}

} // namespace ns3
