/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPTCP_SUBFLOW_H
#define MPTCP_SUBFLOW_H

#include "flow.h"
#include "lean-tcp-connection.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class MptcpConnection;

/**
 * @ingroup lean-tcp
 * @defgroup mptcp Multipath TCP
 * @brief Multipath TCP (RFC 8684) over lean TCP.
 */

/**
 * @ingroup mptcp
 * @brief The way of a subflow, as source routes; without, routing decides by the 5-tuple.
 */
struct MptcpPath
{
    const uint16_t* forward{nullptr}; //!< of packets to the receiver (FabricItem::route)
    const uint16_t* back{nullptr};    //!< of packets to the sender
};

/**
 * @ingroup mptcp
 * @brief A lean TCP connection that carries part of the data of a multipath connection: sequence
 * space, losses, timers and window are its own.
 */
class MptcpSubflow : public LeanTcpConnection
{
  public:
    /**
     * @brief Set up; nothing is sent yet.
     * @param transport the owner of the subflow
     * @param connection the connection whose data it carries
     * @param request has the hosts
     * @param path the way of its packets
     */
    MptcpSubflow(LeanTransport& transport,
                 std::shared_ptr<MptcpConnection> connection,
                 const FlowRequest& request,
                 const MptcpPath& path);

    /**
     * @brief Send packets on another way from now on.
     * @param path the way
     */
    void SetPath(const MptcpPath& path)
    {
        SetRoutes(path.forward, path.back);
    }

    /**
     * @brief Visit data that is outstanding and was not visited before, unless the receiver is
     * known to have it.
     * @param visit takes its begin and end in the data
     */
    template <class Visit>
    void ForEachOutstanding(const Visit& visit)
    {
        const LeanTcpScoreboard& board = GetSender().GetScoreboard();
        for (m_visited = std::max(m_visited, board.GetFirst()); m_visited < board.GetLast();
             ++m_visited)
        {
            const LeanTcpScoreboard::Segment& segment = board.GetSegment(m_visited);
            if (!(segment.flags & LeanTcpScoreboard::SACKED))
            {
                const uint64_t begin = GetPlace(m_visited);
                visit(begin, begin + segment.length);
            }
        }
    }

    void OnSent(uint64_t end) override;
    void OnDelivered(uint64_t next) override;
    void OnAcknowledged(uint64_t head) override;
    uint64_t GetStreamEnd() override;
    void MapData(uint64_t number, LeanTcpHeader& header) override;
    void OnMappedData(const LeanTcpHeader& header) override;
    void AcknowledgeData(LeanTcpHeader& header) override;
    void OnDataAcknowledgment(const LeanTcpHeader& header) override;
    void OnEstablished() override;
    void OnTimeout() override;

  private:
    uint64_t& GetPlace(uint64_t number)
    {
        return m_places[number & (m_places.size() - 1)];
    }

    void GrowPlaces();

    std::shared_ptr<MptcpConnection> m_connection; //!< the connection whose data it carries
    std::vector<uint64_t> m_places; //!< of outstanding segments in the data, by number modulo size
    uint64_t m_segments{0};         //!< segments sent, each counted once
    uint64_t m_sent{0};             //!< their bytes
    uint64_t m_visited{0};          //!< ForEachOutstanding() visited the segments below
};

} // namespace ns3

#endif /* MPTCP_SUBFLOW_H */
