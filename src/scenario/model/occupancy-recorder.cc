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
 * Figures 10c and 12c), occupancy.csv, and how many flows have any at a switch (Appendix E).
 * Acknowledgments are not counted.
 *
 * The file has one row per role and number of packets, so memory does not grow with the run.
 */
class OccupancyRecorder : public WindowRecorder
{
  public:
    /// @brief Get the type ID.
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
            const auto& place = port.GetDescription();
            if (place.tier > 0)
            {
                port.ForEachWaiting([](const FabricItem&) {}); // refused now if it cannot
                if (m_switches.empty() || m_switches.back().node != place.node)
                {
                    m_switches.push_back({place.node, &m_byTier[GetTierName(place.name)], {}});
                }
                m_switches.back().queues.push_back({&port, &m_counts[place.role]});
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
        for (const auto& [role, counts] : m_counts)
        {
            for (std::size_t packets = 0; packets < counts.size(); ++packets)
            {
                if (counts[packets] > 0)
                {
                    csv.Row(role, packets, counts[packets]);
                }
            }
        }
        csv.Close();
    }

    void ReportResults(Results& results) const override
    {
        for (const auto& [tier, seen] : m_byTier)
        {
            results.Add("switch_flows_mean_" + tier,
                        seen.snapshots
                            ? static_cast<double>(seen.flows) / static_cast<double>(seen.snapshots)
                            : std::numeric_limits<double>::quiet_NaN());
            results.AddMaximum("switch_flows_max_" + tier, static_cast<double>(seen.most));
        }
    }

  protected:
    void DoDispose() override
    {
        m_event.Cancel();
        WindowRecorder::DoDispose();
    }

  private:
    /// @brief (flow, snapshot) pairs by packets.
    using Counts = std::vector<uint64_t>;

    /// @brief Flows with packets at the switches of a tier.
    struct Tier
    {
        uint64_t snapshots{0}; //!< of a switch each
        uint64_t flows{0};     //!< sum over these
        uint64_t most{0};      //!< most at one switch
    };

    /// @brief A port whose queue is looked into.
    struct Queue
    {
        const FabricPort* port; //!< the port
        Counts* counts;         //!< of its role
    };

    /// @brief A switch.
    struct Switch
    {
        const FabricNode* node;    //!< the switch
        Tier* tier;                //!< its tier
        std::vector<Queue> queues; //!< of its ports
    };

    /**
     * @brief Name of a tier.
     * @param port name of a port of one of its switches, such as "leaf0:3"
     * @return the name
     */
    static std::string GetTierName(const std::string& port)
    {
        const std::string node = port.substr(0, port.rfind(':'));
        return node.substr(0, node.find_last_not_of("0123456789") + 1);
    }

    /// @brief Take a snapshot of all queues, and again after Interval; the end of the window is
    /// included.
    void Sample()
    {
        for (const Switch& home : m_switches)
        {
            uint64_t flows = 0;
            for (const Queue& queue : home.queues)
            {
                flows += Count(queue);
            }
            ++home.tier->snapshots;
            home.tier->flows += flows;
            home.tier->most = std::max(home.tier->most, flows);
        }
        if (Simulator::Now() + m_interval <= m_window.to)
        {
            m_event = Simulator::Schedule(m_interval, &OccupancyRecorder::Sample, this);
        }
    }

    /**
     * @brief Count the packets of each flow in a queue.
     * @param queue the queue
     * @return flows that have any
     */
    uint64_t Count(const Queue& queue)
    {
        m_waiting.clear();
        queue.port->ForEachWaiting([this](const FabricItem& item) {
            if (item.GetClass() == FabricItem::DATA)
            {
                m_waiting.push_back(item.hash);
            }
        });
        std::ranges::sort(m_waiting);
        Counts& counts = *queue.counts;
        uint64_t flows = 0;
        for (auto first = m_waiting.begin(); first != m_waiting.end(); ++flows)
        {
            const auto next = std::upper_bound(first, m_waiting.end(), *first);
            const std::size_t packets = next - first;
            if (counts.size() <= packets)
            {
                counts.resize(packets + 1);
            }
            ++counts[packets];
            first = next;
        }
        return flows;
    }

    TimeWindow m_window;                    //!< time span of the snapshots
    Time m_interval;                        //!< attribute Interval
    EventId m_event;                        //!< the next snapshot
    std::map<std::string, Counts> m_counts; //!< by role of the port
    std::map<std::string, Tier> m_byTier;   //!< by tier of the switch
    std::vector<Switch> m_switches;         //!< all, in the order of their ports
    std::vector<uint32_t> m_waiting;        //!< flows of the packets of one queue, for Count()
};

NS_OBJECT_ENSURE_REGISTERED(OccupancyRecorder);

} // namespace ns3
