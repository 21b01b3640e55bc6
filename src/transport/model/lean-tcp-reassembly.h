/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_REASSEMBLY_H
#define LEAN_TCP_REASSEMBLY_H

#include "lean-tcp-header.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lean-tcp
 * @brief Bytes that a TCP receiver has: all below the next one expected, and some above gaps.
 *
 * The ranges above gaps stand in the order of their latest change, as RFC 2018, section 4 wants
 * them reported.
 */
class LeanTcpReassembly
{
  public:
    /// @brief Effect of a segment.
    enum Result
    {
        IN_ORDER,     //!< it was expected next and there was no gap
        FILLS_GAP,    //!< it was expected next and lies below a gap
        OUT_OF_ORDER, //!< it lies above a gap
        DUPLICATE,    //!< all of it had come before
    };

    /**
     * @brief Set up.
     * @param likeNs3 true to report as ns-3's TcpRxBuffer does, which remembers four ranges and
     *        never reports again what it forgot; RFC 2018, section 4 wants as many ranges as there
     *        is room for
     */
    explicit LeanTcpReassembly(bool likeNs3)
        : m_likeNs3(likeNs3)
    {
    }

    /**
     * @brief A segment came.
     * @param begin first byte
     * @param end first byte behind
     * @return the effect of the segment
     */
    Result Add(uint64_t begin, uint64_t end);

    /**
     * @brief Next byte expected.
     * @return RCV.NXT
     */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /**
     * @brief Report the ranges above gaps.
     * @param header gets the blocks, the latest first
     * @param limit most blocks to write
     */
    void WriteSack(LeanTcpHeader& header, uint32_t limit) const;

  private:
    /// @brief Bytes without a gap.
    struct Range
    {
        uint64_t begin; //!< first byte
        uint64_t end;   //!< first byte behind
    };

    Result Insert(uint64_t begin, uint64_t end);
    void Remember(Range latest);

    uint64_t m_next{0};              //!< next byte expected
    std::vector<Range> m_ranges;     //!< above gaps, the latest first
    std::vector<Range> m_remembered; //!< ranges that TcpRxBuffer would report, latest first
    bool m_likeNs3;                  //!< true if those are reported
};

} // namespace ns3

#endif /* LEAN_TCP_REASSEMBLY_H */
