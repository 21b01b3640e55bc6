/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "admission-control.h"
#include "statement.h"
#include "tenant-source.h"
#include "tenant-statements.h"

#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_COPY_DRAWS = 1000; //!< draws of one copy until its guarantees fit

/**
 * @brief The number of places that statements speak of.
 * @param scene tenants made by the statements
 * @return the largest number of a host, plus 1
 */
uint32_t
CountPlaces(const TenantTable& scene)
{
    uint32_t places = 0;
    for (VmId vm = 0; vm < scene.GetNVms(); ++vm)
    {
        places = std::max(places, scene.GetVm(vm).host + 1);
    }
    return places;
}

/**
 * @brief Add a copy of some tenants to others.
 * @param scene the tenants
 * @param hosts the host of each place
 * @param suffix of their names
 * @param table takes the copy
 */
void
Append(const TenantTable& scene,
       const std::vector<uint32_t>& hosts,
       const std::string& suffix,
       TenantTable& table)
{
    const TenantId firstTenant = table.GetNTenants();
    const VmId firstVm = table.GetNVms();
    for (TenantId id = 0; id < scene.GetNTenants(); ++id)
    {
        Tenant tenant = scene.GetTenant(id);
        tenant.name += suffix;
        table.AddTenant(tenant);
    }
    for (VmId number = 0; number < scene.GetNVms(); ++number)
    {
        Vm vm = scene.GetVm(number);
        vm.tenant += firstTenant;
        vm.host = hosts.at(vm.host);
        table.AddVm(vm);
    }
    for (PairId number = 0; number < scene.GetNPairs(); ++number)
    {
        const VmPair& pair = scene.GetVmPair(number);
        if (pair.pipe.GetBitRate() > 0)
        {
            table.SetPipe(table.GetPair(firstVm + pair.from, firstVm + pair.to), pair.pipe);
        }
    }
}

} // namespace

/**
 * @ingroup workload
 * @brief Tenants as statements, many times, each time on other hosts:
 * `copies:Number=500,Of={tenant A hosts=0,1 hose=1Gbps; tenant B hosts=2,3 hose=1Gbps}`.
 *
 * What is a host in the statements is a place here. For each copy every place is given a host at
 * random, no two places the same; a copy is drawn again if its guarantees do not fit beside those
 * before it. Tenants of copy 7 are called A-7, B-7.
 */
class CopiesTenantSource : public TenantSource
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::CopiesTenantSource")
                .SetParent<TenantSource>()
                .SetGroupName("Workload")
                .AddConstructor<CopiesTenantSource>()
                .AddAttribute(
                    "Of",
                    "Statements as those of list, in braces or quotes. Their hosts 0, 1, ... "
                    "are places; each copy draws a host for every place.",
                    StringValue(""),
                    MakeStringAccessor(&CopiesTenantSource::m_statements),
                    MakeStringChecker())
                .AddAttribute("Number",
                              "How many copies. Tenants of copy 7 are called A-7, B-7.",
                              UintegerValue(1),
                              MakeUintegerAccessor(&CopiesTenantSource::m_number),
                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    CopiesTenantSource()
        : m_random(CreateObject<UniformRandomVariable>())
    {
    }

    std::string GetSummary() const override
    {
        return "Tenants as statements, many times, each time on other hosts drawn at random";
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_random->SetStream(stream);
        return 1;
    }

  private:
    void Fill(TenantTable& table, const Fabric& fabric, const std::string& argument) const override
    {
        const auto scene = CreateObject<TenantTable>();
        for (const auto& [where, statement] : CutStatements(argument, m_statements))
        {
            AddTenantStatement(*scene, where, statement);
        }
        const uint32_t places = CountPlaces(*scene);
        if (places > fabric.GetNHosts())
        {
            throw InputError(argument + " copies:Of",
                             std::to_string(places) + " places",
                             "there are " + std::to_string(fabric.GetNHosts()) + " hosts");
        }
        AdmissionControl admission(fabric, GetAdmission());
        for (uint32_t copy = 0, attempts = 0; copy < m_number; ++attempts)
        {
            if (attempts == MAX_COPY_DRAWS)
            {
                throw InputError(argument + " copies:Number",
                                 std::to_string(m_number),
                                 "only " + std::to_string(copy) + " fit");
            }
            const auto hosts = DrawHosts(fabric.GetNHosts(), places);
            const auto drawn = CreateObject<TenantTable>();
            Append(*scene, hosts, "", *drawn);
            AdmissionControl::Loads loads(admission.GetReserved().size());
            for (TenantId tenant = 0; tenant < drawn->GetNTenants(); ++tenant)
            {
                const auto own = admission.GetLoads(*drawn, tenant, argument);
                std::transform(own.begin(), own.end(), loads.begin(), loads.begin(), std::plus<>());
            }
            if (admission.Fits(loads))
            {
                admission.Reserve(loads);
                Append(*scene, hosts, "-" + std::to_string(copy), table);
                ++copy;
                attempts = 0;
            }
        }
    }

    /**
     * @brief Draw hosts.
     * @param hosts number of hosts
     * @param places number of hosts to draw
     * @return the host of each place, no two the same
     */
    std::vector<uint32_t> DrawHosts(uint32_t hosts, uint32_t places) const
    {
        std::vector<uint32_t> drawn(hosts);
        std::iota(drawn.begin(), drawn.end(), 0);
        for (uint32_t place = 0; place < places; ++place)
        {
            std::swap(drawn[place], drawn[m_random->GetInteger(place, hosts - 1)]);
        }
        drawn.resize(places);
        return drawn;
    }

    std::string m_statements; //!< attribute Of
    uint32_t m_number;        //!< attribute Number

    Ptr<UniformRandomVariable> m_random; //!< hosts
};

NS_OBJECT_ENSURE_REGISTERED(CopiesTenantSource);

} // namespace ns3
