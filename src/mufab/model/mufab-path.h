/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_PATH_H
#define MUFAB_PATH_H

#include "mufab-probe.h"
#include "mufab-registers.h"
#include "mufab-settings.h"
#include "path-choice.h"
#include "window-law.h"

#include "ns3/direct-timer.h"
#include "ns3/path-table.h"
#include "ns3/send-window.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class MufabChannel;

/**
 * @ingroup mufab
 * @brief One underlay path of a VM pair at its sender: the window on it and its probes (uFAB
 * Sections 3.4 and 4.1).
 *
 * A path is idle; active from Start() on, and registered at the switches with its first probe; and
 * finishing from Finish() on, until all switches have said that the pair is gone.
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

    /**
     * @brief Make a path, idle.
     * @param channel of the pair
     * @param settings settings of the controller
     * @param index number of the path
     * @param path its routes
     * @param ports that data leave by, the sender's own first
     */
    MufabPath(MufabChannel& channel,
              const MufabSettings& settings,
              uint16_t index,
              const PathTable::Path& path,
              const std::vector<FabricPort*>& ports);

    /**
     * @brief The pair sends over the path from now on (scenario 1).
     * @param tokens of the pair on this path
     * @param now the current time, in time steps
     */
    void Start(double tokens, int64_t now);

    /**
     * @brief The pair no longer sends over the path.
     * @param now the current time, in time steps
     */
    void Finish(int64_t now);

    /**
     * @brief Ask the path's switches how they are, without joining.
     * @param now the current time, in time steps
     */
    void Query(int64_t now);

    /**
     * @brief The pair's tokens on this path have changed. Switches hear of it with the next probe.
     * @param tokens number of tokens
     */
    void SetTokens(double tokens)
    {
        m_tokens = tokens;
    }

    /**
     * @brief Data left over the path.
     * @param size in bytes
     * @param now the current time, in time steps
     */
    void OnSent(uint32_t size, int64_t now);

    /**
     * @brief A probe was answered.
     * @param probe the answer
     * @param now the current time, in time steps
     * @return true if it is new and says something of the window
     */
    bool OnResponse(const MufabProbe& probe, int64_t now);

    /**
     * @brief A switch could not forward a probe, or data.
     * @param now the current time, in time steps
     */
    void OnFailure(int64_t now);

    /**
     * @brief Earliest time at which data may leave over the path.
     * @param size in bytes
     * @param now the current time, in time steps
     * @return at most now: now; PairChannel::NEVER: until woken
     */
    int64_t GetReleaseTime(uint32_t size, int64_t now);

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

    /**
     * @brief Part of the guarantee that is missed.
     * @return share of the guarantee
     */
    double GetDeficit() const
    {
        return m_deficit;
    }

    /**
     * @brief Rate that the pair may hope for here, by the last response.
     * @return bit/s
     */
    double GetPredictedRate() const;

    /**
     * @brief True if the path counts as failed.
     * @return true until a probe is answered
     */
    bool IsFailed() const
    {
        return m_failed;
    }

    /**
     * @brief True while a failed path may not be asked yet.
     * @param now the current time, in time steps
     * @return true for a while
     */
    bool IsExcluded(int64_t now) const
    {
        return m_failed && now < m_failedAt + m_settings.retry.GetTimeStep();
    }

    /**
     * @brief The last measured round-trip time of a probe.
     * @return time steps
     */
    int64_t GetLastRtt() const
    {
        return m_lastRtt;
    }

    /**
     * @brief Base RTT that Eq. 3 uses.
     * @return time steps
     */
    int64_t GetRtt() const
    {
        return m_rtt;
    }

    /**
     * @brief Rate since the response before last.
     * @return bit/s
     */
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

    /**
     * @brief Claim that the last probe told a link.
     * @param hop number of the switch
     * @return tokens, and the window in bytes
     */
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
    void SendProbe(ProbeHeader::Type type, int64_t now);
    void ProbeIfDue(int64_t now);
    void UpdateClaim();
    void Measure(int64_t now);
    void CheckGuarantee(int64_t now);
    bool IsBacklogged() const;
    void HandleTimer();
    void HandleLoss(int64_t now);
    void Fail(int64_t now);

    MufabChannel& m_channel;          //!< of the pair
    const MufabSettings& m_settings;  //!< settings of the controller
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
