/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_HEADER_H
#define LEAN_TCP_HEADER_H

#include "ns3/fabric-item.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/**
 * @ingroup lean-tcp
 * @brief The TCP header of a lean segment, in FabricItem::transport.
 *
 * Sequence numbers are 64 bits wide, so they never wrap; on the wire they count as the 32 bits they
 * have in TCP. The first byte of payload has number 0: neither SYN nor FIN occupies a number.
 *
 * A subflow of a multipath connection (RFC 8684) says in the number that its packet would leave
 * unused what TCP has in the DSS option: data says in #acknowledgment which byte of the data the
 * payload begins with, an acknowledgment in #sequence the next byte of the data expected.
 */
struct LeanTcpHeader
{
    static constexpr uint32_t MAX_OPTIONS = 40;         //!< bytes that a header has room for
    static constexpr uint32_t MAX_SACK_BLOCKS = 4;      //!< as many as fit into that
    static constexpr uint64_t ENDLESS = UINT64_MAX / 4; //!< bytes of what goes on until stopped

    /// @brief Bits of #flags.
    enum Flag : uint8_t
    {
        SYN = 1, //!< opens a connection
        ACK = 2, //!< #acknowledgment is valid
        ECE = 4, //!< echoes congestion experienced (RFC 3168)
        CWR = 8, //!< the sender has reduced its window (RFC 3168)
    };

    /// @brief Bytes that arrived above a gap, as distances from #acknowledgment.
    struct SackBlock
    {
        uint32_t begin; //!< first byte
        uint32_t end;   //!< first byte behind
    };

    uint64_t sequence;       //!< first byte of payload
    uint64_t acknowledgment; //!< next byte expected
    int64_t timestamp;       //!< data: when it was sent; acknowledgment: the data's time echoed
    uint32_t window;         //!< bytes the receiver accepts beyond #acknowledgment
    uint16_t length;         //!< payload in bytes
    uint8_t flags;           //!< see Flag
    uint8_t sackBlocks;      //!< valid entries of #sack
    SackBlock sack[MAX_SACK_BLOCKS]; //!< the latest block first (RFC 2018, section 4)

    static constexpr uint32_t IP_AND_TCP = 40;           //!< headers without options in bytes
    static constexpr uint32_t TIMESTAMP_OPTION = 10;     //!< RFC 7323
    static constexpr uint32_t WINDOW_SCALE_OPTION = 3;   //!< RFC 7323, on SYN
    static constexpr uint32_t SACK_PERMITTED_OPTION = 2; //!< RFC 2018, on SYN

    /// @brief The place of the payload in its byte stream; nothing if there is no payload and the
    /// segment opens no connection.
    std::optional<ItemSink::Payload> GetPayload() const
    {
        const bool opens = flags & SYN;
        return length || opens ? std::optional(ItemSink::Payload{sequence, length, opens})
                               : std::nullopt;
    }

    /**
     * @brief Bytes of a SACK option.
     * @param blocks number of blocks
     * @return 0 without blocks
     */
    static constexpr uint32_t GetSackOptionSize(uint32_t blocks)
    {
        return blocks ? 2 + 8 * blocks : 0;
    }

    /**
     * @brief Blocks of a SACK option for which there is room.
     * @param options sum of the sizes of the other options in bytes
     * @return their number; at most MAX_SACK_BLOCKS
     */
    static constexpr uint32_t GetSackBlockLimit(uint32_t options)
    {
        return (MAX_OPTIONS - options - 2) / 8;
    }

    /**
     * @brief IP datagram without payload.
     * @param options sum of the sizes of the options in bytes
     * @return bytes; options are padded to a multiple of four
     */
    static constexpr uint32_t GetSize(uint32_t options)
    {
        return IP_AND_TCP + (options + 3) / 4 * 4;
    }
};

static_assert(sizeof(LeanTcpHeader) <= 64);

} // namespace ns3

#endif /* LEAN_TCP_HEADER_H */
