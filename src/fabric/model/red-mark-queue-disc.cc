/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "red-mark-queue-disc.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RedMarkQueueDisc);

TypeId
RedMarkQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RedMarkQueueDisc")
            .SetParent<DropTailQueueDisc>()
            .SetGroupName("Fabric")
            .AddConstructor<RedMarkQueueDisc>()
            .AddAttribute("MinThreshold",
                          "Kmin: bytes waiting up to which nothing is marked. The default is for "
                          "40 Gbps links (DCQCN, SIGCOMM 2015, Figure 14)",
                          UintegerValue(5000),
                          MakeUintegerAccessor(&RedMarkQueueDisc::m_minThreshold),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxThreshold",
                          "Kmax: bytes waiting above which every packet is marked. The default is "
                          "for 40 Gbps links (DCQCN, Figure 14)",
                          UintegerValue(200000),
                          MakeUintegerAccessor(&RedMarkQueueDisc::m_maxThreshold),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxProbability",
                          "Pmax: probability of a mark with Kmax waiting (DCQCN, Figure 14: 1 %)",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&RedMarkQueueDisc::m_maxProbability),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

RedMarkQueueDisc::RedMarkQueueDisc()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
RedMarkQueueDisc::DoInstall()
{
    if (m_minThreshold > m_maxThreshold)
    {
        throw InputError("ns3::RedMarkQueueDisc::MinThreshold",
                         std::to_string(m_minThreshold),
                         "at most MaxThreshold, " + std::to_string(m_maxThreshold));
    }
}

int64_t
RedMarkQueueDisc::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

double
RedMarkQueueDisc::GetMarkProbability(uint32_t bytes) const
{
    if (bytes <= m_minThreshold)
    {
        return 0;
    }
    if (bytes > m_maxThreshold)
    {
        return 1;
    }
    return m_maxProbability * (bytes - m_minThreshold) / (m_maxThreshold - m_minThreshold);
}

bool
RedMarkQueueDisc::DoEnqueueItem(FabricItem* item)
{
    const double probability = GetMarkProbability(GetWaitingBytes());
    if (!DropTailQueueDisc::DoEnqueueItem(item))
    {
        return false;
    }
    if (probability > 0 && m_random->GetValue() < probability)
    {
        MarkItem(item, THRESHOLD_MARK);
    }
    return true;
}

} // namespace ns3
