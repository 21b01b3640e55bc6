/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "udp-transport.h"

#include "link-stages.h"
#include "small-queue.h"

#include "ns3/direct-timer.h"
#include "ns3/flow-hash.h"
#include "ns3/former-settings.h"
#include "ns3/input-error.h"
#include "ns3/number-text.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(UdpTransport);

/// The buffer was bytes; 0: no limit.
static const FormerSettings g_formerUdpTransportSettings{
    {"ns3::UdpTransport", "SendBuffer", 1, "B", 0, "0"},
};

namespace
{

constexpr uint32_t UDP_HEADERS = 28; //!< IPv4 and UDP, in bytes
constexpr uint8_t UDP_PROTOCOL = 17; //!< in the 5-tuple

} // namespace

/// @brief A flow: it sends on a timer, and counts what arrives.
class UdpTransport::Sender : public ItemSink
{
  public:
    Sender(UdpTransport& transport, const FlowRecord& record)
        : m_transport(transport),
          m_record(record),
          m_source(transport.m_fabric->GetHost(record.request.source)),
          m_timer(DirectEvent::Call<&Sender::HandleTimer>, this, m_source.GetContext())
    {
        const auto& request = record.request;
        m_hash = HashFiveTuple(request.source,
                               request.destination,
                               static_cast<uint16_t>(record.id),
                               transport.GetServerPort(),
                               UDP_PROTOCOL);
        m_flow = transport.m_fabric->AddEndpoints(this, this, record.GetTag());
        if (!transport.m_sendBuffer.IsNever())
        {
            m_smallQueue = std::make_unique<SmallQueue>(m_source,
                                                        transport.m_sendBuffer,
                                                        DirectEvent::Call<&Sender::HandleTimer>,
                                                        this);
        }
    }

    ~Sender() override
    {
        m_timer.Cancel();
    }

    void Start()
    {
        m_record.firstSent = Simulator::Now();
        m_record.delivered = Simulator::Now(); // unless anything arrives
        HandleTimer();
    }

    void Stop()
    {
        m_record.delivered = Simulator::Now();
        Finish();
    }

    const FlowRecord& GetRecord() const
    {
        return m_record;
    }

    uint32_t GetFlow() const
    {
        return m_flow;
    }

    uint64_t GetMissing() const
    {
        return m_sent - m_received;
    }

    void OnDeparture(FabricItem& /* item */) override
    {
        if (m_smallQueue)
        {
            m_smallQueue->Remove(m_transport.m_packetSize);
        }
    }

    void ReceiveItem(FabricItem* item) override
    {
        const uint32_t payload = item->size - UDP_HEADERS;
        item->Release();
        ++m_received;
        ++m_transport.m_received;
        m_record.delivered = Simulator::Now();
        m_transport.NotifyDelivered(m_record, payload);
        if (IsAllSent() && m_received == m_sent)
        {
            Finish();
        }
    }

    std::optional<Payload> GetPayload(FabricItem& item) const override
    {
        return Payload{0, item.size - UDP_HEADERS, false, false};
    }

  private:
    bool IsAllSent() const
    {
        return m_record.request.bytes > 0 && m_sentBytes == m_record.request.bytes;
    }

    void HandleTimer()
    {
        if (IsAllSent())
        {
            Finish(); // what has not arrived by now is lost
            return;
        }
        if (m_smallQueue && !PassSmallQueue())
        {
            return; // it will call again
        }
        SendBurst();
        m_timer.Set(IsAllSent() ? m_transport.m_timeout.GetTimeStep() : GetStepsToNext());
    }

    bool PassSmallQueue()
    {
        // All packets count as full ones.
        const auto packets = static_cast<uint32_t>(m_transport.GetPacketsPerBurst());
        if (!m_smallQueue->Admits(packets * m_transport.m_packetSize,
                                  packets,
                                  m_smallQueue->GetLimit()))
        {
            return false;
        }
        m_late = Simulator::Now() - m_record.firstSent - m_transport.GetSendingTime(m_sent);
        return true;
    }

    void SendBurst()
    {
        do
        {
            SendPacket();
        } while (!IsAllSent() && m_sent % m_transport.GetPacketsPerBurst() != 0);
    }

    void SendPacket()
    {
        uint64_t payload = m_transport.m_packetSize - UDP_HEADERS;
        if (m_record.request.bytes > 0)
        {
            payload = std::min(payload, m_record.request.bytes - m_sentBytes);
        }
        m_sentBytes += payload;
        ++m_sent;
        ++m_transport.m_sent;
        FabricItem* item = FabricItem::Create();
        item->hash = m_hash;
        item->flow = m_flow;
        item->source = m_record.request.source;
        item->destination = m_record.request.destination;
        item->size = static_cast<uint16_t>(payload + UDP_HEADERS);
        if (m_smallQueue)
        {
            m_smallQueue->Add(m_transport.m_packetSize);
        }
        m_source.Send(item);
    }

    /**
     * @brief Time to the next packet. From the flow's start, so that rounding does not add up.
     * @return time steps
     */
    int64_t GetStepsToNext() const
    {
        const Time due = m_record.firstSent + m_transport.GetSendingTime(m_sent) + m_late;
        const Time next = due + m_transport.DrawJitter();
        return std::max<int64_t>(0, (next - Simulator::Now()).GetTimeStep());
    }

    void Finish()
    {
        m_record.acknowledged = m_record.delivered;
        if (m_smallQueue)
        {
            m_smallQueue->Close();
        }
        m_transport.Forget(*this);
    }

    UdpTransport& m_transport; //!< settings
    FlowRecord m_record;       //!< the flow's life
    FabricHost& m_source;      //!< sending host
    uint64_t m_sentBytes{0};   //!< payload sent
    uint64_t m_sent{0};        //!< packets sent
    uint64_t m_received{0};    //!< packets that arrived
    uint32_t m_hash;           //!< of the 5-tuple
    uint32_t m_flow;           //!< the fabric's name for the flow
    DirectTimer m_timer;       //!< the next packet, or the end
    Time m_late{0};            //!< time that the host's port was full for

    std::unique_ptr<SmallQueue> m_smallQueue; //!< nullptr: the host's port takes all at once
};

TypeId
UdpTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::UdpTransport")
            .SetParent<Transport>()
            .SetGroupName("Transport")
            .AddConstructor<UdpTransport>()
            .AddAttribute("Rate",
                          "Rate of each flow in IP datagrams, headers included",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&UdpTransport::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("PacketSize",
                          "IP datagram of a full packet in bytes, 28 of them headers",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&UdpTransport::m_packetSize),
                          MakeUintegerChecker<uint32_t>(UDP_HEADERS + 1, UINT16_MAX))
            .AddAttribute(
                "BurstSize",
                "Bytes of IP datagrams that are sent in one, as segmentation offload for "
                "UDP does, in whole packets; Rate holds from burst to burst. 0: packet by "
                "packet",
                UintegerValue(0),
                MakeUintegerAccessor(&UdpTransport::m_burstSize),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("SendBuffer",
                          "Most that a flow has in the port of its own host, in bytes, packets or "
                          "time at the link's rate: with that much it waits, and sends the rest "
                          "later",
                          QueueLimitValue(QueueLimit()),
                          MakeQueueLimitAccessor(&UdpTransport::m_sendBuffer),
                          MakeQueueLimitChecker())
            .AddAttribute("Jitter",
                          "Each burst but the first leaves uniformly up to so long after it is "
                          "due, in order; 0: on time",
                          TimeValue(Time()),
                          MakeTimeAccessor(&UdpTransport::m_jitter),
                          MakeTimeChecker(Time()))
            .AddAttribute("Timeout",
                          "What has not arrived this long after the last packet was sent is lost",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&UdpTransport::m_timeout),
                          MakeTimeChecker(TimeStep(1)));
    return tid;
}

UdpTransport::UdpTransport()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

UdpTransport::~UdpTransport() = default;

void
UdpTransport::DoDispose()
{
    m_senders.clear();
    Transport::DoDispose();
}

void
UdpTransport::DoAttach()
{
    if (m_rate.GetBitRate() == 0)
    {
        throw InputError("Rate", "0bps", "a rate above 0");
    }
    CheckBacklog("SendBuffer", m_sendBuffer);
    if (!m_sendBuffer.IsNever() && !m_jitter.IsZero())
    {
        throw InputError("Jitter", SecondsText(m_jitter) + "s", "0 with a SendBuffer");
    }
}

int64_t
UdpTransport::AssignStreams(int64_t stream)
{
    if (m_jitter.IsZero())
    {
        return 0;
    }
    m_random->SetStream(stream);
    return 1;
}

std::vector<FlowState>
UdpTransport::GetStates(FlowId flow) const
{
    if (!m_senders.contains(flow))
    {
        return {};
    }
    FlowState state;
    state.rate = static_cast<double>(m_rate.GetBitRate());
    return {state};
}

Time
UdpTransport::DrawJitter() const
{
    return m_jitter.IsZero() ? Time() : m_jitter * m_random->GetValue();
}

void
UdpTransport::DoStartFlow(const FlowRecord& record)
{
    auto sender = std::make_unique<Sender>(*this, record);
    Sender& started = *sender;
    m_senders.emplace(record.id, std::move(sender));
    started.Start();
}

std::string
UdpTransport::GetSummary() const
{
    return "datagrams at a constant rate, without acknowledgments";
}

void
UdpTransport::StopFlow(FlowId flow)
{
    const auto found = m_senders.find(flow);
    if (found != m_senders.end())
    {
        found->second->Stop();
    }
}

void
UdpTransport::Forget(Sender& sender)
{
    m_lost += sender.GetMissing();
    m_fabric->RemoveEndpoints(sender.GetFlow());
    const FlowRecord record = sender.GetRecord();
    m_senders.erase(record.id); // the sender's last act was to call
    NotifyFinished(record);
}

Transport::PacketSizes
UdpTransport::GetPacketSizes() const
{
    return {m_packetSize - UDP_HEADERS, UDP_HEADERS, 0};
}

Time
UdpTransport::GetIdealCompletionTime(const FlowRequest& request) const
{
    const uint32_t payload = m_packetSize - UDP_HEADERS;
    const uint64_t full = (request.bytes - 1) / payload; // packets before the last
    const auto lastSize = static_cast<uint32_t>(request.bytes - full * payload) + UDP_HEADERS;
    const uint64_t perBurst = GetPacketsPerBurst();
    const auto getSending = [this, perBurst](uint64_t packet) {
        return GetSendingTime(packet - packet % perBurst).GetTimeStep();
    };
    const auto path = m_fabric->GetPath(request.source, request.destination);
    if (HasSeveralPaths(*m_fabric, path, request.destination))
    {
        // Not before all could be there at the rate of the links, nor before the last packet, sent
        // when its turn comes, could be.
        FlowRequest alone = request;
        alone.bytes = lastSize - UDP_HEADERS;
        return std::max(Transport::GetIdealCompletionTime(request),
                        GetSendingTime(full - full % perBurst) +
                            Transport::GetIdealCompletionTime(alone));
    }
    const int64_t sending = full > 0 ? getSending(full - 1) : 0;
    const auto behind = full > 0 ? static_cast<int64_t>((full - 1) % perBurst) : 0; // in its burst
    // The full packets are as far apart as they were sent, or as the slowest link so far can take
    // them; the last packet, which may be shorter, must not overtake the one before.
    int64_t firstArrival = 0;           // of the first full packet at the end of the link
    int64_t slowest = 0;                // transmission of a full packet
    int64_t arrival = getSending(full); // of the last packet
    for (const FabricPort* port : path)
    {
        const int64_t delay = port->GetDescription().delay.GetTimeStep();
        if (full > 0)
        {
            const int64_t transmission = port->GetTransmissionSteps(m_packetSize);
            slowest = std::max(slowest, transmission);
            const int64_t spread =
                std::max(sending + behind * slowest, static_cast<int64_t>(full - 1) * slowest);
            arrival = std::max(arrival, firstArrival + transmission + spread);
            firstArrival += transmission + delay;
        }
        arrival += port->GetTransmissionSteps(lastSize) + delay;
    }
    return TimeStep(arrival);
}

uint32_t
UdpTransport::GetPacketsPerBurst() const
{
    return std::max<uint32_t>(1, m_burstSize / m_packetSize);
}

Time
UdpTransport::GetSendingTime(uint64_t packets) const
{
    const double seconds = 8.0 * m_packetSize * static_cast<double>(packets) /
                           static_cast<double>(m_rate.GetBitRate());
    return TimeStep(std::llround(seconds * static_cast<double>(Seconds(1).GetTimeStep())));
}

uint64_t
UdpTransport::GetSentPackets() const
{
    return m_sent;
}

uint64_t
UdpTransport::GetReceivedPackets() const
{
    return m_received;
}

uint64_t
UdpTransport::GetLostPackets() const
{
    return m_lost;
}

} // namespace ns3
