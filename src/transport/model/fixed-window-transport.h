/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIXED_WINDOW_TRANSPORT_H
#define FIXED_WINDOW_TRANSPORT_H

#include "transport.h"

#include "ns3/direct-timer.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup transport
 * @brief A reliable transport that keeps a fixed number of packets under way.
 *
 * No congestion control: for tests, benchmarks, and as the shortest complete example of a
 * transport. The receiver acknowledges every packet by its number; at most Window packets beyond
 * the first unacknowledged one are sent, and what is not acknowledged Timeout after the last
 * progress is sent again.
 */
class FixedWindowTransport : public Transport
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    FixedWindowTransport();
    ~FixedWindowTransport() override;

    std::string GetSummary() const override;
    void StopFlow(FlowId flow) override;
    PacketSizes GetPacketSizes() const override;
    std::vector<FlowState> GetStates(FlowId flow) const override;

    /**
     * @brief Packets that were sent more than once.
     * @return number of transmissions beyond the first
     */
    uint64_t GetRetransmissions() const;

  protected:
    void DoAttach() override;
    void DoStartFlow(const FlowRecord& record) override;
    void DoDispose() override;

  private:
    class Connection;

    /**
     * @brief Make a packet of real bytes with TCP and IPv4 headers, for the CarryPackets attribute.
     * @param item the item that stands for it; gets the packet
     * @param payload application bytes
     */
    void AttachPacket(FabricItem* item, uint32_t payload) const;

    /**
     * @brief Take the headers off a packet of real bytes, as a host's stack would.
     * @param item the item; loses the packet
     */
    static void DetachPacket(FabricItem* item);

    void Forget(Connection* connection);

    uint32_t m_window;             //!< packets under way
    uint32_t m_payload;            //!< payload of a full packet in bytes
    uint32_t m_acknowledgment;     //!< size of an acknowledgment in bytes
    Time m_timeout;                //!< time without progress before packets are sent again
    bool m_carryPackets;           //!< true if every item carries an ns-3 Packet
    uint64_t m_retransmissions{0}; //!< transmissions beyond the first
    std::unordered_map<FlowId, std::unique_ptr<Connection>> m_connections; //!< those under way
    std::vector<std::unique_ptr<Connection>>
        m_finished; //!< over, but maybe still on the call stack
};

} // namespace ns3

#endif /* FIXED_WINDOW_TRANSPORT_H */
