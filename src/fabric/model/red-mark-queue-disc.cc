/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "red-mark-queue-disc.h"

#include "ns3/double.h"
#include "ns3/former-settings.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RedMarkQueueDisc);

/// Thresholds were bytes.
static const FormerSettings g_formerRedMarkQueueDiscSettings{
    {"ns3::RedMarkQueueDisc", "MinThreshold", 1, "B"},
    {"ns3::RedMarkQueueDisc", "MaxThreshold", 1, "B"},
};

TypeId
RedMarkQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RedMarkQueueDisc")
            .SetParent<DropTailQueueDisc>()
            .SetGroupName("Fabric")
            .AddConstructor<RedMarkQueueDisc>()
            .AddAttribute(
                "MinThreshold",
                "Kmin: nothing is marked while no more than this waits, in bytes or "
                "time at the link's rate. The default is for 40 Gbps links (DCQCN, SIGCOMM "
                "2015, Figure 14), as 1us is for all",
                QueueLimitValue(QueueLimit("5kB")),
                MakeQueueLimitAccessor(&RedMarkQueueDisc::m_minThreshold),
                MakeQueueLimitChecker(LengthUnits::BYTES_OR_TIME))
            .AddAttribute(
                "MaxThreshold",
                "Kmax: every packet is marked while more than this waits, in bytes or "
                "time at the link's rate. The default is for 40 Gbps links (DCQCN, SIGCOMM "
                "2015, Figure 14), as 40us is for all",
                QueueLimitValue(QueueLimit("200kB")),
                MakeQueueLimitAccessor(&RedMarkQueueDisc::m_maxThreshold),
                MakeQueueLimitChecker(LengthUnits::BYTES_OR_TIME))
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
    DropTailQueueDisc::DoInstall();
    ResolveThreshold("MinThreshold", m_minThreshold, GetLimit());
    ResolveLimit("MaxThreshold", m_maxThreshold);
    if (m_minThreshold.GetBytes() > m_maxThreshold.GetBytes())
    {
        throw InputError(NameAttribute("MinThreshold"),
                         m_minThreshold.ToString(),
                         "at most MaxThreshold, " + m_maxThreshold.ToString());
    }
    LetPassWhenIdle<RedMarkQueueDisc>();
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
    const uint32_t least = m_minThreshold.GetBytes();
    const uint32_t most = m_maxThreshold.GetBytes();
    if (bytes <= least)
    {
        return 0;
    }
    if (bytes > most)
    {
        return 1;
    }
    return m_maxProbability * (bytes - least) / (most - least);
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
