/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "classful-queue-disc.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/string.h"

#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ClassfulQueueDisc);

TypeId
ClassfulQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ClassfulQueueDisc")
            .SetParent<FabricQueueDisc>()
            .SetGroupName("Fabric")
            .AddAttribute("MaxSize",
                          "Most that may wait in all queues together, in bytes, packets or time at "
                          "the link's rate",
                          QueueLimitValue(QueueLimit("512kB")),
                          MakeQueueLimitAccessor(&ClassfulQueueDisc::m_limit),
                          MakeQueueLimitChecker())
            .AddAttribute("DscpMap",
                          "Queue of a DSCP, as a list such as '46=0,10=1'. A DSCP that is not "
                          "listed goes by its class selector (RFC 2474, Section 4.2.2): the class "
                          "selectors from 7 down to 0 are spread evenly over the queues from 0 up",
                          StringValue(""),
                          MakeStringAccessor(&ClassfulQueueDisc::m_dscpMap),
                          MakeStringChecker());
    return tid;
}

void
ClassfulQueueDisc::RejectListLength(const std::string& argument, const std::string& text) const
{
    throw InputError(NameAttribute(argument),
                     text,
                     "one value for all queues, or one for each of the " +
                         std::to_string(m_nQueues));
}

void
ClassfulQueueDisc::DoInstall()
{
    ResolveBuffer("MaxSize", m_limit);
    if (HasStockHome() && !HasPacketFilters() && m_classify == PRIORITY)
    {
        m_classify = DSCP; // priority is not in a packet's headers
    }
    if (m_classify == DSCP)
    {
        MapDscps();
    }
}

void
ClassfulQueueDisc::MapDscps()
{
    constexpr uint32_t SELECTORS = 8;
    for (uint32_t dscp = 0; dscp < m_dscpQueue.size(); ++dscp)
    {
        const uint32_t selector = dscp / SELECTORS;
        m_dscpQueue[dscp] =
            static_cast<uint16_t>((SELECTORS - 1 - selector) * m_nQueues / SELECTORS);
    }
    const std::string argument = NameAttribute("DscpMap");
    std::set<uint64_t> listed;
    for (const std::string& entry : CutList(m_dscpMap))
    {
        const auto sign = entry.find('=');
        if (sign == std::string::npos)
        {
            throw InputError(argument, entry, "DSCP=QUEUE");
        }
        const uint64_t dscp = ParseCount(argument, entry.substr(0, sign));
        const uint64_t queue = ParseCount(argument, entry.substr(sign + 1));
        if (dscp >= m_dscpQueue.size() || queue >= m_nQueues)
        {
            throw InputError(argument,
                             m_dscpMap,
                             "DSCPs are at most 63 and queues at most " +
                                 std::to_string(m_nQueues - 1));
        }
        if (!listed.insert(dscp).second)
        {
            throw InputError(argument, entry, "DSCP=QUEUE, with each DSCP once");
        }
        m_dscpQueue[dscp] = static_cast<uint16_t>(queue);
    }
}

} // namespace ns3
