/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUND_SCHEDULER_H
#define ROUND_SCHEDULER_H

#include "ns3/abort.h"
#include "ns3/fabric-item.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup afq
 * @brief The FIFO queues of an AFQ port and the order in which they are served.
 *
 * Round r waits in FIFO r mod nQ. AFQ's enqueue asks which round is being served and how far ahead
 * a packet may be; what serves the queues is one of several mechanisms.
 */
class RoundScheduler
{
  public:
    /**
     * @param queues number of FIFO queues, nQ
     */
    explicit RoundScheduler(uint32_t queues)
        : m_window{0, queues - 1},
          m_fifos(queues)
    {
    }

    virtual ~RoundScheduler() = default;

    /// @brief The rounds that packets may be put into.
    struct Window
    {
        uint64_t current; //!< R: the round being served, or served last; new flows start in it
        uint64_t last;    //!< the last round that has a FIFO of its own
    };

    /**
     * @brief The rounds that packets may be put into now.
     * @return the first and the last
     */
    virtual Window GetWindow()
    {
        return m_window;
    }

    /**
     * @brief Take the next packet out.
     * @return the packet, nullptr if none waits
     */
    virtual FabricItem* Pop() = 0;

    /**
     * @brief Append a packet to the FIFO of its round.
     * @param item the packet
     * @param round its round
     */
    void Push(FabricItem* item, uint64_t round)
    {
        item->time = static_cast<int64_t>(round);
        GetFifo(round).Push(item);
        ++m_packets;
    }

    /**
     * @brief True if the FIFO of a round is empty.
     * @param round the round
     * @return true if nothing waits there
     */
    bool IsEmpty(uint64_t round) const
    {
        return m_fifos[GetIndex(round)].IsEmpty();
    }

    /// @brief A FIFO may hold packets of other rounds than its own; else PopFrom() aborts.
    void MixRounds()
    {
        m_mixed = true;
    }

    /**
     * @brief Look at what waits, FIFO by FIFO.
     * @param visit takes a const FabricItem&
     */
    template <class Visit>
    void ForEach(const Visit& visit) const
    {
        for (const ItemList& fifo : m_fifos)
        {
            fifo.ForEach(visit);
        }
    }

    /**
     * @brief The round that a packet was put into.
     * @param item a packet that waits or waited here
     * @return its round
     */
    static uint64_t GetRoundOf(const FabricItem& item)
    {
        return static_cast<uint64_t>(item.time);
    }

  protected:
    /**
     * @brief Index of a round's FIFO.
     * @param round the round
     * @return round mod nQ
     */
    std::size_t GetIndex(uint64_t round) const
    {
        return round % m_fifos.size();
    }

    /**
     * @brief The FIFO of a round.
     * @param round the round
     * @return the FIFO
     */
    ItemList& GetFifo(uint64_t round)
    {
        return m_fifos[GetIndex(round)];
    }

    /**
     * @brief Take the first packet out of the FIFO of a round.
     * @param round the round, whose FIFO is not empty
     * @return the packet
     */
    FabricItem* PopFrom(uint64_t round)
    {
        FabricItem* item = GetFifo(round).Pop();
        NS_ABORT_MSG_UNLESS(m_mixed || GetRoundOf(*item) == round,
                            "a packet of round " << GetRoundOf(*item) << " served in round "
                                                 << round);
        --m_packets;
        return item;
    }

    /// @brief The round being served is over.
    void BeginNextRound()
    {
        ++m_window.current;
        ++m_window.last;
    }

    Window m_window;               //!< rounds that packets may be put into
    bool m_mixed{false};           //!< true if a FIFO may hold packets of several rounds
    uint32_t m_packets{0};         //!< that wait in all FIFOs
    std::vector<ItemList> m_fifos; //!< one for each of nQ rounds in a row
};

/**
 * @ingroup afq
 * @brief Rotating strict priority (AFQ Section 3.3.2, Fig. 3).
 *
 * The FIFO of the current round is served until it is empty; then it becomes the last one and the
 * next round begins.
 */
class RotatingPriorityScheduler final : public RoundScheduler
{
  public:
    /// @brief Moment at which an empty FIFO becomes the last one.
    enum Rotation
    {
        AT_DEPARTURE, //!< as soon as the port next wants a packet
        AT_ONCE       //!< as soon as it is empty while another is not
    };

    /**
     * @param queues number of FIFO queues
     * @param rotation moment at which an empty FIFO becomes the last one
     */
    RotatingPriorityScheduler(uint32_t queues, Rotation rotation)
        : RoundScheduler(queues),
          m_rotation(rotation)
    {
    }

    FabricItem* Pop() override;

  private:
    bool IsOver(uint64_t round);

    Rotation m_rotation; //!< moment at which an empty FIFO becomes the last one
};

/**
 * @ingroup afq
 * @brief Rotating strict priority, emulated by deficit round robin with a large quantum (AFQ
 * Section 4).
 *
 * Queues take turns in the order of their numbers, not in the order they filled. A quantum of at
 * least the bytes that a round can hold empties the queue in one turn.
 */
class DeficitRoundScheduler final : public RoundScheduler
{
  public:
    /**
     * @param queues number of FIFO queues
     * @param quantum bytes per turn
     */
    DeficitRoundScheduler(uint32_t queues, uint64_t quantum)
        : RoundScheduler(queues),
          m_quantum(quantum),
          m_deficits(queues)
    {
    }

    FabricItem* Pop() override;

  private:
    uint64_t m_quantum;               //!< bytes per turn
    bool m_begun{false};              //!< true if the turn's quantum was granted
    std::vector<uint64_t> m_deficits; //!< bytes each queue may still send
};

/**
 * @ingroup afq
 * @brief Rotating strict priority, emulated by two groups of queues under fixed strict priority
 * whose ranks a control processor swaps (AFQ Section 4).
 *
 * In epoch e the high group holds n = nQ / 2 rounds from e n on, the low group the n rounds behind.
 * While the high group has nothing left and the groups have not yet been swapped, the low group is
 * served, but rounds beyond it are not taken in, so a port looks ahead n to 2 n rounds instead of
 * 2 n.
 */
class TwoGroupScheduler final : public RoundScheduler
{
  public:
    /// @brief Rule by which the groups swap.
    enum SwapRule
    {
        WHEN_EMPTY,           //!< as soon as the high group has nothing left
        AT_LOOK,              //!< every tau, if the high group has nothing left
        WHEN_EMPTY_OR_AT_LOOK //!< as soon as it has nothing left, and every tau whatever it has
    };

    /**
     * @param queues number of FIFO queues in both groups together; even
     * @param rule by which the groups swap
     * @param period time tau between looks, in time steps; with 0 the high group is never left
     * before it is empty
     */
    TwoGroupScheduler(uint32_t queues, SwapRule rule, int64_t period)
        : RoundScheduler(queues),
          m_groupSize(queues / 2),
          m_rule(period == 0 ? WHEN_EMPTY : rule),
          m_period(period)
    {
        m_mixed = m_rule == WHEN_EMPTY_OR_AT_LOOK;
    }

    Window GetWindow() override;
    FabricItem* Pop() override;

  private:
    /// @brief First round of the group served first.
    uint64_t GetFirstRound() const
    {
        return m_epoch * m_groupSize;
    }

    bool IsHighGroupOver() const;
    void SwapAtLook();

    uint32_t m_groupSize;     //!< n
    SwapRule m_rule;          //!< by which the groups swap
    int64_t m_period;         //!< tau in time steps
    int64_t m_lastLook{0};    //!< number of the last look that was taken account of
    uint64_t m_epoch{0};      //!< swaps so far
    uint64_t m_lastServed{0}; //!< round of the packet that left last
};

} // namespace ns3

#endif /* ROUND_SCHEDULER_H */
