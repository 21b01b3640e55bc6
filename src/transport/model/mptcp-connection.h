/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPTCP_CONNECTION_H
#define MPTCP_CONNECTION_H

#include "flow.h"
#include "lean-tcp-reassembly.h"
#include "mptcp-subflow.h"
#include "tcp-lia.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace ns3
{

class MptcpTransport;

/**
 * @ingroup mptcp
 * @brief A multipath connection: one sequence of data, sent over several subflows (RFC 8684).
 *
 * Data is not assigned to a subflow before the subflow can send it. A subflow that gets an
 * acknowledgment asks first; when room appears otherwise, subflows are asked in the order of their
 * RTTs. Both ends are here, as in a LeanTcpConnection; they exchange nothing but packets.
 */
class MptcpConnection
{
  public:
    /**
     * @brief Set up; nothing is sent yet.
     * @param transport the owner of the connection
     * @param record of the flow whose bytes are the data
     * @param paths of the subflows, one each
     */
    MptcpConnection(MptcpTransport& transport,
                    const FlowRecord& record,
                    std::vector<MptcpPath> paths);

    /**
     * @brief Open the first subflow; it opens the others after its handshake.
     * @param self this connection, for its subflows to hold
     */
    void Open(const std::shared_ptr<MptcpConnection>& self);

    /**
     * @brief The subflows opened so far.
     * @return the subflows, the transport's
     */
    const std::vector<MptcpSubflow*>& GetSubflows() const
    {
        return m_subflows;
    }

    /// @brief Data that was sent and that the receiver is not known to have, nor all before it
    /// (bytes).
    uint64_t GetOutstanding() const
    {
        return m_next - m_acknowledged;
    }

    /**
     * @brief The flow.
     * @return its life so far
     */
    FlowRecord& GetRecord()
    {
        return m_record;
    }

    /// @brief Let subflows send where routing sends them, on no path of their own.
    void ForgetPaths();

    // ---- For the subflows' senders ----

    /**
     * @brief A subflow has room in its window.
     * @param subflow the subflow that asks
     * @return bytes that it may send now without a gap in the data; 0: none
     */
    uint64_t Offer(const MptcpSubflow& subflow);

    /**
     * @brief A subflow sends what it was offered.
     * @param subflow the subflow that sends
     * @param length bytes; at most what was offered
     * @return place of the first byte in the data
     */
    uint64_t Take(const MptcpSubflow& subflow, uint32_t length);

    /**
     * @brief The receiver says how far the data has come.
     * @param next the next byte of the data that it expects
     * @param window bytes that it accepts beyond
     */
    void HandleDataAcknowledgment(uint64_t next, uint32_t window);

    /**
     * @brief A subflow has dealt with an acknowledgment and sent what it could. May end the
     * connection.
     * @param subflow the subflow
     */
    void HandleAcknowledged(const MptcpSubflow& subflow);

    /// @brief The handshake of a subflow is over.
    void HandleEstablished();

    /**
     * @brief A subflow's retransmission timer expired: others may send its data, too.
     * @param subflow the subflow whose timer expired
     */
    void HandleTimeout(MptcpSubflow& subflow);

    // ---- For the subflows' receivers ----

    /**
     * @brief Payload came on some subflow.
     * @param begin its first byte's place in the data
     * @param length bytes
     */
    void HandleData(uint64_t begin, uint32_t length)
    {
        m_data.Add(begin, begin + length);
    }

    /**
     * @brief End of the data received without a gap.
     * @return next byte of the data expected
     */
    uint64_t GetNextExpected() const
    {
        return m_data.GetNext();
    }

    /// @brief Tell observers what came in order. May end the connection.
    void Deliver();

  private:
    /// @brief Data of a subflow that the others may send.
    struct Reinjection
    {
        uint64_t begin;             //!< first byte's place in the data
        uint64_t end;               //!< first byte behind
        const MptcpSubflow* origin; //!< the subflow that sent it
    };

    void OpenSubflow(std::size_t number);

    /**
     * @brief The first data that a subflow may send in the place of another.
     * @param subflow the subflow that is to send
     * @return the data, not acknowledged, or nullptr
     */
    Reinjection* FindReinjection(const MptcpSubflow& subflow);
    uint64_t GetRoom() const;
    void AskOthers(const MptcpSubflow& subflow);

    MptcpTransport& m_transport;            //!< the owner of the connection
    FlowRecord m_record;                    //!< of the flow
    std::vector<MptcpPath> m_paths;         //!< of the subflows
    std::weak_ptr<MptcpConnection> m_self;  //!< for subflows to hold
    Ptr<LiaCoupling> m_coupling;            //!< of the subflows, or nullptr
    std::vector<MptcpSubflow*> m_subflows;  //!< those opened so far
    uint64_t m_end;                         //!< of the data
    uint64_t m_next{0};                     //!< first byte of the data that no subflow took
    uint64_t m_acknowledged{0};             //!< first byte not acknowledged
    uint32_t m_window;                      //!< bytes that the receiver accepts beyond
    std::deque<Reinjection> m_reinjections; //!< in the order of timeouts
    bool m_refused{false};                  //!< true if a subflow could have sent more
    LeanTcpReassembly m_data{false};        //!< receiver: what came
    uint64_t m_delivered{0};                //!< receiver: observers know of the bytes below
};

} // namespace ns3

#endif /* MPTCP_CONNECTION_H */
