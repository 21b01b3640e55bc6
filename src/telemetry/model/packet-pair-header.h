/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_HEADER_H
#define PACKET_PAIR_HEADER_H

#include "ns3/header.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief The header of packet-pair flow control (AFQ, NSDI 2018, Sec. 5 and Fig. 13) behind UDP's.
 *
 * Twelve bytes in network order, so that data of 1460 bytes makes an IP datagram of 1500 and an
 * acknowledgment one of 40, as with TCP:
 * @verbatim
     0                   1                   2                   3
     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |    data: first byte of payload; answer: next byte expected    |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |   data: time of sending; answer: such a time, echoed  (ns)    |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |0|F|R|L|                      pair number                      |  data
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |1|E|                         gap  (ns)                         |  answer
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |  first byte of the block above a gap that has changed latest  |  answer, if
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+  there is a
    |                 first byte behind that block                  |  gap
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+ @endverbatim
 * F: first of a pair. R: sent before. L: last of the flow. E: the data was marked Congestion
 * Experienced. As an acknowledgment has no payload, the length that UDP gives tells whether there
 is
 * a block. It is the first block of TCP's option (RFC 2018).
 *
 * What wraps, and why that is harmless: sequence numbers after 4 GiB, as in TCP, while the window
 * is at most a few MB; times after 4.29 s, longer than any round trip here; pair numbers after 2^28
 * pairs, and they are compared with that of the packet just before only. A gap saturates at
 * MAX_GAP, 1.07 s.
 */
class PacketPairHeader : public Header
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    static constexpr uint32_t SIZE = 12;                 //!< of the header in bytes
    static constexpr uint32_t BLOCK = 8;                 //!< more bytes if there is a block
    static constexpr uint32_t MAX_PAIR = (1 << 28) - 1;  //!< largest pair number
    static constexpr int64_t MAX_GAP = (1LL << 30) - 1;  //!< largest gap in ns
    static constexpr uint32_t UDP_AND_IP = 8 + 20;       //!< bytes of the headers in front
    static constexpr uint32_t TOTAL = UDP_AND_IP + SIZE; //!< bytes of all headers

    /// @brief Flags of data.
    enum Flag : uint8_t
    {
        FIRST = 4,          //!< the second packet of the pair follows
        RETRANSMISSION = 2, //!< the payload was sent before
        LAST = 1,           //!< the payload ends the flow
    };

    /**
     * @brief Make it the header of data.
     * @param sequence number of the first byte of payload
     * @param sent time of sending
     * @param pair number of the pair
     * @param flags any of Flag
     */
    void SetData(uint64_t sequence, Time sent, uint32_t pair, uint8_t flags);

    /**
     * @brief Make it the header of an acknowledgment.
     * @param next number of the next byte expected
     * @param echo time that the data said it was sent at
     * @param gap between the packets of a pair, at least 0; 0: nothing was measured
     * @param congestion true if the data was marked
     */
    void SetAcknowledgment(uint64_t next, Time echo, Time gap, bool congestion);

    /**
     * @brief Add a block to an acknowledgment.
     * @param begin first byte that has arrived above a gap
     * @param end first byte behind
     */
    void SetBlock(uint64_t begin, uint64_t end);

    /// @brief True if the header is an acknowledgment's.
    bool IsAcknowledgment() const;

    /**
     * @brief First byte of payload, or next byte expected.
     * @return low 32 bits of the number; see Unwrap()
     */
    uint32_t GetSequence() const;

    /**
     * @brief Time of sending, or its echo.
     * @return low 32 bits of the time in ns; see Unwrap()
     */
    uint32_t GetTimestamp() const;

    /// @brief Pair number of data; 0 for an acknowledgment.
    uint32_t GetPair() const;

    /**
     * @brief Flags of data.
     * @return any of Flag; 0 for an acknowledgment
     */
    uint8_t GetFlags() const;

    /// @brief Gap that an acknowledgment reports; 0 for data, or if nothing was measured.
    Time GetGap() const;

    /// @brief True if an acknowledgment echoes Congestion Experienced.
    bool HasCongestionEcho() const;

    /// @brief True if an acknowledgment has a block.
    bool HasBlock() const;

    /**
     * @brief First byte of the block.
     * @return low 32 bits of the number
     */
    uint32_t GetBlockBegin() const;

    /**
     * @brief First byte behind the block.
     * @return low 32 bits of the number
     */
    uint32_t GetBlockEnd() const;

    /**
     * @brief The number of which only the low 32 bits were sent.
     * @param low the low 32 bits
     * @param reference a number less than 2^31 away from the one that was sent
     * @return the number
     */
    static uint64_t Unwrap(uint32_t low, uint64_t reference);

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    uint32_t m_sequence{0};  //!< first word
    uint32_t m_timestamp{0}; //!< second word
    uint32_t m_measure{0};   //!< third word
    uint32_t m_begin{0};     //!< of the block
    uint32_t m_end{0};       //!< of the block; the same as its begin if there is none
};

} // namespace ns3

#endif /* PACKET_PAIR_HEADER_H */
