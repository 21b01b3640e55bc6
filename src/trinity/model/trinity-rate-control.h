/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRINITY_RATE_CONTROL_H
#define TRINITY_RATE_CONTROL_H

#include "spare-rate-law.h"

#include "ns3/data-rate.h"
#include "ns3/pair-channel.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace ns3
{

class PairEdge;

/**
 * @ingroup trinity
 * @brief Trinity's rate controller of a host (Section 3.3), with or without colours: its pairs may
 * send beyond their guarantees while the network has room.
 *
 * A pair may send at R_G, its guarantee, and at R_W beyond it. R_W of all pairs is computed from
 * C_W (Eq. 2) and what their receivers report, by SpareRateLaw (Eqs. 3 to 6), when a report comes
 * or an interval ends. A pair that joins few others has its share at once (ShareAtOnce).
 *
 * A part of a controller, which knows R_G, hears the reports, and tells channels their rates:
 * Trinity's colours the traffic, that of the aggressive form of ElasticSwitch adds the two up.
 */
class TrinityRateControl
{
  public:
    /// @brief The settings of a host. A controller that has them as a base has their attributes.
    struct Settings
    {
        SpareRateLaw::Profile profile{SpareRateLaw::SMOOTHED}; //!< attribute Profile
        double alpha{0};                                       //!< attribute Alpha
        double betaGain{0};                                    //!< attribute BetaGain
        double usableCapacity{0.96};                           //!< attribute UsableCapacity
        bool reclaimIdle{false};                               //!< attribute ReclaimIdleGuarantee
        uint32_t shareAtOnce{100};                             //!< attribute ShareAtOnce
        bool updateAtReports{true};                            //!< attribute UpdateAtReports
        DataRate leastRate;                                    //!< attribute LeastSpareRate
        DataRate trappedRate;                                  //!< attribute TrappedRate

        /**
         * @brief Add the attributes.
         * @param tid of a controller that has the settings as a base
         * @return the same
         */
        static TypeId AddAttributes(TypeId tid);
    };

    /// @brief Tells a channel its rates R_G and R_W, in bits of IP datagrams per second.
    using RateSetter = std::function<void(PairChannel& channel, double guaranteed, double spare)>;

    /// @brief Computes R_W of the pairs that have something to send, from C and C_W of Eq. 2.
    using Law = std::function<
        void(double capacity, double spare, const std::vector<SpareRateLaw::Pair*>& pairs)>;

    /**
     * @brief Make a rate controller.
     * @param setRates called when a rate of a pair changed
     */
    explicit TrinityRateControl(RateSetter setRates);
    TrinityRateControl(const TrinityRateControl&) = delete;
    TrinityRateControl& operator=(const TrinityRateControl&) = delete;

    /**
     * @brief Install it at a host.
     * @param settings its settings; outlive its use
     * @param edge the edge of the network; outlives its use
     * @param host number of the host
     */
    void Install(const Settings& settings, const PairEdge& edge, uint32_t host);

    /**
     * @brief Use another law than SpareRateLaw::Update(). After Install().
     * @param law the law
     */
    void SetLaw(Law law);

    /// @brief Forget all pairs.
    void Clear();

    // ---- What happens at the host ----

    /**
     * @brief A pair gets something to send. SetGuarantee() and Start() follow.
     * @param channel of the pair
     */
    void Join(PairChannel& channel);

    /**
     * @brief A pair that has joined has its guarantee, and may send.
     * @param channel of the pair
     * @param guarantee R_G in bit/s
     */
    void Start(PairChannel& channel, double guarantee);

    /**
     * @brief A pair has nothing to send any more.
     * @param channel of the pair
     */
    void Leave(PairChannel& channel);

    /**
     * @brief The guarantee of a pair changed.
     * @param channel of the pair
     * @param guarantee R_G in bit/s
     */
    void SetGuarantee(PairChannel& channel, double guarantee);

    /// @brief Guarantees of the host's VMs may have changed: add them up anew.
    void ForgetReserved();

    /**
     * @brief A report came. The last one of an interval counts.
     * @param channel of the pair
     * @param congestion ReportFields::congestion
     * @param feedback its meaning for the pair
     */
    void HandleReport(PairChannel& channel, uint16_t congestion, SpareRateLaw::Feedback feedback);

    /// @brief An interval ended: compute R_W of all pairs from what they heard.
    void Update();

    // ---- What it knows ----

    /**
     * @brief The capacity of this host's link beyond the guarantees of its VMs (Eq. 2).
     * @return C_W in bits of IP datagrams per second
     */
    double GetSpareCapacity() const;

    /**
     * @brief The rate of a pair beyond its guarantee.
     * @param pair number of a pair that sends from this host
     * @return R_W in bits of IP datagrams per second; 0 before its first item
     */
    double GetSpareRate(uint32_t pair) const;

    /**
     * @brief The state of a pair in the control law.
     * @param pair number of a pair that sends from this host
     * @return its part in the control law; nullptr before its first item
     */
    const SpareRateLaw::Pair* FindPair(uint32_t pair) const;

    /**
     * @brief The channels of the pairs that have something to send.
     * @return the channels, in the order in which they joined
     */
    std::vector<PairChannel*> GetActiveChannels() const;

    /**
     * @brief Tell how a pair is doing.
     * @param channel of the pair
     * @param visit takes each number
     */
    void ReportState(const PairChannel& channel, const PairChannel::StateVisitor& visit) const;

  private:
    /// @brief A pair that sends from this host.
    struct Sender
    {
        PairChannel* channel{nullptr}; //!< of the pair
        SpareRateLaw::Pair state;      //!< its part in the control law
        double applied{0};             //!< R_W that the channel knows
    };

    double GetCapacity() const;
    double ComputeReserved() const;
    void ApplyRates(Sender& sender);

    RateSetter m_setRates;                          //!< tells channels their rates
    const Settings* m_settings{nullptr};            //!< of this host
    const PairEdge* m_edge{nullptr};                //!< the edge of the network
    uint32_t m_host{0};                             //!< number of this host
    SpareRateLaw m_shares;                          //!< Eqs. 3 to 6
    Law m_law;                                      //!< changes R_W: by them, or otherwise
    std::unordered_map<uint32_t, Sender> m_senders; //!< by pair; they never move
    std::vector<Sender*> m_active;                  //!< those that have something to send
    std::vector<SpareRateLaw::Pair*> m_states;      //!< the same for the law
    mutable double m_reserved{-1}; //!< guarantees of this host's VMs; < 0: not known
};

} // namespace ns3

#endif /* TRINITY_RATE_CONTROL_H */
