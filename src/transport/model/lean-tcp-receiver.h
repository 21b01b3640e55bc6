/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_RECEIVER_H
#define LEAN_TCP_RECEIVER_H

#include "lean-tcp-coalescer.h"
#include "lean-tcp-reassembly.h"

#include "ns3/direct-timer.h"
#include "ns3/fabric-item.h"

#include <memory>

namespace ns3
{

class LeanTcpConnection;

/**
 * @ingroup lean-tcp
 * @brief The end of a connection that gets data and acknowledges it.
 */
class LeanTcpReceiver : public ItemSink
{
  public:
    /**
     * @brief Set up.
     * @param connection the connection whose end this is
     */
    explicit LeanTcpReceiver(LeanTcpConnection& connection);

    void ReceiveItem(FabricItem* item) override;

    std::optional<Payload> GetPayload(FabricItem& item) const override
    {
        return item.As<LeanTcpHeader>().GetPayload();
    }

    /// @brief Nothing is sent any more.
    void Close();

    /**
     * @brief The connection.
     * @return the connection whose end this is
     */
    const LeanTcpConnection& GetConnection() const
    {
        return m_connection;
    }

  private:
    void HandleData(const LeanTcpHeader& header, bool marked);
    void Coalesce(FabricItem* item);
    void HandUp();
    bool TakeIn(const LeanTcpHeader& header, bool marked);
    void Answer(bool atOnce);
    bool IsValidMark(const LeanTcpHeader& header);
    void UpdateEcho(bool marked, bool windowReduced);
    void HandleSyn(const LeanTcpHeader& header);
    void SendSynAck();

    /// @brief The handshake is over.
    void Establish();

    /// @brief Acknowledge what came so far.
    void Acknowledge();

    /**
     * @brief Acknowledge what came so far.
     * @param echo true to echo congestion
     */
    void SendAcknowledgment(bool echo);

    LeanTcpConnection& m_connection; //!< the connection whose end this is
    LeanTcpReassembly m_data;        //!< bytes received
    DirectTimer m_delayed;           //!< sends a delayed acknowledgment
    DirectTimer m_opening;           //!< retransmits the SYN-ACK
    uint64_t m_acknowledged{0};      //!< latest acknowledgment sent
    uint64_t m_marked{0};            //!< one more than the first byte of the latest marked segment
    int64_t m_timestamp{0};          //!< to echo
    int64_t m_synTimestamp{0};       //!< to echo with the SYN-ACK
    uint32_t m_window{0};            //!< to advertise, in bytes
    uint32_t m_pending{0};           //!< segments not yet acknowledged
    uint32_t m_synAcks{0};           //!< SYN-ACKs sent
    bool m_established{false};       //!< true after the handshake
    bool m_echo{false};              //!< true if acknowledgments echo congestion

    std::unique_ptr<LeanTcpCoalescer> m_coalescer; //!< nullptr: segments are handed up one by one
};

} // namespace ns3

#endif /* LEAN_TCP_RECEIVER_H */
