/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AFQ_TEST_H
#define AFQ_TEST_H

#include "../../fabric/test/queue-disc-test.h"

#include "ns3/afq-queue-disc.h"
#include "ns3/object-spec.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @defgroup afq-tests Tests for approximate fair queueing
 * @ingroup afq
 * @ingroup tests
 */

/**
 * @ingroup afq-tests
 * @brief A discipline under test: flows are letters, and their packets are numbered from 1.
 */
class TestQueue
{
  public:
    /**
     * @param spec the discipline, such as "afq:NumQueues=4"
     */
    explicit TestQueue(const std::string& spec)
        : disc(CreateFromSpec<FabricQueueDisc>("test", spec))
    {
        if (Ptr<AfqQueueDisc> afq = DynamicCast<AfqQueueDisc>(disc))
        {
            afq->TraceConnectWithoutContext("ItemEnqueue", MakeCallback(&TestQueue::Note, this));
        }
        disc->SetPort(nullptr);
    }

    ~TestQueue()
    {
        disc->Dispose();
    }

    /**
     * @brief A packet of a flow comes.
     * @param flow its flow
     * @param size IP datagram in bytes
     * @param tos DSCP and ECN
     * @return true if it was taken in
     */
    bool Send(char flow, uint16_t size = 1500, uint8_t tos = FabricItem::ECT0)
    {
        FabricItem* item = MakeTestItem(static_cast<uint8_t>(flow), size, tos);
        item->source = ++m_sent[flow];
        return disc->EnqueueItem(item);
    }

    /**
     * @brief Packets of a flow come at once.
     * @param flow the flow
     * @param count number of packets
     * @param size of each
     * @return number of packets taken in
     */
    uint32_t SendBurst(char flow, uint32_t count, uint16_t size = 1500)
    {
        uint32_t accepted = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            accepted += Send(flow, size) ? 1 : 0;
        }
        return accepted;
    }

    /**
     * @brief Let packets leave.
     * @param most largest number of packets
     * @return their names, such as "A1 B1"
     */
    std::string Serve(uint32_t most = UINT32_MAX)
    {
        std::string names;
        for (uint32_t i = 0; i < most; ++i)
        {
            FabricItem* item = disc->DequeueItem();
            if (!item)
            {
                break;
            }
            names += names.empty() ? "" : " ";
            names += static_cast<char>(item->hash);
            names += std::to_string(item->source);
            item->Release();
        }
        return names;
    }

    /// @brief The discipline as AFQ.
    AfqQueueDisc& Afq() const
    {
        return dynamic_cast<AfqQueueDisc&>(*disc);
    }

    /**
     * @brief Packets dropped for one reason.
     * @param reason the discipline's constant
     * @return number of packets
     */
    uint64_t CountDrops(const char* reason) const
    {
        for (const auto& count : disc->GetDropCounts())
        {
            if (std::string(count.reason) == reason)
            {
                return count.packets;
            }
        }
        return 0;
    }

    Ptr<FabricQueueDisc> disc;    //!< the discipline
    std::vector<uint64_t> rounds; //!< of the packets taken in, in the order in which they came

  private:
    void Note(const FabricItem* /* item */, uint64_t /* bid */, uint64_t round)
    {
        rounds.push_back(round);
    }

    std::map<char, uint32_t> m_sent; //!< packets of each flow so far
};

} // namespace ns3

#endif /* AFQ_TEST_H */
