/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef METER_TEST_H
#define METER_TEST_H

#include "ns3/meter.h"
#include "ns3/random-variable-stream.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup telemetry-tests
 * @brief A meter, one state, and the colours of what comes as letters.
 */
class MeterProbe
{
  public:
    /**
     * @param meter the profile
     */
    explicit MeterProbe(Ptr<const Meter> meter)
        : m_meter(meter),
          state(meter->Start(0))
    {
        meter->Check();
    }

    /**
     * @brief Packets come at once.
     * @param now the time in ns
     * @param count number of packets
     * @param bytes each
     * @param before the colour of all so far
     * @return a letter each: G, Y, R
     */
    std::string Send(int64_t now, int count, uint32_t bytes, Colour before = Colour::GREEN)
    {
        std::string colours;
        for (int i = 0; i < count; ++i)
        {
            colours += "GYR"[static_cast<int>(m_meter->Mark(state, now, bytes, before))];
        }
        return colours;
    }

  private:
    Ptr<const Meter> m_meter; //!< the profile

  public:
    Meter::State state; //!< of the class
};

/**
 * @ingroup telemetry-tests
 * @brief A packet that comes to a meter.
 */
struct MeterArrival
{
    int64_t time;   //!< in ns
    uint32_t bytes; //!< size
    Colour before;  //!< its colour so far
};

/**
 * @ingroup telemetry-tests
 * @brief Random packets.
 * @param random the random numbers
 * @param count number of packets
 * @param rate mean rate in bit/s, in turns much more and much less
 * @return the packets
 */
inline std::vector<MeterArrival>
MakeMeterArrivals(UniformRandomVariable& random, uint32_t count, double rate)
{
    std::vector<MeterArrival> arrivals;
    double time = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t bytes = random.GetInteger(64, 1500);
        const double load = (i / 200) % 2 == 0 ? 3 : 0.4;
        time += bytes * 8e9 / rate / load * random.GetValue(0, 2);
        arrivals.push_back(
            {static_cast<int64_t>(time), bytes, static_cast<Colour>(random.GetInteger(0, 2))});
    }
    return arrivals;
}

} // namespace ns3

#endif /* METER_TEST_H */
