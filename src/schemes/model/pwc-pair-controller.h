/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PWC_PAIR_CONTROLLER_H
#define PWC_PAIR_CONTROLLER_H

#include "pwc-channel.h"
#include "receiver-rate-law.h"

#include "ns3/hose-pair-controller.h"

#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief PicNIC' (receivers grant rates, as EyeQ), WCC (a Swift per VM pair, weighted by what the
 * pair is guaranteed), or both: what uFAB compares with.
 */
class PwcPairController : public HosePairController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    PwcPairController();

    std::string GetSummary() const override;
    std::optional<uint32_t> GetBucketDepth() const override;
    std::unique_ptr<PairChannel> CreateChannel(uint32_t pair) override;
    std::unique_ptr<PairReceiver> CreateReceiver(uint32_t pair) override;
    void OnReceive(PairReceiver& receiver, FabricItem& item, int64_t now) override;

    /**
     * @brief The rate that a VM of this host grants each of its senders.
     * @param vm the VM
     * @return bit/s; 0: nothing came for it yet
     */
    double GetGrantedRate(uint32_t vm) const;

  protected:
    void SetGuarantee(PairChannel& channel, double guarantee) override;
    bool NeedsReports(uint32_t pair) const override;
    void OnInterval(int64_t now) override;
    void DoInstall() override;
    void DoDispose() override;

  private:
    class CountingReceiver;

    /// @brief A receiving VM.
    struct ReceivingVm
    {
        ReceiverRateLaw law;                      //!< rate that it grants
        uint64_t bytes{0};                        //!< received in this interval
        std::vector<CountingReceiver*> senders{}; //!< pairs that sent to it lately
    };

    /// @return weight of a pair's Swift: its guarantee over the mean hose of all VMs (a choice;
    /// uFAB says no more than that there are weights)
    double GetWeight(double guarantee) const;
    bool UpdateMeanHose();
    void CountForGrant(CountingReceiver& receiver, uint32_t bytes);
    void HandleRateTimer();
    void TellSenders(ReceivingVm& vm, int64_t now);

    bool m_picnic;                         //!< attribute Picnic
    bool m_wcc;                            //!< attribute Wcc
    double m_gain;                         //!< attribute RateGain
    Time m_rateInterval;                   //!< attribute RateInterval
    Time m_inactiveAfter;                  //!< attribute InactiveAfter
    uint32_t m_reportEvery;                //!< attribute ReportEvery
    double m_drain;                        //!< attribute DrainShare
    double m_initialShare;                 //!< attribute InitialShare
    DataRate m_leastRate;                  //!< attribute LeastRate
    uint32_t m_bucketDepth;                //!< attribute BucketDepth
    double m_initialWindow;                //!< attribute InitialWindow
    bool m_validation;                     //!< attribute WindowValidation
    double m_linkRate{0};                  //!< of this host, in bit/s
    double m_meanHose{0};                  //!< of all VMs, in bit/s
    uint32_t m_countedVms{0};              //!< VMs that m_meanHose is the mean of
    std::vector<PwcChannel*> m_channels;   //!< of this host
    std::map<uint32_t, ReceivingVm> m_vms; //!< by VM, those that receive now
    DirectTimer m_rateTimer;               //!< ends the control interval
};

} // namespace ns3

#endif /* PWC_PAIR_CONTROLLER_H */
