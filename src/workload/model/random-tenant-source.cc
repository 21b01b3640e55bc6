/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "admission-control.h"
#include "tenant-source.h"
#include "workload.h"

#include "ns3/enum.h"
#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/object-spec.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/spec.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_TENANT_DRAWS = 100; //!< draws of one tenant until its guarantees fit

} // namespace

/**
 * @ingroup workload
 * @brief Tenants drawn at random so that the network can keep their guarantees.
 *
 * Tenant by tenant: draw how many VMs it has and what each is guaranteed, place the VMs, and keep
 * the tenant if its guarantees fit beside those before it; else draw it again. Tenants are called
 * t0, t1, ...
 */
class RandomTenantSource : public TenantSource
{
  public:
    /// @brief The placement of VMs.
    enum class Placement
    {
        RANDOM, //!< any host with room, if possible one without a VM of the same tenant
        SPREAD, //!< a host with the fewest VMs
        PACK    //!< the first host with room
    };

    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::RandomTenantSource")
                .SetParent<TenantSource>()
                .SetGroupName("Workload")
                .AddConstructor<RandomTenantSource>()
                .AddAttribute("Tenants",
                              "How many tenants.",
                              UintegerValue(10),
                              MakeUintegerAccessor(&RandomTenantSource::m_tenants),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("Vms",
                              "VMs of a tenant: a number, or a random variable of ns-3 such as "
                              "ns3::UniformRandomVariable[Min=2|Max=10], rounded, at least 2.",
                              StringValue("10"),
                              MakeStringAccessor(&RandomTenantSource::m_vms),
                              MakeStringChecker())
                .AddAttribute(
                    "Guarantees",
                    "Hose guarantees, separated by commas: each tenant draws one for all its "
                    "VMs, to send and to receive (uFAB, Section 5.2: 1, 2 and 5 Gbit/s); "
                    "empty: none.",
                    StringValue("100Mbps"),
                    MakeStringAccessor(&RandomTenantSource::m_guarantees),
                    MakeStringChecker())
                .AddAttribute(
                    "Placement",
                    "Where VMs go: random (a host with room, without a VM of the same tenant "
                    "if there is one), spread (a host with the fewest VMs) or pack (the "
                    "first host with room).",
                    EnumValue(Placement::RANDOM),
                    MakeEnumAccessor<Placement>(&RandomTenantSource::m_placement),
                    MakeEnumChecker(Placement::RANDOM,
                                    "random",
                                    Placement::SPREAD,
                                    "spread",
                                    Placement::PACK,
                                    "pack"))
                .AddAttribute("VmsPerHost",
                              "Room for VMs on a host.",
                              UintegerValue(20),
                              MakeUintegerAccessor(&RandomTenantSource::m_vmsPerHost),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("Transport",
                              "Name of the transport of all tenants; empty: the network's first.",
                              StringValue(""),
                              MakeStringAccessor(&RandomTenantSource::m_transport),
                              MakeStringChecker())
                .AddAttribute(
                    "Workload",
                    "What each tenant sends, in quotes if there are commas; empty: nothing.",
                    SpecValue(""),
                    MakeSpecAccessor(&RandomTenantSource::m_workload),
                    MakeSpecChecker<Workload>());
        return tid;
    }

    RandomTenantSource()
        : m_random(CreateObject<UniformRandomVariable>()),
          m_sizeStream(-1)
    {
    }

    std::string GetSummary() const override
    {
        return "Tenants drawn at random, so that their guarantees fit";
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_random->SetStream(stream);
        m_sizeStream = stream + 1;
        return 2;
    }

  private:
    void Fill(TenantTable& table, const Fabric& fabric, const std::string& argument) const override
    {
        AdmissionControl admission(fabric, GetAdmission());
        const auto sizes = CreateSizes(argument);
        const auto guarantees = ReadGuarantees(argument);
        std::vector<uint32_t> used(fabric.GetNHosts());
        for (uint32_t attempts = 0; table.GetNTenants() < m_tenants; ++attempts)
        {
            if (attempts == MAX_TENANT_DRAWS)
            {
                throw InputError(argument + " random:Tenants",
                                 std::to_string(m_tenants),
                                 "only " + std::to_string(table.GetNTenants()) + " fit");
            }
            const auto size = static_cast<uint32_t>(
                std::clamp<int64_t>(std::llround(sizes->GetValue()), 2, 1000000));
            const DataRate hose = guarantees[m_random->GetInteger(0, guarantees.size() - 1)];
            auto nowUsed = used;
            const auto drawn = Draw(size, hose, nowUsed);
            if (!drawn)
            {
                continue;
            }
            const auto loads = admission.GetLoads(*drawn, 0, argument);
            if (admission.Fits(loads))
            {
                admission.Reserve(loads);
                Append(*drawn, table);
                used = std::move(nowUsed);
                attempts = 0;
            }
        }
    }

    /**
     * @brief Make the random variable of a tenant's number of VMs.
     * @param argument the setting that errors name
     * @return the random variable
     */
    Ptr<RandomVariableStream> CreateSizes(const std::string& argument) const
    {
        const bool isNumber =
            !m_vms.empty() && m_vms.find_first_not_of("0123456789") == std::string::npos;
        const auto text = isNumber ? "ns3::ConstantRandomVariable[Constant=" + m_vms + "]" : m_vms;
        Ptr<const AttributeValue> value;
        try
        {
            value = ParseAttributeValue("", *MakePointerChecker<RandomVariableStream>(), text);
        }
        catch (const InputError&)
        {
            throw InputError(argument + " random:Vms",
                             m_vms,
                             "must be a number, or a random variable of ns-3 such as "
                             "ns3::UniformRandomVariable[Min=2|Max=10]");
        }
        const auto sizes = dynamic_cast<const PointerValue&>(*value).Get<RandomVariableStream>();
        sizes->SetStream(m_sizeStream);
        return sizes;
    }

    /**
     * @brief Read the guarantees that are drawn from.
     * @param argument the setting that errors name
     * @return the rates, at least one
     */
    std::vector<DataRate> ReadGuarantees(const std::string& argument) const
    {
        std::vector<DataRate> guarantees;
        for (const auto& guarantee : CutList(m_guarantees))
        {
            guarantees.push_back(ParseRate(argument + " random:Guarantees", guarantee));
        }
        if (guarantees.empty())
        {
            guarantees.emplace_back(0);
        }
        return guarantees;
    }

    /**
     * @brief Draw a tenant.
     * @param size number of its VMs
     * @param hose guarantee of each
     * @param used VMs on each host so far; counts those of this tenant, too
     * @return a table with this tenant alone; null if the hosts are full
     */
    Ptr<TenantTable> Draw(uint32_t size, DataRate hose, std::vector<uint32_t>& used) const
    {
        auto table = CreateObject<TenantTable>();
        table->AddTenant(Tenant());
        std::vector<bool> own(used.size());
        for (uint32_t i = 0; i < size; ++i)
        {
            const auto host = ChooseHost(used, own);
            if (!host)
            {
                return nullptr;
            }
            ++used[*host];
            own[*host] = true;
            table->AddVm({0, *host, hose, hose});
        }
        return table;
    }

    /**
     * @brief Add a tenant to others.
     * @param drawn the tenant, alone
     * @param table takes it
     */
    void Append(const TenantTable& drawn, TenantTable& table) const
    {
        Tenant tenant;
        tenant.name = "t" + std::to_string(table.GetNTenants());
        tenant.transport = m_transport;
        if (!m_workload.IsEmpty())
        {
            tenant.workloads.push_back(m_workload);
        }
        const TenantId id = table.AddTenant(tenant);
        for (const VmId number : drawn.GetVmsOf(0))
        {
            Vm vm = drawn.GetVm(number);
            vm.tenant = id;
            table.AddVm(vm);
        }
    }

    /**
     * @brief Choose the host of a tenant's next VM.
     * @param used VMs on each host so far
     * @param own by host, true if it has a VM of this tenant
     * @return number of the host; nothing if all are full
     */
    std::optional<uint32_t> ChooseHost(const std::vector<uint32_t>& used,
                                       const std::vector<bool>& own) const
    {
        std::vector<uint32_t> free;  // with room
        std::vector<uint32_t> fresh; // and without a VM of this tenant
        std::vector<uint32_t> empty; // with the fewest VMs
        for (uint32_t host = 0; host < used.size(); ++host)
        {
            if (used[host] >= m_vmsPerHost)
            {
                continue;
            }
            free.push_back(host);
            if (!own[host])
            {
                fresh.push_back(host);
            }
            if (!empty.empty() && used[host] < used[empty.front()])
            {
                empty.clear();
            }
            if (empty.empty() || used[host] == used[empty.front()])
            {
                empty.push_back(host);
            }
        }
        switch (m_placement)
        {
        case Placement::SPREAD:
            return Pick(empty);
        case Placement::PACK:
            return free.empty() ? std::nullopt : std::optional(free.front());
        default:
            return Pick(fresh.empty() ? free : fresh);
        }
    }

    /**
     * @brief Draw one of some hosts.
     * @param hosts the hosts
     * @return one of them; nothing if there are none
     */
    std::optional<uint32_t> Pick(const std::vector<uint32_t>& hosts) const
    {
        return hosts.empty() ? std::nullopt
                             : std::optional(hosts[m_random->GetInteger(0, hosts.size() - 1)]);
    }

    uint32_t m_tenants;       //!< number of tenants
    std::string m_vms;        //!< VMs of a tenant: a number or a random variable
    std::string m_guarantees; //!< list of hose guarantees
    Placement m_placement;    //!< placement of VMs
    uint32_t m_vmsPerHost;    //!< room on a host
    std::string m_transport;  //!< of all tenants
    Spec m_workload;          //!< of all tenants

    Ptr<UniformRandomVariable> m_random; //!< guarantees and hosts
    int64_t m_sizeStream;                //!< stream of the number of VMs
};

NS_OBJECT_ENSURE_REGISTERED(RandomTenantSource);

} // namespace ns3
