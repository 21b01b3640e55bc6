/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AFQ_SIZING_H
#define AFQ_SIZING_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup afq
 * @brief The arithmetic by which AFQ's parameters are chosen.
 */
class AfqSizing
{
  public:
    /// @brief Size of a sketch.
    struct Sketch
    {
        uint32_t rows;    //!< nH
        uint32_t columns; //!< nB
    };

    /**
     * @brief Bytes per round (Section 5): a sender like DCTCP needs a queue of a sixth of the
     * bandwidth-delay product, and a flow can hold nQ rounds.
     * @param rate of the link, l
     * @param rtt average round-trip time, d
     * @param queues FIFO queues of a port, nQ, at least 1
     * @return BpR = d l / (6 nQ) in bytes
     */
    static double GetBytesPerRound(DataRate rate, Time rtt, uint32_t queues);

    /**
     * @brief Queue that one flow needs for full utilisation (Section 5, Appendix C).
     * @param rate of the link
     * @param rtt average round-trip time
     * @return a sixth of the bandwidth-delay product, in bytes
     */
    static double GetQueueDemand(DataRate rate, Time rtt);

    /**
     * @brief Sketch with an error below epsilon times the sum of counts (Section 3.2), with the
     * natural logarithm that the theory of count-min sketches has.
     * @param epsilon relative error, above 0
     * @param delta probability that it is exceeded, above 0 and below 1
     * @return nB = e / epsilon and nH = ln(1 / delta), both rounded up
     */
    static Sketch GetSketch(double epsilon, double delta);

    /**
     * @brief The relative error of a sketch.
     * @param columns nB
     * @return epsilon = e / nB
     */
    static double GetEpsilon(uint32_t columns);

    /**
     * @brief The probability that a sketch's error is exceeded.
     * @param rows nH
     * @return delta = exp(-nH)
     */
    static double GetDelta(uint32_t rows);

    /**
     * @brief Memory of a sketch.
     * @param sketch its size
     * @param cellBits bits of a cell; 32 in the paper's switches
     * @return bytes per port
     */
    static uint64_t GetMemory(Sketch sketch, uint32_t cellBits = 32);
};

} // namespace ns3

#endif /* AFQ_SIZING_H */
