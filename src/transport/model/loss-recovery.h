/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSS_RECOVERY_H
#define LOSS_RECOVERY_H

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Decides which packet of a flow a reliable sender sends next, and knows those under way.
 *
 * Packets are numbered from 0. Each transmission has a serial number besides, from 0 as well, which
 * the answer to it repeats; so a sender knows which of several transmissions of a packet arrived.
 */
class LossRecovery
{
  public:
    /// @brief Packets that are sent again after a loss.
    enum Kind
    {
        GO_BACK_N, //!< all from the first packet that is missing, as RoCE network cards do
        SELECTIVE, //!< those that are missing and no others
    };

    /// @brief Answer of the receiver to a packet.
    struct Answer
    {
        uint64_t number; //!< packet that made it answer
        uint64_t serial; //!< its transmission
        uint64_t next;   //!< first packet that is missing
        bool refused;    //!< true if the receiver has no use for the packet but wants #next
    };

    /// @brief Effect of an answer.
    struct Change
    {
        uint64_t acknowledged; //!< packets acknowledged for the first time
        bool lost;             //!< true if packets turned out to be lost
    };

    virtual ~LossRecovery() = default;

    /**
     * @brief The packet to be sent next.
     * @return its number; maybe beyond the flow's last
     */
    virtual uint64_t GetNext() const = 0;

    /**
     * @brief The next packet is sent.
     * @return serial number of the transmission
     */
    virtual uint64_t Send() = 0;

    /**
     * @brief An answer came.
     * @param answer the answer
     * @return its effect
     */
    virtual Change Take(const Answer& answer) = 0;

    /// @brief Nothing was acknowledged for too long: all that was under way is lost.
    virtual void GiveUp() = 0;

    /**
     * @brief Packets under way: sent, neither acknowledged nor known to be lost.
     * @return their number
     */
    virtual uint64_t GetInFlight() const = 0;

    /// @brief First packet that is not acknowledged.
    uint64_t GetFirstUnacknowledged() const
    {
        return m_first;
    }

    /**
     * @brief Packets that were ever sent.
     * @return the number of the first that was not
     */
    uint64_t GetEnd() const
    {
        return m_end;
    }

  protected:
    uint64_t m_first{0};  //!< first packet not acknowledged
    uint64_t m_end{0};    //!< first packet never sent
    uint64_t m_serial{0}; //!< of the next transmission
};

/**
 * @ingroup transport
 * @brief Go-back-N: the receiver takes packets in order and nothing else.
 */
class GoBackN : public LossRecovery
{
  public:
    uint64_t GetNext() const override
    {
        return m_next;
    }

    uint64_t Send() override;
    Change Take(const Answer& answer) override;
    void GiveUp() override;

    uint64_t GetInFlight() const override
    {
        return m_next - m_first;
    }

  private:
    uint64_t m_next{0}; //!< next packet to send
};

/**
 * @ingroup transport
 * @brief Selective repeat: a transmission is lost if so many later ones have been acknowledged.
 */
class SelectiveRepeat : public LossRecovery
{
  public:
    /**
     * @brief Set up.
     * @param threshold later transmissions after which one is lost, at least 1
     */
    explicit SelectiveRepeat(uint32_t threshold);

    uint64_t GetNext() const override;
    uint64_t Send() override;
    Change Take(const Answer& answer) override;
    void GiveUp() override;

    uint64_t GetInFlight() const override
    {
        return m_inFlight;
    }

  private:
    /// @brief State of a packet.
    enum State : uint8_t
    {
        UNDER_WAY,    //!< sent, no news
        LOST,         //!< to be sent again
        ACKNOWLEDGED, //!< arrived
    };

    /// @brief A packet that was sent, from the first unacknowledged one on.
    struct Packet
    {
        uint64_t serial; //!< of its latest transmission
        State state;     //!< state of the packet
    };

    Packet& GetPacket(uint64_t number)
    {
        return m_packets[number - m_first];
    }

    bool Acknowledge(uint64_t number);
    bool FindLost();
    void DropLost();

    uint32_t m_threshold;                      //!< see SelectiveRepeat()
    uint64_t m_inFlight{0};                    //!< packets UNDER_WAY
    uint64_t m_latest{0};                      //!< latest transmission that arrived, plus 1
    uint64_t m_oldest{0};                      //!< serial of the first of m_transmissions
    boost::circular_buffer<Packet> m_packets;  //!< m_first to m_end - 1
    boost::circular_buffer<uint64_t> m_sent;   //!< packet by transmission, from m_oldest on
    boost::circular_buffer<uint64_t> m_repeat; //!< packets to be sent again; some arrived since
};

/**
 * @ingroup transport
 * @brief Packets of a flow that a receiver has.
 */
class PacketReassembly
{
  public:
    /**
     * @brief A packet came.
     * @param number its number
     * @return true if it had not come before
     */
    bool Add(uint64_t number);

    /**
     * @brief Packets that are there without a gap.
     * @return number of the first that is missing
     */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /// @brief True if a packet beyond a gap is there.
    bool HasGap() const
    {
        return m_beyond > 0;
    }

  private:
    uint64_t m_next{0};        //!< first packet that is missing
    uint64_t m_beyond{0};      //!< packets beyond a gap
    std::vector<bool> m_there; //!< by number modulo size; grows with the distance
};

} // namespace ns3

#endif /* LOSS_RECOVERY_H */
