/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_DISC_LIMIT_H
#define QUEUE_DISC_LIMIT_H

#include "fabric-item.h"

#include "ns3/queue-size.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief A length of a queue, in bytes or in packets, to hold queues against.
 */
class QueueLimit
{
  public:
    /// @brief No limit.
    QueueLimit() = default;

    /**
     * @brief A limit.
     * @param size in bytes or packets
     */
    QueueLimit(QueueSize size)
        : m_bytes(size.GetUnit() == QueueSizeUnit::BYTES ? size.GetValue() : UINT32_MAX),
          m_packets(size.GetUnit() == QueueSizeUnit::PACKETS ? size.GetValue() : UINT32_MAX)
    {
    }

    /**
     * @brief Read a list such as "100p,30kB".
     * @param argument what the user set, for the error
     * @param text sizes with their units, separated by commas; may be empty
     * @return the limits
     * @throws InputError if the text is anything else
     */
    static std::vector<QueueLimit> ParseList(const std::string& argument, const std::string& text);

    /**
     * @brief The limit the way ns-3 says it.
     * @return in bytes or packets; no limit is 2^32 - 1 packets
     */
    QueueSize ToQueueSize() const
    {
        return m_bytes != UINT32_MAX ? QueueSize(QueueSizeUnit::BYTES, m_bytes)
                                     : QueueSize(QueueSizeUnit::PACKETS, m_packets);
    }

    /**
     * @brief Whether a packet may join a queue.
     * @param bytes waiting in the queue
     * @param packets waiting in the queue
     * @param size of the packet, in bytes
     * @return true if the queue is within the limit with the packet
     */
    bool Admits(uint32_t bytes, uint32_t packets, uint32_t size) const
    {
        return bytes + size <= m_bytes && packets < m_packets;
    }

    /**
     * @brief Whether a queue is longer than the limit.
     * @param bytes waiting in the queue
     * @param packets waiting in the queue
     * @return true if it is
     */
    bool IsExceededBy(uint32_t bytes, uint32_t packets) const
    {
        return bytes > m_bytes || packets > m_packets;
    }

    /// @overload
    bool Admits(const ItemFifo& queue, uint32_t size) const
    {
        return Admits(queue.GetBytes(), queue.GetPackets(), size);
    }

    /// @overload
    bool IsExceededBy(const ItemFifo& queue) const
    {
        return IsExceededBy(queue.GetBytes(), queue.GetPackets());
    }

    /**
     * @brief Whether bytes alone decide.
     * @param [out] bytes the limit in bytes
     * @return false if the limit is in packets
     */
    bool IsInBytes(uint32_t& bytes) const
    {
        bytes = m_bytes;
        return m_packets == UINT32_MAX;
    }

  private:
    uint32_t m_bytes{UINT32_MAX};   //!< most bytes
    uint32_t m_packets{UINT32_MAX}; //!< most packets
};

} // namespace ns3

#endif /* QUEUE_DISC_LIMIT_H */
