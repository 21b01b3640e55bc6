/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_RECEIVER_H
#define PACKET_PAIR_RECEIVER_H

#include "packet-pair-segment.h"

#include "ns3/fabric-item.h"
#include "ns3/lean-tcp-reassembly.h"

namespace ns3
{

class PacketPairConnection;

/**
 * @ingroup packet-pair
 * @brief The end of a connection that gets data, measures the gap of each pair, and acknowledges.
 */
class PacketPairReceiver : public ItemSink
{
  public:
    /**
     * @brief Set up.
     * @param connection of the receiver
     */
    explicit PacketPairReceiver(PacketPairConnection& connection);

    /**
     * @brief OnPacketReceive of Fig. 13.
     * @param item a packet of data
     */
    void ReceiveItem(FabricItem* item) override;
    std::optional<Payload> GetPayload(FabricItem& item) const override;

  private:
    /**
     * @brief Measure.
     * @param data a packet that is not the first of a pair
     * @return gap to the first packet of the same pair; 0: that did not come just before
     */
    int64_t MeasureGap(const PacketPairSegment& data) const;

    /**
     * @brief Acknowledge all that came so far.
     * @param echo time of sending to be echoed
     * @param gap measured, or 0
     */
    void Acknowledge(int64_t echo, int64_t gap);

    PacketPairConnection& m_connection; //!< the receiver's connection
    LeanTcpReassembly m_data{false};    //!< data received
    int64_t m_firstArrival{0};          //!< arrival of the first packet of the latest pair
    int64_t m_firstSent{0};             //!< its time of sending
    uint64_t m_firstEnd{0};             //!< first byte behind it
    uint32_t m_firstPair{0};            //!< number of its pair
    bool m_awaitsSecond{false};         //!< true if the second packet of the pair may come
    bool m_marked{false};               //!< true if data not yet acknowledged was marked
};

} // namespace ns3

#endif /* PACKET_PAIR_RECEIVER_H */
