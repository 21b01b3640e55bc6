/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/tenant-source.h"
#include "ns3/tenant-statements.h"
#include "ns3/tenant-table.h"
#include "ns3/test.h"
#include "ns3/topology.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Build a network.
 * @param topology as a user specifies it
 * @return the fabric
 */
Ptr<Fabric>
Build(const std::string& topology)
{
    auto fabric = CreateObject<Fabric>();
    CreateFromSpec<Topology>("topology", topology)->AddTo(*fabric);
    fabric->Build();
    return fabric;
}

/**
 * @brief Make tenants.
 * @param fabric the network
 * @param spec value of --tenants
 * @param stream first random variable stream
 * @return the tenants
 */
Ptr<TenantTable>
Make(const Fabric& fabric, const std::string& spec, int64_t stream = 1)
{
    const auto source = CreateFromSpec<TenantSource>("--tenants", spec);
    source->AssignStreams(stream);
    return source->CreateTable(fabric, "--tenants");
}

/**
 * @brief The error of tenants.
 * @param fabric the network
 * @param spec value of --tenants
 * @return the error; empty if there is none
 */
std::string
Complaint(const Fabric& fabric, const std::string& spec)
{
    try
    {
        Make(fabric, spec);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * @brief VMs on each host.
 * @param table the tenants
 * @param hosts number of hosts
 * @return their numbers
 */
std::vector<std::size_t>
CountVms(const TenantTable& table, uint32_t hosts)
{
    std::vector<std::size_t> counts;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        counts.push_back(table.GetVmsOn(host).size());
    }
    return counts;
}

} // namespace

/**
 * @ingroup workload-tests
 * @brief Statements say what they should.
 */
class StatementsTestCase : public TestCase
{
  public:
    StatementsTestCase()
        : TestCase("tenants in statements")
    {
    }

  private:
    void DoRun() override
    {
        const auto fabric = Build("single-switch:Hosts=8,HostRate=10Gbps");
        const auto table =
            Make(*fabric,
                 "list:Admission=0.95,Of={tenant A hosts=0-2,5 hose=1.5Gbps weight=2.5 priority=1 "
                 "limit=5Gbps joins=20ms leaves=1s transport=cubic "
                 "workload=poisson:Sizes=\"fixed:Bytes=1000\",Load=0.5 "
                 "workload=task-graph:Of={role a vms=0; role b vms=1}; tenant B ;vm B hosts=6,7 "
                 "vms=5 send=300Mbps receive=1Gbps; "
                 "pair A from=0,1 to=1-3 pipe=100Mbps}");
        const Tenant& a = table->GetTenant(0);
        NS_TEST_ASSERT_MSG_EQ(table->GetNTenants(), 2, "tenants");
        NS_TEST_ASSERT_MSG_EQ(table->GetNVms(), 9, "VMs");
        NS_TEST_EXPECT_MSG_EQ(a.name, "A", "name");
        NS_TEST_EXPECT_MSG_EQ(a.weight, 2.5, "weight");
        NS_TEST_EXPECT_MSG_EQ(a.priority, 1, "priority");
        NS_TEST_EXPECT_MSG_EQ(a.limit, DataRate("5Gbps"), "limit");
        NS_TEST_EXPECT_MSG_EQ(a.joins, MilliSeconds(20), "joins");
        NS_TEST_EXPECT_MSG_EQ(a.leaves, Seconds(1), "leaves");
        NS_TEST_EXPECT_MSG_EQ(a.transport, "cubic", "transport");
        NS_TEST_ASSERT_MSG_EQ(a.workloads.size(), 2, "workloads");
        NS_TEST_EXPECT_MSG_EQ(a.workloads[0],
                              "poisson:Sizes=\"fixed:Bytes=1000\",Load=0.5",
                              "workload");
        NS_TEST_EXPECT_MSG_EQ(a.workloads[1],
                              "task-graph:Of={role a vms=0; role b vms=1}",
                              "semicolons in braces are the workload's own");
        NS_TEST_EXPECT_MSG_EQ(table->GetVm(3).host, 5, "last host of A");
        NS_TEST_EXPECT_MSG_EQ(table->GetVm(3).receive, DataRate("1.5Gbps"), "hose");
        const std::vector<uint32_t> turns{6, 7, 6, 7, 6};
        for (uint32_t i = 0; i < turns.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(table->GetVm(4 + i).host, turns[i], "in turn over the hosts");
        }
        NS_TEST_EXPECT_MSG_EQ(table->GetVm(4).send, DataRate("300Mbps"), "send");
        NS_TEST_EXPECT_MSG_EQ(table->GetVm(4).receive, DataRate("1Gbps"), "receive");
        std::set<std::pair<VmId, VmId>> pipes;
        for (PairId pair = 0; pair < table->GetNPairs(); ++pair)
        {
            if (table->GetVmPair(pair).pipe == DataRate("100Mbps"))
            {
                pipes.emplace(table->GetVmPair(pair).from, table->GetVmPair(pair).to);
            }
        }
        const std::set<std::pair<VmId, VmId>> expected{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}};
        NS_TEST_EXPECT_MSG_EQ((pipes == expected), true, "a pipe per pair of different VMs");
        RoundTrip(*table);
    }

    /**
     * @brief A table said in statements and read again is the same.
     * @param table the table
     */
    void RoundTrip(const TenantTable& table)
    {
        const auto statements = ToStatements(table);
        auto copy = CreateObject<TenantTable>();
        for (const auto& statement : statements)
        {
            AddTenantStatement(*copy, "copy", statement);
        }
        NS_TEST_EXPECT_MSG_EQ((ToStatements(*copy) == statements), true, "the same statements");
        NS_TEST_EXPECT_MSG_EQ(statements[1],
                              "vm A hosts=0-2,5 send=1500Mbps receive=1500Mbps",
                              "VMs in a row together");
        NS_TEST_EXPECT_MSG_EQ(copy->GetNVms(), table.GetNVms(), "VMs");
        for (VmId vm = 0; vm < table.GetNVms(); ++vm)
        {
            NS_TEST_EXPECT_MSG_EQ(copy->GetVm(vm).host, table.GetVm(vm).host, "host");
            NS_TEST_EXPECT_MSG_EQ(copy->GetVm(vm).send, table.GetVm(vm).send, "send");
            NS_TEST_EXPECT_MSG_EQ(copy->GetVm(vm).receive, table.GetVm(vm).receive, "receive");
            NS_TEST_EXPECT_MSG_EQ(copy->GetVm(vm).tenant, table.GetVm(vm).tenant, "tenant");
        }
    }
};

/**
 * @ingroup workload-tests
 * @brief Files with a statement per line, and their errors.
 */
class TenantFileTestCase : public TestCase
{
  public:
    TenantFileTestCase()
        : TestCase("tenants from a file")
    {
    }

  private:
    void DoRun() override
    {
        const auto fabric = Build("single-switch:Hosts=4,HostRate=10Gbps");
        const std::string path = CreateTempDirFilename("tenants.txt");
        const auto read = [&](const std::string& text) {
            std::ofstream(path) << text;
            return Complaint(*fabric, "file:Path=" + path);
        };
        NS_TEST_EXPECT_MSG_EQ(read("# two tenants\n\ntenant A hosts=0-3 hose=2Gbps # all\r\n"
                                   "tenant B hosts=0,1\n"),
                              "",
                              "a good file");
        NS_TEST_EXPECT_MSG_EQ(Make(*fabric, "file:Path=" + path)->GetNVms(), 6, "VMs");
        NS_TEST_EXPECT_MSG_EQ(
            read("\xef\xbb\xbftenant A  hosts=0-3\those=2Gbps \r\ntenant B hosts=0,1\r\n\r\n"),
            "",
            "a byte order mark");
        NS_TEST_EXPECT_MSG_EQ(Make(*fabric, "file:" + path)->GetNVms(), 6, "VMs of that");
        NS_TEST_EXPECT_MSG_EQ(read(" # nobody\n"),
                              "--tenants file:Path = '" + path +
                                  "': says nothing; a statement per line",
                              "nothing");

        const std::string line = path + " line 2";
        const std::vector<std::pair<std::string, std::string>> bad{
            {"tenent B", " = 'tenent B': must begin with one of pair, tenant, vm, and a name"},
            {"tenant", " = 'tenant': must begin with one of pair, tenant, vm, and a name"},
            {"tenant hosts=1",
             " = 'tenant hosts=1': must begin with one of pair, tenant, vm, and a name"},
            {"tenant A hosts=1", " tenant = 'A': is named twice"},
            {"vm C hosts=1", " vm = 'C': must be a tenant that was named before"},
            {"vm A", " = 'vm A': hosts= is missing"},
            {"vm A hosts=", " hosts = '': must be a list, such as 0-3,8"},
            {"vm A hosts=3-1", " hosts = '3-1': a range rises"},
            {"vm A hosts=9999999", " hosts = '9999999': must be at most 1000000"},
            {"vm A hosts=1 hosts=2", " = 'hosts=2': hosts is set twice"},
            {"vm A host=1", " = 'host=1': vm takes hosts, vms, hose, send, receive, each with ="},
            {"tenant B joins=2ms leaves=1ms", " leaves = '1ms': must be after joins"},
            {std::string("tenant B\0C", 10) + " hosts=1",
             " = 'tenant B C hosts=1': must have no control characters, such as NUL"},
            {"tenant B weight=0", " weight = '0': must be above 0"},
            {"tenant B hose=1Gbps", " hose = '1Gbps': needs hosts="},
            {"tenant B workload=x:(", " = 'tenant B workload=x:(': a closing ) is missing"},
            {"pair A from=0 to=0 pipe=1Gbps", " to = '0': must be another VM"},
            {"pair A from=0 to=7 pipe=1Gbps", " to = '7': tenant A has 2 VMs, counted from 0"},
            {"pair A from=0 to=1", " = 'pair A': pipe= is missing"}};
        for (const auto& [statement, complaint] : bad)
        {
            NS_TEST_EXPECT_MSG_EQ(read("tenant A hosts=0,1\n" + statement + "\n"),
                                  line + complaint,
                                  statement);
        }
        NS_TEST_EXPECT_MSG_EQ(
            read("tenant A hosts=0,1\nvm A hosts=x\n").starts_with(line + " hosts"),
            true,
            "not a number");
        NS_TEST_EXPECT_MSG_EQ(read("tenant A hosts=0,9\n"),
                              "--tenants = 'host 9 of tenant A': hosts are 0 to 3",
                              "not a host");
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric, "file:Path=/no/such/file"),
                              "--tenants file:Path = '/no/such/file': cannot be read",
                              "no file");
        NS_TEST_EXPECT_MSG_EQ(
            Complaint(*fabric,
                      "list:Of={tenant A hosts=0,1 hose=6Gbps;tenant B hosts=0,2 hose=5Gbps}"),
            "--tenants = '11 Gbps guaranteed over the link from host0:0 to switch0:0': at most 10 "
            "Gbps, 1 of the link's 10 Gbps",
            "over-subscribed");
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric,
                                        "list:Admission=0,Of={tenant A hosts=0,1 hose=6Gbps;"
                                        "tenant B hosts=0,2 hose=5Gbps}"),
                              "",
                              "not checked");
        NS_TEST_EXPECT_MSG_EQ(Complaint(*fabric, "list:Of={tenant A; vm B hosts=1}"),
                              "--tenants statement 2 vm = 'B': must be a tenant that was named "
                              "before",
                              "which statement");
    }
};

/**
 * @ingroup workload-tests
 * @brief Drawn tenants fit, and the same seed draws the same.
 */
class RandomTenantsTestCase : public TestCase
{
  public:
    RandomTenantsTestCase()
        : TestCase("tenants at random")
    {
    }

  private:
    void DoRun() override
    {
        const auto fabric = Build("leaf-spine:Leaves=4,HostsPerLeaf=4,Spines=2");
        const std::string spec = "random:Tenants=12,Vms=ns3::UniformRandomVariable[Min=2|Max=7],"
                                 "Guarantees=\"500Mbps,1Gbps,2Gbps\",Admission=0.95,"
                                 "Workload=\"poisson:Load=0.1\",Transport=udp,Placement=";
        for (const auto* placement : {"random", "spread", "pack"})
        {
            const auto table = Make(*fabric, spec + placement);
            const auto statements = ToStatements(*table);
            NS_TEST_EXPECT_MSG_EQ((ToStatements(*Make(*fabric, spec + placement)) == statements),
                                  true,
                                  "same streams, same tenants");
            NS_TEST_EXPECT_MSG_EQ((ToStatements(*Make(*fabric, spec + placement, 7)) != statements),
                                  true,
                                  "other streams, other tenants");
            NS_TEST_EXPECT_MSG_EQ(table->GetNTenants(), 12, "all of them");
            table->CheckAdmission(*fabric, 0.95, placement); // throws if they do not fit
            std::set<std::size_t> sizes;
            std::set<uint64_t> rates;
            for (TenantId tenant = 0; tenant < 12; ++tenant)
            {
                sizes.insert(table->GetVmsOf(tenant).size());
                rates.insert(table->GetVm(table->GetVmsOf(tenant)[0]).send.GetBitRate());
                NS_TEST_EXPECT_MSG_EQ(table->GetTenant(tenant).transport, "udp", "transport");
                NS_TEST_EXPECT_MSG_EQ(table->GetTenant(tenant).workloads[0],
                                      "poisson:Load=0.1",
                                      "workload");
            }
            NS_TEST_EXPECT_MSG_GT(sizes.size(), 3, "sizes differ");
            NS_TEST_EXPECT_MSG_GT(rates.size(), 1, "guarantees differ");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(*sizes.begin(), 2, "smallest");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(*sizes.rbegin(), 7, "largest");
        }
        Placements(*fabric);
        Refusals(*fabric);
    }

    /// @param fabric 16 hosts
    void Placements(const Fabric& fabric)
    {
        const std::string spec = "random:Tenants=5,Vms=8,Guarantees=,VmsPerHost=3,Placement=";
        const auto spread = CountVms(*Make(fabric, spec + "spread"), 16);
        NS_TEST_EXPECT_MSG_EQ(*std::ranges::min_element(spread), 2, "40 VMs on 16 hosts");
        NS_TEST_EXPECT_MSG_EQ(*std::ranges::max_element(spread), 3, "40 VMs on 16 hosts");
        const std::vector<std::size_t> packed{3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 0, 0};
        NS_TEST_EXPECT_MSG_EQ((CountVms(*Make(fabric, spec + "pack"), 16) == packed),
                              true,
                              "hosts are filled");
        const auto table = Make(fabric, "random:Tenants=3,Vms=8,Guarantees=,Placement=random");
        for (TenantId tenant = 0; tenant < 3; ++tenant)
        {
            std::set<uint32_t> hosts;
            for (const VmId vm : table->GetVmsOf(tenant))
            {
                hosts.insert(table->GetVm(vm).host);
            }
            NS_TEST_EXPECT_MSG_EQ(hosts.size(), 8, "a host per VM while there are hosts");
        }
    }

    /// @param fabric 16 hosts
    void Refusals(const Fabric& fabric)
    {
        NS_TEST_EXPECT_MSG_EQ(Complaint(fabric, "random:Tenants=9,Vms=8,VmsPerHost=4"),
                              "--tenants random:Tenants = '9': only 8 fit",
                              "no room");
        NS_TEST_EXPECT_MSG_EQ(
            Complaint(fabric, "random:Tenants=3,Vms=16,Guarantees=4Gbps,Admission=0.95"),
            "--tenants random:Tenants = '3': only 2 fit",
            "no capacity");
        NS_TEST_EXPECT_MSG_EQ(Complaint(fabric, "random:Vms=ns3::Fabric").empty(),
                              false,
                              "no number");
        NS_TEST_EXPECT_MSG_EQ(Complaint(fabric, "random:Vms=many"),
                              "--tenants random:Vms = 'many': must be a number, or a random "
                              "variable of ns-3 such as ns3::UniformRandomVariable[Min=2|Max=10]",
                              "no number");
        NS_TEST_EXPECT_MSG_EQ(Complaint(fabric, "random:Guarantees=\"1Gbps,2\"").empty(),
                              false,
                              "no rate");
    }
};

/**
 * @ingroup workload-tests
 * @brief Statements, many times, each time on other hosts.
 */
class CopiedTenantsTestCase : public TestCase
{
  public:
    CopiedTenantsTestCase()
        : TestCase("copies of tenants at random places")
    {
    }

  private:
    void DoRun() override
    {
        const auto fabric = Build("leaf-spine:Leaves=4,HostsPerLeaf=4,Spines=2");
        const std::string spec =
            "copies:Number=12,Of={tenant A hosts=0,1 hose=300Mbps transport=udp "
            "workload=permutation; tenant B hosts=1,2,2 send=100Mbps; pair B from=0 to=1,2 "
            "pipe=200Mbps}";
        const auto table = Make(*fabric, spec);
        const auto statements = ToStatements(*table);
        NS_TEST_EXPECT_MSG_EQ((ToStatements(*Make(*fabric, spec)) == statements),
                              true,
                              "same streams, same hosts");
        NS_TEST_EXPECT_MSG_EQ((ToStatements(*Make(*fabric, spec, 7)) != statements),
                              true,
                              "other streams, other hosts");
        NS_TEST_ASSERT_MSG_EQ(table->GetNTenants(), 24, "two in each copy");
        table->CheckAdmission(*fabric, 1, "copies"); // throws if they do not fit
        std::set<uint32_t> first;
        for (TenantId a = 0; a < 24; a += 2)
        {
            const auto name = std::to_string(a / 2);
            NS_TEST_EXPECT_MSG_EQ(table->GetTenant(a).name, "A-" + name, "A's name");
            NS_TEST_EXPECT_MSG_EQ(table->GetTenant(a + 1).name, "B-" + name, "B's name");
            NS_TEST_EXPECT_MSG_EQ(table->GetTenant(a).transport, "udp", "A's transport");
            NS_TEST_EXPECT_MSG_EQ(table->GetTenant(a).workloads.at(0), "permutation", "A's work");
            CheckCopy(*table, table->GetVmsOf(a), table->GetVmsOf(a + 1));
            first.insert(table->GetVm(table->GetVmsOf(a)[0]).host);
        }
        NS_TEST_EXPECT_MSG_GT(first.size(), 3, "copies are in many places");
        NS_TEST_EXPECT_MSG_EQ(table->GetNPairs(), 12 * 4, "pipes and their reverse");
        Refusals(*fabric);
    }

    /**
     * @param table has the copy
     * @param a the VMs of its A
     * @param b the VMs of its B
     */
    void CheckCopy(const TenantTable& table, const std::vector<VmId>& a, const std::vector<VmId>& b)
    {
        NS_TEST_ASSERT_MSG_EQ(a.size(), 2, "VMs of A");
        NS_TEST_ASSERT_MSG_EQ(b.size(), 3, "VMs of B");
        const auto host = [&table](VmId vm) { return table.GetVm(vm).host; };
        const std::set<uint32_t> places{host(a[0]), host(a[1]), host(b[1])};
        NS_TEST_EXPECT_MSG_EQ(places.size(), 3, "places are different hosts");
        NS_TEST_EXPECT_MSG_EQ(host(a[1]), host(b[0]), "both are in place 1");
        NS_TEST_EXPECT_MSG_EQ(host(b[1]), host(b[2]), "both are in place 2");
        NS_TEST_EXPECT_MSG_EQ(table.GetVm(a[0]).receive, DataRate("300Mbps"), "A's hose");
        NS_TEST_EXPECT_MSG_EQ(table.GetVm(b[0]).send, DataRate("100Mbps"), "B's hose");
        for (const VmId to : {b[1], b[2]})
        {
            const auto pair = table.FindPair(b[0], to);
            NS_TEST_ASSERT_MSG_EQ(pair.has_value(), true, "the pair is there");
            NS_TEST_EXPECT_MSG_EQ(table.GetVmPair(*pair).pipe, DataRate("200Mbps"), "its pipe");
        }
    }

    /// @param fabric 16 hosts
    void Refusals(const Fabric& fabric)
    {
        NS_TEST_EXPECT_MSG_EQ(Complaint(fabric, "copies:Of={tenant A hosts=0-16}"),
                              "--tenants copies:Of = '17 places': there are 16 hosts",
                              "more places than hosts");
        const auto error = Complaint(fabric, "copies:Number=9,Of={tenant A hosts=0-15 hose=3Gbps}");
        NS_TEST_EXPECT_MSG_EQ(error, "--tenants copies:Number = '9': only 3 fit", "no capacity");
        NS_TEST_EXPECT_MSG_EQ(Complaint(fabric, "copies:Of={tenant A vms=2}").empty(),
                              false,
                              "no place");
    }
};

/**
 * @ingroup workload-tests
 * @brief The tenants of a network for which the user names none.
 */
class DefaultTenantsTestCase : public TestCase
{
  public:
    DefaultTenantsTestCase()
        : TestCase("tenants by default")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto* topology : {"single-switch:Hosts=4",
                                     "leaf-spine:Leaves=4,HostsPerLeaf=4,Spines=1",
                                     "fat-tree:K=4",
                                     "vl2",
                                     "dumbbell",
                                     "three-tier"})
        {
            CheckHosts(*Build(topology), topology);
        }
        const auto subscribed = Build("leaf-spine:Leaves=2,HostsPerLeaf=8,Spines=1,"
                                      "HostRate=10Gbps,FabricRate=20Gbps");
        const auto table = Make(*subscribed, "hosts:Share=0.5,Admission=0.9");
        NS_TEST_EXPECT_MSG_EQ(table->GetVm(3).receive,
                              DataRate("1125Mbps"), // half of 0.9 of 20 Gbit/s over 8 hosts
                              "less where the network is over-subscribed");
        NS_TEST_EXPECT_MSG_EQ(Make(*subscribed, "none")->GetNTenants(), 0, "nobody");
        CheckGroups(*Build("single-switch:Hosts=4,HostRate=10Gbps"));
    }

    /**
     * @param fabric a network
     * @param topology its name
     */
    void CheckHosts(const Fabric& fabric, const std::string& topology)
    {
        const auto table = Make(fabric, "hosts:Share=1");
        NS_TEST_EXPECT_MSG_EQ(table->GetNTenants(), 1, "one tenant");
        NS_TEST_EXPECT_MSG_EQ(table->GetNVms(), fabric.GetNHosts(), "a VM on each host");
        table->CheckAdmission(fabric, 1, topology); // throws if it does not fit
        bool fitsLess = true;
        try
        {
            table->CheckAdmission(fabric, 0.999, topology);
        }
        catch (const InputError&)
        {
            fitsLess = false;
        }
        NS_TEST_EXPECT_MSG_EQ(fitsLess, false, "no more fits, in " << topology);
        const auto half = Make(fabric, "hosts");
        NS_TEST_EXPECT_MSG_EQ_TOL(half->GetVm(0).send.GetBitRate(),
                                  table->GetVm(0).send.GetBitRate() / 2,
                                  1,
                                  "half of it by default");
        const auto pair = half->GetPairOfHosts(0, 1);
        NS_TEST_EXPECT_MSG_EQ(pair.has_value(), true, "any two hosts are a pair");
    }

    /// @param fabric 4 hosts of 10 Gbit/s
    void CheckGroups(const Fabric& fabric)
    {
        const auto source = CreateFromSpec<TenantSource>("--tenants", "groups:Share=0.2");
        const auto table = source->CreateTable(fabric, "--tenants");
        NS_TEST_EXPECT_MSG_EQ(table->GetNTenants(), 0, "before there is a flow");
        const auto find = [&](uint32_t from, uint32_t to, uint32_t group) {
            return source->FindPair(*table,
                                    fabric,
                                    {.source = from, .destination = to, .group = group});
        };
        const auto first = find(0, 1, 7);
        NS_TEST_ASSERT_MSG_EQ(first.has_value(), true, "made with its first flow");
        NS_TEST_EXPECT_MSG_EQ((find(0, 1, 7) == first), true, "the same pair again");
        NS_TEST_EXPECT_MSG_EQ((find(1, 0, 7) == TenantTable::Reverse(*first)), true, "and back");
        NS_TEST_EXPECT_MSG_EQ(table->GetNVms(), 2, "no VM twice");
        const auto other = find(0, 1, 3);
        NS_TEST_EXPECT_MSG_EQ((table->GetTenantOf(*other) != table->GetTenantOf(*first)),
                              true,
                              "another group is another tenant");
        find(0, 2, 3);
        NS_TEST_EXPECT_MSG_EQ(table->GetNVms(), 5, "VMs where they are used");
        NS_TEST_EXPECT_MSG_EQ(table->GetNTenants(), 2, "tenants");
        NS_TEST_EXPECT_MSG_EQ(table->GetTenant(0).name, "group7", "is called like its group");
        NS_TEST_EXPECT_MSG_EQ(table->GetVm(4).send, DataRate("2Gbps"), "guarantee");
        NS_TEST_EXPECT_MSG_EQ(table->GetDestination(*other), 1, "host");
    }
};

/**
 * @ingroup workload-tests
 * @brief Tests of the sources of tenants.
 */
class TenantSourceTestSuite : public TestSuite
{
  public:
    TenantSourceTestSuite()
        : TestSuite("tenant-source", Type::UNIT)
    {
        AddTestCase(new StatementsTestCase, Duration::QUICK);
        AddTestCase(new TenantFileTestCase, Duration::QUICK);
        AddTestCase(new RandomTenantsTestCase, Duration::QUICK);
        AddTestCase(new CopiedTenantsTestCase, Duration::QUICK);
        AddTestCase(new DefaultTenantsTestCase, Duration::QUICK);
    }
};

static TenantSourceTestSuite g_tenantSourceTestSuite; //!< registers the suite
