/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TWO_STAGE_ADMISSION_H
#define TWO_STAGE_ADMISSION_H

#include <cstdint>
#include <optional>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief Two-stage traffic admission (uFAB Section 3.4): the window that is in force on a path.
 *
 * A pair that joins a path (scenario 1) starts with what it is guaranteed in one base RTT; one that
 * has sent less than its share (scenario 2) starts with that share. From there the window grows by
 * the share once per base RTT, until it is more than Eq. 3 gives; from then on Eq. 3 rules.
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
    double OnResponse(const Response& response, int64_t now, int64_t rtt);

    /**
     * @brief Window of the first stage.
     * @return bytes
     */
    double GetRamp() const
    {
        return m_ramp;
    }

    /**
     * @brief The stage.
     * @return the stage
     */
    Stage GetStage() const
    {
        return m_stage;
    }

  private:
    Stage m_stage{RAMP};                    //!< the stage
    double m_ramp{0};                       //!< window of the first stage, in bytes
    int64_t m_lastIncrement{INT64_MIN / 2}; //!< time of its last growth
};

} // namespace ns3

#endif /* TWO_STAGE_ADMISSION_H */
