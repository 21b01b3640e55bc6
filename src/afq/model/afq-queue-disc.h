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
#include "ns3/queue-limit.h"
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
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    static constexpr const char* HORIZON_DROP = "AFQ horizon"; //!< too many rounds ahead
    static constexpr const char* BUFFER_DROP = "AFQ buffer";   //!< no room in the port's buffer

    /// @brief The round of a packet.
    enum RoundRule : uint8_t
    {
        END_BYTE,  //!< of the byte behind its last one: floor(bid / BpR), as printed
        LAST_BYTE, //!< of its last byte: floor((bid - 1) / BpR)
        START_BYTE //!< of its first byte: floor(start / BpR)
    };

    /// @brief Limit on the rounds that a packet may be ahead.
    enum HorizonRule : uint8_t
    {
        STRICT, //!< less than nQ rounds: each round has a FIFO of its own
        LITERAL //!< up to nQ rounds, as printed: the last one falls into the FIFO being served
    };

    /// @brief Moment at which a packet is held against the ECN threshold.
    enum MarkAt : uint8_t
    {
        ENQUEUE, //!< on arrival, by its own bid
        DEQUEUE  //!< on departure, by its flow's last bid
    };

    /// @brief Update of the sketch's cells by a packet.
    enum SketchUpdate : uint8_t
    {
        MAX,      //!< cells are raised to the bid
        INCREMENT //!< the packet's size is added to the cells (Section 3.2 in its first words)
    };

    /// @brief Mechanism that serves the FIFOs.
    enum Service : uint8_t
    {
        ROTATING_PRIORITY,   //!< rotating strict priority (Section 3.3.2)
        DEFICIT_ROUND_ROBIN, //!< its emulation with a large quantum (Section 4)
        TWO_GROUPS           //!< its emulation with two groups of fixed priorities (Section 4)
    };

    /// @brief Source from which arrivals learn the current round.
    enum RoundSource : uint8_t
    {
        SHARED,  //!< from the departures
        INFERRED //!< from which FIFOs are empty (Section 4)
    };

    /// @brief Store of the flows' bids.
    enum BidSource : uint8_t
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

    /**
     * @brief Say what the sketch got wrong, if the attributes asked for an audit:
     * `misestimated_ROWSxCOLUMNS` (share of the accepted packets, "sketch" for the port's own),
     * `misestimated_worst_port_...`, and `misestimated_bound_...` (what independent hashing allows
     * with the flows counted).
     * @param results takes it
     */
    void ReportResults(Results& results) const override;

    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;

    /// @brief The current round R as arrivals see it.
    uint64_t GetRound();

    /**
     * @brief The last bid of a flow, as the discipline knows it.
     * @param flow hash of the flow's 5-tuple
     * @return the bid in bytes; may have been reached by the rounds since
     */
    uint64_t GetBid(uint32_t flow);

    /**
     * @brief Exact bids, and the errors of the sketch and of shadows of other sizes.
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
    std::unique_ptr<RoundScheduler> CreateScheduler() const;
    uint64_t InferRound();
    void Note(const FabricItem& item, uint64_t bid, uint64_t current, uint64_t round);

    /**
     * @brief The rounds that packets may be put into now.
     * @return the current one and the last within the horizon
     */
    RoundScheduler::Window GetWindow();

    /**
     * @brief The round of a packet by RoundRule.
     * @param start bid of the byte before its first one
     * @param bid bid of its last byte
     * @return the round
     */
    uint64_t GetRoundOf(uint64_t start, uint64_t bid) const
    {
        const uint64_t byte = m_roundRule == END_BYTE    ? bid
                              : m_roundRule == LAST_BYTE ? bid - 1
                                                         : start;
        return byte / m_bytesPerRound;
    }

    std::optional<MaxUpdateSketch> m_sketch;     //!< S
    std::unique_ptr<RoundScheduler> m_scheduler; //!< the FIFOs
    uint32_t m_bytesPerRound;                    //!< BpR
    uint64_t m_flowThreshold{0};                 //!< ECN threshold of arrivals in bytes of a flow
    QueueLimit m_threshold;                      //!< ECN threshold of the whole queue
    QueueLimit m_limit;                          //!< of the port's buffer
    RoundRule m_roundRule;                       //!< attribute RoundRule
    HorizonRule m_horizonRule;                   //!< attribute HorizonRule
    MarkAt m_markAt;                             //!< attribute MarkAt
    SketchUpdate m_sketchUpdate;                 //!< attribute SketchUpdate
    RoundSource m_roundSource;                   //!< attribute RoundSource
    BidSource m_bidSource;                       //!< attribute BidSource
    uint64_t m_roundsAssigned{0};                //!< one more than the highest round ever assigned
    std::unique_ptr<BidAudit> m_audit;           //!< exact bids beside the sketch, if asked for
    TracedCallback<const FabricItem*, uint64_t, uint64_t> m_enqueueTrace; //!< packets accepted

    uint32_t m_nQueues;                     //!< nQ
    uint32_t m_ecnRounds;                   //!< ECN threshold in rounds
    uint32_t m_sketchRows;                  //!< nH
    uint32_t m_sketchColumns;               //!< nB
    Service m_service;                      //!< attribute Service
    uint64_t m_quantum;                     //!< attribute Quantum
    TwoGroupScheduler::SwapRule m_swapRule; //!< attribute SwapRule
    Time m_swapPeriod;                      //!< attribute SwapPeriod
    bool m_auditSketch;                     //!< attribute AuditSketch
    std::string m_shadowSketches;           //!< attribute ShadowSketches

    uint64_t m_inferredRound{0}; //!< R as inferred from empty FIFOs
};

} // namespace ns3

#endif /* AFQ_QUEUE_DISC_H */
