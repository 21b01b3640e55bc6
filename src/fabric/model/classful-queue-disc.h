/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLASSFUL_QUEUE_DISC_H
#define CLASSFUL_QUEUE_DISC_H

#include "fabric-queue-disc.h"

#include "ns3/hash-family.h"
#include "ns3/queue-limit.h"

#include <array>
#include <string>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief A discipline with several queues and a rule which of them an item joins.
 *
 * A subclass offers the attributes `Queues` and `Classify` with defaults of its own.
 */
class ClassfulQueueDisc : public FabricQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /// @brief The property that decides the queue of an item.
    enum Classify
    {
        PRIORITY, //!< FabricItem::priority; in a stock ns-3 program without packet filters as DSCP
        DSCP,     //!< the DSCP, by the attribute DscpMap
        FLOW,     //!< a hash of the flow
    };

    bool UsesPriority() const override
    {
        return m_classify == PRIORITY;
    }

  protected:
    void DoInstall() override;

    /**
     * @brief Find the queue of an item.
     * @param item the item
     * @return number of the queue, counted from 0
     */
    uint32_t GetQueueOf(const FabricItem& item) const
    {
        switch (m_classify)
        {
        case PRIORITY:
            return std::min<uint32_t>(item.priority, m_nQueues - 1);
        case DSCP:
            return m_dscpQueue[item.tos >> 2];
        default:
            return ScaleHash(HashFlow(item.hash, m_perturbation), m_nQueues);
        }
    }

    /**
     * @brief The value for each queue, from a list that has one for each, or one for all.
     * @tparam T type of the values
     * @param argument name of the attribute, for the error
     * @param text the attribute, for the error
     * @param list the list; empty: the default for all
     * @param byDefault the default
     * @return a value per queue
     * @throws InputError if the list has another length
     */
    template <class T>
    std::vector<T> SpreadOverQueues(const std::string& argument,
                                    const std::string& text,
                                    const std::vector<T>& list,
                                    const T& byDefault) const
    {
        if (list.size() > 1 && list.size() != m_nQueues)
        {
            RejectListLength(argument, text);
        }
        return list.size() > 1 ? list
                               : std::vector<T>(m_nQueues, list.empty() ? byDefault : list[0]);
    }

    QueueLimit m_limit;         //!< most that may wait in all queues together
    uint32_t m_nQueues{0};      //!< number of queues
    Classify m_classify;        //!< property that decides the queue of an item
    uint32_t m_perturbation{0}; //!< chooses the hash function

  private:
    void MapDscps();
    [[noreturn]] void RejectListLength(const std::string& argument, const std::string& text) const;

    std::string m_dscpMap;                //!< attribute DscpMap
    std::array<uint16_t, 64> m_dscpQueue; //!< queue of each DSCP
};

} // namespace ns3

#endif /* CLASSFUL_QUEUE_DISC_H */
