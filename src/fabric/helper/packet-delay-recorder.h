/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_DELAY_RECORDER_H
#define PACKET_DELAY_RECORDER_H

#include "ns3/fabric.h"
#include "ns3/latency-histogram.h"
#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Follows every data packet through a fabric: how long it waits at each port, how long it
 * takes from the first switch to the last, and in which order it arrives. Acknowledgments and the
 * like (FabricItem::TOWARDS_SENDER) are not followed.
 *
 * Network latency begins when the last bit has come in at the first switch and ends when the last
 * bit has left the last one, so the host's own queue is no part of it, nor anything behind the last
 * switch. Queueing delay is the time from a packet's arrival at a switch to the start of its
 * transmission there, without the switch's forwarding delay (attribute ForwardingDelay of Fabric).
 */
class PacketDelayRecorder
{
  public:
    /// @brief Packets sent later of which a packet's overtaking is counted, at most.
    static constexpr uint32_t RECENT = 256;

    /**
     * @param fabric is built, traffic has not begun; outlives the recorder's use, which lasts as
     *        long as the simulation
     * @param from packets that enter the network before are followed, but not counted
     * @param to packets that enter then or later are not counted either
     */
    PacketDelayRecorder(Fabric& fabric, Time from, Time to);
    ~PacketDelayRecorder();
    PacketDelayRecorder(const PacketDelayRecorder&) = delete;
    PacketDelayRecorder& operator=(const PacketDelayRecorder&) = delete;

    /**
     * @brief Time that packets spend between the first switch and the last.
     * @return all of them
     */
    const LatencyHistogram& GetNetworkLatency() const
    {
        return m_networkLatency;
    }

    /**
     * @brief Queueing delays by role of the port.
     * @return (role, delays) for each role of a switch's port that packets took
     */
    const std::map<std::string, LatencyHistogram>& GetQueueingDelays() const
    {
        return m_queueing;
    }

    /**
     * @brief Packets of other kinds that crossed the last switch in the measured time.
     * @return their number
     */
    uint64_t GetNAcknowledgments() const
    {
        return m_acknowledgments;
    }

    /// @brief In which order data arrives that left one host for another.
    struct Disorder
    {
        uint64_t packets{0};          //!< that arrived
        uint64_t displacedByThree{0}; //!< of these: whose number by arrival is 3 or more apart from
                                      //!< that by departure; a lost packet shifts all behind it
        uint64_t overtakenByThree{0}; //!< of these: that came behind 3 or more of the RECENT before
                                      //!< them in arrival that were sent later
        uint64_t displacement{0};     //!< greatest distance
    };

    /**
     * @brief Order of arrival at the last switch.
     * @return what was counted
     */
    const Disorder& GetDisorder() const
    {
        return m_disorder;
    }

  private:
    class Stage;
    struct Packet;
    struct Packets;
    struct Pair;

    /**
     * @brief A packet begins to leave a host.
     * @param item the packet
     * @param entry when its last bit will reach the first switch, in time steps
     * @param arrival when the switch will forward it, in time steps
     */
    void Enter(const FabricItem& item, int64_t entry, int64_t arrival);

    /**
     * @brief A packet has crossed the last switch.
     * @param packet what is known of it
     * @param item the packet
     * @param end when its last bit will have left, in time steps
     */
    void Leave(const Packet& packet, const FabricItem& item, int64_t end);

    /**
     * @brief Note the place of a packet in the order of arrival.
     * @param packet what is known of it
     * @param item the packet
     */
    void CountDisorder(const Packet& packet, const FabricItem& item);

    int64_t m_from;                                     //!< in time steps
    int64_t m_to;                                       //!< in time steps
    std::unique_ptr<Packets> m_packets;                 //!< in the network, by item
    uint64_t m_acknowledgments{0};                      //!< packets that are not data
    LatencyHistogram m_networkLatency;                  //!< so far
    std::map<std::string, LatencyHistogram> m_queueing; //!< so far, by role
    Disorder m_disorder;                                //!< so far
};

} // namespace ns3

#endif /* PACKET_DELAY_RECORDER_H */
