/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_PAIR_CONTROLLER_H
#define MUFAB_PAIR_CONTROLLER_H

#include "freeze-window.h"
#include "mufab-channel.h"
#include "mufab-settings.h"

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
 * @brief uFAB-E of a host: its channels, the tokens of its VMs at both ends (Appendix E), and which
 * pair may migrate (Section 3.5).
 */
class MufabPairController : public PairController, public MufabSettings
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
    void OnTermsChanged(uint32_t tenant) override;

    int64_t AssignStreams(int64_t stream) override;
    void ReportResults(Results& results) const override;

    // ---- From the network ----

    /**
     * @brief A probe for this host came: note what its pair asks for, and say what it is granted.
     * @param probe the probe; its tokens become phi_D
     */
    void OnProbe(MufabProbe& probe);

    /**
     * @brief A response to a pair of this host came.
     * @param probe the response
     */
    void OnResponse(const MufabProbe& probe);

    /**
     * @brief An acknowledgment for a pair of this host came.
     * @param acknowledgment the acknowledgment
     */
    void OnAcknowledgment(const PathAcknowledgment& acknowledgment);

    /**
     * @brief Data of a pair came to this host.
     * @param pair number of the pair
     * @param now the current time, in time steps
     */
    void OnData(uint32_t pair, int64_t now);

    // ---- From the channels ----

    /**
     * @brief A pair has left.
     * @param channel of the pair
     */
    void OnLeave(MufabChannel& channel);

    /**
     * @brief A pair wants to migrate: now, or when the host's freeze window has passed.
     * @param channel of the pair
     * @param now the current time, in time steps
     */
    void RequestMigration(MufabChannel& channel, int64_t now);

    /**
     * @brief A pair went to another path.
     * @param channel of the pair
     * @param from path that it left
     * @param to path that it took
     */
    void OnMigrated(const MufabChannel& channel, const MufabPath& from, const MufabPath& to);

    /**
     * @brief Send an item before all that waits.
     * @param item of class CONTROL
     */
    void SendControl(FabricItem* item);

    /**
     * @brief Paths between two hosts.
     * @param source sending host
     * @param destination receiving host
     * @return number of paths
     */
    uint32_t GetNPaths(uint32_t source, uint32_t destination);

    /**
     * @brief Make a path of a pair.
     * @param channel of the pair
     * @param source sending host
     * @param destination receiving host
     * @param index number of the path
     * @return the path
     */
    std::unique_ptr<MufabPath> MakePath(MufabChannel& channel,
                                        uint32_t source,
                                        uint32_t destination,
                                        uint16_t index);

    // ---- What it has ----

    using PairController::GetTenants;

    /// @return the attributes
    const MufabSettings& GetSettings() const
    {
        return *this;
    }

    /// @return the carrier of probes
    ProbeExchange& GetExchange() const
    {
        return *m_exchange;
    }

    /// @return draws
    UniformRandomVariable& GetRandom() const
    {
        return *m_random;
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
        std::vector<MufabChannel*> senders;   //!< pairs that send
        std::vector<ReceivingEnd*> receivers; //!< pairs that receive
        double level{UNBOUND_TOKENS};         //!< tokens granted to a pair that asks for so much
        bool isChanged{false};                //!< true if the level is out of date
        int64_t sweptAt{0};                   //!< time of the last search for silent pairs
    };

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
