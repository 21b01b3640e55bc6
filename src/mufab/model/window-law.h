/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_LAW_H
#define WINDOW_LAW_H

#include "link-state.h"

#include "ns3/data-rate.h"
#include "ns3/type-id.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup mufab
 * uFAB's window law (Sections 3.3 and 3.4): from what switches tell of a path's links to the bytes
 * that a pair may have under way there. All of the law, with its constants and attributes, is here
 * and in window-law.cc; "Exercise" in doc/mufab.rst says what holds it as printed.
 *
 * For each link a response has Phi, W, tx and q; C is eta times the link's rate, T the base RTT. A
 * pair with phi tokens then has
 *
 * @verbatim
     Eq. 1   r = phi / Phi * C                                  what it may use at least
     Eq. 2   R = min(phi / Phi * sum(R) * C / tx, C)            with what others leave
     Eq. 3   w = min(phi / Phi * W * C T / (tx T + q), C T)     the same as a window
   @endverbatim
 *
 * and the least of all links counts (BandwidthShare). Eq. 3 alone would let each of many pairs
 * that wake up together send C T. So admission has two stages (TwoStageAdmission), w' being the
 * window of the first:
 *
 * @verbatim
     scenario 1: the pair joins the path                        w' = phi B_u T
     scenario 2: it sends less than r, for lack of data         w' = r T
     RAMP: once per base RTT                                    w' = w' + r T
           in force                                             min(w', w)
     UTILIZATION: from w' > w on, in force                      w
   @endverbatim
 *
 * WindowLaw puts the two together for one path. A SendWindow of src/edge enforces what it says: so
 * many bytes are under way at most, and with Pacing they leave at window / T.
 */

namespace ns3
{

/**
 * @ingroup mufab
 * @brief The edge's arithmetic for one link: Eqs. 1 to 3 and whether it can keep what it promised
 * (uFAB Sections 3.3 and 3.4). Rates in bit/s, windows in bytes, times in seconds.
 */
struct BandwidthShare
{
    double unit;         //!< B_u: what one token is guaranteed at least
    double utilization;  //!< eta: share of a link's rate that is to be used
    double windowCap{1}; //!< most that Eq. 3 gives, in C * T

    /// @brief C, the capacity of a link that is shared.
    double GetTarget(const LinkState& link) const
    {
        return utilization * link.capacity;
    }

    /// @brief phi / Phi. At most 1: a pair that the switch overlooked is not in Phi.
    static double GetFraction(double tokens, const LinkState& link);

    /// @brief Eq. 1: what a pair may use at least.
    double GetShare(double tokens, const LinkState& link) const;

    /**
     * @brief Eq. 2: what a pair may use, the link's rate considered.
     * @param tokens of the pair
     * @param link the link
     * @param sum of what Eq. 2 gave the link's pairs last, in bit/s
     * @return bit/s
     */
    double GetRate(double tokens, const LinkState& link, double sum) const;

    /**
     * @brief Eq. 3: what a pair may have under way.
     * @param tokens of the pair
     * @param link the link
     * @param rtt base RTT
     * @param own window that the pair has told the link: if the switch overlooked the pair, W may
     * be less
     * @return bytes
     */
    double GetWindow(double tokens, const LinkState& link, double rtt, double own = 0) const;

    /// @brief C * T, what a pair may have under way at most, whatever Eq. 3 gives.
    double GetBdp(const LinkState& link, double rtt) const
    {
        return GetTarget(link) * rtt / 8;
    }

    /**
     * @brief Capacity that is left when each pair gets its guarantee.
     * @param link the link
     * @param extra tokens of pairs that would come to it
     * @return bit/s; below 0: the link could not keep its promises
     */
    double GetHeadroom(const LinkState& link, double extra) const
    {
        return GetTarget(link) - (link.tokens + extra) * unit;
    }

    /**
     * @brief True if a link keeps its promises. Sums of fractions of tokens are not exact.
     * @param link the link
     * @param extra tokens of pairs that would come to it
     * @return true up to the capacity
     */
    bool IsQualified(const LinkState& link, double extra) const
    {
        return GetHeadroom(link, extra) >= -1e-9 * link.capacity;
    }

    /**
     * @brief Rate that a pair that is not there may hope for: its share, or what nobody uses. Eq. 2
     * is not defined for it.
     * @param tokens of the pair
     * @param link the link
     * @param extra tokens of these that the link does not know yet
     * @param own part of the link's rate that is the pair's own, in bit/s
     * @return bit/s
     */
    double PredictRate(double tokens, const LinkState& link, double extra, double own) const;
};

/**
 * @ingroup mufab
 * @brief Two-stage traffic admission (uFAB Section 3.4): the window that is in force on a path.
 */
class TwoStageAdmission
{
  public:
    /// @brief Stages of admission.
    enum Stage : uint8_t
    {
        RAMP,       //!< the window grows by the share
        UTILIZATION //!< Eq. 3 rules
    };

    /// @brief Values that follow from a response.
    struct Response
    {
        double utilizationWindow; //!< window of Eq. 3, the least of all links, in bytes
        double shareWindow;       //!< share of Eq. 1 in a base RTT, the least of all links
        bool isDemandLimited;     //!< true if the pair sends less than its share for lack of data
        std::optional<double> growth{}; //!< of the first stage's window, in bytes; none: the share
    };

    /**
     * @brief Scenario 1: the pair joins a path.
     * @param bootstrap the pair's guarantee in one base RTT, in bytes
     */
    void Join(double bootstrap);

    /**
     * @brief A response came.
     * @param response its values
     * @param now the current time, in time steps
     * @param rtt base RTT, in time steps: least time between two increments
     * @return the window in force, in bytes
     */
    double HandleResponse(const Response& response, int64_t now, int64_t rtt);

    /// @return window of the first stage, in bytes
    double GetRamp() const
    {
        return m_ramp;
    }

    /// @return the stage
    Stage GetStage() const
    {
        return m_stage;
    }

  private:
    Stage m_stage{RAMP};                    //!< the stage
    double m_ramp{0};                       //!< window of the first stage, in bytes
    int64_t m_lastIncrement{INT64_MIN / 2}; //!< time of its last growth
};

/**
 * @ingroup mufab
 * @brief The window of a pair on one path, and what the pair tells each link of it.
 *
 * A link is told its own window of Eq. 3, not the least of the path (W is a sum per link), and in
 * the first stage no more than is in force, unless Advertisement says otherwise.
 */
class WindowLaw
{
  public:
    /// @brief Window that a pair tells a link.
    enum Advertisement
    {
        USED, //!< the window in force: that of the first stage, or of Eq. 3 for this link
        EQ3   //!< always that of Eq. 3 for this link
    };

    /// @brief The settings of the law. A controller that has them as a base has their attributes.
    struct Settings
    {
        virtual ~Settings() = default;

        DataRate unit;                 //!< attribute UnitBandwidth: B_u
        double utilization{};          //!< attribute TargetUtilization: eta
        bool ownRtt{};                 //!< attribute OwnRtt
        bool paced{};                  //!< attribute Pacing
        bool twoStage{};               //!< attribute TwoStage
        Advertisement advertisement{}; //!< attribute Advertisement
        double windowCap{};            //!< attribute WindowCap

        /**
         * @brief By how much the window of the first stage grows once per base RTT. A derived
         * controller may have another rule.
         * @param ramp the window, in bytes
         * @param share the share of Eq. 1 in a base RTT, in bytes
         * @return bytes; in the paper the share (Section 3.4)
         */
        virtual double GetGrowth(double ramp, double share) const;

        /// @return B_u in bit/s
        double GetUnit() const
        {
            return static_cast<double>(unit.GetBitRate());
        }

        /// @return Eqs. 1 to 3 with these settings
        BandwidthShare GetEquations() const
        {
            return {GetUnit(), utilization, windowCap};
        }

        /**
         * @brief Add the attributes.
         * @param tid of a controller that has the settings as a base
         * @return the same
         */
        static TypeId AddAttributes(TypeId tid);

        /**
         * @brief Check the attributes.
         * @throws InputError if one has a value that no network allows
         */
        void CheckAttributes() const;
    };

    /// Window in bytes that a pair keeps at least, so that it can recover (a choice).
    static constexpr double LEAST_WINDOW = 64;

    /**
     * @brief Make the law of a path that the pair has not joined.
     * @param settings outlive the law
     * @param rtt T, in time steps
     * @param links number of links that tell their state
     * @param firstRate rate of the first link beyond the host's own, in bit/s
     */
    WindowLaw(const Settings& settings, int64_t rtt, std::size_t links, double firstRate);

    /**
     * @brief The pair joins the path: scenario 1, or one target BDP of the first link if there is
     * no first stage. Until the first response all links are told that.
     * @param tokens phi of the pair on this path
     * @return the window in force, in bytes
     */
    double Join(double tokens);

    /**
     * @brief The path was down and is back. Nothing was sent, and so all its links may seem idle:
     * scenario 1 again.
     * @param tokens phi of the pair on this path
     * @return the window in force, in bytes
     */
    double Rejoin(double tokens);

    /// @brief The pair, as it is when a response comes.
    struct Sender
    {
        double tokens;     //!< phi on this path
        double rate;       //!< rate since the response before, in bit/s
        bool isBacklogged; //!< true if data wait
    };

    /**
     * @brief A response came.
     * @param links state of each link. With none nobody tells anything, and the pair has what it is
     * guaranteed, and no more
     * @param told window that each link was told last, in bytes
     * @param sender the pair
     * @param now the current time, in time steps
     * @return the window in force, in bytes
     */
    double HandleResponse(const std::vector<LinkState>& links,
                          const std::vector<double>& told,
                          const Sender& sender,
                          int64_t now);

    /**
     * @brief The window that a link is to be told next.
     * @param link number of the link
     * @return bytes
     */
    double GetAdvertised(std::size_t link) const;

    /// @return Eqs. 1 to 3
    const BandwidthShare& GetEquations() const
    {
        return m_equations;
    }

    /// @return the stage of admission
    TwoStageAdmission::Stage GetStage() const
    {
        return m_admission.GetStage();
    }

  private:
    double SetWindow(double window);
    double GetGuaranteed(double tokens) const;

    const Settings& m_settings;    //!< of the host
    BandwidthShare m_equations;    //!< Eqs. 1 to 3
    int64_t m_rtt;                 //!< T in time steps
    double m_seconds;              //!< T in seconds
    double m_firstBdp;             //!< C T of the first link
    TwoStageAdmission m_admission; //!< the two stages
    std::vector<double> m_windows; //!< w of Eq. 3, by link
    double m_window{0};            //!< in force
};

} // namespace ns3

#endif /* WINDOW_LAW_H */
