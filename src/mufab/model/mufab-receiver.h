/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_RECEIVER_H
#define MUFAB_RECEIVER_H

#include "ns3/pair-receiver.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class ProbeExchange;

/**
 * @ingroup mufab
 * @brief The receiving end of a pair: counts data by path and acknowledges each packet, by the way
 * that it came.
 */
class MufabReceiver : public PairReceiver
{
  public:
    /**
     * @brief Make a receiver.
     * @param pair number of the pair
     * @param exchange knows the paths of the network, and makes acknowledgments
     */
    MufabReceiver(uint32_t pair, ProbeExchange& exchange);

    /**
     * @brief Acknowledge a packet that was counted by OnReceive().
     * @param item the packet; loses its route, for those above may use it to answer
     * @return the acknowledgment, to be sent before all that waits
     */
    FabricItem* Acknowledge(FabricItem& item);

    /**
     * @brief Data that came over a path.
     * @param path number of the path
     * @return bytes so far
     */
    uint64_t GetBytesOf(uint16_t path) const;

  private:
    /// @brief Bytes received over a path.
    struct PathCount
    {
        const uint16_t* forward; //!< its source route
        const uint16_t* back;    //!< the way back
        uint16_t index;          //!< its number
        uint64_t bytes;          //!< received so far
    };

    PathCount& Find(const FabricItem& item);

    ProbeExchange& m_exchange;       //!< of the network
    std::vector<PathCount> m_counts; //!< by path, in the order of first packets
};

} // namespace ns3

#endif /* MUFAB_RECEIVER_H */
