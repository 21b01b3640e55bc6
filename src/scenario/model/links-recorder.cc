/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How busy links were, and what is on them at the end.

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/link-use.h"
#include "ns3/network.h"
#include "ns3/simulator.h"

#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Records the busy time of each link over the whole run, and the packets on it at the end:
 * links.csv.
 *
 * With ports.csv and drops.csv, each packet that a host has sent is accounted for.
 */
class LinksRecorder : public Recorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LinksRecorder")
                                .SetParent<Recorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<LinksRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "how busy each link was, and packets on it at the end: links.csv";
    }

    void Attach(Network& network, const TimeWindow& /* measured */) override
    {
        network.GetFabric()->ForEachPort([this](FabricPort& port) {
            m_links.emplace_back(port.GetDescription().name, LinkUse::Watch(port));
        });
    }

    void Write(const std::string& folder) override
    {
        const double elapsed = Simulator::Now().GetSeconds();
        CsvWriter csv(folder + "/links.csv", {"port", "busy_share", "packets", "arriving_packets"});
        for (const auto& [port, use] : m_links)
        {
            const double busy = use->GetBusyTime().GetSeconds();
            csv.Row(port, elapsed > 0 ? busy / elapsed : 0, use->GetOnLink(), use->GetArriving());
        }
        csv.Close();
    }

  private:
    std::vector<std::pair<std::string, Ptr<LinkUse>>> m_links; //!< by name of the port
};

NS_OBJECT_ENSURE_REGISTERED(LinksRecorder);

} // namespace ns3
