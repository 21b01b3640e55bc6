/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Captures.

#include "recorder.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/lean-tcp-header-writer.h"
#include "ns3/network.h"
#include "ns3/pcap-tap.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Packets that ports send, as Wireshark reads them: PORT.pcap for each port.
 */
class PcapRecorder : public Recorder
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::PcapRecorder")
                                .SetParent<Recorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<PcapRecorder>()
                                .AddAttribute("Ports",
                                              "Names of the ports, such as \"leaf0:3,host0:0\"",
                                              StringValue(""),
                                              MakeStringAccessor(&PcapRecorder::m_names),
                                              MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "packets that ports send: PORT.pcap (--pcap=PORT,... for short)";
    }

    void Attach(Network& network, const TimeWindow& /* measured */) override
    {
        m_network = &network;
        std::map<std::string, FabricPort*> ports;
        network.GetFabric()->ForEachPort(
            [&ports](FabricPort& port) { ports[port.GetDescription().name] = &port; });
        for (const std::string& name : CutList(m_names))
        {
            const auto port = ports.find(name);
            if (port == ports.end())
            {
                throw InputError("--pcap", name, "a port, such as " + ports.begin()->first);
            }
            if (std::ranges::find(m_ports, port->second) != m_ports.end())
            {
                throw InputError("--pcap", name, "is named twice");
            }
            m_ports.push_back(port->second);
        }
    }

    void Start(const std::string& folder) override
    {
        if (folder.empty())
        {
            throw InputError("--pcap", m_names, "captures need a folder, --out");
        }
        for (FabricPort* port : m_ports)
        {
            const std::string& name = port->GetDescription().name;
            auto& tap =
                m_taps.emplace_back(std::make_unique<PcapTap>(folder + "/" + name + ".pcap"));
            tap->AddHeaderWriter(std::make_unique<LeanTcpHeaderWriter>(*m_network->GetFabric()));
            m_network->GetScheme()->ConfigureTap(*m_network, *tap);
            tap->TapPort(*port);
        }
    }

    void Write(const std::string& /* folder */) override
    {
        m_taps.clear(); // closes the files
    }

  private:
    std::string m_names;                          //!< attribute Ports
    const Network* m_network{nullptr};            //!< has the ports
    std::vector<FabricPort*> m_ports;             //!< what is captured
    std::vector<std::unique_ptr<PcapTap>> m_taps; //!< one per port
};

NS_OBJECT_ENSURE_REGISTERED(PcapRecorder);

} // namespace ns3
