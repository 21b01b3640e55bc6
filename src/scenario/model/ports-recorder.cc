/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What ports counted.

#include "recorder.h"

#include "ns3/network.h"
#include "ns3/port-counters.h"

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Records the traffic of each port, and its longest queue, over the whole run: ports.csv.
 */
class PortsRecorder : public Recorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::PortsRecorder")
                                .SetParent<Recorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<PortsRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "packets sent and longest queue of each port: ports.csv";
    }

    void Attach(Network& network, const TimeWindow& /* measured */) override
    {
        m_fabric = PeekPointer(network.GetFabric());
    }

    void Write(const std::string& folder) override
    {
        std::vector<PortCounters> ports;
        m_fabric->ForEachPort([&ports](const FabricPort& port) {
            const auto& description = port.GetDescription();
            const FabricQueueDisc& queue = port.GetQueueDisc();
            ports.push_back({description.name,
                             description.role,
                             description.rate,
                             port.GetTxPackets(),
                             port.GetTxBytes(),
                             queue.GetPeakBytes(),
                             queue.GetPeakPackets(),
                             port.GetWaitingPackets()});
        });
        WritePortCounters(folder + "/ports.csv", ports);
    }

  private:
    const Fabric* m_fabric{nullptr}; //!< has the ports
};

NS_OBJECT_ENSURE_REGISTERED(PortsRecorder);

} // namespace ns3
