/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Delays and order of packets.

#include "recorder.h"

#include "ns3/direct-event.h"
#include "ns3/latency-histogram.h"
#include "ns3/network.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/results.h"

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Delays of data packets: across the network (network_latency.csv), of whole round trips as
 * the senders' TCP sees them (round_trip.csv), in re-sequencing buffers (resequencing.csv), in
 * queues by role of the port; and their order of arrival.
 *
 * Network latency begins when the last bit has come in at the first switch and ends when the last
 * bit has left the last one, so the host's own queue is no part of it, nor anything behind the last
 * switch. Queueing delay is the time from a packet's arrival at a switch to the start of its
 * transmission there, without the switch's forwarding delay (attribute ForwardingDelay of Fabric).
 */
class DelaysRecorder : public WindowRecorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DelaysRecorder")
                                .SetParent<WindowRecorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<DelaysRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "delays and order of packets: network_latency.csv, round_trip.csv, "
               "resequencing.csv";
    }

    void Attach(Network& network, const TimeWindow& measured) override
    {
        m_window = SetWindow(measured);
        Fabric& fabric = *network.GetFabric();
        fabric.ForEachPort([this](FabricPort& port) {
            const auto& description = port.GetDescription();
            LatencyHistogram* queueing =
                description.tier > 0 ? &m_queueing[description.role] : nullptr;
            port.AddStage(CreateObject<Stage>(*this, description, queueing));
            if (queueing)
            {
                port.GetQueueDisc().TraceConnectWithoutContext(
                    "ItemDrop",
                    MakeCallback(&DelaysRecorder::Lose, this));
            }
        });
        const Transports& transports = *network.GetTransports();
        for (uint32_t i = 0; i < transports.GetN(); ++i)
        {
            m_hasRoundTrip |= transports.Get(i)->TraceConnectWithoutContext(
                "RoundTrip",
                MakeCallback(&DelaysRecorder::Add, this).Bind(&m_roundTrip));
        }
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            for (const auto& agent : fabric.GetHost(host).GetEdgeAgents())
            {
                if (const auto buffer = DynamicCast<ResequencingBuffer>(agent))
                {
                    buffer->TraceConnectWithoutContext(
                        "Delay",
                        MakeCallback(&DelaysRecorder::Add, this).Bind(&m_resequencing));
                    m_hasResequencing = true;
                }
            }
        }
    }

    void Write(const std::string& folder) override
    {
        m_networkLatency.Write(folder + "/network_latency.csv");
        m_roundTrip.Write(folder + "/round_trip.csv");
        m_resequencing.Write(folder + "/resequencing.csv");
    }

    void ReportResults(Results& results) const override
    {
        Report(results, "network_latency", m_networkLatency);
        double total = 0;
        for (const auto& [role, delays] : m_queueing)
        {
            if (delays.GetCount() > 0)
            {
                Report(results, "queueing_" + role, delays);
                total += delays.GetMeanNs() * static_cast<double>(delays.GetCount());
            }
        }
        results.Add("queueing_mean_us", Divide(total, m_networkLatency.GetCount()) / 1e3);
        if (m_hasRoundTrip)
        {
            Report(results, "round_trip", m_roundTrip);
        }
        if (m_hasResequencing)
        {
            Report(results, "resequencing", m_resequencing);
            const uint64_t data = m_resequencing.GetCount();
            results.Add("resequencing_mean_all_packets_us",
                        Divide(m_resequencing.GetMeanNs() / 1e3 * static_cast<double>(data),
                               data + m_acknowledgments));
        }
        results.Add("displaced_by_3_share",
                    Divide(static_cast<double>(m_displacedByThree), m_arrived));
        results.Add("overtaken_by_3_share",
                    Divide(static_cast<double>(m_overtakenByThree), m_arrived));
    }

  private:
    /// @brief Packets sent later of which a packet's overtaking is counted, at most.
    static constexpr uint32_t RECENT = 256;

    /// @brief A packet on its way.
    struct Packet
    {
        int64_t entered; //!< arrival of its last bit at the first switch, in time steps
        int64_t arrival; //!< the same of the switch that it is at
        uint32_t number; //!< by departure, of those of its pair
    };

    /// @brief Packets of a host to another.
    struct Pair
    {
        uint32_t sent{0};                      //!< packets that left
        uint32_t arrived{0};                   //!< packets that arrived
        std::vector<uint32_t> lost;            //!< numbers of those that queues dropped, ascending
        std::array<uint32_t, RECENT> recent{}; //!< 1 + number of each of those that arrived last
    };

    /// @brief Stands at a port.
    class Stage : public PortStage
    {
      public:
        /**
         * @param recorder learns of packets
         * @param description of the port
         * @param queueing takes delays at the port
         */
        Stage(DelaysRecorder& recorder,
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
                m_recorder.m_acknowledgments +=
                    item->GetClass() == FabricItem::ANSWER && m_isLast && m_recorder.Counts(now)
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
            const auto found = m_recorder.m_onTheWay.find(item);
            if (found == m_recorder.m_onTheWay.end())
            {
                return; // made by a switch
            }
            Packet& packet = found->second;
            if (m_recorder.Counts(packet.entered))
            {
                m_queueing->Add(TimeStep(now - packet.arrival));
            }
            packet.arrival = end + m_delay;
            if (m_isLast)
            {
                m_recorder.Leave(packet, *item, end);
                m_recorder.m_onTheWay.erase(found);
            }
        }

      private:
        DelaysRecorder& m_recorder;   //!< learns of packets
        LatencyHistogram* m_queueing; //!< nullptr: the port is a host's
        int64_t m_delay;      //!< from the last bit's departure to forwarding, in time steps
        int64_t m_forwarding; //!< part of it at the switch, in time steps
        bool m_isLast;        //!< true if the port leads to a host
    };

    /**
     * @brief Tell whether what enters the network at a time counts.
     * @param time in time steps
     * @return true if it is in the window
     */
    bool Counts(int64_t time) const
    {
        return m_window.Contains(TimeStep(time));
    }

    /// @brief The packets of an item's source to its destination.
    Pair& GetPair(const FabricItem& item)
    {
        return m_pairs[uint64_t{item.source} << 32 | item.destination];
    }

    /**
     * @brief A packet begins to leave a host.
     * @param item the packet
     * @param entry time at which its last bit will reach the first switch, in time steps
     * @param arrival time at which the switch will forward it, in time steps
     */
    void Enter(const FabricItem& item, int64_t entry, int64_t arrival)
    {
        Pair& pair = GetPair(item);
        m_onTheWay[&item] = {entry, arrival, pair.sent++};
    }

    /**
     * @brief A switch's queue drops a packet: it has no place in the order of those that arrive.
     * @param item the packet
     * @param reason not used
     */
    void Lose(const FabricItem* item, const char* /* reason */)
    {
        const auto found = m_onTheWay.find(item);
        if (item->GetClass() != FabricItem::DATA || found == m_onTheWay.end())
        {
            return;
        }
        auto& lost = GetPair(*item).lost;
        lost.insert(std::ranges::upper_bound(lost, found->second.number), found->second.number);
        m_onTheWay.erase(found);
    }

    /**
     * @brief A packet has crossed the last switch.
     * @param packet its record
     * @param item the packet
     * @param end time at which its last bit will have left, in time steps
     */
    void Leave(const Packet& packet, const FabricItem& item, int64_t end)
    {
        Pair& pair = GetPair(item);
        const uint32_t arrived = pair.arrived++;
        if (Counts(packet.entered))
        {
            const auto overtakers = std::ranges::count_if(pair.recent, [&packet](uint32_t next) {
                return next > packet.number + 1;
            });
            const int64_t lost =
                std::ranges::lower_bound(pair.lost, packet.number) - pair.lost.begin();
            const int64_t displacement = arrived + lost - packet.number;
            ++m_arrived;
            m_displacedByThree += std::abs(displacement) >= 3 ? 1 : 0;
            m_overtakenByThree += overtakers >= 3 ? 1 : 0;
            m_networkLatency.Add(TimeStep(end - packet.entered));
        }
        pair.recent[arrived % RECENT] = packet.number + 1;
    }

    /**
     * @brief Count a delay that ends now, if that is in the window.
     * @param histogram takes it
     * @param delay the delay
     */
    void Add(LatencyHistogram* histogram, Time delay)
    {
        if (m_window.IsNow())
        {
            histogram->Add(delay);
        }
    }

    /**
     * @param sum over packets
     * @param count of the packets
     * @return the mean; NaN without packets: packets may have waited and none arrived
     */
    static double Divide(double sum, uint64_t count)
    {
        return count > 0 ? sum / static_cast<double>(count)
                         : std::numeric_limits<double>::quiet_NaN();
    }

    /**
     * @brief State mean, 99th percentile and maximum; none of nothing.
     * @param results takes them
     * @param name name of the delays
     * @param delays the delays recorded
     */
    static void Report(Results& results, const std::string& name, const LatencyHistogram& delays)
    {
        const auto microseconds = [&delays](Time time) {
            return delays.GetCount() > 0 ? time.ToDouble(Time::US)
                                         : std::numeric_limits<double>::quiet_NaN();
        };
        results.Add(name + "_mean_us", delays.GetMeanNs() / 1e3);
        results.Add(name + "_p99_us", microseconds(delays.GetQuantile(0.99)));
        results.AddMaximum(name + "_max_us", microseconds(delays.GetMax()));
    }

    TimeWindow m_window;                                //!< time in which delays are recorded
    LatencyHistogram m_networkLatency;                  //!< between the first switch and the last
    std::map<std::string, LatencyHistogram> m_queueing; //!< by role of the port
    LatencyHistogram m_roundTrip;                       //!< as senders measure it
    LatencyHistogram m_resequencing;                    //!< in buffers of receivers
    /// Data in the network, by item. What a failing link loses stays until the item's next use.
    boost::unordered_flat_map<const FabricItem*, Packet> m_onTheWay;
    boost::unordered_flat_map<uint64_t, Pair> m_pairs; //!< by source and destination
    uint64_t m_acknowledgments{0};  //!< packets of other kinds that crossed the last switch
    uint64_t m_arrived{0};          //!< data packets
    uint64_t m_displacedByThree{0}; //!< of these: whose number by arrival is 3 or more apart from
                                    //!< that by departure, without those that queues dropped
    uint64_t m_overtakenByThree{0}; //!< of these: that came behind 3 or more of the RECENT before
                                    //!< them in arrival that were sent later
    bool m_hasRoundTrip{false};     //!< true if the transport measures round trips
    bool m_hasResequencing{false};  //!< true if receivers have buffers
};

NS_OBJECT_ENSURE_REGISTERED(DelaysRecorder);

} // namespace ns3
