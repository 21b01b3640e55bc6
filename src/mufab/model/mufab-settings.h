/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_SETTINGS_H
#define MUFAB_SETTINGS_H

#include "path-choice.h"
#include "window-law.h"

#include "ns3/int-stack.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief The settings of uFAB-E at a host, and its constants. A controller that has them as a base
 * has their attributes; the pairs of its host read them there.
 */
struct MufabSettings : public WindowLaw::Settings
{
    /// @brief Time at which a pair sends its next probe.
    enum ProbeClock
    {
        AFTER_RESPONSE, //!< so many bytes after the last response (Section 4.1)
        AFTER_PROBE,    //!< so many bytes after the last probe, if it was answered
        PERIODIC        //!< every so many base RTTs (Section 5.6)
    };

    /// @brief Precision of the values that probes carry.
    enum Encoding
    {
        EXACT, //!< values as they are
        WIRE   //!< values as the fields of Appendix G hold them
    };

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

    Time tokenPeriod;          //!< attribute TokenPeriod
    Time baseRtt;              //!< attribute BaseRtt
    ProbeClock clock;          //!< attribute ProbeClock
    uint32_t probeRounds;      //!< attribute ProbeRounds
    uint16_t probeSize;        //!< attribute ProbeSize
    Encoding encoding;         //!< attribute Encoding
    uint32_t tokenBits;        //!< attribute TokenBits
    Time giveUp;               //!< attribute GiveUp
    uint32_t candidates;       //!< attribute Candidates
    PathPreference preference; //!< attribute Preference
    uint32_t freezeRounds;     //!< attribute FreezeRounds
    Time retry;                //!< attribute Retry
    bool keepOrder;            //!< attribute KeepOrder
    uint32_t pathsPerPair;     //!< attribute PathsPerPair
    Time conservationPeriod;   //!< attribute ConservationPeriod
    Time conservationTime;     //!< attribute ConservationTime

    int64_t largestRtt{0}; //!< T_max of the network, in time steps; set when it is built
    IntUnits units;        //!< of the fields of probes

    /**
     * @brief Add the attributes, those of the window law included.
     * @param tid of a controller that has the settings as a base
     * @return the same
     */
    static TypeId AddAttributes(TypeId tid);

    /**
     * @brief Check the attributes.
     * @throws InputError if one has a value that no network allows
     */
    void CheckAttributes() const;

    /// @return time until a probe, or a packet, that was not answered is lost, in time steps
    int64_t GetTimeout() const
    {
        return TIMEOUT_ROUNDS * largestRtt;
    }

    /// @return units that switches round to; nullptr: values are exact
    const IntUnits* GetUnits() const
    {
        return encoding == WIRE ? &units : nullptr;
    }

    /**
     * @brief Datagram of a probe.
     * @param switches of its path
     * @param records that it has room for
     * @return bytes
     */
    uint16_t GetProbeSize(uint32_t switches, uint32_t records) const;
};

} // namespace ns3

#endif /* MUFAB_SETTINGS_H */
