/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UPDATE_DELAY_H
#define UPDATE_DELAY_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Time that it takes to program limiters (Nimble, SOSR 2021, Section 6.3.3). The paper does
 * not say whether they are programmed one after another.
 */
class UpdateDelay : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /// @brief Updates that wait for one another.
    enum Order
    {
        PARALLEL,         //!< none
        DEVICE_SERIAL,    //!< those of one host or switch
        CONTROLLER_SERIAL //!< all
    };

    /// @brief Draw the delay of one update.
    virtual Time Draw() = 0;

    /**
     * @brief Issue updates now.
     * @param devices the host or switch of each update, in the order in which they are issued
     * @return time until each is in effect, from now
     */
    std::vector<Time> Issue(const std::vector<uint32_t>& devices);

    /**
     * @brief Assign fixed random variable stream numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  private:
    Order m_order;                   //!< attribute Order
    std::map<uint32_t, Time> m_busy; //!< until when, by device; 0 for the controller's own queue
};

/**
 * @ingroup nimble
 * @brief All updates take the same time.
 */
class ConstantUpdateDelay : public UpdateDelay
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    Time Draw() override;

  private:
    Time m_delay; //!< attribute Delay
};

/**
 * @ingroup nimble
 * @brief The paper's delays: normal, mean 1 ms, variance 10 ms.
 *
 * Read as a variance of 10 ms^2, 37.6 % of such delays are negative; whether these count as 0 or
 * are drawn again the paper does not say.
 */
class NormalUpdateDelay : public UpdateDelay
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /// @brief Treatment of a negative delay.
    enum Negative
    {
        CLAMP, //!< it counts as 0
        REDRAW //!< it is drawn again
    };

    NormalUpdateDelay();

    Time Draw() override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Time m_mean;                      //!< attribute Mean
    double m_variance;                //!< attribute Variance
    Negative m_negative;              //!< attribute Negative
    Ptr<NormalRandomVariable> m_draw; //!< mean 0, variance 1
};

} // namespace ns3

#endif /* UPDATE_DELAY_H */
