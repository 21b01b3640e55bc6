/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AFQ_QUEUE_DISC_H
#define AFQ_QUEUE_DISC_H

#include "bid-audit.h"
#include "round-scheduler.h"

#include "ns3/fabric-queue-disc.h"
#include "ns3/max-update-sketch.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc-limit.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @defgroup afq Approximate fair queueing
 * @brief Sharma et al., NSDI 2018: disciplines, packet-pair hosts, schemes.
 */

/**
 * @ingroup afq
 * @brief Approximate fair queueing (Sharma et al., NSDI 2018).
 *
 * A packet's bid is the byte at which its flow would finish it under bit-by-bit round robin. A
 * sketch remembers the last bid of each flow. Rounds are BytesPerRound bytes long; a packet waits
 * in the FIFO of the round its bid falls in, and the FIFOs are served round by round. Packets more
 * rounds ahead than there are FIFOs are dropped, and so is what the port's buffer cannot take;
 * nothing that waits is ever evicted.
 */
class AfqQueueDisc : public FabricQueueDisc
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    static constexpr const char* HORIZON_DROP = "AFQ horizon"; //!< too many rounds ahead
    static constexpr const char* BUFFER_DROP = "AFQ buffer";   //!< no room in the port's buffer

    /// @brief The round of a packet.
    enum RoundRule
    {
        END_BYTE,  //!< of the byte behind its last one: floor(bid / BpR), as printed
        LAST_BYTE, //!< of its last byte: floor((bid - 1) / BpR)
        START_BYTE //!< of its first byte: floor(start / BpR)
    };

    /// @brief How far ahead a packet may be.
    enum HorizonRule
    {
        STRICT, //!< less than nQ rounds: each round has a FIFO of its own
        LITERAL //!< up to nQ rounds, as printed: the last one falls into the FIFO being served
    };

    /// @brief When a packet is held against the ECN threshold.
    enum MarkAt
    {
        ENQUEUE, //!< on arrival, by its own bid
        DEQUEUE  //!< on departure, by its flow's last bid
    };

    /// @brief How the sketch takes a bid in.
    enum SketchUpdate
    {
        MAX,      //!< cells are raised to the bid
        INCREMENT //!< the packet's size is added to the cells (Section 3.2 in its first words)
    };

    /// @brief What serves the FIFOs.
    enum Service
    {
        ROTATING_PRIORITY,   //!< rotating strict priority (Section 3.3.2)
        DEFICIT_ROUND_ROBIN, //!< its emulation with a large quantum (Section 4)
        TWO_GROUPS           //!< its emulation with two groups of fixed priorities (Section 4)
    };

    /// @brief How arrivals learn the current round.
    enum RoundSource
    {
        SHARED,  //!< from the departures
        INFERRED //!< from which FIFOs are empty (Section 4)
    };

    /// @brief Where the bids of flows are kept.
    enum BidSource
    {
        SKETCH, //!< in the sketch
        EXACT   //!< in a table with a row for each flow: what the sketch approximates
    };

    /**
     * @brief Signature of trace source ItemEnqueue.
     * @param item the packet, accepted
     * @param bid its bid in bytes
     * @param round its round
     */
    typedef void (*EnqueueTracedCallback)(const FabricItem* item, uint64_t bid, uint64_t round);

    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;

    /**
     * @brief The current round R as arrivals see it.
     * @return the round
     */
    uint64_t GetRound();

    /**
     * @brief The last bid of a flow, as the discipline knows it.
     * @param flow hash of the flow's 5-tuple
     * @return the bid in bytes; may have been reached by the rounds since
     */
    uint64_t GetBid(uint32_t flow);

    /**
     * @brief What the sketch, and others of other sizes, would have got wrong.
     * @return the audit, nullptr unless the attributes ask for one
     */
    const BidAudit* GetAudit() const
    {
        return m_audit.get();
    }

  protected:
    void DoInstall() override;
    bool DoEnqueueItem(FabricItem* item) override;
    FabricItem* DoDequeueItem() override;

  private:
    QueueSize GetLimit() const;
    void SetLimit(QueueSize limit);
    std::unique_ptr<RoundScheduler> CreateScheduler() const;
    uint64_t InferRound();
    bool IsBeyondHorizon(uint64_t round, uint64_t current);

    /**
     * @brief The round of a packet by RoundRule.
     * @param start bid of the byte before its first one
     * @param bid bid of its last byte
     * @return the round
     */
    uint64_t GetRoundOf(uint64_t start, uint64_t bid) const
    {
        switch (m_roundRule)
        {
        case LAST_BYTE:
            return (bid - 1) / m_bytesPerRound;
        case START_BYTE:
            return start / m_bytesPerRound;
        default:
            return bid / m_bytesPerRound;
        }
    }

    uint32_t m_nQueues;           //!< nQ
    uint32_t m_bytesPerRound;     //!< BpR
    uint32_t m_sketchRows;        //!< nH
    uint32_t m_sketchColumns;     //!< nB
    QueueLimit m_limit;           //!< of the port's buffer
    uint32_t m_ecnRounds;         //!< ECN threshold in rounds
    RoundRule m_roundRule;        //!< attribute RoundRule
    HorizonRule m_horizonRule;    //!< attribute HorizonRule
    MarkAt m_markAt;              //!< attribute MarkAt
    SketchUpdate m_sketchUpdate;  //!< attribute SketchUpdate
    Service m_service;            //!< attribute Service
    uint64_t m_quantum;           //!< attribute Quantum
    Time m_swapPeriod;            //!< attribute SwapPeriod
    RoundSource m_roundSource;    //!< attribute RoundSource
    BidSource m_bidSource;        //!< attribute BidSource
    bool m_auditSketch;           //!< attribute AuditSketch
    std::string m_shadowSketches; //!< attribute ShadowSketches

    std::optional<MaxUpdateSketch> m_sketch;     //!< S
    std::unique_ptr<RoundScheduler> m_scheduler; //!< the FIFOs
    std::unique_ptr<BidAudit> m_audit;           //!< exact bids beside the sketch, if asked for
    uint64_t m_inferredRound{0};                 //!< R as inferred from empty FIFOs
    uint64_t m_roundsAssigned{0};                //!< one more than the highest round ever assigned
    TracedCallback<const FabricItem*, uint64_t, uint64_t> m_enqueueTrace; //!< packets accepted
};

} // namespace ns3

#endif /* AFQ_QUEUE_DISC_H */
