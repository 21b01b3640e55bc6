/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Captures.

#include "recorder.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/network.h"
#include "ns3/pcap-tap.h"
#include "ns3/string.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Packets that ports send, or hosts send and receive, as Wireshark reads them: host0.pcap of
 * a host, leaf0-3.pcap of port leaf0:3.
 */
class PcapRecorder : public Recorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::PcapRecorder")
                                .SetParent<Recorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<PcapRecorder>()
                                .AddAttribute("Ports",
                                              "Names of ports, for what they send, and of hosts, "
                                              "for what these receive as well, such as "
                                              "\"leaf0:3,host0\"",
                                              StringValue(""),
                                              MakeStringAccessor(&PcapRecorder::m_names),
                                              MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "packets that ports send, hosts receive too: leaf0-3.pcap (--pcap=leaf0:3,... for "
               "short)";
    }

    void Attach(Network& network, const TimeWindow& /* measured */) override
    {
        if (m_names.empty())
        {
            throw InputError("--record pcap", m_names, "needs Ports=, or say --pcap=NAME,...");
        }
        m_network = &network;
        Fabric& fabric = *network.GetFabric();
        std::map<std::string, Tapper> known;
        fabric.ForEachPort([&known](FabricPort& port) {
            known[port.GetDescription().name] = [&port](PcapTap& tap) { tap.TapPort(port); };
        });
        for (uint32_t i = 0; i < fabric.GetNHosts(); ++i)
        {
            FabricHost& host = fabric.GetHost(i);
            const std::string& port = host.GetPort(0).GetDescription().name;
            known[port.substr(0, port.find(':'))] = [&host](PcapTap& tap) { tap.TapHost(host); };
        }
        for (const std::string& name : CutList(m_names))
        {
            const auto found = known.find(name);
            if (found == known.end())
            {
                throw InputError("--pcap",
                                 name,
                                 "a port or a host, such as " +
                                     fabric.GetHost(0).GetPort(0).GetDescription().name);
            }
            if (!m_tapped.emplace(name, found->second).second)
            {
                throw InputError("--pcap", name, "is named twice");
            }
        }
    }

    void Start(const std::string& folder) override
    {
        if (folder.empty())
        {
            throw InputError("--pcap", m_names, "captures need a folder, --out");
        }
        for (const auto& [name, tapper] : m_tapped)
        {
            std::string file = name + ".pcap";
            std::ranges::replace(file, ':', '-'); // which not all systems take in a file's name
            tapper(*m_taps.emplace_back(
                std::make_unique<PcapTap>(folder + "/" + file, m_network->MakePacketMaker())));
        }
    }

    void Write(const std::string& /* folder */) override
    {
        for (const auto& tap : m_taps)
        {
            tap->Close();
        }
        m_taps.clear();
    }

  private:
    /// @brief Has a capture see what it is of.
    using Tapper = std::function<void(PcapTap&)>;

    std::string m_names;                          //!< attribute Ports
    const Network* m_network{nullptr};            //!< has the ports
    std::map<std::string, Tapper> m_tapped;       //!< captures to make, by name
    std::vector<std::unique_ptr<PcapTap>> m_taps; //!< one for each
};

NS_OBJECT_ENSURE_REGISTERED(PcapRecorder);

} // namespace ns3
