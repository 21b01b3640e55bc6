/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Drops and marks.

#include "recorder.h"

#include "ns3/drop-recorder.h"
#include "ns3/network.h"

#include <iostream>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Drops and ECN marks over the whole run, by port and reason: drops.csv.
 */
class DropsRecorder : public Recorder
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DropsRecorder")
                                .SetParent<Recorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<DropsRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "drops and ECN marks by port and reason: drops.csv";
    }

    void Attach(Network& network, const TimeWindow& /* measured */) override
    {
        m_fabric = PeekPointer(network.GetFabric());
    }

    void Write(const std::string& folder) override
    {
        Count().Write(folder + "/drops.csv");
    }

    void ReportResults(Results& results) const override
    {
        Count().ReportResults(results);
    }

    void Print(std::ostream& os) const override
    {
        const DropRecorder drops = Count();
        os << "  packets dropped: " << drops.GetTotal(Kind::DROP).packets
           << ", marked: " << drops.GetTotal(Kind::MARK).packets << "\n";
    }

  private:
    using Kind = DropRecorder::Kind; //!< drops or marks

    /**
     * @brief Ask all ports and switches.
     * @return what they counted
     */
    DropRecorder Count() const
    {
        DropRecorder drops;
        m_fabric->ForEachPort([&drops](const FabricPort& port) {
            const std::string& name = port.GetDescription().name;
            for (const auto& [reason, packets, bytes] : port.GetQueueDisc().GetDropCounts())
            {
                drops.Add(name, Kind::DROP, reason, packets, bytes);
            }
            for (const auto& [reason, packets, bytes] : port.GetQueueDisc().GetMarkCounts())
            {
                drops.Add(name, Kind::MARK, reason, packets, bytes);
            }
        });
        for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
        {
            const FabricSwitch& s = m_fabric->GetSwitch(i);
            // The bytes of what found no way are not counted.
            drops.Add(s.GetName(), Kind::DROP, "No route", s.GetNoRouteDrops(), 0);
            drops.Add(s.GetName(), Kind::DROP, "Wrong route", s.GetBadRouteDrops(), 0);
            drops.Add(s.GetName(), Kind::DROP, "Too many hops", s.GetLoopDrops(), 0);
            drops.Add(s.GetName(), Kind::DROP, "Link failed in flight", s.GetLostInFlight(), 0);
        }
        return drops;
    }

    const Fabric* m_fabric{nullptr}; //!< has the ports
};

NS_OBJECT_ENSURE_REGISTERED(DropsRecorder);

} // namespace ns3
