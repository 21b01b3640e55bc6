/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "admission-control.h"

#include "ns3/fabric.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// @brief Rates are whole bit/s; sums of shares of them may be off by less through rounding alone.
constexpr double ROUNDING = 0.5;

/**
 * @brief A rate for people to read.
 * @param rate bits per second
 * @return such as "9.5 Gbps"
 */
std::string
RateText(double rate)
{
    std::ostringstream text;
    text.precision(12); // tells 1 bit/s at 800 Gbps
    text << rate / 1e9 << " Gbps";
    return text.str();
}

} // namespace

AdmissionControl::AdmissionControl(const Fabric& fabric, double share)
    : m_fabric(fabric),
      m_share(share > 0 ? share : std::numeric_limits<double>::infinity()),
      m_reserved(2 * std::size_t{fabric.GetNLinks()})
{
}

std::size_t
AdmissionControl::GetDirection(const FabricPort& port) const
{
    const uint32_t link = port.GetDescription().link;
    return 2 * std::size_t{link} + (m_fabric.GetLink(link)[0] == &port ? 0 : 1);
}

const FabricPort&
AdmissionControl::GetPort(std::size_t direction) const
{
    return *m_fabric.GetLink(static_cast<uint32_t>(direction / 2))[direction % 2];
}

double
AdmissionControl::GetCapacity(std::size_t direction) const
{
    return m_share * GetPort(direction).GetDescription().rate.GetBitRate();
}

AdmissionControl::Loads
AdmissionControl::GetLoads(const TenantTable& table,
                           TenantId tenant,
                           const std::string& argument) const
{
    std::map<uint32_t, Place> hosts;
    std::map<uint32_t, Place> racks;
    const auto& vms = table.GetVmsOf(tenant);
    for (const VmId id : vms)
    {
        const Vm& vm = table.GetVm(id);
        if (vm.host >= m_fabric.GetNHosts())
        {
            throw InputError(argument,
                             "host " + std::to_string(vm.host) + " of tenant " +
                                 table.GetTenant(tenant).name,
                             "hosts are 0 to " + std::to_string(m_fabric.GetNHosts() - 1));
        }
        for (auto* place :
             {&hosts.try_emplace(vm.host, Place{vm.host}).first->second,
              &racks.try_emplace(m_fabric.GetLocation(vm.host).rack, Place{vm.host}).first->second})
        {
            place->send += static_cast<double>(vm.send.GetBitRate());
            place->receive += static_cast<double>(vm.receive.GetBitRate());
        }
    }
    const auto list = [](const std::map<uint32_t, Place>& places) {
        std::vector<Place> sorted;
        for (const auto& [number, place] : places)
        {
            sorted.push_back(place);
        }
        return sorted;
    };
    Loads loads(m_reserved.size());
    AddHostLinks(list(hosts), loads);
    AddFabricLinks(list(racks), argument, loads);
    for (PairId pair = 0; pair < table.GetNPairs(); ++pair)
    {
        const DataRate rate = table.GetVmPair(pair).pipe;
        if (rate.GetBitRate() > 0 && table.GetTenantOf(pair) == tenant)
        {
            AddPipe(table.GetSource(pair),
                    table.GetDestination(pair),
                    static_cast<double>(rate.GetBitRate()),
                    argument,
                    loads);
        }
    }
    return loads;
}

void
AdmissionControl::AddHostLinks(const std::vector<Place>& hosts, Loads& loads) const
{
    double send = 0;
    double receive = 0;
    for (const Place& host : hosts)
    {
        send += host.send;
        receive += host.receive;
    }
    for (const Place& host : hosts)
    {
        const std::size_t up = GetDirection(m_fabric.GetHost(host.host).GetPort(0));
        loads[up] += std::min(host.send, receive - host.receive);
        loads[up ^ 1] += std::min(send - host.send, host.receive);
    }
}

void
AdmissionControl::AddFabricLinks(const std::vector<Place>& racks,
                                 const std::string& argument,
                                 Loads& loads) const
{
    // What a link may have to carry: of what each rack sends, and of what each receives.
    Loads sent(loads.size());
    Loads received(loads.size());
    Loads largest(loads.size());
    std::vector<std::size_t> touched;
    const auto note = [&](std::size_t direction, double share) {
        if (largest[direction] == 0)
        {
            touched.push_back(direction);
        }
        largest[direction] = std::max(largest[direction], share);
    };
    const auto settle = [&](double rate, Loads& sums) {
        for (const std::size_t direction : touched)
        {
            sums[direction] += rate * std::exchange(largest[direction], 0);
        }
        touched.clear();
    };
    for (const Place& rack : racks)
    {
        for (const Place& other : racks)
        {
            if (other.host != rack.host && rack.send > 0 && other.receive > 0)
            {
                ForEachShare(rack.host, other.host, argument, note);
            }
        }
        settle(rack.send, sent);
        for (const Place& other : racks)
        {
            if (other.host != rack.host && rack.receive > 0 && other.send > 0)
            {
                ForEachShare(other.host, rack.host, argument, note);
            }
        }
        settle(rack.receive, received);
    }
    for (std::size_t direction = 0; direction < loads.size(); ++direction)
    {
        loads[direction] += std::min(sent[direction], received[direction]);
    }
}

void
AdmissionControl::AddPipe(uint32_t source,
                          uint32_t destination,
                          double rate,
                          const std::string& argument,
                          Loads& loads) const
{
    if (source == destination)
    {
        return; // stays on the host
    }
    loads[GetDirection(m_fabric.GetHost(source).GetPort(0))] += rate;
    loads[GetDirection(m_fabric.GetHost(destination).GetPort(0)) ^ 1] += rate;
    ForEachShare(source, destination, argument, [&](std::size_t direction, double share) {
        loads[direction] += rate * share;
    });
}

void
AdmissionControl::ForEachShare(uint32_t source,
                               uint32_t destination,
                               const std::string& argument,
                               const Visit& visit) const
{
    const uint16_t rack = m_fabric.GetLocation(destination).rack;
    if (m_fabric.GetLocation(source).rack == rack)
    {
        return;
    }
    // All shortest paths are equally long, so all traffic is always equally many hops on its way.
    std::vector<uint32_t> here{m_fabric.GetRackSwitch(m_fabric.GetLocation(source).rack)};
    std::vector<uint32_t> next;
    std::vector<double> comes(m_fabric.GetNSwitches()); // share of the traffic, by switch
    comes[here.front()] = 1;
    while (here.front() != m_fabric.GetRackSwitch(rack))
    {
        for (const uint32_t index : here)
        {
            const FabricSwitch& node = m_fabric.GetSwitch(index);
            const double share = std::exchange(comes[index], 0);
            const auto ports = node.GetNextHops(rack);
            if (ports.empty())
            {
                throw InputError(argument,
                                 "host " + std::to_string(source) + " to host " +
                                     std::to_string(destination),
                                 "there must be a path");
            }
            const double part = share / static_cast<double>(ports.size());
            for (const uint16_t hop : ports)
            {
                const FabricPort& port = node.GetPort(hop);
                visit(GetDirection(port), part);
                const uint32_t peer = m_fabric.GetSwitchIndex(*port.GetDescription().peer);
                if (comes[peer] == 0)
                {
                    next.push_back(peer);
                }
                comes[peer] += part;
            }
        }
        std::ranges::sort(next); // sums do not depend on the order of ports
        here.swap(next);
        next.clear();
    }
}

bool
AdmissionControl::Fits(const Loads& loads) const
{
    for (std::size_t direction = 0; direction < loads.size(); ++direction)
    {
        if (m_reserved[direction] + loads[direction] > GetCapacity(direction) + ROUNDING)
        {
            return false;
        }
    }
    return true;
}

double
AdmissionControl::GetFittingShare(const Loads& loads) const
{
    double share = 1;
    for (std::size_t direction = 0; direction < loads.size(); ++direction)
    {
        if (loads[direction] > 0)
        {
            const double room = std::max(0.0, GetCapacity(direction) - m_reserved[direction]);
            share = std::min(share, room / loads[direction]);
        }
    }
    return share;
}

void
AdmissionControl::Reserve(const Loads& loads)
{
    for (std::size_t direction = 0; direction < loads.size(); ++direction)
    {
        m_reserved[direction] += loads[direction];
    }
}

const AdmissionControl::Loads&
AdmissionControl::GetReserved() const
{
    return m_reserved;
}

void
AdmissionControl::Check(const std::string& argument) const
{
    std::size_t worst = 0;
    double excess = 0; // as a share of what may be guaranteed
    for (std::size_t direction = 0; direction < m_reserved.size(); ++direction)
    {
        const double ratio = m_reserved[direction] / GetCapacity(direction);
        if (ratio > excess)
        {
            worst = direction;
            excess = ratio;
        }
    }
    if (excess > 1 && m_reserved[worst] > GetCapacity(worst) + ROUNDING)
    {
        const auto& link = GetPort(worst).GetDescription();
        const std::string& back = GetPort(worst ^ 1).GetDescription().name;
        std::ostringstream allowed;
        allowed << "at most " << RateText(GetCapacity(worst)) << ", " << m_share
                << " of the link's " << RateText(link.rate.GetBitRate());
        throw InputError(argument,
                         RateText(m_reserved[worst]) + " guaranteed over the link from " +
                             link.name + " to " + back,
                         allowed.str());
    }
}

} // namespace ns3
