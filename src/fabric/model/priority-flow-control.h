/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRIORITY_FLOW_CONTROL_H
#define PRIORITY_FLOW_CONTROL_H

#include "fabric-port.h"
#include "flow-control.h"

#include "ns3/queue-limit.h"
#include "ns3/traced-callback.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class PriorityFlowControl;

/**
 * @ingroup fabric
 * @brief The part of one port in priority flow control: as a sender, which priorities its
 * neighbour has paused; as the receiver of the link's other direction, how much of each priority
 * came in and is still in the switch.
 *
 * Only ports of a fabric with flow control have one.
 */
class FlowControlledPort
{
  public:
    static constexpr uint32_t PRIORITIES = 8; //!< IEEE 802.1Q

    /// @brief The charge for an item while it waits in a switch.
    struct Charge
    {
        uint32_t size;    //!< bytes
        uint16_t inPort;  //!< port it came in by
        uint8_t priority; //!< less than PRIORITIES

        /// @param item the item
        explicit Charge(const FabricItem& item)
            : size(item.size),
              inPort(item.inPort),
              priority(GetPriority(item))
        {
        }
    };

    /// @brief Bytes at which things happen, for each priority of one input.
    struct Thresholds
    {
        uint32_t headroom; //!< most that comes after the packet that lets a pause be sent
        uint32_t buffer;   //!< most that may be held
        uint32_t pause;    //!< XOFF: pause the neighbour if more than this is held
        uint32_t resume;   //!< XON: let it resume if no more than this is held
    };

    /**
     * @brief Priority of an item in the sense of IEEE 802.1Q.
     * @param item the item
     * @return less than PRIORITIES; higher ones count as the last
     */
    static uint8_t GetPriority(const FabricItem& item)
    {
        return std::min<uint8_t>(item.priority, PRIORITIES - 1);
    }

    /**
     * @brief Charge an item that starts waiting at this port to the input that it came by.
     * @param item the item
     * @return false if the input's buffer is full: the item must be dropped
     * @throws InputError if the item is larger than what the headroom is computed for
     */
    bool Admit(const FabricItem& item);

    /**
     * @brief An item that was charged has come to rest or gone on: pause the neighbour it came
     * from, if its input holds too much now.
     * @param charge the item's charge
     */
    void PauseIfNeeded(const Charge& charge);

    /**
     * @brief An item that was charged leaves the switch: let the neighbour resume, if its input
     * holds little enough now.
     * @param charge the item's charge
     */
    void Refund(const Charge& charge);

    /// @brief The next item that may be sent; nullptr if there is none, or if the first one is
    /// paused.
    FabricItem* TakeNext();

    /**
     * @brief True if an item that finds the link idle may be sent at once.
     * @param item the item
     * @return true if nothing is before it and its priority is not paused
     */
    bool MayPass(const FabricItem& item) const
    {
        return !m_held && !IsPaused(item);
    }

    /**
     * @brief True if the neighbour has paused an item's priority.
     * @param item the item
     * @return true if it must not be sent now
     */
    bool IsPaused(const FabricItem& item) const
    {
        return (m_paused >> GetPriority(item)) & 1;
    }

    /// @brief Take the item that stands at the head of the port because its priority is paused,
    /// or nullptr.
    FabricItem* TakeHeld()
    {
        return std::exchange(m_held, nullptr);
    }

    /// @brief The link failed: what is known of the neighbour is void.
    void LinkFailed();

    /// @brief The link works again: it starts with what the neighbour wants now.
    void LinkRepaired();

    /**
     * @brief An item that the discipline has let go of but whose priority is paused. It stands at
     * the head of the port, before all that waits.
     * @return the item, or nullptr
     */
    const FabricItem* GetHeld() const
    {
        return m_held;
    }

    /**
     * @brief Priorities that this port may not send.
     * @return bit i: priority i
     */
    uint8_t GetPaused() const
    {
        return m_paused;
    }

    /**
     * @brief Priorities that the neighbour may not send to this port.
     * @return bit i: priority i
     */
    uint8_t GetPausing() const
    {
        return m_pausing;
    }

    /**
     * @brief Bytes that came in by this port's link and wait in the switch.
     * @param priority the priority
     * @return bytes, the packets on their way out not counted
     */
    uint32_t GetBytes(uint8_t priority) const
    {
        return m_bytes.at(priority);
    }

    /// @brief Most bytes of one priority that ever came in by this port's link and waited.
    uint32_t GetPeakBytes() const
    {
        return m_peakBytes;
    }

    /**
     * @brief The thresholds of this port's input.
     * @return the thresholds; all 0 at a host, which never pauses its switch
     */
    const Thresholds& GetThresholds() const
    {
        return m_thresholds;
    }

    /// @brief Time that this port had at least one paused priority, up to now.
    Time GetPausedTime() const;

    /**
     * @brief The time at which the present pause began, or its priorities changed last.
     * @return simulation time; of meaning while the port has a paused priority
     */
    Time GetPausedSince() const
    {
        return TimeStep(m_pausedSince);
    }

  private:
    friend class PriorityFlowControl;
    friend class FabricPort;

    /// @brief The content of a pause frame, in place of a transport's header.
    struct PauseFrame
    {
        FlowControlledPort* receiver; //!< paused port's part; nullptr: the frame is lost
        const FabricPort* sender;     //!< port that sends it
        uint8_t paused;               //!< priorities to be paused; all others may resume
    };

    void Tell();
    void SetPaused(uint8_t priorities);
    void ItemDropped(const FabricItem* item, const char* reason);
    static void FrameArrives(void* frame); //!< direct event
    static void DiscardFrame(void* frame); //!< hook of this event

    static const DirectEvent::Tag FRAME_ARRIVES;

    FabricPort* m_port{nullptr};                //!< the port
    PriorityFlowControl* m_control{nullptr};    //!< common to all ports
    FlowControlledPort* m_inputs{nullptr};      //!< of the port's node; nullptr: it is a host
    FlowControlledPort* m_peer{nullptr};        //!< at the other end of the link
    FabricItem* m_held{nullptr};                //!< see GetHeld()
    int64_t m_pausedSince{0};                   //!< start of the present pause, in time steps
    int64_t m_pausedTime{0};                    //!< length of earlier pauses, in time steps
    FabricItem* m_frame{nullptr};               //!< pause frame sent last
    int64_t m_frameStart{INT64_MIN};            //!< time at which its transmission starts
    uint8_t m_paused{0};                        //!< priorities paused by the neighbour
    uint8_t m_pausing{0};                       //!< priorities paused at the neighbour
    uint8_t m_lossless{0};                      //!< priorities under flow control
    uint32_t m_peakBytes{0};                    //!< most that one of m_bytes ever was
    Thresholds m_thresholds{};                  //!< of each priority
    std::array<uint32_t, PRIORITIES> m_bytes{}; //!< came in by this port's link and wait
};

/**
 * @ingroup fabric
 * @brief Priority flow control (IEEE 802.1Qbb): a switch that is about to run out of memory for
 * what comes in by a link pauses the sender of that link, priority by priority, and loses nothing.
 *
 * For each input and priority a switch counts the bytes that it holds: from the arrival of a packet
 * until its transmission starts, since the packet on the wire is in no queue anywhere in the
 * fabric. Above XOFF it sends a pause frame back, at XON or below another that ends the pause. A
 * pause frame waits for the transmission in progress, goes before all packets, occupies the link
 * for its 64 bytes, and takes effect after the propagation delay and the packet then in
 * transmission. The headroom above XOFF takes in what comes until then.
 *
 * A discipline that knows priorities (FabricQueueDisc::SetPausedPriorities()) serves the others
 * while some are paused. With any other, a paused packet whose turn it is blocks the port, as in
 * a switch with a single queue per port (head-of-line blocking).
 */
class PriorityFlowControl : public FlowControl
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    static constexpr uint32_t FRAME_BYTES = 64; //!< a pause frame (IEEE 802.3, Annex 31D)
    static constexpr const char* BUFFER_DROP =
        "Input buffer exceeded"; //!< headroom too small: never with the computed one

    void Install(const Fabric& fabric) override;
    void CheckPacketSize(uint32_t bytes) const override;
    void ReportResults(Results& results) const override;

    /**
     * @brief Bytes that may still arrive at one priority of an input after the packet that makes
     * the switch send a pause frame.
     *
     * The frame may have to wait for a largest packet that has just started; it takes effect at the
     * sender a transmission and a propagation delay later; until then the sender goes on, starts a
     * last packet at that moment at the latest, and what it sent takes another propagation delay.
     *
     * @param port the port at the receiver's end of the link
     * @return bytes
     */
    uint32_t ComputeHeadroom(const FabricPort& port) const;

    /**
     * @brief The thresholds of an input.
     * @param port the port at the receiver's end of the link
     * @return the thresholds
     * @throws InputError if the buffer is smaller than headroom and one packet
     */
    FlowControlledPort::Thresholds ComputeThresholds(const FabricPort& port) const;

    /// @brief Pauses that switches ordered, each of one priority of one input.
    uint64_t GetPauses() const
    {
        return m_pauses;
    }

    /// @brief Pause frames sent, those that end a pause among them.
    uint64_t GetFrames() const
    {
        return m_frames;
    }

    /// @brief Packets dropped because an input's buffer was full.
    uint64_t GetOverflows() const
    {
        return m_overflows;
    }

    /**
     * @brief Visit every port's state.
     * @param visit called with each
     */
    void ForEachPort(
        const std::function<void(const FabricPort&, const FlowControlledPort&)>& visit) const;

    /**
     * @brief Signature of the trace source Paused.
     * @param port the port that is paused or may go on
     * @param priorities bit i: it may not send priority i from now on
     */
    typedef void (*PausedTracedCallback)(const FabricPort* port, uint8_t priorities);

  protected:
    void DoDispose() override;

  private:
    friend class FlowControlledPort;

    /**
     * @brief Read the attribute Priorities.
     * @return bit i: priority i is under flow control
     * @throws InputError if it is not a list of priorities
     */
    uint8_t ReadPriorities() const;

    /**
     * @brief Read a size.
     * @param attribute that it is the value of, for the error
     * @param limit the size
     * @param rate of the link
     * @return in bytes
     * @throws InputError if it is in packets, or more than 1 GiB
     */
    static uint32_t ResolveBytes(const std::string& attribute,
                                 const QueueLimit& limit,
                                 DataRate rate);

    QueueLimit m_bufferSize;     //!< attribute Buffer
    QueueLimit m_fixedHeadroom;  //!< attribute Headroom
    QueueLimit m_resumeDistance; //!< attribute XonDistance
    uint32_t m_maxPacket{0};     //!< attribute MaxPacket
    std::string m_priorities;    //!< attribute Priorities
    uint64_t m_pauses{0};        //!< pauses ordered
    uint64_t m_frames{0};        //!< pause frames sent
    uint64_t m_overflows{0};     //!< packets dropped for want of headroom
    TracedCallback<const FabricPort*, uint8_t> m_pausedTrace;   //!< a port was paused or resumes
    std::vector<std::unique_ptr<FlowControlledPort[]>> m_ports; //!< by node
    std::vector<FabricPort*> m_fabricPorts;                     //!< all
};

} // namespace ns3

#endif /* PRIORITY_FLOW_CONTROL_H */
