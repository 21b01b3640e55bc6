/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPARE_RATE_LAW_H
#define SPARE_RATE_LAW_H

#include <vector>

namespace ns3
{

/**
 * @ingroup trinity
 * @brief The rates of the pairs of a host beyond their guarantees: Trinity's work-conserving rates
 * R_W (Section 3.3, Eqs. 3 to 6). Arithmetic alone; rates are in bit/s.
 *
 * A pair whose last report was good is in set P and gets its share of the spare capacity by its
 * guarantee, without probing. One that met congestion is in set Q: it backs off in proportion to
 * the marks, grows again from there, and returns to P when it has reached what it would have in P.
 */
class SpareRateLaw
{
  public:
    /// @brief Readings of what the paper leaves open.
    enum Profile
    {
        LITERAL,  //!< Eq. 5 uses the share of marks in the last interval
        SMOOTHED, //!< Eq. 5 uses a moving average of it, as in DCTCP
        PROTOTYPE //!< the rule of the authors' prototype, which knows no sets
    };

    /// @brief Feedback on a pair in an interval.
    enum Feedback
    {
        NO_REPORT, //!< no report came: R_W stays as it is, in Q
        REPORT,    //!< the share of marks, in #beta
        TRAPPED    //!< its packets are stuck behind guaranteed traffic (Section 3.3, Problem 2)
    };

    /// @brief A pair with something to send.
    struct Pair
    {
        double guarantee{0};          //!< R_G
        double rate{0};               //!< R_W
        double estimate{0};           //!< moving average of beta
        double beta{0};               //!< share of marks in the last interval
        Feedback feedback{NO_REPORT}; //!< of the last interval; Update() takes it
        bool isCautious{false};       //!< in Q, and not in P
    };

    /// @brief The law's constants.
    struct Settings
    {
        Profile profile{LITERAL}; //!< the reading
        double alpha{0.5};        //!< growth per interval in Q (Eq. 6); of the gap with PROTOTYPE
        double gain{1};           //!< weight of the last interval in the moving average
        double least{10e3};       //!< least R_W in Q: nothing grows from 0
        double trapped{10e3};     //!< R_W of a pair that is trapped (Section 3.3)
        double leastStep{10e6};   //!< with PROTOTYPE: least growth per interval
    };

    SpareRateLaw() = default;

    /**
     * @brief Choose the constants.
     * @param settings the constants
     */
    explicit SpareRateLaw(const Settings& settings);

    /**
     * @brief An interval ended: take the feedback on all pairs.
     * @param capacity of the host's link, C in Eq. 2
     * @param spare the part of it that is not guaranteed, C_W in Eq. 2
     * @param pairs those of the host that have something to send
     */
    void Update(double capacity, double spare, const std::vector<Pair*>& pairs) const;

    /**
     * @brief Share among the pairs in P what those in Q leave (Eqs. 3 and 4). Update() does it;
     * needed by itself when a pair joins.
     * @param spare capacity that is not guaranteed, C_W in Eq. 2
     * @param pairs those of the host that have something to send
     */
    void ShareFree(double spare, const std::vector<Pair*>& pairs) const;

  private:
    static void MoveCongested(const std::vector<Pair*>& pairs);
    void UpdateCautious(double spare, const std::vector<Pair*>& pairs) const;
    void UpdateAsPrototype(double capacity, Pair& pair) const;

    Settings m_settings; //!< the constants
};

} // namespace ns3

#endif /* SPARE_RATE_LAW_H */
