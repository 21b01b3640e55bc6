/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_TEST_H
#define LEAN_TCP_TEST_H

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/fabric.h"
#include "ns3/ipv4-header.h"
#include "ns3/lean-transport.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-linux-reno.h"
#include "ns3/test.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/// Payload of a full segment in bytes.
inline constexpr uint32_t MSS = 1460;

/**
 * @ingroup transport-tests
 * @brief Make a transport.
 * @param attributes names and values
 * @return the transport
 */
inline Ptr<LeanTransport>
CreateLean(const std::vector<std::pair<std::string, std::string>>& attributes = {})
{
    auto transport = CreateObject<LeanTransport>();
    for (const auto& [name, value] : attributes)
    {
        transport->SetAttribute(name, StringValue(value));
    }
    return transport;
}

/**
 * @ingroup transport-tests
 * @brief A packet as it passed the switch of a TwoHosts fabric, whichever transport sent it.
 */
struct SeenSegment
{
    int64_t time;          //!< of arrival at the switch, in time steps
    bool fromSender;       //!< data, or an acknowledgment
    uint64_t sequence;     //!< data: first byte of payload
    uint32_t length;       //!< payload in bytes
    uint64_t acknowledged; //!< acknowledgment: next byte expected
    uint32_t size;         //!< IP datagram in bytes
    uint8_t flags;         //!< LeanTcpHeader::Flag; of ns-3's header ECE only
    bool dropped;          //!< by the script
    uint8_t tos;           //!< DSCP and ECN codepoint, before the script marks
    uint32_t hash;         //!< of the 5-tuple
};

/**
 * @ingroup transport-tests
 * @brief Packets that a switch is to drop or mark.
 */
struct LossScript
{
    /// @brief Transmissions of data: first byte of payload, and which transmission of it from 1.
    std::set<std::pair<uint64_t, uint32_t>> data{};
    std::set<uint32_t> acknowledgments{}; //!< those without payload from the receiver, from 1
    std::set<uint64_t> marks{};           //!< data to be marked, by its first byte
    std::set<uint32_t> opening{};         //!< SYN and SYN-ACK packets, from 1
    std::set<uint32_t> any{};             //!< packets of any kind, from 1
    std::set<uint32_t> anyMarks{};        //!< packets of any kind to be marked, from 1
};

/**
 * @ingroup transport-tests
 * @brief Drops and marks by a script, and notes everything that passes.
 */
class ScriptedStage : public IngressStage
{
  public:
    /**
     * @brief Set up.
     * @param script packets to drop or mark
     */
    explicit ScriptedStage(LossScript script)
        : m_script(std::move(script))
    {
    }

    bool Process(FabricItem* item) override
    {
        SeenSegment seen = item->packet ? Parse(*item->packet) : Parse(item->As<LeanTcpHeader>());
        seen.time = Simulator::Now().GetTimeStep();
        seen.fromSender = item->source == 0;
        seen.size = item->size;
        seen.tos = item->tos;
        seen.hash = item->hash;
        if (m_opening)
        {
            seen.dropped = m_script.opening.contains(++m_nOpening);
        }
        else if (seen.length > 0)
        {
            const uint32_t transmission = ++m_transmissions[seen.sequence];
            seen.dropped = m_script.data.contains({seen.sequence, transmission});
            if (m_script.marks.contains(seen.sequence) && item->GetEcn() != FabricItem::NOT_ECT)
            {
                item->SetEcn(FabricItem::CE);
            }
        }
        else if (!seen.fromSender)
        {
            seen.dropped = m_script.acknowledgments.contains(++m_nAcknowledgments);
        }
        const auto number = static_cast<uint32_t>(m_seen.size() + 1);
        seen.dropped |= m_script.any.contains(number);
        if (m_script.anyMarks.contains(number) && item->GetEcn() != FabricItem::NOT_ECT)
        {
            item->SetEcn(FabricItem::CE);
        }
        m_seen.push_back(seen);
        if (seen.dropped)
        {
            item->Release();
        }
        return !seen.dropped;
    }

    /**
     * @brief Everything that passed, dropped packets included.
     * @return packets in the order of arrival
     */
    const std::vector<SeenSegment>& GetSeen() const
    {
        return m_seen;
    }

    /**
     * @brief Only data or only acknowledgments.
     * @param data true for data, false for acknowledgments
     * @return packets in the order of arrival
     */
    std::vector<SeenSegment> Select(bool data) const
    {
        std::vector<SeenSegment> selected;
        for (const SeenSegment& seen : m_seen)
        {
            if (data ? seen.length > 0 : !seen.fromSender)
            {
                selected.push_back(seen);
            }
        }
        return selected;
    }

    /**
     * @brief Transmissions of a byte.
     * @param sequence first byte of a segment
     * @return number of its transmissions
     */
    uint32_t GetTransmissions(uint64_t sequence) const
    {
        const auto found = m_transmissions.find(sequence);
        return found == m_transmissions.end() ? 0 : found->second;
    }

  private:
    SeenSegment Parse(const Packet& packet)
    {
        auto copy = packet.Copy();
        Ipv4Header ip;
        copy->RemoveHeader(ip);
        TcpHeader tcp;
        const uint32_t header = copy->PeekHeader(tcp);
        const uint32_t length = ip.GetPayloadSize() - header;
        m_opening = tcp.GetFlags() & TcpHeader::SYN;
        // ns-3's first sequence number is 0 and belongs to the SYN.
        return {0,
                false,
                tcp.GetSequenceNumber().GetValue() - 1,
                length,
                tcp.GetAckNumber().GetValue() - 1,
                0,
                static_cast<uint8_t>(tcp.GetFlags() & TcpHeader::ECE ? LeanTcpHeader::ECE : 0),
                false,
                0,
                0};
    }

    SeenSegment Parse(const LeanTcpHeader& tcp)
    {
        m_opening = tcp.flags & LeanTcpHeader::SYN;
        return {0, false, tcp.sequence, tcp.length, tcp.acknowledgment, 0, tcp.flags, false, 0, 0};
    }

    LossScript m_script;                          //!< packets to drop or mark
    std::vector<SeenSegment> m_seen;              //!< packets that passed
    std::map<uint64_t, uint32_t> m_transmissions; //!< of each segment
    uint32_t m_nAcknowledgments{0};               //!< passed so far
    uint32_t m_nOpening{0};                       //!< SYN and SYN-ACK packets passed so far
    bool m_opening{false};                        //!< true if the packet at hand is one of them
};

/**
 * @ingroup transport-tests
 * @brief Two hosts at a switch that follows a script: 10 Gbps, and base RTT 20 us if nothing else
 * is said.
 */
class TwoHosts : public FlowObserver
{
  public:
    /**
     * @brief Build the fabric and attach the transport.
     * @param transport with its attributes set
     * @param script packets that the switch drops or marks
     * @param delay of each of the two links
     */
    TwoHosts(Ptr<Transport> transport, LossScript script = {}, Time delay = MicroSeconds(5))
        : m_stage(std::move(script)),
          m_transport(transport)
    {
        m_fabric->SetTierNames({"host", "switch"});
        const auto a = m_fabric->AddHost();
        const auto b = m_fabric->AddHost();
        const auto middle = m_fabric->AddSwitch(1);
        m_fabric->Connect(a, middle, DataRate("10Gbps"), delay);
        m_fabric->Connect(b, middle, DataRate("10Gbps"), delay);
        m_fabric->Build();
        m_fabric->GetSwitch(0).AddIngressStage(&m_stage);
        m_transport->Attach(m_fabric);
        m_transport->AddObserver(this);
    }

    ~TwoHosts() override
    {
        m_transport->Dispose();
        Simulator::Destroy();
        m_fabric->Dispose();
    }

    /**
     * @brief Send from host 0 to host 1.
     * @param bytes payload
     * @return the flow
     */
    FlowId Send(uint64_t bytes)
    {
        FlowRequest request;
        request.source = 0;
        request.destination = 1;
        request.bytes = bytes;
        return m_transport->StartFlow(request);
    }

    /**
     * @brief Send from host 0 to host 1, and run until all flows are over.
     * @param bytes payload
     * @return the flow's life
     */
    FlowRecord Run(uint64_t bytes)
    {
        Send(bytes);
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        return finished.empty() ? FlowRecord{} : finished.front();
    }

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        delivered[record.id] += bytes;
    }

    void FlowFinished(const FlowRecord& record) override
    {
        finished.push_back(record);
    }

    /// @brief The switch's stage.
    const ScriptedStage& GetStage() const
    {
        return m_stage;
    }

    /// @brief The fabric.
    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

    std::vector<FlowRecord> finished;     //!< in the order of finishing
    std::map<FlowId, uint64_t> delivered; //!< bytes of each flow

  private:
    Ptr<Fabric> m_fabric{CreateObject<Fabric>()}; //!< the network
    ScriptedStage m_stage;                        //!< at the switch
    Ptr<Transport> m_transport;                   //!< the hosts
};

} // namespace ns3

#endif /* LEAN_TCP_TEST_H */
