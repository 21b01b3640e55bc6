/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_CONTROLLER_H
#define PAIR_CONTROLLER_H

#include "pair-channel.h"
#include "pair-receiver.h"

#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3
{

class FabricHost;
class ItemHeaderWriter;
class PairEdge;
class Results;
class TenantTable;

/**
 * @ingroup edge
 * @brief The controller of the channels of one host: makes them, hears of reports, and may set the
 * rates or windows of several together.
 *
 * Both ends of a pair are made when its first item comes.
 */
class PairController : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief A description of the controller, for help.
     * @return one line
     */
    virtual std::string GetSummary() const = 0;

    /**
     * @brief Install the controller at a host.
     * @param edge the edge of the network; outlives the controller's use
     * @param host number of the host
     */
    void Install(PairEdge& edge, uint32_t host);

    /**
     * @brief Called when the network is built, before there is traffic.
     * @throws InputError if attributes do not fit the network
     */
    virtual void OnBuilt();

    /**
     * @brief Depth of the shallowest token bucket of a channel, which has to hold the tokens of any
     * packet.
     * @return bytes; nothing unless a subclass has buckets
     */
    virtual std::optional<uint32_t> GetBucketDepth() const;

    /**
     * @brief Make the channel of a pair that sends from this host.
     * @param pair number of the pair
     * @return the channel
     */
    virtual std::unique_ptr<PairChannel> CreateChannel(uint32_t pair);

    /**
     * @brief The first item comes for a channel that is not active: a new one, or one whose
     * controller has set it inactive (PairChannel::SetInactive()).
     * @param channel the channel, active from now on; does not have the item yet
     * @param now the current time, in time steps
     */
    virtual void OnActivate(PairChannel& channel, int64_t now);

    /**
     * @brief True if the controller wants to see what pairs receive. Does not change.
     * @return false unless a subclass says so
     */
    virtual bool HasReceivers() const;

    /**
     * @brief Make the receiving end of a pair that sends to this host.
     * @param pair number of the pair
     * @return the receiver
     */
    virtual std::unique_ptr<PairReceiver> CreateReceiver(uint32_t pair);

    /**
     * @brief An item of a pair arrived at this host.
     * @param receiver of the pair
     * @param item the item
     * @param now the current time, in time steps
     */
    virtual void OnReceive(PairReceiver& receiver, FabricItem& item, int64_t now);

    /**
     * @brief A report of the other end of a pair that sends from this host came.
     * @param channel of the pair
     * @param report the report, newer than those before
     * @param now the current time, in time steps
     */
    virtual void OnReport(PairChannel& channel, const PairReport& report, int64_t now);

    /**
     * @brief A guarantee, the weight or the limit of a tenant with VMs on this host changed.
     * @param tenant number of the tenant
     */
    virtual void OnTermsChanged(uint32_t tenant);

    /**
     * @brief Tell how a channel is doing now. Recorders ask again and again.
     * @param channel one of this host
     * @param now the current time, in time steps
     * @param visit takes what the channel tells of itself, and what the controller adds
     */
    virtual void ReportState(const PairChannel& channel,
                             int64_t now,
                             const PairChannel::StateVisitor& visit) const;

    /**
     * @brief Say after a run what only the controllers of all hosts know. One of them is asked.
     * @param results takes it
     */
    virtual void ReportResults(Results& results) const;

    /**
     * @brief Use random numbers of fixed streams, if the controller uses any.
     * @param stream number of the first stream
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /// @brief Make the writer of the controller's own packets as bytes; nullptr if it sends none.
    virtual std::unique_ptr<ItemHeaderWriter> CreateHeaderWriter() const;

  protected:
    /// @brief Called when the controller is installed.
    virtual void DoInstall();

    void DoDispose() override;

    /// @brief The edge of the network.
    PairEdge& GetEdge() const
    {
        return *m_edge;
    }

    /// @brief The tenants of the network.
    TenantTable& GetTenants() const;

    /// @brief Number of this host.
    uint32_t GetHost() const
    {
        return m_host;
    }

    /**
     * @brief The terms of the queues of a channel.
     * @return attributes ChannelSize and FlowOrder
     */
    FlowQueues::Terms GetChannelTerms() const
    {
        return {m_limit, m_flowOrder};
    }

  private:
    QueueLimit m_limit;            //!< attribute ChannelSize
    FlowQueues::Order m_flowOrder; //!< attribute FlowOrder
    PairEdge* m_edge{nullptr};     //!< the edge of the network
    uint32_t m_host{0};            //!< number of this host
};

} // namespace ns3

#endif /* PAIR_CONTROLLER_H */
