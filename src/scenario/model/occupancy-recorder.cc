/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Packets per flow in queues.

#include "recorder.h"

#include "ns3/flow-occupancy-recorder.h"
#include "ns3/interval-checker.h"
#include "ns3/network.h"

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Snapshots of the data packets that each flow has in the queue of each switch port:
 * occupancy.csv. Acknowledgments are not counted.
 */
class OccupancyRecorder : public WindowRecorder
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::OccupancyRecorder")
                                .SetParent<WindowRecorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<OccupancyRecorder>()
                                .AddAttribute("Interval",
                                              "Time between snapshots",
                                              TimeValue(MicroSeconds(100)),
                                              MakeTimeAccessor(&OccupancyRecorder::m_interval),
                                              MakeIntervalChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "packets that each flow has in the queues of switch ports: occupancy.csv";
    }

    void Attach(Network& network, const TimeWindow& measured) override
    {
        m_window = GetWindow(measured);
        m_occupancy->SetAttribute("Interval", TimeValue(m_interval));
        network.GetFabric()->ForEachPort([this](FabricPort& port) {
            if (port.GetDescription().tier == 0)
            {
                return;
            }
            port.ForEachWaiting([](const FabricItem&) {}); // refused now if the discipline cannot
            m_occupancy->AddProbe(port.GetDescription().role,
                                  [&port](const FlowOccupancyRecorder::Visit& visit) {
                                      port.ForEachWaiting([&visit](const FabricItem& item) {
                                          if (item.GetClass() == FabricItem::DATA)
                                          {
                                              visit(item.hash);
                                          }
                                      });
                                  });
        });
    }

    void Start(const std::string& /* folder */) override
    {
        m_occupancy->Start(m_window.from, m_window.to);
    }

    void Write(const std::string& folder) override
    {
        m_occupancy->Write(folder + "/occupancy.csv");
    }

    void ReportResults(Results& results) const override
    {
        m_occupancy->ReportResults(results);
    }

  private:
    Ptr<FlowOccupancyRecorder> m_occupancy{
        CreateObject<FlowOccupancyRecorder>()}; //!< occupancy.csv
    TimeWindow m_window;                        //!< when snapshots are taken
    Time m_interval;                            //!< attribute Interval
};

NS_OBJECT_ENSURE_REGISTERED(OccupancyRecorder);

} // namespace ns3
