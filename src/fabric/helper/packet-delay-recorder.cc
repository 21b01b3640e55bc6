/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-delay-recorder.h"

#include "ns3/direct-event.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdlib>

namespace ns3
{

/// @brief What is known of a packet on its way.
struct PacketDelayRecorder::Packet
{
    int64_t entered; //!< when its last bit reached the first switch, in time steps
    int64_t arrival; //!< the same of the switch that it is at
    uint32_t number; //!< by departure, of those of its pair
};

/// @brief Packets of a host to another.
struct PacketDelayRecorder::Pair
{
    uint32_t sent{0};                      //!< packets that left
    uint32_t arrived{0};                   //!< packets that arrived
    std::array<uint32_t, RECENT> recent{}; //!< 1 + number of each of those that arrived last
};

/// @brief What is found by item and by pair. A lost packet's entry serves the item's next use.
struct PacketDelayRecorder::Packets
{
    boost::unordered_flat_map<const FabricItem*, Packet> onTheWay; //!< by item
    boost::unordered_flat_map<uint64_t, Pair> pairs;               //!< by source and destination
};

/// @brief Stands at a port.
class PacketDelayRecorder::Stage : public PortStage
{
  public:
    /**
     * @param recorder learns of packets
     * @param description of the port
     * @param queueing takes delays at the port
     */
    Stage(PacketDelayRecorder& recorder,
          const FabricPort::Description& description,
          LatencyHistogram* queueing)
        : m_recorder(recorder),
          m_queueing(queueing),
          m_delay(description.delay.GetTimeStep()),
          m_forwarding(description.forwarding.GetTimeStep()),
          m_isLast(description.peerTier == 0)
    {
    }

    void Depart(FabricItem* item, const FabricPort& port) override
    {
        const int64_t now = DirectEvent::Now();
        if (item->GetClass() != FabricItem::DATA)
        {
            m_recorder.m_acknowledgments += item->GetClass() == FabricItem::ANSWER && m_isLast &&
                                                    now >= m_recorder.m_from &&
                                                    now < m_recorder.m_to
                                                ? 1
                                                : 0;
            return;
        }
        const int64_t end = now + port.GetTransmissionSteps(item->size);
        if (!m_queueing)
        {
            m_recorder.Enter(*item, end + m_delay - m_forwarding, end + m_delay);
            return;
        }
        const auto found = m_recorder.m_packets->onTheWay.find(item);
        if (found == m_recorder.m_packets->onTheWay.end())
        {
            return; // made by a switch
        }
        Packet& packet = found->second;
        if (packet.entered >= m_recorder.m_from && packet.entered < m_recorder.m_to)
        {
            m_queueing->Add(TimeStep(now - packet.arrival));
        }
        packet.arrival = end + m_delay;
        if (m_isLast)
        {
            m_recorder.Leave(packet, *item, end);
            m_recorder.m_packets->onTheWay.erase(found);
        }
    }

  private:
    PacketDelayRecorder& m_recorder; //!< learns of packets
    LatencyHistogram* m_queueing;    //!< nullptr: the port is a host's
    int64_t m_delay;                 //!< from the last bit's departure to forwarding, in time steps
    int64_t m_forwarding;            //!< part of it at the switch, in time steps
    bool m_isLast;                   //!< whether the port leads to a host
};

PacketDelayRecorder::PacketDelayRecorder(Fabric& fabric, Time from, Time to)
    : m_from(from.GetTimeStep()),
      m_to(to.GetTimeStep()),
      m_packets(std::make_unique<Packets>())
{
    fabric.ForEachPort([this](FabricPort& port) {
        const auto& description = port.GetDescription();
        LatencyHistogram* queueing = description.tier > 0 ? &m_queueing[description.role] : nullptr;
        port.AddStage(CreateObject<Stage>(*this, description, queueing));
    });
}

PacketDelayRecorder::~PacketDelayRecorder() = default;

void
PacketDelayRecorder::Enter(const FabricItem& item, int64_t entry, int64_t arrival)
{
    Pair& pair = m_packets->pairs[uint64_t{item.source} << 32 | item.destination];
    m_packets->onTheWay[&item] = {entry, arrival, pair.sent++};
}

void
PacketDelayRecorder::Leave(const Packet& packet, const FabricItem& item, int64_t end)
{
    CountDisorder(packet, item);
    if (packet.entered >= m_from && packet.entered < m_to)
    {
        m_networkLatency.Add(TimeStep(end - packet.entered));
    }
}

void
PacketDelayRecorder::CountDisorder(const Packet& packet, const FabricItem& item)
{
    Pair& pair = m_packets->pairs[uint64_t{item.source} << 32 | item.destination];
    const uint32_t arrived = pair.arrived++;
    if (packet.entered >= m_from && packet.entered < m_to)
    {
        const auto overtakers = std::ranges::count_if(pair.recent, [&packet](uint32_t next) {
            return next > packet.number + 1;
        });
        const uint64_t displacement =
            std::abs(static_cast<int64_t>(arrived) - static_cast<int64_t>(packet.number));
        ++m_disorder.packets;
        m_disorder.displacedByThree += displacement >= 3 ? 1 : 0;
        m_disorder.overtakenByThree += overtakers >= 3 ? 1 : 0;
        m_disorder.displacement = std::max(m_disorder.displacement, displacement);
    }
    pair.recent[arrived % RECENT] = packet.number + 1;
}

} // namespace ns3
