/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCQCN_REACTION_POINT_H
#define DCQCN_REACTION_POINT_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup transport
 * @brief DCQCN's reaction point: the rate of a flow (Zhu et al., SIGCOMM 2015, Section 3.1).
 *
 * A flow sends at the rate of its link until the first congestion notification (CNP) comes. Each
 * CNP cuts the rate by half of alpha, the estimate of how congested the network is. From then on
 * the rate grows at the ticks of a timer and of a counter of bytes: F times half-way back to where
 * it was (fast recovery), then that target is raised by AdditiveRate (additive increase), and when
 * both have ticked more than F times by more and more (hyper increase). A flow that is back at the
 * rate of its link is no longer limited.
 *
 * Plain arithmetic: the owner tells the time, what was sent and what came.
 */
class DcqcnReactionPoint
{
  public:
    static constexpr int64_t NEVER = INT64_MAX / 2; //!< a time that does not come

    /// @brief The constants. Rates are in bit/s, times in time steps.
    struct Parameters
    {
        double gain;           //!< g, weight of the latest notification in alpha
        int64_t alphaPeriod;   //!< K, time without a CNP after which alpha decays
        int64_t timer;         //!< T, from tick to tick of the timer
        uint64_t byteCounter;  //!< B, bytes from tick to tick of the counter
        uint32_t fastRecovery; //!< F, ticks of fast recovery
        double additiveRate;   //!< R_AI; 0: a thousandth of the link's rate
        double hyperRate;      //!< R_HAI; 0: ten times R_AI
        double minRate;        //!< least rate
    };

    /**
     * @brief Start at the rate of the link.
     * @param parameters the constants; outlive the object
     * @param lineRate rate of the link in bit/s
     */
    DcqcnReactionPoint(const Parameters& parameters, double lineRate);

    /**
     * @brief A congestion notification came (Equation 1).
     * @param now the current time
     */
    void HandleNotification(int64_t now);

    /**
     * @brief A packet was sent; maybe the byte counter ticks.
     * @param bytes size of the packet
     */
    void HandleSent(uint64_t bytes);

    /**
     * @brief The timer ticks if its time has come.
     * @param now the current time
     */
    void HandleTimer(int64_t now);

    /// @brief Time of the timer's next tick; NEVER while the flow is not limited.
    int64_t GetNextTick() const
    {
        return m_limited ? m_nextTick : NEVER;
    }

    /// @brief The flow's rate, R_C, in bit/s.
    double GetRate() const
    {
        return m_rate;
    }

    /// @brief Rate to recover to, R_T, in bit/s.
    double GetTargetRate() const
    {
        return m_target;
    }

    /**
     * @brief Estimate of congestion (Equations 1 and 2).
     * @param now the current time
     * @return between 0 and 1
     */
    double GetAlpha(int64_t now) const;

    /**
     * @brief True while a rate limit holds.
     * @return false before the first CNP and when the rate of the link is reached again
     */
    bool IsLimited() const
    {
        return m_limited;
    }

  private:
    void Increase();

    const Parameters& m_parameters; //!< the constants
    double m_lineRate;              //!< of the link
    double m_additiveRate;          //!< R_AI
    double m_hyperRate;             //!< R_HAI
    double m_rate;                  //!< R_C
    double m_target;                //!< R_T
    double m_alpha{1};              //!< at m_alphaTime
    int64_t m_alphaTime{0};         //!< time of the last CNP that changed m_alpha
    int64_t m_nextTick{0};          //!< of the timer
    uint64_t m_bytes{0};            //!< since the byte counter's last tick
    uint32_t m_timerTicks{0};       //!< since the last CNP
    uint32_t m_byteTicks{0};        //!< since the last CNP
    bool m_limited{false};          //!< see IsLimited()
};

} // namespace ns3

#endif /* DCQCN_REACTION_POINT_H */
