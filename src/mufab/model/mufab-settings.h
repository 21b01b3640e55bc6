/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_SETTINGS_H
#define MUFAB_SETTINGS_H

#include "bandwidth-share.h"
#include "path-choice.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief Settings that follow from the attributes of a MufabPairController, and its constants.
 * Times are in time steps.
 */
struct MufabSettings
{
    /// @brief Time at which a pair sends its next probe.
    enum ProbeClock
    {
        AFTER_RESPONSE, //!< so many bytes after the last response (Section 4.1)
        AFTER_PROBE,    //!< so many bytes after the last probe, if it was answered
        PERIODIC        //!< every so many base RTTs (Section 5.6)
    };

    /// @brief Window that a pair tells a link.
    enum Advertisement
    {
        USED, //!< the window in force: that of the first stage, or of Eq. 3 for this link
        EQ3   //!< always that of Eq. 3 for this link
    };

    /// Window in bytes that a pair keeps at least, so that it can recover (a choice).
    static constexpr double LEAST_WINDOW = 64;
    /// L_w in bytes (Section 5.4).
    static constexpr uint32_t PROBE_EVERY = 4096;
    /// Base RTTs after which a probe that was not answered is lost (Section 4.1), and data that
    /// were not acknowledged.
    static constexpr uint32_t TIMEOUT_ROUNDS = 8;
    /// Probes lost in a row after which a path counts as failed. The paper: consecutive ones.
    static constexpr uint32_t LOSSES_TO_FAIL = 2;
    /// Base RTTs without data after which a pair leaves. The paper: idle for a while. More keeps
    /// its tokens from others, fewer make it join again and again.
    static constexpr uint32_t IDLE_ROUNDS = 8;
    /// Base RTTs in a row in which the guarantee was missed that make a pair look for another path
    /// (Section 3.5).
    static constexpr uint32_t VIOLATION_ROUNDS = 5;
    /// Share of its guarantee that a backlogged pair must send at least. The paper has 1; a rate
    /// that is measured over few packets varies.
    static constexpr double VIOLATION_BELOW = 0.95;
    /// Least ratio of the rates that a pair may hope for on another path and on its own that makes
    /// the other a better one (Section 3.5, without a number).
    static constexpr double CONSERVATION_GAIN = 1.1;

    BandwidthShare share;        //!< B_u and eta
    int64_t largestRtt;          //!< T_max
    bool ownRtt;                 //!< Eq. 3 uses each path's own base RTT
    bool paced;                  //!< packets leave at window / RTT
    bool twoStage;               //!< admission has two stages
    Advertisement advertisement; //!< window that links are told
    ProbeClock clock;            //!< time of the next probe
    uint32_t probeRounds;        //!< n of PERIODIC
    int64_t giveUp;              //!< time after which no more finish probes are sent
    uint32_t candidates;         //!< paths that are asked at once
    PathPreference preference;   //!< choice among qualified paths
    int64_t retry;               //!< time until a failed path is asked again
    bool keepOrder;              //!< data wait until the old path is empty
    uint32_t pathsPerPair;       //!< underlay paths of a pair
    int64_t conservationPeriod;  //!< between looks at other paths; 0: none
    int64_t conservationTime;    //!< for which another path must have been better

    /**
     * @brief Time until a probe, or a packet, that was not answered is lost.
     * @return time steps
     */
    int64_t GetTimeout() const
    {
        return TIMEOUT_ROUNDS * largestRtt;
    }
};

} // namespace ns3

#endif /* MUFAB_SETTINGS_H */
