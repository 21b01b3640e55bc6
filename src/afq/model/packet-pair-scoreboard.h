/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_SCOREBOARD_H
#define PACKET_PAIR_SCOREBOARD_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup packet-pair
 * @brief Records the payload that has arrived above the first unacknowledged byte (RFC 6675).
 *
 * Empty and free of cost as long as nothing is lost or reordered.
 */
class PacketPairScoreboard
{
  public:
    /**
     * @brief Payload has arrived.
     * @param begin first byte
     * @param end first byte behind
     */
    void Add(uint64_t begin, uint64_t end);

    /**
     * @brief All below a byte is acknowledged.
     * @param head the byte
     */
    void Advance(uint64_t head);

    /// @brief Forget everything.
    void Clear();

    /**
     * @brief Bytes that have arrived.
     * @return payload
     */
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /**
     * @brief Find what has not arrived.
     * @param from byte to begin at
     * @return the first byte at or above it that has not arrived
     */
    uint64_t FindHole(uint64_t from) const;

    /**
     * @brief Bytes in a range that have not arrived.
     * @param begin first byte
     * @param end first byte behind; the range is empty if it is not above the first
     * @return payload
     */
    uint64_t CountMissing(uint64_t begin, uint64_t end) const;

    /**
     * @brief The byte below which missing payload is lost: enough has arrived above.
     * @param enough bytes
     * @return the byte; 0 if nothing is lost
     */
    uint64_t GetLossEdge(uint64_t enough) const;

  private:
    /// @brief Bytes without a gap.
    struct Range
    {
        uint64_t begin; //!< first byte
        uint64_t end;   //!< first byte behind
    };

    std::vector<Range> m_ranges; //!< payload that has arrived, ascending; no two touch
    uint64_t m_received{0};      //!< sum of their lengths
};

} // namespace ns3

#endif /* PACKET_PAIR_SCOREBOARD_H */
