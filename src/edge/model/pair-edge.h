/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_EDGE_H
#define PAIR_EDGE_H

#include "pair-controller.h"
#include "pair-report.h"

#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/tenant-table.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3
{

class PairQueueDisc;
class ReportCarrier;
class Results;

/**
 * @ingroup edge
 * @brief The edge of a network: which VM pair an item belongs to, both ends of every pair, and the
 * reports between them.
 *
 * Use: Setup() before the fabric is built, with PairQueueDisc at the hosts' ports; SetTenants()
 * before or after; InstallAgents() afterwards.
 */
class PairEdge : public Object, private ItemSink
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    PairEdge();
    ~PairEdge() override;

    /// @brief The channel of the answers to a pair's data (acknowledgments, feedback).
    enum Answers
    {
        REVERSE_PAIR, //!< that of the reverse pair
        NO_PAIR       //!< none: they are not held, limited or counted
    };

    /// @brief Makes the controller of a host.
    using ControllerFactory = std::function<Ptr<PairController>()>;

    /// @brief Reports of all pairs.
    struct ReportStatistics
    {
        uint64_t sent{0};     //!< reports that were sent, as packets or on packets
        uint64_t rode{0};     //!< of these: on packets that went anyway
        uint64_t received{0}; //!< reports that came
        uint64_t stale{0};    //!< of those that came, ignored because a newer one came before
    };

    /**
     * @brief Say whose edge it is.
     * @param fabric the network, not yet built; the edge is aggregated to it
     * @param controller makes the controller of each host
     */
    void Setup(Ptr<Fabric> fabric, ControllerFactory controller);

    /**
     * @brief Say who rents the network, before traffic.
     * @param tenants the tenants
     */
    void SetTenants(Ptr<TenantTable> tenants);

    /**
     * @brief A host has a discipline for VM pairs: make its controller.
     * @param host number of the host
     * @param disc the discipline of its port
     */
    void AddHost(uint32_t host, PairQueueDisc& disc);

    /// @brief Let the receiving ends see what arrives, if a controller wants it. After Build().
    void InstallAgents();

    /**
     * @brief Refuse packets that a channel could never send.
     * @param bytes a packet as an IP datagram
     * @throws InputError if it is more than a token bucket holds
     */
    void CheckPacketSize(uint32_t bytes) const;

    /**
     * @brief Assign fixed random variable stream numbers to the controllers. After Build().
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @brief The pair whose channel an item uses.
     * @param item the item
     * @return number of the pair, plus 1; 0: none
     */
    uint32_t GetPairOf(const FabricItem& item) const
    {
        const uint32_t pair = m_fabric->GetFlowTag(item).pair;
        if (pair == 0 || !(item.kind & FabricItem::TOWARDS_SENDER)) [[likely]]
        {
            return pair;
        }
        return m_answers == REVERSE_PAIR ? TenantTable::Reverse(pair - 1) + 1 : 0;
    }

    /**
     * @brief The channel of a pair.
     * @param pair number of the pair
     * @return the channel; nullptr if it has not sent anything yet
     */
    PairChannel* FindChannel(uint32_t pair) const
    {
        return pair < m_channels.size() ? m_channels[pair] : nullptr;
    }

    /**
     * @brief The receiving end of a pair.
     * @param pair number of the pair
     * @return the receiver; nullptr if nothing has arrived yet
     */
    PairReceiver* FindReceiver(uint32_t pair) const
    {
        return pair < m_pairs.size() ? m_pairs[pair].receiver.get() : nullptr;
    }

    /**
     * @brief Make the channel of a pair.
     * @param pair number of the pair; it has no channel yet
     * @return the channel
     */
    std::unique_ptr<PairChannel> CreateChannel(uint32_t pair);

    /**
     * @brief An item of a pair arrived.
     * @param pair number of the pair
     * @param item the item
     */
    void Receive(uint32_t pair, FabricItem& item);

    /**
     * @brief Send a report from the receiving end of its pair to the sending end: as a packet, or
     * on one that goes anyway (attribute ReportPatience).
     * @param report the report
     */
    void SendReport(const PairReport& report);

    /**
     * @brief Send a report as a packet of its own, now.
     * @param report the report
     */
    void SendReportPacket(const PairReport& report);

    /// @brief A report rides on a packet.
    void CountRide();

    /**
     * @brief Take the report off a packet that arrived, if one rides on it.
     * @param item the packet
     */
    void UnloadReport(FabricItem& item);

    /**
     * @brief The controller of a host.
     * @param host number of the host
     * @return the controller
     */
    PairController& GetController(uint32_t host) const
    {
        return *m_hosts.at(host).controller;
    }

    /**
     * @brief The discipline of a host's port.
     * @param host number of the host
     * @return the discipline
     */
    PairQueueDisc& GetQueueDisc(uint32_t host) const
    {
        return *m_hosts.at(host).disc;
    }

    /**
     * @brief Tell how every channel is doing now: what a recorder asks again and again.
     * @param visit takes the pair of a channel and each number that it or its controller tells
     */
    void ReportState(
        const std::function<void(uint32_t pair, const char* name, double value)>& visit) const;

    /// @brief The network.
    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /// @brief The tenants of the network.
    TenantTable& GetTenants() const
    {
        return *m_tenants;
    }

    /// @brief Reports so far.
    const ReportStatistics& GetReportStatistics() const
    {
        return m_statistics;
    }

    /**
     * @brief Say after a run how many reports there were, and what the controllers know.
     * @param results takes it
     */
    void ReportResults(Results& results) const;

    /**
     * @brief Signature of the trace source Report.
     * @param report a report that came
     */
    typedef void (*ReportTracedCallback)(const PairReport& report);

  protected:
    void DoDispose() override;

  private:
    /// @brief The state of a pair's reports, at both its ends. Its channel is in m_channels.
    struct Pair
    {
        std::unique_ptr<PairReceiver> receiver; //!< at the receiver
        uint32_t lastReport{0};                 //!< sequence of the newest report that came
    };

    /// @brief The parts of the edge at a host.
    struct Host
    {
        Ptr<PairController> controller; //!< rules the channels
        PairQueueDisc* disc{nullptr};   //!< at the port; the port owns it
        Ptr<ReportCarrier> carrier;     //!< lets reports ride; nullptr: they do not
    };

    Pair& GetEnds(uint32_t pair);
    void HandleReport(const PairReport& report, uint32_t host);
    void ReceiveItem(FabricItem* item) override;
    void HandleChange(TenantId tenant);

    Answers m_answers;                               //!< attribute Answers
    uint16_t m_reportSize;                           //!< attribute ReportSize
    uint8_t m_reportDscp;                            //!< attribute ReportDscp
    Time m_reportPatience;                           //!< attribute ReportPatience
    Fabric* m_fabric{nullptr};                       //!< the network, which the edge is part of
    std::vector<PairChannel*> m_channels;            //!< by pair; the disciplines own them
    Ptr<TenantTable> m_tenants;                      //!< tenants of the network
    ControllerFactory m_makeController;              //!< makes the controller of each host
    std::vector<Host> m_hosts;                       //!< by host
    std::vector<Pair> m_pairs;                       //!< by pair
    uint32_t m_flow{0};                              //!< the fabric's name for reports
    ReportStatistics m_statistics;                   //!< reports so far
    TracedCallback<const PairReport&> m_reportTrace; //!< a report came
};

} // namespace ns3

#endif /* PAIR_EDGE_H */
