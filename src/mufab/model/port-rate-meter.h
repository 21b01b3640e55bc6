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
 * @brief tx of a port: what it has sent in a sliding window of time, which lags by half a window.
 * The paper names none.
 */
class PortRateMeter
{
  public:
    /**
     * @brief Make a meter.
     * @param window in time steps, above 0
     */
    explicit PortRateMeter(int64_t window);

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

    int64_t m_window;                                   //!< in time steps
    double m_bytes{0};                                  //!< in the window
    boost::circular_buffer<Departure> m_departures{64}; //!< in the window
};

} // namespace ns3

#endif /* PORT_RATE_METER_H */
