/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_PAIR_H
#define MUFAB_PAIR_H

#include "mufab-path.h"
#include "path-choice.h"
#include "token-assignment.h"

#include "ns3/direct-timer.h"
#include "ns3/pair-channel.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

/**
 * @file
 * @ingroup mufab
 * A VM pair at its sender (uFAB Sections 3.3 to 3.5 and 4.1): the law, the states, and the life of
 * a pair.
 *
 * **The law** is in window-law.h. In short, of each link l of its path a pair with phi tokens hears
 * Phi, W, tx and q, and may have under way the least over all links of
 *
 * @verbatim
     w = min(phi / Phi * W * C T / (tx T + q), C T)                              (Eq. 3)
   @endverbatim
 *
 * once it is past the first stage of admission, in which it begins with phi B_u T, what it is
 * guaranteed in one base RTT, and adds phi / Phi * C T, its share, once per base RTT.
 *
 * **The states.** A pair makes one search for a path at a time, and what that is for is its state.
 *
 * @verbatim
                             a path is known, or there is only one
          +--------------------------------------------------------------+
          |                                                              v
      +------+  demand   +---------+          a path is taken       +---------+
      | IDLE | --------> | JOINING | -----------------------------> | SENDING | <-------+
      +------+           +---------+                                +---------+         |
                           |     ^                                   |   |   |          |
               none usable |     | Retry is over,               (i)  |   |   |  (ii)    |
                           v     | no path                           v   |   v          |
                         +----------+                     +-----------+  |  +-----------+
                         | RETRYING |                     | MIGRATING |  |  | OBSERVING |
                         +----------+                     +-----------+  |  +-----------+
                           |     ^                         a path is taken, or the old one kept
             Retry is over,|     | none usable                           |
             a failed path v     |                                       | failure, from
                         +------------+ <--------------------------------+ any state but IDLE
                         | RECOVERING |
                         +------------+ --> SENDING: a path is taken
   @endverbatim
 *
 * From each state 8 base RTTs without data lead to IDLE. In JOINING and RECOVERING data wait, as
 * there is no path for them; in MIGRATING and OBSERVING they go on by the old one. A search ends
 * when all candidates have answered, or 8 base RTTs after they were asked, by this choice:
 *
 * @verbatim
     JOINING     "initially joins in": a qualified path, else the least bad, else one without answer
     MIGRATING   trigger (i), the guarantee was missed in 5 base RTTs in a row and the host's freeze
                 window is over: a qualified path, or none
     OBSERVING   trigger (ii), each ConservationPeriod: a qualified path that has been better for
                 ConservationTime, or none
     RECOVERING  "drops of probes", or a failure response: a qualified path, else the least bad
   @endverbatim
 *
 * **The life of a pair.** The first packet makes it active (HandleDemand()); its host divides
 tokens
 * anew at once. On a path it sends a probe, whose response sets the window and says whether the
 * guarantee is kept; when 4 KB have left, the next (MufabPath). It registers on a new path before
 * it leaves the old one, so that no link forgets it, and what waits is not touched, so that
 * nothing is lost. When it becomes idle finish probes go by its paths until all switches have
 * answered. It keeps its path in mind: with the next packet it joins there at once.
 *
 * With PathsPerPair above 1 a pair has several *slots*, each with a path and the flows that go by
 * it. The state is that of the search, which is for one slot; data of the others go on.
 */

namespace ns3
{

/**
 * @ingroup mufab
 * @brief uFAB-E of one VM pair at its sender, as a state machine; the page above has it all.
 *
 * Its parts are paths (MufabPath), a search (PathSearch) and timers, which do not know of it but
 * for MufabPath::Listener. The section "The state machine" of the .cc has each event that changes
 * the state, and what it leads to; Enter() alone writes it.
 */
class MufabPair : public PairChannel, private MufabPath::Listener
{
  public:
    /// @brief State of a pair.
    enum class State : uint8_t
    {
        IDLE,       //!< nothing was sent for a while
        JOINING,    //!< candidates for a path that it lacks were asked
        SENDING,    //!< it has its paths
        MIGRATING,  //!< its guarantee is missed, and candidates were asked
        OBSERVING,  //!< others were asked, which may be better
        RECOVERING, //!< its path does not answer, and candidates were asked
        RETRYING    //!< nobody could be asked, or none was usable: again after Retry
    };

    /// @brief Print the name of a state, for logs.
    friend std::ostream& operator<<(std::ostream& os, State state);

    /// @brief The host, which divides tokens among its pairs.
    class Host
    {
      public:
        virtual ~Host() = default;

        /// @brief A pair has become idle.
        virtual void OnIdle(MufabPair& pair) = 0;

        /// @brief A pair went from a path to another, told by their numbers.
        virtual void OnMigrated(const MufabPair& pair, uint16_t from, uint16_t to) = 0;
    };

    /**
     * @brief Make an idle pair.
     * @param host of the sender
     * @param settings of the host; outlive the pair
     * @param exchange carries probes, knows the paths
     * @param random draws candidates, and paths among them
     * @param source number of the host
     * @param destination number of the receiving host
     * @param terms of the queues in which items wait, for each path that the pair uses at once
     */
    MufabPair(Host& host,
              const MufabSettings& settings,
              ProbeExchange& exchange,
              UniformRandomVariable& random,
              uint32_t source,
              uint32_t destination,
              const FlowQueues::Terms& terms);

    // ---- Events ----

    /// @brief The first packet came to an idle pair.
    void HandleDemand(int64_t now);

    /**
     * @brief A response or failure response came.
     * @param probe the response
     * @param now the current time, in time steps
     * @return true if the guarantee is missed for so long that the pair is to migrate
     */
    bool HandleResponse(const MufabProbe& probe, int64_t now);

    /// @brief The receiver told how much it has received over a path.
    void HandleAcknowledgment(const PathAcknowledgment& acknowledgment, int64_t now);

    /// @brief The host lets the pair, which wants to, migrate now.
    void Migrate(int64_t now);

    // ---- Data ----

    bool Enqueue(FabricItem* item, int64_t now) override;
    int64_t GetReleaseTime(int64_t now) override;
    FabricItem* Dequeue(int64_t now) override;
    FabricItem* Flush() override;
    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;

    // ---- Tokens ----

    /// @brief Return the pair's use of its tokens (Algorithm 1), and measure anew from now on.
    TokenUse MeasureUse(int64_t now);

    /// @brief The sending VM assigned tokens to the pair: phi_S.
    void AssignTokens(double tokens);

    /// @return phi: tokens that the pair may use, the lesser of what sender and receiver say
    double GetTokens() const
    {
        return std::min(m_assigned, m_granted);
    }

    // ---- What it is ----

    /// @return the state
    State GetState() const
    {
        return m_state;
    }

    /// @return true if the pair's guarantee is missed, and it may look for another path
    bool WantsMigration() const;

    /// @return part of the guarantee that is missed, as a share of it
    double GetDeficit() const;

    /// @return the path of a slot; nullptr: none yet
    MufabPath* GetPath(uint32_t slot = 0) const
    {
        return m_slots[slot].path;
    }

    /// @return underlay paths that the pair uses at once
    uint32_t GetNSlots() const
    {
        return static_cast<uint32_t>(m_slots.size());
    }

    void ReportResults(Results& results) const override;
    void ReportState(int64_t now, const StateVisitor& visit) const override;

  private:
    /// @brief One of the paths that the pair uses at once, and what waits for it.
    struct Slot
    {
        MufabPath* path{nullptr}; //!< nullptr: none yet
        FlowQueues queues;        //!< items that wait
        int64_t heldUntil{0};     //!< not before, so that the old path runs empty

        /// @return true if its path misses the guarantee
        bool IsViolating() const
        {
            return path && path->IsViolating();
        }

        /// @return true if its path does not answer
        bool IsFailed() const
        {
            return path && path->IsFailed();
        }
    };

    // The state machine.
    void Enter(State state);
    void HandlePathFailure(MufabPath& path, int64_t now);
    void HandleObservationTimer();
    void HandleSearchTimer();
    void HandleIdleTimer();
    void Join(int64_t now);
    void Ask(State state, uint32_t slot, int64_t now);
    void Decide(int64_t now);
    void RetryLater();
    void Take(uint32_t slot, MufabPath& path, int64_t now);

    // What probes tell.
    void HandleOffer(const MufabProbe& probe, const MufabPath& path, int64_t now);
    void OnProbeTimer(MufabPath& path) override;
    void HandleFailureResponse(const MufabProbe& probe, MufabPath& path, int64_t now);

    // What it does on the way.
    std::optional<uint16_t> Choose();
    template <class Test>
    std::optional<uint32_t> FindSlot(const Test& test) const;
    bool IsSearching() const;
    MufabPath& FindPath(uint16_t index);
    std::vector<uint16_t> GetUsablePaths(uint32_t slot, int64_t now) const;
    void StartPath(MufabPath& path, int64_t now);
    void FinishPath(MufabPath& path, int64_t now);
    void SendProbe(MufabPath& path, ProbeHeader::Type type, int64_t now);
    void ProbeIfDue(MufabPath& path, int64_t now);
    bool IsBacklogged(const MufabPath& path) const;
    uint32_t ChooseSlot(const FabricItem& item);
    std::optional<uint32_t> FindReleased(int64_t now, int64_t& earliest);
    void DistributeTokens();
    double GetActiveWindow() const;

    Host& m_host;                                          //!< of the sender
    const MufabSettings& m_settings;                       //!< of the host
    ProbeExchange& m_exchange;                             //!< carries probes
    UniformRandomVariable& m_random;                       //!< draws paths
    uint32_t m_source;                                     //!< sending host
    uint32_t m_destination;                                //!< receiving host
    uint32_t m_nPaths;                                     //!< paths there are
    State m_state{State::IDLE};                            //!< changed by Enter() alone
    std::vector<Slot> m_slots;                             //!< paths that the pair uses at once
    std::vector<std::unique_ptr<MufabPath>> m_paths;       //!< those that were ever asked
    PathSearch m_search;                                   //!< the present, or the last
    boost::unordered_flat_map<uint32_t, uint8_t> m_slotOf; //!< by hash of a flow
    DirectTimer m_searchTimer;        //!< answers are awaited no longer; or Retry is over
    DirectTimer m_idleTimer;          //!< nothing was sent for a while
    DirectTimer m_observationTimer;   //!< time to look at other paths
    uint32_t m_nextSlot{0};           //!< next slot to serve
    double m_assigned{0};             //!< phi_S
    double m_granted{UNBOUND_TOKENS}; //!< phi_D
    double m_usedRate{0};             //!< mean of what was sent, in bit/s
    uint64_t m_measuredBytes{0};      //!< sent until the last measurement
    int64_t m_measuredAt{0};          //!< time of the last measurement
    int64_t m_lastSent{0};            //!< time at which data left last
    uint32_t m_migrations{0};         //!< times that the pair changed its path
    uint32_t m_responses{0};          //!< to its probes
};

} // namespace ns3

#endif /* MUFAB_PAIR_H */
