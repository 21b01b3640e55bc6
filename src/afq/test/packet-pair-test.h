/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_TEST_H
#define PACKET_PAIR_TEST_H

#include "ns3/fabric.h"
#include "ns3/object-spec.h"
#include "ns3/packet-pair-transport.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// Payload of a full packet in bytes.
inline constexpr uint32_t MSS = 1460;

/**
 * @ingroup afq-tests
 * @brief Names and values of attributes.
 */
using AttributeList = std::vector<std::pair<std::string, std::string>>;

/**
 * @ingroup afq-tests
 * @brief Make a packet-pair transport.
 * @param attributes of it
 * @return the transport
 */
inline Ptr<PacketPairTransport>
CreatePacketPair(const AttributeList& attributes = {})
{
    auto transport = CreateObject<PacketPairTransport>();
    for (const auto& [name, value] : attributes)
    {
        transport->SetAttribute(name, StringValue(value));
    }
    return transport;
}

/**
 * @ingroup afq-tests
 * @brief A packet as it arrived at the switch.
 */
struct SeenPacket
{
    int64_t time;              //!< of arrival in ns
    bool isAnswer;             //!< an acknowledgment
    uint32_t size;             //!< IP datagram in bytes
    uint8_t ecn;               //!< codepoint
    PacketPairSegment segment; //!< its header
};

/**
 * @ingroup afq-tests
 * @brief Stands at the switch: notes what passes, and does to it what a test says.
 */
class WatchingStage : public IngressStage
{
  public:
    /// @brief Fate of a packet.
    enum Fate
    {
        PASS, //!< goes on
        DROP, //!< is lost
        HOLD  //!< waits for Release()
    };

    bool Process(FabricItem* item) override
    {
        const bool isAnswer = item->kind & FabricItem::TOWARDS_SENDER;
        if (only && *only != (isAnswer ? item->destination : item->source))
        {
            return true; // maybe another transport's
        }
        const SeenPacket packet{Simulator::Now().GetNanoSeconds(),
                                isAnswer,
                                item->size,
                                static_cast<uint8_t>(item->GetEcn()),
                                item->As<PacketPairSegment>()};
        const Fate fate = m_releasing || !decide ? PASS : decide(item, packet);
        if (!m_releasing)
        {
            seen.push_back(packet);
        }
        if (fate == DROP)
        {
            item->Release();
        }
        else if (fate == HOLD)
        {
            m_held.push_back(item);
        }
        return fate == PASS;
    }

    /**
     * @brief Let packets that wait go on, the longest waiting first.
     * @param home the switch
     * @param packets largest number of them
     */
    void Release(FabricSwitch& home, std::size_t packets)
    {
        m_releasing = true;
        for (; packets > 0 && !m_held.empty(); --packets)
        {
            FabricItem* item = m_held.front();
            m_held.erase(m_held.begin());
            home.Receive(item);
        }
        m_releasing = false;
    }

    /**
     * @brief Packets of one direction.
     * @param answers true for acknowledgments, false for data
     * @return them, in the order of arrival
     */
    std::vector<SeenPacket> Select(bool answers) const
    {
        std::vector<SeenPacket> selected;
        for (const SeenPacket& packet : seen)
        {
            if (packet.isAnswer == answers)
            {
                selected.push_back(packet);
            }
        }
        return selected;
    }

    std::function<Fate(FabricItem* item, const SeenPacket& packet)> decide; //!< may be empty
    std::vector<SeenPacket> seen; //!< packets, in the order of arrival
    std::optional<uint32_t> only; //!< host whose flows are watched, if not all

  private:
    std::vector<FabricItem*> m_held; //!< packets that wait for Release()
    bool m_releasing{false};         //!< true while Release() lets packets go on
};

/**
 * @ingroup afq-tests
 * @brief A link of a star.
 */
struct StarLink
{
    std::string rate{"10Gbps"};    //!< in each direction
    Time delay{NanoSeconds(2500)}; //!< in each direction
};

/**
 * @ingroup afq-tests
 * @brief Hosts around a switch, all ports with the same discipline; packet-pair flows among them.
 *
 * With the default links the round trip is 10 us and serialisation.
 */
class Star : public FlowObserver
{
  public:
    /**
     * @brief Build.
     * @param transport with its attributes set
     * @param links one per host
     * @param discipline of the ports, as users write it; empty: the fabric's own default
     */
    Star(Ptr<PacketPairTransport> transport,
         const std::vector<StarLink>& links,
         const std::string& discipline = "")
        : transport(transport)
    {
        fabric->SetTierNames({"host", "switch"});
        const Fabric::End center = fabric->AddSwitch(1);
        for (const StarLink& link : links)
        {
            fabric->Connect(fabric->AddHost(), center, DataRate(link.rate), link.delay);
        }
        if (!discipline.empty())
        {
            fabric->SetQueueDiscFactory([discipline](const FabricPort::Description&) {
                return CreateFromSpec<FabricQueueDisc>("discipline", discipline);
            });
        }
        fabric->Build();
        GetSwitch().AddIngressStage(&stage);
        transport->Attach(fabric);
        transport->AddObserver(this);
    }

    ~Star() override
    {
        transport->Dispose();
        Simulator::Destroy();
        fabric->Dispose();
    }

    /// @brief The switch.
    FabricSwitch& GetSwitch() const
    {
        return fabric->GetSwitch(0);
    }

    /**
     * @brief Discipline of the switch's port to a host.
     * @param host the host
     * @return the discipline
     */
    FabricQueueDisc& GetQueue(uint32_t host) const
    {
        return GetSwitch().GetPort(host).GetQueueDisc();
    }

    /**
     * @brief Packets dropped at the switch's port to a host.
     * @param host the host
     * @return number of packets
     */
    uint64_t GetDrops(uint32_t host) const
    {
        uint64_t drops = 0;
        for (const auto& count : GetQueue(host).GetDropCounts())
        {
            drops += count.packets;
        }
        return drops;
    }

    /**
     * @brief Begin a flow.
     * @param source host
     * @param destination host
     * @param bytes payload; 0: endless
     * @return the flow
     */
    FlowId Send(uint32_t source, uint32_t destination, uint64_t bytes)
    {
        FlowRequest request;
        request.source = source;
        request.destination = destination;
        request.bytes = bytes;
        return transport->StartFlow(request);
    }

    /**
     * @brief Run up to a point in time.
     * @param until the time
     */
    static void RunUntil(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        delivered[record.id] += bytes;
    }

    void FlowFinished(const FlowRecord& record) override
    {
        finished.push_back(record);
    }

    Ptr<PacketPairTransport> transport;         //!< the hosts
    Ptr<Fabric> fabric{CreateObject<Fabric>()}; //!< the network
    WatchingStage stage;                        //!< at the switch
    std::map<FlowId, uint64_t> delivered;       //!< bytes of each flow
    std::vector<FlowRecord> finished;           //!< in the order of finishing
};

} // namespace ns3

#endif /* PACKET_PAIR_TEST_H */
