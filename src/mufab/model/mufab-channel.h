/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_CHANNEL_H
#define MUFAB_CHANNEL_H

#include "mufab-path.h"
#include "token-assignment.h"

#include "ns3/direct-timer.h"
#include "ns3/pair-channel.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

class MufabPairController;
class ProbeExchange;

/**
 * @ingroup mufab
 * @brief uFAB-E of one VM pair at its sender (Sections 3.3 to 3.5 and 4.1): its tokens, the paths
 * that its data take, and when it takes others.
 *
 * The pair is idle until its first packet. It then joins: it asks some of its paths, and data wait
 * for the answers; a pair that knows a path already, or has but one, sends at once. When nothing
 * was sent for a while it leaves.
 */
class MufabChannel : public PairChannel
{
  public:
    /**
     * @brief Make the channel of a pair.
     * @param controller of its host
     * @param pair number of the pair
     * @param terms of the queues in which items wait, for each path that the pair uses at once
     */
    MufabChannel(MufabPairController& controller, uint32_t pair, const FlowQueues::Terms& terms);

    bool Enqueue(FabricItem* item, int64_t now) override;
    int64_t GetReleaseTime(int64_t now) override;
    FabricItem* Dequeue(int64_t now) override;
    FabricItem* Flush() override;
    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;
    void ReportResults(Results& results) const override;
    void ReportState(int64_t now, const StateVisitor& visit) const override;

    /**
     * @brief The first packet came: join.
     * @param now the current time, in time steps
     */
    void Activate(int64_t now);

    /**
     * @brief A response or failure response came.
     * @param probe the response
     * @param now the current time, in time steps
     */
    void OnResponse(const MufabProbe& probe, int64_t now);

    /**
     * @brief The receiver told how much it has received over a path.
     * @param acknowledgment the acknowledgment
     * @param now the current time, in time steps
     */
    void OnAcknowledgment(const PathAcknowledgment& acknowledgment, int64_t now);

    /**
     * @brief A path does not answer.
     * @param path the path
     * @param now the current time, in time steps
     */
    void OnPathFailed(MufabPath& path, int64_t now);

    /**
     * @brief A probe of one of the paths goes out.
     * @param path the path
     * @param probe the probe, filled in by the path
     * @param type type of the probe
     * @param sequence of the path's probes
     * @param now the current time, in time steps
     */
    void SendProbe(MufabPath& path,
                   MufabProbe* probe,
                   ProbeHeader::Type type,
                   uint32_t sequence,
                   int64_t now);

    // ---- Tokens ----

    /**
     * @brief Return the pair's use of its tokens, and measure anew from now on.
     * @param unit B_u
     * @param period of tokens, in time steps: what was measured in less of it counts less
     * @param now the current time, in time steps
     * @return as Algorithm 1 sees the pair
     */
    TokenUse MeasureUse(double unit, int64_t period, int64_t now);

    /**
     * @brief The sending VM assigned tokens to the pair.
     * @param tokens phi_S
     */
    void AssignTokens(double tokens);

    /**
     * @brief Tokens that the pair may use: the lesser of what sender and receiver say.
     * @return phi
     */
    double GetTokens() const
    {
        return std::min(m_assigned, m_granted);
    }

    // ---- Migration ----

    /**
     * @brief The host lets the pair migrate now.
     * @param now the current time, in time steps
     */
    void Migrate(int64_t now);

    /**
     * @brief True if the pair still wants to migrate.
     * @return true if its guarantee is missed
     */
    bool WantsMigration() const;

    /**
     * @brief Part of the guarantee that is missed.
     * @return share of the guarantee
     */
    double GetDeficit() const;

    // ---- What it is ----

    /**
     * @brief True if data wait for a path.
     * @param path the path
     * @return true if so
     */
    bool IsWaiting(const MufabPath& path) const;

    /**
     * @brief The path that the pair uses.
     * @param slot of several
     * @return the path; nullptr: none yet
     */
    MufabPath* GetPath(uint32_t slot = 0) const
    {
        return m_slots[slot].path;
    }

    /**
     * @brief Underlay paths that the pair uses at once.
     * @return number of paths
     */
    uint32_t GetNSlots() const
    {
        return static_cast<uint32_t>(m_slots.size());
    }

    /// @return true if the pair has joined and not left
    bool IsActive() const
    {
        return m_active;
    }

    /// @return times that the pair went to another path
    uint32_t GetMigrations() const
    {
        return m_migrations;
    }

    /// @return the carrier of the probes
    ProbeExchange& GetExchange() const;

  private:
    /// @brief Reasons for asking paths.
    enum Reason : uint8_t
    {
        JOIN,        //!< the pair has none
        VIOLATION,   //!< its guarantee is missed
        FAILURE,     //!< its path does not answer
        CONSERVATION //!< another may be better
    };

    /// @brief One of the paths that the pair uses at once, and what waits for it.
    struct Slot
    {
        MufabPath* path{nullptr}; //!< nullptr: none yet
        FlowQueues queues;        //!< items that wait
        int64_t heldUntil{0};     //!< not before, so that the old path runs empty
        int64_t joinedAt{0};      //!< time at which it got its path
    };

    /// @brief Paths that were asked.
    struct Candidates
    {
        bool isOpen{false};            //!< true while answers are awaited
        Reason reason{JOIN};           //!< reason for asking them
        uint32_t slot{0};              //!< for which slot
        std::vector<MufabPath*> asked; //!< that were asked
        std::vector<MufabPath*> paths; //!< that answered
        std::vector<PathOffer> offers; //!< their offers
        int64_t since{0};              //!< time at which they were asked
    };

    MufabPath& FindPath(uint16_t index);
    uint32_t ChooseSlot(const FabricItem& item);
    std::optional<uint32_t> FindReleased(int64_t now, int64_t& earliest);
    void Ask(Reason reason, uint32_t slot, int64_t now);
    void OnOffer(const MufabProbe& probe, MufabPath& path, int64_t now);
    void Decide(int64_t now);
    void DecideConservation(int64_t now);
    void Take(uint32_t slot, MufabPath& path, int64_t now);
    void JoinNextSlot(int64_t now);
    void DistributeTokens();
    void Leave(int64_t now);
    void HandleTimer();
    void HandleIdle();
    void HandleBackground();
    std::vector<uint16_t> DrawCandidates(Reason reason, uint32_t slot, int64_t now);
    std::optional<std::size_t> ChooseBetter() const;

    MufabPairController& m_controller;                     //!< of the host
    uint32_t m_pair;                                       //!< number of the pair
    uint32_t m_source;                                     //!< sending host
    uint32_t m_destination;                                //!< receiving host
    uint32_t m_nPaths;                                     //!< paths there are
    std::vector<Slot> m_slots;                             //!< paths that the pair uses at once
    std::vector<std::unique_ptr<MufabPath>> m_paths;       //!< those that were ever asked
    boost::unordered_flat_map<uint32_t, uint8_t> m_slotOf; //!< by hash of a flow
    Candidates m_candidates;                               //!< paths that were asked
    DirectTimer m_timer;              //!< answers are awaited no longer; ask again
    DirectTimer m_idleTimer;          //!< nothing was sent for a while
    DirectTimer m_backgroundTimer;    //!< look at other paths
    uint32_t m_nextSlot{0};           //!< next slot to serve
    double m_assigned{0};             //!< phi_S
    double m_granted{UNBOUND_TOKENS}; //!< phi_D
    double m_usedRate{0};             //!< mean of what was sent, in bit/s
    uint64_t m_measuredBytes{0};      //!< sent until the last measurement
    int64_t m_measuredAt{0};          //!< time of the last measurement
    int64_t m_lastSent{0};            //!< time at which data left last
    uint16_t m_betterPath{0};         //!< number of a path that has been better
    int64_t m_betterSince{-1};        //!< since when; below 0: none has
    uint32_t m_migrations{0};         //!< times that the pair changed its path
    uint32_t m_responses{0};          //!< to its probes
    bool m_active{false};             //!< true if the pair has joined
};

} // namespace ns3

#endif /* MUFAB_CHANNEL_H */
