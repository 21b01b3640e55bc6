/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Packets per flow in queues.

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/event-id.h"
#include "ns3/interval-checker.h"
#include "ns3/network.h"
#include "ns3/results.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Snapshots of the data packets that each flow has in the queue of each switch port (AFQ,
 * Figures 10c and 12c): occupancy.csv. Acknowledgments are not counted.
 *
 * The file has one row per role and number of packets, so memory does not grow with the run.
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
        m_window = SetWindow(measured);
        network.GetFabric()->ForEachPort([this](FabricPort& port) {
            if (port.GetDescription().tier > 0)
            {
                port.ForEachWaiting([](const FabricItem&) {}); // refused now if it cannot
                m_queues.push_back({&port, &m_byRole[port.GetDescription().role]});
            }
        });
    }

    void Start(const std::string& /* folder */) override
    {
        m_event =
            Simulator::Schedule(m_window.from - Simulator::Now(), &OccupancyRecorder::Sample, this);
    }

    void Write(const std::string& folder) override
    {
        CsvWriter csv(folder + "/occupancy.csv", {"role", "packets", "count"});
        for (const auto& [role, summary] : m_byRole)
        {
            for (std::size_t packets = 0; packets < summary.counts.size(); ++packets)
            {
                if (summary.counts[packets] > 0)
                {
                    csv.Row(role, packets, summary.counts[packets]);
                }
            }
        }
        csv.Close();
    }

    void ReportResults(Results& results) const override
    {
        for (const auto& [role, summary] : m_byRole)
        {
            results.Add("queue_flows_mean_" + role,
                        summary.snapshots ? static_cast<double>(summary.flows) /
                                                static_cast<double>(summary.snapshots)
                                          : std::numeric_limits<double>::quiet_NaN());
            results.AddMaximum("queue_flows_max_" + role, summary.most);
        }
    }

  protected:
    void DoDispose() override
    {
        m_event.Cancel();
        WindowRecorder::DoDispose();
    }

  private:
    /// @brief Counts over the queues of a role.
    struct Summary
    {
        std::vector<uint64_t> counts; //!< (flow, snapshot) pairs by packets
        uint64_t snapshots{0};        //!< of queues that were not empty
        uint64_t flows{0};            //!< sum over these
        uint64_t most{0};             //!< most flows in one queue
    };

    /// @brief A port whose queue is looked into.
    struct Queue
    {
        const FabricPort* port; //!< the port
        Summary* summary;       //!< of its role
    };

    /// @brief Take a snapshot of all queues, and again after Interval; the end of the window is
    /// included.
    void Sample()
    {
        for (const Queue& queue : m_queues)
        {
            Count(queue);
        }
        if (Simulator::Now() + m_interval <= m_window.to)
        {
            m_event = Simulator::Schedule(m_interval, &OccupancyRecorder::Sample, this);
        }
    }

    /**
     * @brief Count the packets of each flow in a queue.
     * @param queue the queue
     */
    void Count(const Queue& queue)
    {
        m_waiting.clear();
        queue.port->ForEachWaiting([this](const FabricItem& item) {
            if (item.GetClass() == FabricItem::DATA)
            {
                m_waiting.push_back(item.hash);
            }
        });
        if (m_waiting.empty())
        {
            return;
        }
        std::ranges::sort(m_waiting);
        Summary& summary = *queue.summary;
        uint64_t flows = 0;
        for (auto first = m_waiting.begin(); first != m_waiting.end(); ++flows)
        {
            const auto next = std::upper_bound(first, m_waiting.end(), *first);
            const std::size_t packets = next - first;
            if (summary.counts.size() <= packets)
            {
                summary.counts.resize(packets + 1);
            }
            ++summary.counts[packets];
            first = next;
        }
        ++summary.snapshots;
        summary.flows += flows;
        summary.most = std::max(summary.most, flows);
    }

    TimeWindow m_window;                     //!< when snapshots are taken
    Time m_interval;                         //!< attribute Interval
    EventId m_event;                         //!< the next snapshot
    std::map<std::string, Summary> m_byRole; //!< what was seen
    std::vector<Queue> m_queues;             //!< all queues
    std::vector<uint32_t> m_waiting;         //!< flows of the packets of one queue, for Count()
};

NS_OBJECT_ENSURE_REGISTERED(OccupancyRecorder);

} // namespace ns3
