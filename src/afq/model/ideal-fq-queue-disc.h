/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEAL_FQ_QUEUE_DISC_H
#define IDEAL_FQ_QUEUE_DISC_H

#include "ns3/data-rate.h"
#include "ns3/fabric-queue-disc.h"
#include "ns3/queue-limit.h"

#include <boost/intrusive/set.hpp>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup afq
 * @brief Ideal fair queueing: the packet form of bit-by-bit round robin (AFQ Section 2.1; Demers,
 * Keshav and Shenker, SIGCOMM 1989).
 *
 * Virtual time V counts the bytes that each backlogged flow has sent under byte-by-byte round
 * robin: it grows at the link's rate divided by the number of such flows. A packet's bid is the
 * virtual time at which its last byte would leave there, max(bid of the flow's packet before, V) +
 * size; the packet with the least bid leaves first. When the buffer overflows, the packet with the
 * greatest bid goes, even if it has been waiting.
 */
class IdealFqQueueDisc : public FabricQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /// @brief Rule by which virtual time passes.
    enum VirtualTime
    {
        EXACT,       //!< as the emulated system has it, piece by piece
        SELF_CLOCKED //!< the bid of the packet that left last
    };

    ~IdealFqQueueDisc() override;

    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;

    /**
     * @brief Virtual time now.
     * @return V in bytes
     */
    double GetVirtualTime();

    /**
     * @brief A flow's last bid.
     * @param flow hash of the flow's 5-tuple
     * @return the bid in bytes; 0 for a flow that is not backlogged in the emulated system
     */
    double GetBid(uint32_t flow);

  protected:
    void DoInstall() override;
    bool DoEnqueueItem(FabricItem* item) override;
    FabricItem* DoDequeueItem() override;
    void DoDispose() override;

  private:
    /// @brief A packet that waits.
    struct Entry
    {
        FabricItem* item; //!< the packet
        double bid;       //!< its bid in bytes
        uint64_t arrival; //!< its number among all arrivals

        /// @brief Key of the order of packets: bids, and among equal bids the order of arrival.
        std::pair<double, uint64_t> GetKey() const
        {
            return {bid, arrival};
        }
    };

    using Hook = boost::intrusive::set_member_hook<>;

    /// @brief A flow that is backlogged, here or in the emulated system.
    struct Flow
    {
        uint32_t hash{0};          //!< of its 5-tuple
        std::deque<Entry> waiting; //!< its packets; bids rise
        double lastBid{0};         //!< of its last packet that was not discarded
        Hook byLastBid;            //!< its place among flows backlogged in the emulated system
        Hook byFirst; //!< its place among flows by the bid of the packet that leaves first
        Hook byLast;  //!< its place among flows by the bid of the packet behind
    };

    /// @brief Orders flows by last bid.
    struct LastBidOf
    {
        using type = double; ///< of the key

        double operator()(const Flow& flow) const
        {
            return flow.lastBid;
        }
    };

    /// @brief Orders flows by their first packet.
    struct FirstOf
    {
        using type = std::pair<double, uint64_t>; ///< of the key

        type operator()(const Flow& flow) const
        {
            return flow.waiting.front().GetKey();
        }
    };

    /// @brief Orders flows by their last packet.
    struct LastOf
    {
        using type = std::pair<double, uint64_t>; ///< of the key

        type operator()(const Flow& flow) const
        {
            return flow.waiting.back().GetKey();
        }
    };

    template <Hook Flow::* PLACE, class KeyOf>
    using Order = boost::intrusive::multiset<Flow,
                                             boost::intrusive::member_hook<Flow, Hook, PLACE>,
                                             boost::intrusive::key_of_value<KeyOf>>;
    using Flows = std::unordered_map<uint32_t, Flow>;

    void AdvanceVirtualTime();
    Flow& FindFlow(uint32_t hash);
    void SetLastBid(Flow& flow, double bid);
    bool MakeRoom(uint32_t size, double bid);
    Entry TakeFirst(Flow& flow);
    Entry TakeLast(Flow& flow);
    void ForgetIfIdle(Flow& flow);

    QueueLimit m_limit;                    //!< of the port's buffer
    VirtualTime m_virtualTime;             //!< attribute VirtualTime
    QueueLimit m_markThreshold;            //!< attribute MarkThreshold
    double m_bytesPerTimeStep;             //!< rate of the link
    double m_now{0};                       //!< V
    int64_t m_updated{0};                  //!< time up to which V is advanced, in time steps
    uint64_t m_arrivals{0};                //!< packets so far
    Flows m_flows;                         //!< by hash of the 5-tuple
    std::vector<Flows::node_type> m_spare; //!< flows forgotten, to be used again
    Order<&Flow::byLastBid, LastBidOf> m_backlogged; //!< flows with bids beyond V
    Order<&Flow::byFirst, FirstOf> m_byFirst;        //!< flows that wait here
    Order<&Flow::byLast, LastOf> m_byLast;           //!< the same
};

} // namespace ns3

#endif /* IDEAL_FQ_QUEUE_DISC_H */
