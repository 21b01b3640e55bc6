/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_DISC_TEST_H
#define QUEUE_DISC_TEST_H

#include "item-test-case.h"

#include "ns3/fabric-node.h"
#include "ns3/fabric-queue-disc.h"
#include "ns3/input-error.h"
#include "ns3/test.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric-tests
 * @brief Make an item for a discipline.
 * @param flow hash of its flow
 * @param size IP datagram in bytes
 * @param tos DSCP and ECN
 * @param priority class in the fabric
 * @return the item
 */
inline FabricItem*
MakeTestItem(uint32_t flow,
             uint16_t size = 1000,
             uint8_t tos = FabricItem::ECT0,
             uint8_t priority = 0)
{
    FabricItem* item = FabricItem::Create();
    item->hash = flow;
    item->size = size;
    item->tos = tos;
    item->priority = priority;
    return item;
}

/**
 * @ingroup fabric-tests
 * @brief Packets of one fate, all reasons together.
 * @param counts as a discipline counts them
 * @return number of packets
 */
inline uint64_t
CountPackets(const std::vector<FabricQueueDisc::Count>& counts)
{
    uint64_t packets = 0;
    for (const auto& count : counts)
    {
        packets += count.packets;
    }
    return packets;
}

/**
 * @ingroup fabric-tests
 * @brief The text of the InputError that something throws.
 * @param action a function that may throw
 * @return the text, empty if nothing is thrown
 */
inline std::string
GetInputError(const std::function<void()>& action)
{
    try
    {
        action();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * @ingroup fabric-tests
 * @brief A discipline on a link to a node that looks at items and lets them go.
 */
class TestLink : public FabricNode
{
  public:
    /**
     * @brief Lay the link.
     * @param disc the discipline
     * @param rate of the link
     */
    TestLink(Ptr<FabricQueueDisc> disc, const std::string& rate)
    {
        FabricPort::Description description;
        description.rate = DataRate(rate);
        description.delay = MicroSeconds(1);
        description.node = this;
        description.peer = this;
        port.Connect(description, 0);
        port.SetQueueDisc(disc);
    }

    void Receive(FabricItem* item) override
    {
        onReceive(*item);
        item->Release();
    }

    FabricPort port;                                                            //!< the port
    std::function<void(const FabricItem&)> onReceive{[](const FabricItem&) {}}; //!< sees arrivals
};

/// @ingroup fabric-tests
/// @brief Test cases here leave no item behind.
using QueueDiscTestCase = ItemTestCase;

} // namespace ns3

#endif /* QUEUE_DISC_TEST_H */
