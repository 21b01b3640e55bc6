/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/admission-control.h"
#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/random-variable-stream.h"
#include "ns3/tenant-table.h"
#include "ns3/test.h"
#include "ns3/topology.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @brief Bits per second by direction of links, as in AdmissionControl.
using Loads = AdmissionControl::Loads;

/**
 * @brief A rate.
 * @param gbps in Gbit/s
 * @return the rate
 */
DataRate
Gbps(double gbps)
{
    return DataRate(static_cast<uint64_t>(gbps * 1e9));
}

/**
 * @brief Build a network.
 * @param topology as a user specifies it
 * @return the fabric
 */
Ptr<Fabric>
CreateNetwork(const std::string& topology)
{
    auto fabric = CreateObject<Fabric>();
    CreateFromSpec<Topology>("topology", topology)->AddTo(*fabric);
    fabric->Build();
    return fabric;
}

/**
 * @brief Build a random tree: each switch hangs on an earlier one, each host on some switch.
 * @param random draws it
 * @param switches number of switches
 * @param hosts number of hosts
 * @return the fabric
 */
Ptr<Fabric>
CreateTree(Ptr<UniformRandomVariable> random, uint32_t switches, uint32_t hosts)
{
    auto fabric = CreateObject<Fabric>();
    fabric->SetTierNames({"host", "switch"});
    std::vector<Fabric::End> nodes;
    for (uint32_t i = 0; i < switches; ++i)
    {
        nodes.push_back(fabric->AddSwitch(1));
        if (i > 0)
        {
            fabric->Connect(nodes[random->GetInteger(0, i - 1)], nodes[i], Gbps(10), Time());
        }
    }
    for (uint32_t i = 0; i < hosts; ++i)
    {
        fabric->Connect(nodes[random->GetInteger(0, switches - 1)],
                        fabric->AddHost(),
                        Gbps(10),
                        Time());
    }
    fabric->Build();
    return fabric;
}

/**
 * @brief Add tenants with random VMs.
 * @param random draws them
 * @param tenants number of tenants
 * @param hosts number of hosts
 * @return the table
 */
Ptr<TenantTable>
DrawTenants(Ptr<UniformRandomVariable> random, uint32_t tenants, uint32_t hosts)
{
    auto table = CreateObject<TenantTable>();
    for (uint32_t i = 0; i < tenants; ++i)
    {
        const TenantId tenant = table->AddTenant({.name = std::to_string(i)});
        for (uint32_t vms = random->GetInteger(2, 6); vms > 0; --vms)
        {
            table->AddVm({tenant,
                          random->GetInteger(0, hosts - 1),
                          Gbps(random->GetInteger(0, 4)),
                          Gbps(random->GetInteger(0, 4))});
        }
    }
    return table;
}

/**
 * @brief Send traffic from host to host and add up what each direction carries, switch by switch.
 * @param fabric the network
 * @param source host that sends
 * @param destination host that receives
 * @param rate bits per second
 * @param loads takes them
 */
void
Send(const Fabric& fabric, uint32_t source, uint32_t destination, double rate, Loads& loads)
{
    const std::function<void(const FabricPort&, double)> cross = [&](const FabricPort& port,
                                                                     double part) {
        const auto& link = port.GetDescription();
        loads[2 * link.link + (fabric.GetLink(link.link)[0] == &port ? 0 : 1)] += part;
        const auto node = dynamic_cast<const FabricSwitch*>(link.peer);
        if (!node)
        {
            return;
        }
        if (dynamic_cast<const FabricSwitch*>(
                fabric.GetHost(destination).GetPort(0).GetDescription().peer) == node)
        {
            cross(node->GetPort(fabric.GetHost(destination).GetPort(0).GetDescription().peerPort),
                  part);
            return;
        }
        const auto next = node->GetNextHops(fabric.GetLocation(destination).rack);
        for (const uint16_t index : next)
        {
            cross(node->GetPort(index), part / next.size());
        }
    };
    if (source != destination)
    {
        cross(fabric.GetHost(source).GetPort(0), rate);
    }
}

/**
 * @brief The most that a link of a tree may have to carry for a tenant, by sending as much over it
 * as hoses allow, VM after VM.
 * @param fabric a tree
 * @param table has the tenant
 * @param tenant the tenant
 * @param direction the link, as in AdmissionControl
 * @return bits per second
 */
double
FindWorstTraffic(const Fabric& fabric,
                 const TenantTable& table,
                 TenantId tenant,
                 std::size_t direction)
{
    double sum = 0;
    std::vector<double> room;
    for (const VmId vm : table.GetVmsOf(tenant))
    {
        room.push_back(table.GetVm(vm).receive.GetBitRate());
    }
    for (const VmId from : table.GetVmsOf(tenant))
    {
        double left = table.GetVm(from).send.GetBitRate();
        for (std::size_t i = 0; i < room.size(); ++i)
        {
            Loads loads(2 * fabric.GetNLinks());
            Send(fabric,
                 table.GetVm(from).host,
                 table.GetVm(table.GetVmsOf(tenant)[i]).host,
                 1,
                 loads);
            const double rate = std::min(left, room[i]);
            if (loads[direction] > 0)
            {
                sum += rate;
                left -= rate;
                room[i] -= rate;
            }
        }
    }
    return sum;
}

/**
 * @brief The loads reserved for all tenants.
 * @param fabric the network
 * @param table the tenants
 * @return bits per second
 */
Loads
Reserve(const Fabric& fabric, const TenantTable& table)
{
    AdmissionControl admission(fabric, 1);
    for (TenantId tenant = 0; tenant < table.GetNTenants(); ++tenant)
    {
        admission.Reserve(admission.GetLoads(table, tenant, "--tenants"));
    }
    return admission.GetReserved();
}

/**
 * @brief The error of CheckAdmission().
 * @param fabric the network
 * @param table the tenants
 * @param share share that may be guaranteed
 * @return the error; empty if there is none
 */
std::string
Complaint(const Fabric& fabric, const TenantTable& table, double share)
{
    try
    {
        table.CheckAdmission(fabric, share, "--tenants");
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * @brief Tenants of two VMs each, all with a VM on host 0 and one on a host of its own.
 * @param hoses hose guarantee of each tenant's VMs in Gbit/s
 * @return the table
 */
Ptr<TenantTable>
MeetAtHost0(const std::vector<double>& hoses)
{
    auto table = CreateObject<TenantTable>();
    for (uint32_t i = 0; i < hoses.size(); ++i)
    {
        const TenantId tenant = table->AddTenant({.name = std::to_string(i)});
        table->AddVm({tenant, 0, Gbps(hoses[i]), Gbps(hoses[i])});
        table->AddVm({tenant, i + 1, Gbps(hoses[i]), Gbps(hoses[i])});
    }
    return table;
}

} // namespace

/**
 * @ingroup workload-tests
 * @brief Numbers and look-ups.
 */
class TenantTableTestCase : public TestCase
{
  public:
    TenantTableTestCase()
        : TestCase("tenants, VMs and pairs are found again")
    {
    }

  private:
    void DoRun() override
    {
        auto table = CreateObject<TenantTable>();
        const TenantId red = table->AddTenant({.name = "red", .weight = 2});
        const TenantId blue = table->AddTenant({.name = "blue", .workloads = {"poisson"}});
        const VmId a = table->AddVm({red, 3, Gbps(1), Gbps(2)});
        const VmId b = table->AddVm({blue, 3, Gbps(1), Gbps(1)});
        const VmId c = table->AddVm({red, 5, Gbps(1), Gbps(1)});

        NS_TEST_EXPECT_MSG_EQ(table->GetNTenants(), 2, "tenants");
        NS_TEST_EXPECT_MSG_EQ(table->GetNVms(), 3, "VMs");
        NS_TEST_EXPECT_MSG_EQ(*table->FindTenant("blue"), blue, "by name");
        NS_TEST_EXPECT_MSG_EQ(table->FindTenant("green").has_value(), false, "unknown name");
        NS_TEST_EXPECT_MSG_EQ(table->GetTenant(red).weight, 2, "weight");
        NS_TEST_EXPECT_MSG_EQ((table->GetVmsOf(red) == std::vector<VmId>{a, c}), true, "of red");
        NS_TEST_EXPECT_MSG_EQ((table->GetVmsOn(3) == std::vector<VmId>{a, b}), true, "on host 3");
        NS_TEST_EXPECT_MSG_EQ(table->GetVmsOn(4).empty(), true, "host 4 is empty");
        NS_TEST_EXPECT_MSG_EQ(table->GetVmsOn(1000).empty(), true, "host 1000 is empty");

        NS_TEST_EXPECT_MSG_EQ(table->FindPair(a, c).has_value(), false, "nobody asked yet");
        const PairId pair = table->GetPair(a, c);
        NS_TEST_EXPECT_MSG_EQ(pair, 0, "numbered from 0");
        NS_TEST_EXPECT_MSG_EQ(table->GetPair(c, a), TenantTable::Reverse(pair), "reverse");
        NS_TEST_EXPECT_MSG_EQ(TenantTable::Reverse(TenantTable::Reverse(pair)), pair, "involution");
        NS_TEST_EXPECT_MSG_EQ(table->GetPair(a, c), pair, "asked again");
        NS_TEST_EXPECT_MSG_EQ(table->GetNPairs(), 2, "both directions");
        NS_TEST_EXPECT_MSG_EQ(table->GetTenantOf(pair), red, "tenant");
        NS_TEST_EXPECT_MSG_EQ(table->GetSource(pair), 3, "source");
        NS_TEST_EXPECT_MSG_EQ(table->GetDestination(pair), 5, "destination");
        NS_TEST_EXPECT_MSG_EQ(table->GetSource(TenantTable::Reverse(pair)), 5, "reverse source");
    }
};

/**
 * @ingroup workload-tests
 * @brief Terms may change, and who listens is told.
 */
class TenantChangeTestCase : public TestCase
{
  public:
    TenantChangeTestCase()
        : TestCase("changed terms are told")
    {
    }

  private:
    void Note(TenantId tenant)
    {
        m_changed.push_back(tenant);
    }

    void DoRun() override
    {
        const auto table = MeetAtHost0({1, 2});
        table->TraceConnectWithoutContext("Changed",
                                          MakeCallback(&TenantChangeTestCase::Note, this));
        const PairId pair = table->GetPair(3, 2);
        table->SetHose(0, Gbps(3), Gbps(4));
        table->SetPipe(pair, Gbps(0.5));
        table->SetWeight(0, 2.5);
        table->SetLimit(1, Gbps(7));
        NS_TEST_EXPECT_MSG_EQ(table->GetVm(0).send, Gbps(3), "send");
        NS_TEST_EXPECT_MSG_EQ(table->GetVm(0).receive, Gbps(4), "receive");
        NS_TEST_EXPECT_MSG_EQ(table->GetVmPair(pair).pipe, Gbps(0.5), "pipe");
        NS_TEST_EXPECT_MSG_EQ(table->GetVmPair(TenantTable::Reverse(pair)).pipe,
                              DataRate(0),
                              "one direction only");
        NS_TEST_EXPECT_MSG_EQ(table->GetTenant(0).weight, 2.5, "weight");
        NS_TEST_EXPECT_MSG_EQ(table->GetTenant(1).limit, Gbps(7), "limit");
        NS_TEST_EXPECT_MSG_EQ((m_changed == std::vector<TenantId>{0, 1, 0, 1}), true, "told");
    }

    std::vector<TenantId> m_changed; //!< tenants whose terms changed
};

/**
 * @ingroup workload-tests
 * @brief Reservations with numbers by hand, and what is refused.
 */
class AdmissionTestCase : public TestCase
{
  public:
    AdmissionTestCase()
        : TestCase("admission: numbers by hand")
    {
    }

  private:
    void DoRun() override
    {
        HostLinks();
        Dumbbell();
        LeafSpine();
        Pipes();
        Refusals();
    }

    /// uFAB, Section 3.1: 5 + 3 + 2 Gbit/s do not go into 0.95 of 10 Gbit/s, 5 + 2 + 1 do.
    void HostLinks()
    {
        const auto fabric = CreateNetwork("single-switch:Hosts=4,HostRate=10Gbps");
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric, *MeetAtHost0({5, 3, 2}), 0.95),
                              "--tenants = '10 Gbps guaranteed over the link from host0:0 to "
                              "switch0:0': at most 9.5 Gbps, 0.95 of the link's 10 Gbps",
                              "10 into 9.5");
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric, *MeetAtHost0({5, 3, 2}), 1), "", "10 into 10");
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric, *MeetAtHost0({5, 2, 1}), 0.95), "", "8 into 9.5");
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric, *MeetAtHost0({5, 3, 2.0000000012}), 1),
                              "--tenants = '10.000000001 Gbps guaranteed over the link from "
                              "host0:0 to switch0:0': at most 10 Gbps, 1 of the link's 10 Gbps",
                              "a bit/s too much");
    }

    /// Trinity, Section 5.3: two tenants with 16 hoses of 50 Mbit/s reserve 800 of the trunk.
    void Dumbbell()
    {
        const auto fabric = CreateNetwork("dumbbell:Left=8,Right=8");
        auto table = CreateObject<TenantTable>();
        for (const auto* name : {"memcached", "udp"})
        {
            const TenantId tenant = table->AddTenant({.name = name});
            for (uint32_t host = 0; host < 16; ++host)
            {
                table->AddVm({tenant, host, Gbps(0.05), Gbps(0.05)});
            }
        }
        const Loads loads = Reserve(*fabric, *table);
        for (std::size_t i = 0; i < loads.size(); ++i)
        {
            const auto& port = fabric->GetLink(i / 2)[i % 2]->GetDescription();
            const bool trunk = port.tier > 0 && port.peerTier > 0;
            NS_TEST_EXPECT_MSG_EQ_TOL(loads[i], (trunk ? 0.8e9 : 0.1e9), 1, port.name);
        }
    }

    /// Two VMs send 3 each out of leaf 0, one VM there receives 4: each of four spines gets 1.
    void LeafSpine()
    {
        const auto fabric = CreateNetwork("leaf-spine:Leaves=3,HostsPerLeaf=2,Spines=4");
        auto table = CreateObject<TenantTable>();
        const TenantId tenant = table->AddTenant({.name = "A"});
        table->AddVm({tenant, 0, Gbps(3), Gbps(0)});
        table->AddVm({tenant, 1, Gbps(3), Gbps(0)});
        table->AddVm({tenant, 5, Gbps(0), Gbps(4)});
        const Loads loads = Reserve(*fabric, *table);
        for (std::size_t i = 0; i < loads.size(); ++i)
        {
            const auto& port = fabric->GetLink(i / 2)[i % 2]->GetDescription();
            const bool first = port.name == "host0:0" || port.name == "host1:0";
            const bool up = port.name.starts_with("leaf0:") && port.peerTier == 2;
            const bool down = port.tier == 2 && port.name.ends_with(":2");
            const bool last = port.peer == &fabric->GetHost(5);
            const double expected = first ? 3e9 : last ? 4e9 : up || down ? 1e9 : 0;
            NS_TEST_EXPECT_MSG_EQ_TOL(loads[i], expected, 1, port.name);
        }
    }

    /// A pipe is reserved in its direction only, beside the hoses.
    void Pipes()
    {
        const auto fabric = CreateNetwork("single-switch:Hosts=3,HostRate=10Gbps");
        const auto table = MeetAtHost0({4, 4});
        table->SetPipe(table->GetPair(0, 1), Gbps(2));
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric, *table, 1), "", "4 + 4 + 2");
        table->SetPipe(table->GetPair(1, 0), Gbps(2));
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric, *table, 1), "", "the other direction");
        table->SetPipe(table->GetPair(2, 3), Gbps(0.5));
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric, *table, 1).starts_with("--tenants = '10.5 Gbps"),
                              true,
                              "4 + 4 + 2 + 0.5: " << Complaint(*fabric, *table, 1));
    }

    void Refusals()
    {
        const auto fabric = CreateNetwork("single-switch:Hosts=2,HostRate=10Gbps");
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric, *MeetAtHost0({1, 1}), 1),
                              "--tenants = 'host 2 of tenant 1': hosts are 0 to 1",
                              "no such host");
        const auto split = CreateNetwork("leaf-spine:Leaves=2,HostsPerLeaf=1,Spines=1");
        split->SetSwitchUp(2, false);
        NS_TEST_EXPECT_MSG_EQ(Complaint(*split, *MeetAtHost0({1}), 1),
                              "--tenants = 'host 0 to host 1': there must be a path",
                              "no path");
    }
};

/**
 * @ingroup workload-tests
 * @brief In trees the reservation is exactly the worst traffic.
 */
class AdmissionTreeTestCase : public TestCase
{
  public:
    AdmissionTreeTestCase()
        : TestCase("admission: worst traffic in 200 random trees")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (uint32_t trial = 0; trial < 200; ++trial)
        {
            const uint32_t hosts = random->GetInteger(2, 7);
            const auto fabric = CreateTree(random, random->GetInteger(1, 4), hosts);
            const auto table = DrawTenants(random, 2, hosts);
            const Loads loads = Reserve(*fabric, *table);
            for (std::size_t i = 0; i < loads.size(); ++i)
            {
                const double worst = FindWorstTraffic(*fabric, *table, 0, i) +
                                     FindWorstTraffic(*fabric, *table, 1, i);
                NS_TEST_ASSERT_MSG_EQ_TOL(loads[i], worst, 1, "trial " << trial << " link " << i);
            }
        }
    }
};

/**
 * @ingroup workload-tests
 * @brief With many paths no traffic that the hoses allow exceeds the reservation.
 */
class AdmissionMultipathTestCase : public TestCase
{
  public:
    /// @param topology as a user specifies it
    explicit AdmissionMultipathTestCase(const std::string& topology)
        : TestCase("admission: random traffic in " + topology),
          m_topology(topology)
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        const auto fabric = CreateNetwork(m_topology);
        double fullest = 0;
        for (uint32_t trial = 0; trial < 200; ++trial)
        {
            const auto table = DrawTenants(random, 1, fabric->GetNHosts());
            const Loads reserved = Reserve(*fabric, *table);
            const Loads loads = DrawTraffic(random, *fabric, *table);
            for (std::size_t i = 0; i < loads.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_LT_OR_EQ(loads[i], reserved[i] + 1, "trial " << trial);
                const auto& port = fabric->GetLink(i / 2)[i % 2]->GetDescription();
                if (port.tier > 0 && port.peerTier > 0 && reserved[i] > 0)
                {
                    fullest = std::max(fullest, loads[i] / reserved[i]);
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(fullest, 0.99, "some traffic needs all that is reserved");
    }

    /**
     * @brief Send as much as the hoses allow, VM pairs in random order.
     * @param random draws it
     * @param fabric the network
     * @param table one tenant
     * @return the load of each link
     */
    static Loads DrawTraffic(Ptr<UniformRandomVariable> random,
                             const Fabric& fabric,
                             const TenantTable& table)
    {
        Loads loads(2 * fabric.GetNLinks());
        std::vector<std::pair<VmId, VmId>> pairs;
        std::vector<double> send;
        std::vector<double> receive;
        for (VmId from = 0; from < table.GetNVms(); ++from)
        {
            send.push_back(table.GetVm(from).send.GetBitRate());
            receive.push_back(table.GetVm(from).receive.GetBitRate());
            for (VmId to = 0; to < table.GetNVms(); ++to)
            {
                pairs.emplace_back(from, to);
            }
        }
        while (!pairs.empty())
        {
            const auto pick = pairs.begin() + random->GetInteger(0, pairs.size() - 1);
            const auto [from, to] = *pick;
            pairs.erase(pick);
            const double rate = from == to ? 0 : std::min(send[from], receive[to]);
            send[from] -= rate;
            receive[to] -= rate;
            Send(fabric, table.GetVm(from).host, table.GetVm(to).host, rate, loads);
        }
        return loads;
    }

    std::string m_topology; //!< as a user specifies it
};

/**
 * @ingroup workload-tests
 * @brief Tenants, VM pairs, guarantees and admission.
 */
class TenantTableTestSuite : public TestSuite
{
  public:
    TenantTableTestSuite()
        : TestSuite("tenant-table", Type::UNIT)
    {
        AddTestCase(new TenantTableTestCase, Duration::QUICK);
        AddTestCase(new TenantChangeTestCase, Duration::QUICK);
        AddTestCase(new AdmissionTestCase, Duration::QUICK);
        AddTestCase(new AdmissionTreeTestCase, Duration::QUICK);
        for (const auto* topology :
             {"leaf-spine:Leaves=3,HostsPerLeaf=2,Spines=2", "fat-tree:K=4", "vl2"})
        {
            AddTestCase(new AdmissionMultipathTestCase(topology), Duration::QUICK);
        }
    }
};

static TenantTableTestSuite g_tenantTableTestSuite; //!< registers the suite
