/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_PAIR_CONTROLLER_H
#define MUFAB_PAIR_CONTROLLER_H

#include "freeze-window.h"
#include "mufab-pair.h"
#include "mufab-settings.h"
#include "probe-exchange.h"

#include "ns3/data-rate.h"
#include "ns3/direct-timer.h"
#include "ns3/pair-controller.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief uFAB-E of a host: the tokens of its VMs at both ends (Appendix E), and which of its pairs
 * may migrate (Section 3.5).
 *
 * It has the attributes, makes the pairs (MufabPair) and hands them what the network brings
 * (ProbeExchange). A pair tells it of two things only, that it is idle and that it has migrated.
 */
class MufabPairController : public PairController,
                            public MufabSettings,
                            private MufabPair::Host,
                            private ProbeExchange::Host
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MufabPairController();
    ~MufabPairController() override;

    std::string GetSummary() const override;
    void OnBuilt() override;
    std::unique_ptr<PairChannel> CreateChannel(uint32_t pair) override;
    void OnActivate(PairChannel& channel, int64_t now) override;
    bool HasReceivers() const override;
    std::unique_ptr<PairReceiver> CreateReceiver(uint32_t pair) override;
    std::unique_ptr<ItemHeaderWriter> CreateHeaderWriter() const override;
    void OnReceive(PairReceiver& receiver, FabricItem& item, int64_t now) override;
    void OnTermsChanged(uint32_t tenant) override;

    int64_t AssignStreams(int64_t stream) override;
    void ReportResults(Results& results) const override;

    /// @return the attributes
    const MufabSettings& GetSettings() const
    {
        return *this;
    }

    /**
     * @brief Signature of the trace source Migration.
     * @param pair number of the pair
     * @param from number of the path that it left
     * @param to number of the path that it took
     */
    typedef void (*MigrationTracedCallback)(uint32_t pair, uint32_t from, uint32_t to);

  protected:
    void DoInstall() override;
    void DoDispose() override;

  private:
    /// @brief A pair at its receiver.
    struct ReceivingEnd
    {
        double demand{0};     //!< phi_S as of its last probe
        int64_t lastSeen{0};  //!< time of the last probe or data
        bool isActive{false}; //!< true if it counts
    };

    /// @brief Active pairs at a VM of this host.
    struct LocalVm
    {
        std::vector<MufabPair*> senders;      //!< pairs that send
        std::vector<ReceivingEnd*> receivers; //!< pairs that receive
        double level{UNBOUND_TOKENS};         //!< tokens granted to a pair that asks for so much
        bool isChanged{false};                //!< true if the level is out of date
        int64_t sweptAt{0};                   //!< time of the last search for silent pairs
    };

    // From the network.
    void OnProbe(MufabProbe& probe) override;
    void OnResponse(const MufabProbe& probe) override;
    void OnAcknowledgment(const PathAcknowledgment& acknowledgment) override;
    void SendControl(FabricItem* item) override;

    // From the pairs.
    void OnIdle(MufabPair& pair) override;
    void OnMigrated(const MufabPair& pair, uint16_t from, uint16_t to) override;

    void RequestMigration(MufabPair& pair, int64_t now);
    double GetTokens(DataRate hose) const;
    void AssignSenders(uint32_t vm, LocalVm& local, int64_t now);
    void Admit(uint32_t vm, LocalVm& local, int64_t now);
    void HandleTokenTimer();
    void HandleFreezeTimer();

    Ptr<ProbeExchange> m_exchange;                         //!< carries probes
    Ptr<UniformRandomVariable> m_random;                   //!< draws paths and freeze windows
    FreezeWindow m_freeze;                                 //!< limits the migrations of the host
    DirectTimer m_tokenTimer;                              //!< ends a token period
    DirectTimer m_freezeTimer;                             //!< ends a freeze window
    std::map<uint32_t, LocalVm> m_vms;                     //!< by VM, those that were ever active
    std::unordered_map<uint32_t, ReceivingEnd> m_incoming; //!< by pair; they never move
    TracedCallback<uint32_t, uint32_t, uint32_t> m_migrationTrace; //!< a pair migrated
};

} // namespace ns3

#endif /* MUFAB_PAIR_CONTROLLER_H */
