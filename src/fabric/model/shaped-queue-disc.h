/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHAPED_QUEUE_DISC_H
#define SHAPED_QUEUE_DISC_H

#include "fabric-queue-disc.h"
#include "item-classifier.h"

#include "ns3/direct-timer.h"
#include "ns3/nanosecond-clock.h"
#include "ns3/spec.h"
#include "ns3/token-bucket.h"

#include <deque>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Queues that drain at rates of their own (virtual queues; Nimble, SOSR 2021,
 * Section 2.2.2).
 *
 * Each class of packets has an inner discipline and a token bucket. A packet leaves when its class
 * has the tokens for it; classes whose next packet may leave take turns by bytes (deficit round
 * robin). Packets of no class have a queue without a bucket. Unused rate goes to nobody.
 *
 * One timer serves all classes. It is armed only while something waits and nothing may leave, and
 * runs out at the nanosecond at which the first packet may.
 */
class ShapedQueueDisc : public FabricQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    ShapedQueueDisc();
    ~ShapedQueueDisc() override;

    static constexpr const char* TOO_LONG_DROP =
        "Longer than the bucket is deep"; //!< would wait for ever

    /**
     * @brief Set what says the class of a packet. Before the installation.
     * @param classifier may be shared with other disciplines
     */
    void SetClassifier(Ptr<ItemClassifier> classifier);

    /**
     * @brief Set what makes the discipline of each class, in the place of the attribute Inner.
     * Before the installation.
     * @param make makes one
     */
    void SetInnerFactory(std::function<Ptr<FabricQueueDisc>()> make);

    /**
     * @brief Give a class a rate, or another one. What its bucket has earned until now it has
     * earned at the old one.
     * @param number of the class, counted from 1
     * @param rate of IP packets; 0: nothing leaves until the next change
     */
    void SetRate(uint32_t number, DataRate rate);

    /**
     * @brief Give a class an inner discipline of its own kind. While nothing of it waits.
     * @param number of a class that has a rate; 0: of the packets of no class
     * @param inner the discipline
     */
    void SetInner(uint32_t number, Ptr<FabricQueueDisc> inner);

    /**
     * @brief The inner discipline of a class.
     * @param number of a class that has a rate; 0: of the packets of no class
     * @return the discipline
     */
    FabricQueueDisc& GetInner(uint32_t number) const;

    void ReportResults(Results& results) const override;
    int64_t AssignStreams(int64_t stream) override;
    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;
    void SetPausedPriorities(uint8_t priorities) override;

    bool UsesPriority() const override
    {
        return true;
    }

  protected:
    void DoInstall() override;

    bool DoEnqueueItem(FabricItem* item) override;
    FabricItem* DoDequeueItem() override;
    FabricItem* DoFlushItem() override;
    void DoDispose() override;

  private:
    /// @brief A class of packets.
    struct Queue
    {
        /// @brief The state of a queue, by the thing that it waits for.
        enum State : uint8_t
        {
            IDLE,     //!< a packet
            IN_TURN,  //!< its turn
            WITHHELD, //!< tokens
            BLOCKED,  //!< its inner discipline, which does not let its packets go
        };

        Ptr<FabricQueueDisc> inner;          //!< packets that wait
        TokenBucket bucket{DataRate(0), 0};  //!< says when it may leave; not used by class 0
        FabricItem* head{nullptr};           //!< out of the inner discipline, first to leave
        int64_t release{TokenBucket::NEVER}; //!< time at which it may leave, in ns, while WITHHELD
        uint32_t number{0};                  //!< of the class
        uint32_t deficit{0};                 //!< bytes that it may send in its turn
        State state{IDLE};                   //!< state of the queue
        Queue* next{nullptr};                //!< the queue whose turn is after this one's
    };

    /// @brief A queue that will be released. It is stale if the queue's own release is another.
    using Release = std::pair<int64_t, uint32_t>;

    Queue& AddQueue();
    void AwaitTurn(Queue& queue);
    Queue& TakeTurn();
    void Withhold(Queue& queue, int64_t now);
    void ReleaseDueQueues(int64_t now);
    void RetryBlockedQueues();
    bool FetchHead(Queue& queue);
    void ArmTimer();
    void HandleRelease();

    Spec m_innerSpec;                                  //!< attribute Inner
    std::function<Ptr<FabricQueueDisc>()> m_makeInner; //!< instead of it; empty: by m_innerSpec
    Spec m_classifierSpec;                             //!< attribute Classifier
    std::string m_rates;                               //!< attribute Rates
    uint32_t m_depth;                                  //!< attribute Depth
    uint32_t m_quantum;                                //!< attribute Quantum

    NanosecondClock m_clock;          //!< of the buckets
    Ptr<ItemClassifier> m_classifier; //!< says the class of a packet
    std::deque<Queue> m_queues;       //!< by class; they never move
    Queue* m_first{nullptr};          //!< queue that has the turn
    Queue* m_last{nullptr};           //!< last to have a turn; stale while there is no first
    uint32_t m_nBlocked{0};           //!< queues that are BLOCKED
    DirectTimer m_timer;              //!< wakes the port when a packet may leave

    /// the earliest release on top
    std::priority_queue<Release, std::vector<Release>, std::greater<>> m_releases;
};

} // namespace ns3

#endif /* SHAPED_QUEUE_DISC_H */
