/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Topology");
NS_OBJECT_ENSURE_REGISTERED(Topology);

TypeId
Topology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Topology").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

int64_t
Topology::AssignStreams(int64_t /* stream */)
{
    return 0;
}

std::vector<uint32_t>
Topology::FailLinks(Fabric& fabric, uint32_t count, int64_t stream, const std::string& argument)
{
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < fabric.GetNLinks(); ++link)
    {
        const FabricPort& port = *fabric.GetLink(link)[0];
        if (port.IsUp() && port.GetDescription().tier > 0 && port.GetDescription().peerTier > 0)
        {
            links.push_back(link);
        }
    }
    if (count > links.size())
    {
        throw InputError(argument,
                         std::to_string(count),
                         "at most " + std::to_string(links.size()) +
                             ", the number of working links between switches");
    }
    // The first steps of a Fisher-Yates shuffle draw a uniform sample without replacement.
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t last = static_cast<uint32_t>(links.size()) - 1;
        std::swap(links[i], links[random->GetInteger(i, last)]);
    }
    links.resize(count);
    std::sort(links.begin(), links.end());
    for (uint32_t link : links)
    {
        NS_LOG_INFO("link " << link << " fails");
        fabric.SetLinkUp(link, false);
    }
    return links;
}

void
Topology::CheckRate(const std::string& argument, DataRate rate)
{
    if (rate.GetBitRate() == 0)
    {
        throw InputError(argument, "0bps", "a rate above zero");
    }
}

std::string
Topology::Text(DataRate rate)
{
    static constexpr std::pair<double, const char*> UNITS[] = {{1e12, " Tbps"},
                                                               {1e9, " Gbps"},
                                                               {1e6, " Mbps"},
                                                               {1e3, " kbps"},
                                                               {1, " bps"}};
    const auto value = static_cast<double>(rate.GetBitRate());
    const auto unit = std::find_if(std::begin(UNITS), std::end(UNITS) - 1, [value](const auto& u) {
        return value >= u.first;
    });
    std::ostringstream text;
    text << value / unit->first << unit->second;
    return text.str();
}

std::string
Topology::Text(Time delay)
{
    std::ostringstream text;
    text << delay.ToDouble(Time::US) << " us";
    return text.str();
}

} // namespace ns3
