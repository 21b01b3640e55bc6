/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_STREAM_H
#define LEAN_TCP_STREAM_H

#include "flow.h"
#include "lean-tcp-connection.h"

#include <deque>

namespace ns3
{

/**
 * @ingroup lean-tcp
 * @brief A TCP connection whose byte stream is a sequence of messages, each of them a flow.
 */
class LeanTcpStream : public LeanTcpConnection
{
  public:
    using LeanTcpConnection::LeanTcpConnection;

    /**
     * @brief Append a message to the byte stream.
     * @param record of the flow that it is
     */
    void AddMessage(const FlowRecord& record);

    /**
     * @brief Take what was not sent of a message out of the byte stream, and forget the message.
     * @param flow the message's flow
     * @return the flow's record
     */
    FlowRecord StopMessage(FlowId flow);

    /// @brief True if no message is under way.
    bool IsIdle() const
    {
        return m_messages.empty();
    }

    void OnSent(uint64_t end) override
    {
        if (end > m_unsent) [[unlikely]]
        {
            RecordFirstSent(end);
        }
    }

    void OnDelivered(uint64_t next) override;
    void OnAcknowledged(uint64_t head) override;

  private:
    /// @brief A flow's bytes in the stream.
    struct Message
    {
        FlowRecord record; //!< of the flow
        uint64_t begin;    //!< first byte
        uint64_t end;      //!< first byte behind
        bool begun;        //!< true if some of it was sent
    };

    void RecordFirstSent(uint64_t end);
    void NotifyDelivered(Message& message, uint32_t bytes);

    uint64_t m_end{0};             //!< of the byte stream
    uint64_t m_unsent{UINT64_MAX}; //!< begin of the first message of which nothing was sent
    uint64_t m_delivered{0};       //!< observers know of the bytes below

    /// Those not acknowledged, in the order of the stream.
    std::deque<Message, PooledAllocator<Message>> m_messages;
};

} // namespace ns3

#endif /* LEAN_TCP_STREAM_H */
