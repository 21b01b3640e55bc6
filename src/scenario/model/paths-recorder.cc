/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The ways that flows take.

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/fabric-item.h"
#include "ns3/fabric-port.h"
#include "ns3/network.h"
#include "ns3/port-stage.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The ports that packets of each flow have gone through, its data and the answers to them
 * apart: paths.csv.
 *
 * What is written is what happened, however paths are chosen: a flow whose packets are spread has
 * the ports of all its paths.
 */
class PathsRecorder : public Recorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::PathsRecorder")
                                .SetParent<Recorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<PathsRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "ports that each flow has gone through: paths.csv";
    }

    void Attach(Network& network, const TimeWindow& /* measured */) override
    {
        const Fabric* fabric = PeekPointer(network.GetFabric());
        fabric->ForEachPort([this, fabric](FabricPort& port) {
            const auto index = static_cast<uint32_t>(m_ports.size());
            m_ports.push_back(port.GetDescription().name);
            port.AddStage(
                CreateObject<DepartureStage>([this, fabric, index](FabricItem* item, const auto&) {
                    Note(*item, *fabric, index);
                }));
        });
    }

    void Write(const std::string& folder) override
    {
        CsvWriter csv(folder + "/paths.csv", {"flow", "group", "what", "port"});
        for (const auto& [flow, seen] : m_flows)
        {
            for (const auto& [isAnswer, port] : seen.hops)
            {
                csv.Row(flow, seen.group, isAnswer ? "answer" : "data", m_ports[port]);
            }
        }
        csv.Close();
    }

  private:
    /// @brief A flow as it was seen.
    struct Seen
    {
        uint32_t group{0};                        //!< as the workload said
        std::set<std::pair<bool, uint32_t>> hops; //!< true if of answers, and the port
    };

    /**
     * @brief Look at an item that departs.
     * @param item the item
     * @param fabric knows its flow
     * @param port number of the port
     */
    void Note(const FabricItem& item, const Fabric& fabric, uint32_t port)
    {
        const FlowTag tag = fabric.GetFlowTag(item);
        if (tag.flow > 0 && item.GetClass() != FabricItem::CONTROL)
        {
            Seen& seen = m_flows[tag.flow];
            seen.group = tag.group;
            seen.hops.emplace(item.kind & FabricItem::TOWARDS_SENDER, port);
        }
    }

    std::vector<std::string> m_ports; //!< names
    std::map<uint32_t, Seen> m_flows; //!< by name
};

NS_OBJECT_ENSURE_REGISTERED(PathsRecorder);

} // namespace ns3
