/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "faulty-mufab-port-stage.h"

#include "ns3/double.h"
#include "ns3/fabric-item.h"
#include "ns3/results.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FaultyMufabPortStage);

TypeId
FaultyMufabPortStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FaultyMufabPortStage")
            .SetParent<MufabPortStage>()
            .SetGroupName("Mufab")
            .AddConstructor<FaultyMufabPortStage>()
            .AddAttribute("Lost",
                          "Share of probes and responses that are lost at this port, each by "
                          "itself. One over n switches passes 2 n ports, there and back",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FaultyMufabPortStage::m_lost),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Stale",
                          "Share of records that are stale, each by itself",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FaultyMufabPortStage::m_stale),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("StaleBy",
                          "Age of a stale record: it says what the port said to the last probe so "
                          "long ago",
                          TimeValue(MicroSeconds(240)),
                          MakeTimeAccessor(&FaultyMufabPortStage::m_staleBy),
                          MakeTimeChecker(Time(0)));
    return tid;
}

FaultyMufabPortStage::FaultyMufabPortStage()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
FaultyMufabPortStage::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
FaultyMufabPortStage::Admit(FabricItem* item, FabricPort& port)
{
    if (m_lost > 0 && MufabProbe::Find(*item) && m_random->GetValue() < m_lost)
    {
        ++m_lostProbes;
        item->Release();
        return false;
    }
    return MufabPortStage::Admit(item, port);
}

LinkState
FaultyMufabPortStage::Observe(const FabricPort& port, int64_t now)
{
    const LinkState link = MufabPortStage::Observe(port, now);
    if (m_stale == 0)
    {
        return link;
    }
    m_history.emplace_back(now, link);
    while (m_history.size() > 1 && m_history[1].first <= now - m_staleBy.GetTimeStep())
    {
        m_history.pop_front();
    }
    if (m_random->GetValue() >= m_stale)
    {
        return link;
    }
    ++m_staleRecords;
    return m_history.front().second;
}

void
FaultyMufabPortStage::ReportResults(Results& results) const
{
    MufabPortStage::ReportResults(results);
    results.Add("mufab_probes_dropped", static_cast<double>(m_lostProbes));
    results.Add("mufab_stale_records", static_cast<double>(m_staleRecords));
}

} // namespace ns3
