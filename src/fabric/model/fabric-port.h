/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_PORT_H
#define FABRIC_PORT_H

#include "fabric-item.h"
#include "fabric-queue-disc.h"
#include "port-stage.h"

#include "ns3/data-rate.h"
#include "ns3/direct-event.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class Fabric;
class FabricNode;
class FlowControlledPort;

/**
 * @ingroup fabric
 * @brief An output port and the link it feeds, in one direction.
 *
 * The discipline orders what waits; the link sends one item at a time at its rate and delivers it
 * after its propagation delay. A transmit-complete event exists only while something waits: a port
 * that runs empty just remembers until when it is busy. That is exact for every discipline.
 */
class alignas(64) FabricPort : public InHugePages
{
  public:
    /// @brief The description of a port: all but its traffic.
    struct Description
    {
        std::string name;              //!< unique, such as "leaf0:3"
        std::string role;              //!< from tier to tier, such as "leaf-spine"
        uint32_t tier{0};              //!< tier of the port's node; 0: host
        uint32_t peerTier{0};          //!< tier of the node at the other end
        DataRate rate;                 //!< of the link
        Time delay;                    //!< of the link, and of the switch at its end if it has one
        Time forwarding;               //!< part of the delay that is of the switch at its end
        FabricNode* node{nullptr};     //!< the port's node
        FabricNode* peer{nullptr};     //!< the node at the other end
        uint16_t index{0};             //!< of the port within its node
        uint16_t peerPort{0};          //!< of the port at the other end
        uint32_t link{0};              //!< of the link within the fabric
        const Fabric* fabric{nullptr}; //!< the fabric
    };

    FabricPort() = default;
    FabricPort(const FabricPort&) = delete;
    FabricPort& operator=(const FabricPort&) = delete;

    /**
     * @brief Wire the port.
     * @param description description of the port and its link
     * @param overhead bytes of framing that each packet costs on the link beyond its IP datagram
     */
    void Connect(const Description& description, uint32_t overhead);

    /**
     * @brief Install the discipline.
     * @param queue the discipline
     */
    void SetQueueDisc(Ptr<FabricQueueDisc> queue);

    /**
     * @brief Send an item over the link, when its turn comes.
     * @param item the item, now the port's
     */
    void Send(FabricItem* item)
    {
        if (m_special) [[unlikely]]
        {
            AdmitAndSend(item);
        }
        else
        {
            TransmitOrEnqueue(item);
        }
    }

    /// @brief Fetch the memory of the discipline, which the next item will need
    /// (DirectEvent::Hooks).
    void Touch() const;

    /// @brief Start transmitting if the link is idle and the discipline lets an item go.
    void Wake()
    {
        if (!IsUnrestricted()) [[unlikely]]
        {
            WakeControlled();
            return;
        }
        if (m_transmitPending)
        {
            return;
        }
        const int64_t now = DirectEvent::Now();
        if (now >= m_busyUntil)
        {
            TransmitNext(now);
        }
        else
        {
            AwaitTransmitComplete();
        }
    }

    /**
     * @brief Let the link in this direction fail or work again. What waits is dropped on failure.
     * @param up true if it works
     */
    void SetUp(bool up);

    /**
     * @brief True if the link works.
     * @return true if it does
     */
    bool IsUp() const
    {
        return !(m_special & DOWN);
    }

    /**
     * @brief True if an item that arrives now over this port's link was on it when it failed.
     * @param item the item
     * @return true if the item is lost, even if the link was repaired meanwhile
     */
    bool WasHitByFailure(const FabricItem* item) const
    {
        const int64_t start = DirectEvent::Now() - m_delay - GetTransmissionSteps(item->size);
        return !IsUp() || start < m_failedAt;
    }

    /**
     * @brief True if nothing is being transmitted.
     * @param now the current time
     * @return true if the link is idle
     */
    bool IsIdle(int64_t now) const
    {
        return now >= m_busyUntil;
    }

    /**
     * @brief Add a stage that sees every item on its way in and out.
     * @param stage the stage; stages run in the order of being added
     */
    void AddStage(Ptr<PortStage> stage);

    /**
     * @brief The stages.
     * @return in the order of being added
     */
    const std::vector<Ptr<PortStage>>& GetStages() const
    {
        return m_stages;
    }

    /**
     * @brief Put the port under priority flow control. Called before traffic.
     * @param control the port's part in it; outlives the traffic
     */
    void SetFlowControl(FlowControlledPort* control);

    /// @brief The port's part in priority flow control; nullptr without flow control.
    FlowControlledPort* GetFlowControl() const
    {
        return m_flowControl;
    }

    /// @brief The discipline.
    FabricQueueDisc& GetQueueDisc() const
    {
        return *m_queue;
    }

    /// @brief The description of the port and its link.
    const Description& GetDescription() const
    {
        return m_description;
    }

    /**
     * @brief Time to put a packet on the link.
     * @param size the IP datagram in bytes
     * @return time steps, rounded to the nearest
     */
    int64_t GetTransmissionSteps(uint32_t size) const
    {
        return static_cast<int64_t>(
            ((size + m_overhead) * m_stepsPerByte + (1ULL << (FRACTION_BITS - 1))) >>
            FRACTION_BITS);
    }

    /// @brief Time from the end of a transmission until the node at the other end has the packet
    /// (time steps).
    int64_t GetDelaySteps() const
    {
        return m_delay;
    }

    /// @brief Packets whose transmission has started.
    uint64_t GetTxPackets() const
    {
        return m_txPackets;
    }

    /// @brief Bytes of IP datagrams whose transmission has started.
    uint64_t GetTxBytes() const
    {
        return m_txBytes;
    }

    /// @brief Bytes waiting, the packet on the wire not counted.
    uint32_t GetWaitingBytes() const;

    /// @brief Packets waiting, the packet on the wire not counted.
    uint32_t GetWaitingPackets() const;

    /**
     * @brief Look at each item that waits, for a snapshot; the one on the wire not included.
     * @param visit called for each
     * @throws InputError if the discipline cannot tell what waits in it
     */
    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const;

  private:
    friend class FlowControlledPort; // sends frames of the link layer

    static constexpr uint32_t FRACTION_BITS = 20; //!< of m_stepsPerByte

    /// @brief Reasons for a port not to take the ordinary way, one bit each.
    enum Special : uint8_t
    {
        STAGED = 1,          //!< stages look at each item; the rest is as without them
        FLOW_CONTROLLED = 2, //!< the other end may pause the port
        DOWN = 4,            //!< the link has failed
        LOGGED = 8           //!< items take the way of those that stages look at, and are logged
    };

    /**
     * @brief True if the link may be used whenever it is idle.
     * @return true unless it has failed or is under flow control
     */
    bool IsUnrestricted() const
    {
        return !(m_special & (FLOW_CONTROLLED | DOWN));
    }

    /**
     * @brief Let an item depart.
     * @param item the item
     * @param start time at which its first bit leaves
     */
    void Transmit(FabricItem* item, int64_t start);

    /**
     * @brief Put an item on the link, past the stages.
     * @param item the item
     * @param start time at which its first bit leaves
     */
    void PutOnLink(FabricItem* item, int64_t start);

    /**
     * @brief Send an item over a link that may be used whenever it is idle.
     * @param item the item
     */
    void TransmitOrEnqueue(FabricItem* item)
    {
        if (m_transparent && !m_transmitPending)
        {
            const int64_t now = DirectEvent::Now();
            if (now >= m_busyUntil)
            {
                Transmit(item, now);
                return;
            }
        }
        Enqueue(item);
    }

    /**
     * @brief Let the discipline have an item, and go on if the link waits for one.
     * @param item the item
     */
    void Enqueue(FabricItem* item)
    {
        if (m_queue->EnqueueItem(item) && !m_transmitPending)
        {
            Wake();
        }
    }

    /**
     * @brief Take the next item from the discipline, if there is one, and transmit it.
     * @param now the current time
     */
    void TransmitNext(int64_t now);

    /// @brief Have TransmitComplete() called when the link falls idle.
    void AwaitTransmitComplete();

    /**
     * @brief Send a link-layer frame before all that waits, after what is being transmitted.
     * @param frame has its size
     * @param arrival event for it at the other end
     * @return time at which its transmission starts
     */
    int64_t SendFrame(FabricItem* frame, DirectEvent::Tag arrival);

    // Out of the way of items for which none of this is due.
    void TransmitStaged(FabricItem* item, int64_t start);
    void AdmitAndSend(FabricItem* item);
    void WakeControlled();
    void SendControlled(FabricItem* item);
    void TransmitNextControlled(int64_t now);
    bool RunAdmit(FabricItem* item);
    void RunDepart(FabricItem* item);

    void TransmitComplete(); //!< direct event: the link falls idle
    static void TouchDeparture(void* object, std::size_t step); //!< hook of this event
    static const DirectEvent::Tag TRANSMIT_COMPLETE;            //!< of TransmitComplete()

    // What each item touches comes first.
    int64_t m_busyUntil{0};             //!< time at which the link falls idle
    uint64_t m_stepsPerByte{0};         //!< time steps per byte, FRACTION_BITS fractional bits
    int64_t m_delay{0};                 //!< propagation delay in time steps
    FabricNode* m_peer{nullptr};        //!< node at the other end
    FabricQueueDisc* m_queue{nullptr};  //!< the discipline
    uint64_t m_txBytes{0};              //!< bytes sent
    uint32_t m_txPackets{0};            //!< packets sent
    uint32_t m_peerContext{0};          //!< event context of the node at the other end
    uint16_t m_peerPort{0};             //!< index of the port at the other end
    uint16_t m_overhead{0};             //!< bytes of framing per packet
    bool m_transmitPending : 1 {false}; //!< true if a transmit-complete event is scheduled
    bool m_transparent : 1 {false};     //!< true if an idle link needs no discipline
    uint8_t m_special{0};               //!< bits of Special; 0: the ordinary way

    int64_t m_failedAt{INT64_MIN};              //!< time of the link's last failure
    FlowControlledPort* m_flowControl{nullptr}; //!< the port's part in flow control, if any

    Description m_description;            //!< description of the port and its link
    Ptr<FabricQueueDisc> m_ownedQueue;    //!< keeps m_queue alive
    std::vector<Ptr<PortStage>> m_stages; //!< see every item
};

} // namespace ns3

#endif /* FABRIC_PORT_H */
