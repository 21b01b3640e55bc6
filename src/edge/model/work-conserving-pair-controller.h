/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORK_CONSERVING_PAIR_CONTROLLER_H
#define WORK_CONSERVING_PAIR_CONTROLLER_H

#include "ecn-pair-controller.h"
#include "spare-rate-law.h"

#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup edge
 * @brief A controller that lets pairs send beyond their guarantees while the network has room:
 * Trinity's rate controller (Section 3.3), with or without colours.
 *
 * A pair may send at R_G, its guarantee, and at R_W beyond it. R_W is computed once per interval
 * from what the receivers report (SpareRateLaw). A pair that joins few others has its
 * share at once (ShareAtOnce). A subclass says
 * what its channels do with the two rates: Trinity colours the traffic, the aggressive form of
 * ElasticSwitch adds them up.
 */
class WorkConservingPairController : public EcnPairController
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void OnActivate(PairChannel& channel, int64_t now) override;
    void OnReport(PairChannel& channel, const PairReport& report, int64_t now) override;
    void OnTermsChanged(uint32_t tenant) override;
    void ReportState(const PairChannel& channel,
                     int64_t now,
                     const PairChannel::StateVisitor& visit) const override;

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
     * @brief The capacity of this host's link beyond the guarantees of its VMs (Eq. 2).
     * @return C_W in bits of IP datagrams per second
     */
    double GetSpareCapacity() const;

  protected:
    /**
     * @brief A rate of a pair changed.
     * @param channel of the pair
     * @param guaranteed R_G in bits of IP datagrams per second
     * @param spare R_W in bits of IP datagrams per second
     */
    virtual void SetRates(PairChannel& channel, double guaranteed, double spare) = 0;

    /**
     * @brief The meaning of a report for the pair; the last one of an interval counts.
     * @param channel of the pair
     * @param report the report
     * @param now the current time, in time steps
     * @return REPORT unless a subclass knows better
     */
    virtual SpareRateLaw::News Judge(PairChannel& channel, const PairReport& report, int64_t now);

    /**
     * @brief A report came, or an interval ended: compute R_W of all pairs from what they heard.
     * @param capacity of the host's link, C in Eq. 2
     * @param spare thereof what is not guaranteed, C_W in Eq. 2
     * @param pairs those of the host that have something to send
     */
    virtual void UpdateRates(double capacity,
                             double spare,
                             const std::vector<SpareRateLaw::Pair*>& pairs);

    /**
     * @brief The pair's sender takes stock at the end of an interval, after new rates are set.
     * @param channel of the pair
     * @param now the current time, in time steps
     */
    virtual void OnChannelInterval(PairChannel& channel, int64_t now);

    void SetGuarantee(PairChannel& channel, double guarantee) override;
    void OnInterval(int64_t now) override;
    void OnDeactivate(PairChannel& channel) override;
    void DoInstall() override;
    void DoDispose() override;

  private:
    /// @brief A pair that sends from this host.
    struct Sender
    {
        PairChannel* channel{nullptr}; //!< of the pair
        SpareRateLaw::Pair state;      //!< its part in the control law
        double applied{0};             //!< R_W that the channel knows
    };

    double GetCapacity() const;
    void UpdateActive();
    double ComputeReserved() const;
    void ApplyRates(Sender& sender);

    SpareRateLaw::Profile m_profile;                //!< attribute Profile
    double m_alpha;                                 //!< attribute Alpha
    double m_gain;                                  //!< attribute BetaGain
    double m_usable;                                //!< attribute UsableCapacity
    uint32_t m_shareAtOnce;                         //!< attribute ShareAtOnce
    bool m_reclaimIdle;                             //!< attribute ReclaimIdleGuarantee
    bool m_updateAtReports;                         //!< attribute UpdateAtReports
    DataRate m_leastRate;                           //!< attribute LeastSpareRate
    DataRate m_trappedRate;                         //!< attribute TrappedRate
    SpareRateLaw m_law;                             //!< the control law
    std::unordered_map<uint32_t, Sender> m_senders; //!< by pair; they never move
    std::vector<Sender*> m_active;                  //!< those that have something to send
    std::vector<SpareRateLaw::Pair*> m_states;      //!< the same for the law
    mutable double m_reserved{-1}; //!< guarantees of this host's VMs; < 0: not known
};

} // namespace ns3

#endif /* WORK_CONSERVING_PAIR_CONTROLLER_H */
