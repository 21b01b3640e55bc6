/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_PATH_H
#define MUFAB_PATH_H

#include "mufab-probe.h"
#include "mufab-registers.h"
#include "mufab-settings.h"
#include "path-choice.h"
#include "probe-exchange.h"
#include "window-law.h"

#include "ns3/direct-timer.h"
#include "ns3/send-window.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief One underlay path of a VM pair at its sender: the window on it, what its switches know of
 * the pair, and its probes (uFAB Sections 3.4 and 4.1).
 *
 * A path has a small life of its own, since a pair that migrates is on two at once:
 *
 * @verbatim
             Start()             Finish()                all switches have answered, or GiveUp
      IDLE -----------> ACTIVE ------------> FINISHING ---------------------------------------> IDLE
                          ^                      |
                          +------ Start() -------+
   @endverbatim
 *
 * It registers at the switches with its first probe. Beside that it counts as failed from two
 * probes lost in a row, or a failure response, until a probe is answered. At most one probe is
 * under way; queries do not count. The path says when one is due and what is in it, and MufabPair
 * sends it.
 *
 * What a probe claims (tokens, and a window for each link) is told again until it is answered,
 * with the same version: a switch that adds up differences then knows what it has added
 * (DeltaRegisters).
 */
class MufabPath
{
  public:
    /// @brief State of a path.
    enum State : uint8_t
    {
        IDLE,     //!< nothing to do with it
        ACTIVE,   //!< the pair sends over it
        FINISHING //!< the pair has left, switches may not know yet
    };

    /// @brief Hears of the path's timer. All else that happens to a path its pair tells it.
    class Listener
    {
      public:
        virtual ~Listener() = default;

        /**
         * @brief The probe that is under way was not answered in time; or none is, and with
         * ProbeClock=Periodic the next may be due.
         * @param path the path
         */
        virtual void OnProbeTimer(MufabPath& path) = 0;
    };

    /**
     * @brief Make a path, idle.
     * @param listener hears of its timer
     * @param settings of the host; outlive the path
     * @param index number of the path
     * @param route its source routes and ports
     */
    MufabPath(Listener& listener,
              const MufabSettings& settings,
              uint16_t index,
              const ProbeExchange::Route& route);

    // ---- Its life ----

    /// @brief The pair joins the path (scenario 1). A probe is due at once.
    void Start(int64_t now);

    /// @brief The pair leaves the path, which is active. A finish probe is due at once.
    void Finish(int64_t now);

    /**
     * @brief A finish probe was not answered: forget the path if that has been so for GiveUp, or
     * else wait for twice as long the next time.
     * @param now the current time, in time steps
     * @return true if it is idle now
     */
    bool GiveUp(int64_t now);

    /// @brief The path counts as failed.
    void Fail(int64_t now)
    {
        m_failed = true;
        m_failedAt = now;
    }

    // ---- Probes ----

    /**
     * @brief Make a probe and, unless it is a query, wait for its answer.
     * @param type PROBE, FINISH or QUERY
     * @param now the current time, in time steps
     * @return the probe, which lacks what concerns the pair and not the path
     */
    MufabProbe* CreateProbe(ProbeHeader::Type type, int64_t now);

    /**
     * @brief True if the next probe is due, by ProbeClock.
     * @param isBacklogged true if data wait for the path
     * @param now the current time, in time steps
     * @return true if so, and none is under way
     */
    bool IsProbeDue(bool isBacklogged, int64_t now) const;

    /**
     * @brief A probe was answered.
     * @param probe the answer
     * @param isBacklogged true if data wait for the path
     * @param now the current time, in time steps
     * @return true if it is new and has changed the window
     */
    bool HandleResponse(const MufabProbe& probe, bool isBacklogged, int64_t now);

    /**
     * @brief A probe was lost.
     * @return true if that is one too many, and the path has not failed yet
     */
    bool CountLoss()
    {
        return ++m_losses >= MufabSettings::LOSSES_TO_FAIL && !m_failed;
    }

    /// @return true if a probe is under way
    bool IsProbing() const
    {
        return m_outstanding;
    }

    // ---- Data ----

    /**
     * @brief Earliest time at which data may leave over the path.
     * @param size in bytes
     * @param now the current time, in time steps
     * @return at most now: now; PairChannel::NEVER: until woken
     */
    int64_t GetReleaseTime(uint32_t size, int64_t now);

    /**
     * @brief Data left over the path.
     * @param size in bytes
     * @param isBacklogged true if more wait for the path
     * @param now the current time, in time steps
     */
    void HandleSent(uint32_t size, bool isBacklogged, int64_t now)
    {
        m_window.Charge(size, now, isBacklogged);
    }

    /// @brief The pair's tokens on this path have changed. Switches hear of it with the next probe.
    void SetTokens(double tokens)
    {
        m_tokens = tokens;
    }

    // ---- Judging the path ----

    /**
     * @brief Offer of the path to the pair, by an answered query.
     * @param probe the answer
     * @param tokens of the pair
     * @param current path that the pair is on, whose links know it already; nullptr: none
     * @return the offer
     */
    PathOffer Assess(const MufabProbe& probe, double tokens, const MufabPath* current) const;

    /**
     * @brief True if the path has been bad for so many base RTTs in a row that the pair should
     * leave it.
     * @return true if so
     */
    bool IsViolating() const
    {
        return m_violations >= MufabSettings::VIOLATION_ROUNDS;
    }

    /// @brief The pair could not leave: it will try again when the path is bad next.
    void KeepViolating()
    {
        m_violations = MufabSettings::VIOLATION_ROUNDS - 1;
    }

    /// @return part of the guarantee that is missed, as a share of it
    double GetDeficit() const
    {
        return m_deficit;
    }

    /// @return rate that the pair may hope for here, by the last response, in bit/s
    double GetPredictedRate() const;

    /// @return true if the path counts as failed
    bool IsFailed() const
    {
        return m_failed;
    }

    /// @brief True while a failed path may not be asked yet.
    bool IsExcluded(int64_t now) const
    {
        return m_failed && now < m_failedAt + m_settings.retry.GetTimeStep();
    }

    // ---- What it is ----

    /// @return the last measured round-trip time of a probe, in time steps
    int64_t GetLastRtt() const
    {
        return m_lastRtt;
    }

    /// @return base RTT that Eq. 3 uses, in time steps
    int64_t GetRtt() const
    {
        return m_rtt;
    }

    /// @return rate since the response before last, in bit/s
    double GetMeasuredRate() const
    {
        return m_measuredRate;
    }

    /// @return number of the path
    uint16_t GetIndex() const
    {
        return m_index;
    }

    /// @return the routes
    const PathTable::Path& GetRoutes() const
    {
        return m_path;
    }

    /// @return the state of the path
    State GetState() const
    {
        return m_state;
    }

    /// @return bytes under way, and their limit
    SendWindow& GetWindow()
    {
        return m_window;
    }

    /// @return the law of the window
    const WindowLaw& GetLaw() const
    {
        return m_law;
    }

    /// @return claim that the last probe told a link
    PairClaim GetClaim(std::size_t hop) const
    {
        return {m_claimedTokens, m_claimed[hop]};
    }

    /// @return ports that data leave by of switches that write records, which may lack some
    const std::vector<FabricPort*>& GetPorts() const
    {
        return m_ports;
    }

    /// @return tokens on this path
    double GetTokens() const
    {
        return m_tokens;
    }

  private:
    void HandleTimer();
    void UpdateClaim();
    void Confirm(const MufabProbe& probe);
    void Measure(int64_t now);
    void UpdateWindow(const MufabProbe& probe, bool isBack, bool isBacklogged, int64_t now);
    void CheckGuarantee(bool isBacklogged, int64_t now);

    Listener& m_listener;             //!< hears of the timer
    const MufabSettings& m_settings;  //!< of the host
    PathTable::Path m_path;           //!< the routes
    std::vector<FabricPort*> m_ports; //!< of switches that write records
    int64_t m_rtt;                    //!< T: base RTT of Eq. 3
    SendWindow m_window;              //!< bytes under way, and their limit
    WindowLaw m_law;                  //!< sets the window
    DirectTimer m_timer;              //!< a probe is lost, or due
    std::vector<LinkState> m_links;   //!< by link, as of the last response
    std::vector<double> m_claimed;    //!< window that was told, by link
    std::vector<double> m_confirmed;  //!< the same as of the last response
    double m_claimedTokens{0};        //!< tokens that were told
    double m_confirmedTokens{0};      //!< the same as of the last response
    double m_tokens{0};               //!< phi on this path
    double m_measuredRate{0};         //!< between the last two responses, in bit/s
    double m_deficit{0};              //!< share of the guarantee that is missed
    uint64_t m_sentAtResponse{0};     //!< bytes that had left then
    uint64_t m_sentAtProbe{0};        //!< bytes that had left at the last probe
    int64_t m_respondedAt{0};         //!< time of the last response
    int64_t m_probedAt{0};            //!< time of the last probe
    int64_t m_judgedAt{0};            //!< time of the last look at the guarantee
    int64_t m_finishedAt{0};          //!< time at which the pair left
    int64_t m_failedAt{0};            //!< time at which the path failed
    int64_t m_lastRtt{0};             //!< of a probe
    int64_t m_finishRetry{0};         //!< time until the next finish probe
    uint32_t m_sequence{0};           //!< of the last probe
    uint32_t m_answered{0};           //!< of the newest probe that was answered
    uint32_t m_version{0};            //!< of what was told
    uint32_t m_confirmedVersion{0};   //!< of what was answered last
    uint32_t m_losses{0};             //!< probes lost in a row
    uint32_t m_violations{0};         //!< bad base RTTs in a row
    uint16_t m_index;                 //!< number of the path
    State m_state{IDLE};              //!< state of the path
    bool m_outstanding{false};        //!< true if a probe is under way
    bool m_failed{false};             //!< true if it counts as failed
    bool m_blocked{false};            //!< true if the window held data since the last response
};

} // namespace ns3

#endif /* MUFAB_PATH_H */
