/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECEIVER_RATE_LAW_H
#define RECEIVER_RATE_LAW_H

namespace ns3
{

/**
 * @ingroup schemes
 * @brief The rate that a receiving VM grants each of its senders: EyeQ's receive module (Jeyakumar
 * et al., NSDI 2013, Section 4), an RCP with one meter per VM. The bandwidth part of PicNIC
 * (SIGCOMM 2019), which uFAB compares with as PicNIC'.
 *
 * All rates are in bit/s.
 */
class ReceiverRateLaw
{
  public:
    /**
     * @brief Start with all of the link.
     * @param gain alpha: share of the relative excess by which the rate changes
     * @param least the rate goes no lower
     * @param rate first rate
     */
    ReceiverRateLaw(double gain, double least, double rate);

    /**
     * @brief A control interval ended.
     * @param measured rate at which the VM received in it, y
     * @param capacity rate at which the VM may receive, C
     */
    void Update(double measured, double capacity);

    /// @brief The rate granted to each sender, R.
    double GetRate() const
    {
        return m_rate;
    }

  private:
    double m_gain;  //!< alpha
    double m_least; //!< R_min
    double m_rate;  //!< R
};

} // namespace ns3

#endif /* RECEIVER_RATE_LAW_H */
