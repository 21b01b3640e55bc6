/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_SCOREBOARD_H
#define LEAN_TCP_SCOREBOARD_H

#include "ns3/huge-pages.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lean-tcp
 * @brief State of each outstanding segment at a TCP sender (RFC 6675, section 3).
 *
 * Segments stand in a ring in the order of their bytes and keep their boundaries when they are sent
 * again. Each has a number that counts from the start of the connection. Ranges of segments that
 * were selectively acknowledged are kept besides, so that neither an acknowledgment nor the search
 * for the next segment to send ever walks over the window: every step is amortised over segments.
 */
class LeanTcpScoreboard
{
  public:
    /// @brief Bits of Segment::flags.
    enum Flag : uint8_t
    {
        SACKED = 1,        //!< selectively acknowledged
        LOST = 2,          //!< taken to be lost
        RETRANSMITTED = 4, //!< sent again since it was taken to be lost
        AMBIGUOUS = 8,     //!< sent more than once: no RTT sample (Karn; RFC 6298, section 3)
        UNTIMED = 16,      //!< sent before a timeout, at which TcpSocketBase forgets all times
    };

    /// @brief One outstanding segment.
    struct Segment
    {
        uint64_t begin;  //!< first byte
        int64_t sent;    //!< time of the last transmission in time steps
        uint16_t length; //!< payload in bytes
        uint8_t flags;   //!< see Flag
    };

    /// @brief For estimating the delivery rate: the connection's state when a segment was sent.
    struct RateMark
    {
        uint64_t delivered;    //!< bytes delivered by then
        int64_t deliveredTime; //!< time of the last delivery
        int64_t firstSent;     //!< start of the sending interval
        bool appLimited;       //!< true if the application had nothing more to send
    };

    /// @brief Segments that an acknowledgment covers for the first time.
    struct Delivery
    {
        uint32_t bytes{0};             //!< delivered now, cumulatively or selectively
        uint32_t sackedBytes{0};       //!< of these, selectively
        bool retransmitted{false};     //!< true if a retransmission was acknowledged cumulatively
        int64_t earliestSent{NEVER};   //!< send time of the first segment cumulatively acknowledged
        int64_t latestSent{NEVER};     //!< send time of the last one
        int64_t newestSent{NEVER};     //!< latest transmission among all segments delivered
        uint64_t newestEnd{0};         //!< end of that segment
        bool newestAmbiguous{false};   //!< true if it was sent more than once
        const RateMark* mark{nullptr}; //!< of the segment sent last; valid until the next call
        int64_t markSent{0};           //!< send time of that segment
    };

    static constexpr int64_t NEVER = -1; //!< no time

    /**
     * @brief Set up.
     * @param threshold segments that must be SACKed above one for it to be lost (DupThresh)
     * @param rateMarks true to keep a RateMark per segment
     * @param likeNs3 true to count as ns-3's TcpTxBuffer does
     */
    LeanTcpScoreboard(uint32_t threshold, bool rateMarks, bool likeNs3);

    // ---- Sequence space ----

    /**
     * @brief First byte not acknowledged.
     * @return SND.UNA
     */
    uint64_t GetHead() const
    {
        return m_head;
    }

    /**
     * @brief First byte never sent.
     * @return SND.NXT, never set back
     */
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// @brief True if everything sent was acknowledged.
    bool IsEmpty() const
    {
        return m_first == m_last;
    }

    /**
     * @brief Bytes taken to be in the network.
     * @return "pipe" of RFC 6675 in bytes
     */
    uint32_t GetPipe() const
    {
        const auto outstanding = static_cast<uint32_t>(m_end - m_head);
        return outstanding - m_sackedBytes - m_lostBytes + m_retransmittedBytes;
    }

    /// @brief Bytes taken to be lost and not delivered since.
    uint32_t GetLostBytes() const
    {
        return m_lostBytes;
    }

    // ---- Sending ----

    /**
     * @brief A segment of new data is sent.
     * @param length payload in bytes
     * @param now current time in time steps
     * @return its number
     */
    uint64_t Append(uint16_t length, int64_t now);

    /**
     * @brief A segment is sent again.
     * @param number of the segment
     * @param now current time in time steps
     */
    void Retransmit(uint64_t number, int64_t now);

    /**
     * @brief A segment.
     * @param number of the segment, outstanding
     * @return the segment
     */
    const Segment& GetSegment(uint64_t number) const
    {
        return m_ring[number & m_mask];
    }

    /**
     * @brief State of the connection when a segment was sent, for the caller to write.
     * @param number of the segment
     * @return the mark
     */
    RateMark& GetRateMark(uint64_t number)
    {
        return m_marks[number & m_mask];
    }

    /// @brief Number of the first outstanding segment.
    uint64_t GetFirst() const
    {
        return m_first;
    }

    /**
     * @brief Number of the next new segment.
     * @return the number, one more than that of the last outstanding segment
     */
    uint64_t GetLast() const
    {
        return m_last;
    }

    /**
     * @brief NextSeg() rule 1 of RFC 6675: the first segment that is lost and not sent again.
     * @return its number, or GetLast() if there is none
     */
    uint64_t FindLost();

    /**
     * @brief NextSeg() rule 3 of RFC 6675: the first segment below a SACKed one that is neither
     *        SACKed nor sent again, although not taken to be lost.
     * @return its number, or GetLast() if there is none
     */
    uint64_t FindDoubtful();

    /// @brief True if the first outstanding segment is taken to be lost.
    bool IsHeadLost() const
    {
        return !IsEmpty() && (At(m_first).flags & LOST);
    }

    /// @brief True if the first outstanding segment was sent again since it was taken to be lost.
    bool IsHeadRetransmitted() const
    {
        return !IsEmpty() && (At(m_first).flags & RETRANSMITTED);
    }

    // ---- Receiving acknowledgments ----

    /**
     * @brief Bytes were selectively acknowledged.
     * @param begin first byte
     * @param end first byte behind
     * @param delivery adds what was not known before
     */
    void Sack(uint64_t begin, uint64_t end, Delivery& delivery);

    /**
     * @brief All bytes below a number were acknowledged.
     * @param head first byte not acknowledged
     * @param delivery adds what was not known before
     */
    void Acknowledge(uint64_t head, Delivery& delivery);

    /// @brief Take segments to be lost that have DupThresh SACKed segments above (RFC 6675,
    /// IsLost).
    void DetectLost();

    /**
     * @brief Take segments to be lost by time (RFC 8985, section 6.2, step 5).
     * @param newestSent transmission time of the segment sent last among those delivered
     * @param newestEnd the end of that segment, which orders segments of equal time
     * @param deadline those sent up to this time are lost, the others later
     * @return transmission time of the first one not yet lost, or NEVER
     */
    int64_t DetectLostByTime(int64_t newestSent, uint64_t newestEnd, int64_t deadline);

    /// @brief Take the first outstanding segment to be lost, whether sent again or not.
    void MarkHeadLost();

    /// @brief After a timeout: take all that is not SACKed to be lost, sent again or not.
    void MarkAllLost();

    // ---- Without SACK: duplicate acknowledgments are counted instead (RFC 6582) ----

    /// @brief A duplicate acknowledgment says that some segment was delivered.
    void AddDuplicate();

    /// @brief Forget duplicate acknowledgments.
    void ClearDuplicates();

    /// @brief True if some segment is SACKed.
    bool HasSacked() const
    {
        return !m_sacked.empty();
    }

    /// @brief Bytes SACKed, or taken to be delivered because of duplicate acknowledgments.
    uint32_t GetSackedBytes() const
    {
        return m_sackedBytes;
    }

  private:
    /// @brief Segments SACKed without a gap, by number.
    struct Range
    {
        uint64_t begin; //!< first segment
        uint64_t end;   //!< first segment behind
    };

    Segment& At(uint64_t number)
    {
        return m_ring[number & m_mask];
    }

    const Segment& At(uint64_t number) const
    {
        return m_ring[number & m_mask];
    }

    void Grow();
    uint64_t Find(uint64_t byte) const;
    void SackSegments(uint64_t begin, uint64_t end, Delivery& delivery);
    void MarkLost(uint64_t number);
    void RecordDelivered(uint64_t number, Delivery& delivery) const;
    void UpdateDuplicates();

    /// @brief Segments by number modulo their count, which grows.
    using Ring = std::vector<Segment, PooledAllocator<Segment>>;

    Ring m_ring;                      //!< outstanding segments by number modulo its size
    std::vector<RateMark> m_marks;    //!< of the segments, or empty
    uint64_t m_mask;                  //!< size of the ring less one
    uint64_t m_first{0};              //!< first outstanding segment
    uint64_t m_last{0};               //!< next new segment
    uint64_t m_head{0};               //!< first byte not acknowledged
    uint64_t m_end{0};                //!< first byte never sent
    uint64_t m_lostEdge{0};           //!< DetectLost() was done below
    uint64_t m_nextLost{0};           //!< no segment below waits to be sent again
    std::vector<Range> m_sacked;      //!< ranges SACKed, in rising order
    uint32_t m_sackedBytes{0};        //!< of SACKed segments, or of counted duplicates
    uint32_t m_lostBytes{0};          //!< of lost segments
    uint32_t m_retransmittedBytes{0}; //!< of retransmitted segments that may be on their way
    uint32_t m_duplicates{0};         //!< without SACK: segments delivered above the head
    uint32_t m_threshold;             //!< DupThresh
    bool m_rateMarks;                 //!< true if m_marks is kept
    bool m_likeNs3;                   //!< true to count as TcpTxBuffer does
};

} // namespace ns3

#endif /* LEAN_TCP_SCOREBOARD_H */
