/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "random-loss-queue-disc.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RandomLossQueueDisc);

TypeId
RandomLossQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RandomLossQueueDisc")
            .SetParent<DropTailQueueDisc>()
            .SetGroupName("Fabric")
            .AddConstructor<RandomLossQueueDisc>()
            .AddAttribute("LossRate",
                          "Probability with which an arriving packet is lost, each by itself",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RandomLossQueueDisc::m_lossRate),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("Smallest",
                          "Smallest packets that may be lost, in bytes; 100 spares "
                          "acknowledgments, as models of TCP do",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RandomLossQueueDisc::m_smallest),
                          MakeUintegerChecker<uint16_t>());
    return tid;
}

RandomLossQueueDisc::RandomLossQueueDisc()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
RandomLossQueueDisc::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
RandomLossQueueDisc::DoEnqueueItem(FabricItem* item)
{
    if (item->size >= m_smallest && m_random->GetValue() < m_lossRate)
    {
        return Drop(item, RANDOM_DROP);
    }
    return DropTailQueueDisc::DoEnqueueItem(item);
}

} // namespace ns3
