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
#include "ns3/nstime.h"
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
class MufabPairController : public PairController
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MufabPairController();
    ~MufabPairController() override;

    /// @brief Precision of the values that probes carry.
    enum Encoding
    {
        EXACT, //!< values as they are
        WIRE   //!< values as the fields of Appendix G hold them
    };

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

    /**
     * @brief By how much the window of the first stage of admission grows once per base RTT.
     * @param ramp the window, in bytes
     * @param share the share of Eq. 1 in a base RTT, in bytes
     * @return bytes; in the paper the share (Section 3.4)
     */
    virtual double GetGrowth(double ramp, double share) const;

    // ---- What the attributes come to ----

    using PairController::GetTenants;

    /// @return settings that follow from the attributes
    const MufabSettings& GetSettings() const
    {
        return m_settings;
    }

    /// @return B_u in bit/s
    double GetUnit() const
    {
        return m_settings.share.unit;
    }

    /// @return units of the fields of probes; nullptr: values are exact
    const IntUnits* GetUnits() const
    {
        return m_encoding == WIRE ? &m_units : nullptr;
    }

    /**
     * @brief Datagram of a probe.
     * @param switches of its path
     * @param records that it has room for
     * @return bytes
     */
    uint16_t GetProbeSize(uint32_t switches, uint32_t records) const;

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

    void Resolve();
    void CheckAttributes() const;
    double GetTokens(DataRate hose) const;
    void AssignSenders(uint32_t vm, LocalVm& local, int64_t now);
    void Admit(uint32_t vm, LocalVm& local, int64_t now);
    void HandleTokenTimer();
    void HandleFreezeTimer();

    // Attributes, in the order of their documentation.
    DataRate m_unit;
    double m_utilization;
    Time m_tokenPeriod;
    Time m_baseRtt;
    bool m_ownRtt;
    bool m_paced;
    bool m_twoStage;
    MufabSettings::Advertisement m_advertisement;
    double m_windowCap;
    MufabSettings::ProbeClock m_clock;
    uint32_t m_probeRounds;
    uint16_t m_probeSize;
    Encoding m_encoding;
    uint32_t m_tokenBits;
    Time m_giveUp;
    uint32_t m_candidates;
    PathPreference m_preference;
    uint32_t m_freezeRounds;
    Time m_retry;
    bool m_keepOrder;
    uint32_t m_pathsPerPair;
    Time m_conservationPeriod;
    Time m_conservationTime;

    MufabSettings m_settings{};                            //!< from the attributes
    IntUnits m_units;                                      //!< of the fields of probes
    bool m_isResolved{false};                              //!< true if m_settings is complete
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
