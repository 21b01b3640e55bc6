/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How many flows go through each port.

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/network.h"

#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Records the number of flows that sent payload through each port over the whole run:
 * port-flows.csv.
 *
 * A flow that moves, or is spread over paths, counts at every port that it came through.
 */
class PortFlowsRecorder : public Recorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::PortFlowsRecorder")
                                .SetParent<Recorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<PortFlowsRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "flows that sent payload through each port: port-flows.csv";
    }

    void Attach(Network& network, const TimeWindow& /* measured */) override
    {
        const Fabric& fabric = *network.GetFabric();
        m_ports.resize(CountPorts(fabric));
        std::size_t next = 0;
        fabric.ForEachPort([this, &fabric, &next](FabricPort& port) {
            Port& entry = m_ports[next++];
            entry.description = &port.GetDescription();
            port.AddStage(CreateObject<DepartureStage>(
                [&entry, &fabric](FabricItem* item, const FabricPort& /* port */) {
                    const auto payload = fabric.GetPayload(*item);
                    if (payload && payload->length > 0)
                    {
                        entry.flows.insert(item->hash);
                    }
                }));
        });
    }

    void Write(const std::string& folder) override
    {
        CsvWriter csv(folder + "/port-flows.csv", {"port", "role", "flows"});
        for (const Port& port : m_ports)
        {
            csv.Row(port.description->name, port.description->role, port.flows.size());
        }
        csv.Close();
    }

  private:
    /// @brief A port and what went through it.
    struct Port
    {
        const FabricPort::Description* description{nullptr}; //!< of the port
        std::set<uint32_t> flows;                            //!< by the hash of the 5-tuple
    };

    /**
     * @brief Count ports.
     * @param fabric the fabric
     * @return number of ports
     */
    static std::size_t CountPorts(const Fabric& fabric)
    {
        std::size_t ports = 0;
        fabric.ForEachPort([&ports](const FabricPort& /* port */) { ++ports; });
        return ports;
    }

    std::vector<Port> m_ports; //!< in the fabric's order; does not move once ports refer to it
};

NS_OBJECT_ENSURE_REGISTERED(PortFlowsRecorder);

} // namespace ns3
