/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_RATE_METER_H
#define PORT_RATE_METER_H

#include <boost/circular_buffer.hpp>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief tx of a port: what it has sent in a window of time. The paper names none.
 */
class PortRateMeter
{
  public:
    /// @brief Kinds of window.
    enum Kind
    {
        SLIDING, //!< the last window: it lags by half a window
        FIXED,   //!< the last complete one of windows in a row
        EWMA     //!< all before, with the window as time constant
    };

    /**
     * @brief Make a meter.
     * @param kind kind of window
     * @param window in time steps, above 0
     */
    PortRateMeter(Kind kind, int64_t window);

    /**
     * @brief A packet leaves.
     * @param bytes of the packet
     * @param now the current time, in time steps
     */
    void Count(uint32_t bytes, int64_t now);

    /**
     * @brief Read the meter.
     * @param now the current time, in time steps
     * @return bit/s
     */
    double GetRate(int64_t now);

  private:
    /// @brief A packet that left.
    struct Departure
    {
        int64_t time;   //!< departure
        uint32_t bytes; //!< its bytes
    };

    void Advance(int64_t now);

    Kind m_kind;                                    //!< kind of window
    int64_t m_window;                               //!< in time steps
    int64_t m_since{0};                             //!< begin of a fixed window; last of an EWMA
    double m_bytes{0};                              //!< in the window so far
    double m_complete{0};                           //!< in the last complete window
    boost::circular_buffer<Departure> m_departures; //!< in a sliding window
};

} // namespace ns3

#endif /* PORT_RATE_METER_H */
