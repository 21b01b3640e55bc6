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
 * @brief Settings that follow from the attributes of a MufabPairController. Times are in time
 * steps.
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
        USED,  //!< the window in force: that of the first stage, or of Eq. 3 for this link
        EQ3,   //!< always that of Eq. 3 for this link
        HYBRID //!< USED, but a pair that lacks data tells up to a multiple of its share
    };

    BandwidthShare share;        //!< B_u and eta
    int64_t largestRtt;          //!< T_max
    bool ownRtt;                 //!< Eq. 3 uses each path's own base RTT
    bool paced;                  //!< packets leave at window / RTT
    bool twoStage;               //!< admission has two stages
    Advertisement advertisement; //!< window that links are told
    double hybridFactor;         //!< the multiple of HYBRID
    double damping;              //!< kappa: how far a window moves towards Eq. 3
    bool leastQueue;             //!< the lesser of the last two queue lengths counts
    double leastWindow;          //!< in bytes
    ProbeClock clock;            //!< time of the next probe
    uint32_t probeEvery;         //!< L_w in bytes
    uint32_t probeRounds;        //!< n of PERIODIC
    uint32_t timeoutRounds;      //!< base RTTs until a probe is lost
    uint32_t lossesToFail;       //!< probes lost in a row that make a path a failed one
    uint32_t idleRounds;         //!< base RTTs without data until a pair has left
    int64_t giveUp;              //!< time after which no more finish probes are sent
    uint32_t violationRounds;    //!< bad base RTTs in a row that make a pair migrate
    double violationBelow;       //!< share of the guarantee below which a rate is bad
    uint32_t candidates;         //!< paths that are asked at once
    PathPreference preference;   //!< choice among qualified paths
    int64_t retry;               //!< time until a failed path is asked again
    bool keepOrder;              //!< data wait until the old path is empty
    uint32_t pathsPerPair;       //!< underlay paths of a pair
    int64_t conservationPeriod;  //!< between looks at other paths; 0: none
    int64_t conservationTime;    //!< for which another path must have been better
    double conservationGain;     //!< least factor by which it is better

    /**
     * @brief Time until a probe, or a packet, that was not answered is lost.
     * @return time steps
     */
    int64_t GetTimeout() const
    {
        return timeoutRounds * largestRtt;
    }
};

} // namespace ns3

#endif /* MUFAB_SETTINGS_H */
