/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_H
#define SCENARIO_H

#include "ns3/flow-backlog.h"
#include "ns3/flow-watch.h"
#include "ns3/network.h"
#include "ns3/object-spec.h"
#include "ns3/poisson-workload.h"
#include "ns3/recorder-list.h"
#include "ns3/results.h"
#include "ns3/run-manifest.h"
#include "ns3/scenario-options.h"
#include "ns3/tenant-workloads.h"
#include "ns3/timeline.h"
#include "ns3/workload.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The common part of scenario programs: options, network, recorders, output.
 *
 * A program says what is special about it:
 * @code
 *   int main(int argc, char* argv[])
 *   {
 *       Scenario scenario("incast", "Many senders answer one request");
 *       uint32_t senders = 32;
 *       scenario.AddOption("senders", "hosts that answer", senders);
 *       return scenario.Main(argc, argv, [&] {
 *           scenario.BuildNetwork();
 *           scenario.Record("flows");
 *           auto workload = CreateObject<IncastWorkload>();
 *           workload->SetAttribute("Senders", UintegerValue(senders));
 *           scenario.RunFlows(workload, Seconds(1));
 *       });
 *   }
 * @endcode
 * Every program has the options --scheme, --topology, --transport, --hosts, --record, --events,
 * --failLinks and --out, ns-3's global values (--RngRun=2, --SimulatorImplementationType=...,
 * --SchedulerType=...) and attribute defaults (--ns3::TcpSocket::InitialCwnd=4). Input that cannot
 * be used ends the program with one line on standard error and exit status 1.
 */
class Scenario
{
  public:
    /**
     * @param name name of the program
     * @param summary description of the simulation, one line
     */
    Scenario(std::string name, std::string summary);
    ~Scenario();

    Scenario(const Scenario&) = delete;
    Scenario& operator=(const Scenario&) = delete;

    // ---- Before Main() ----

    /**
     * @brief Add an option `--name=value`.
     * @param name the option
     * @param help one line, with the unit
     * @param value takes the value; holds the default now
     * @param checker says what it can be; null: whatever its type can hold
     */
    template <typename T>
    void AddOption(const std::string& name,
                   const std::string& help,
                   T& value,
                   Ptr<const AttributeChecker> checker = nullptr)
    {
        m_options.Add(name, help, value, checker);
    }

    /**
     * @brief Add an option whose value is an object's specification (see object-spec.h). The
     * values `help` and `NAME:help` list what there is.
     * @tparam Base the object's class; has GetSummary()
     * @param name the option
     * @param help one line
     * @param spec takes the specification; holds the default now
     */
    template <class Base>
    void AddSpecOption(const std::string& name, const std::string& help, Spec& spec)
    {
        m_options.AddSpec<Base>(name, help, spec);
    }

    /**
     * @brief Add an option whose value says how large flows are (CreateFlowSizes()).
     * @param name the option
     * @param help one line
     * @param spec takes the specification; holds the default now
     */
    void AddSizes(const std::string& name, const std::string& help, Spec& spec)
    {
        m_options.AddSizes(name, help, spec);
    }

    /**
     * @brief Run the program.
     * @param argc as given to main()
     * @param argv as given to main()
     * @param body sets up and runs the simulation
     * @return exit status: 0, or 1 after one line on standard error
     */
    int Main(int argc, char* argv[], const std::function<void()>& body);

    // ---- In the body ----

    /**
     * @brief Set the topology, unless the user did. Before BuildNetwork(); without this call, a
     * leaf-spine.
     * @param spec such as "dumbbell:Left=5,Right=1"
     */
    void SetDefaultTopology(const Spec& spec);

    /**
     * @brief The links that a load is meant of, unless the user says which: those from the first
     * tier of switches to the second, or the hosts' own where there is no second.
     * @return the role of their ports, such as "leaf-spine"
     */
    std::string GetLoadedRole() const;

    /**
     * @brief Build the network that the user asked for: topology, scheme and transports joined.
     * @return the fabric, built
     */
    Fabric& BuildNetwork();

    /**
     * @brief The network.
     * @return the network, after BuildNetwork()
     */
    Ptr<Network> GetNetwork() const
    {
        return m_network;
    }

    /// @brief The hosts' transports.
    Ptr<Transports> GetTransports() const
    {
        return m_network->GetTransports();
    }

    /**
     * @brief Rent the network to tenants, unless the user says to whom (option --tenants). Before
     * BuildNetwork().
     * @param spec specification of a TenantSource
     */
    void SetDefaultTenants(const Spec& spec);

    /**
     * @brief The tenants.
     * @return the tenants; null if nobody rents the network
     */
    Ptr<TenantTable> GetTenants() const
    {
        return m_network->GetTenants();
    }

    /**
     * @brief A workload of all that tenants send, for RunFlows() or RunFor().
     * @return the workload
     * @throws InputError if a tenant names a transport that the network does not have
     */
    Ptr<TenantWorkloads> CreateTenantWorkloads() const;

    /// @brief The fabric.
    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /**
     * @brief The folder for files of a program's own, once it has run, until all have their place
     * in the folder of --out.
     * @return folder; empty: no files are wanted
     */
    const std::string& GetOutputFolder() const
    {
        return m_folder;
    }

    /**
     * @brief All hosts of the fabric.
     * @return their numbers
     */
    std::vector<uint32_t> GetHosts() const;

    /**
     * @brief Hosts per rack; in our topologies hosts are numbered rack by rack.
     * @return hosts at the switch of host 0
     */
    uint32_t GetRackSize() const;

    /**
     * @brief Say what happens to the network, unless option --events does. After BuildNetwork().
     * @param makeEvents called if it does not; returns the text of a Timeline
     */
    void SetDefaultEvents(const std::function<std::string()>& makeEvents);

    /**
     * @brief The events in the network. Known once a workload has started.
     * @return the timeline
     */
    const Timeline& GetTimeline() const
    {
        return *m_timeline;
    }

    /**
     * @brief Set the time that is measured: what recorders record unless their attributes say
     * otherwise. Without this call, the whole run.
     * @param from its beginning
     * @param to its end
     */
    void SetMeasuredTime(Time from, Time to);

    /**
     * @brief Have something recorded, whether option --record names it or not.
     * @param name the recorder, such as "flows"
     * @param defaults attributes that the option does not set
     * @return the recorder
     */
    Ptr<Recorder> Record(const std::string& name, const RecorderList::Settings& defaults = {});

    /**
     * @brief The same, for a recorder whose numbers the program uses.
     * @tparam T class of the recorder
     * @param defaults attributes that the option does not set
     * @return the recorder
     */
    template <class T>
    Ptr<T> Record(const RecorderList::Settings& defaults = {})
    {
        return StaticCast<T>(
            Record(GetRegisteredName(T::GetTypeId(), Recorder::GetTypeId()), defaults));
    }

    /**
     * @brief Set an attribute to what an option says.
     * @param object an object that has the attribute
     * @param attribute the attribute
     * @param value the option's value
     * @param option the option, with dashes, for the error
     * @throws InputError if the attribute cannot take the value, or the user has set its default by
     *         --ns3::CLASS::ATTRIBUTE
     */
    static void SetAttribute(Ptr<Object> object,
                             const std::string& attribute,
                             const AttributeValue& value,
                             const std::string& option);

    /**
     * @brief Set an attribute to what an option says, unless the object's specification sets it.
     * @param object an object that has the attribute
     * @param spec its specification, given as option --workload
     * @param attribute the attribute
     * @param value the option's value
     * @param option the option, with dashes
     * @throws InputError as above, or if the user gave both
     */
    void SetUnlessSpecified(Ptr<Object> object,
                            const Spec& spec,
                            const std::string& attribute,
                            const AttributeValue& value,
                            const std::string& option) const;

    /**
     * @brief Have Poisson arrivals load a tier of links. What the workload's own specification says
     * of its load counts.
     * @param workload the arrivals; their sizes are known
     * @param load payload as a share of the capacity of the tier's busiest link, as option --load
     * says
     * @param tier role of the tier's ports, as option --tier says; empty: GetLoadedRole()
     * @param spec the workload's specification, if option --workload gives one
     * @throws InputError if there is no such tier, no flow crosses it, or the user gave both --load
     * and a rate of the workload's own
     */
    void SetLoad(Ptr<PoissonWorkload> workload,
                 double load,
                 const std::string& tier,
                 const Spec& spec = "");

    /**
     * @brief Check that hosts can send to one host more.
     * @param sources number of senders
     * @param option says so, with dashes
     * @throws InputError if the network has not so many hosts: of the option if it was given, else
     * of the topology
     */
    void CheckSources(uint32_t sources, const std::string& option) const;

    /**
     * @brief Refuse the topology.
     * @param reason the reason, and the remedy
     * @throw InputError always
     */
    [[noreturn]] void RefuseTopology(const std::string& reason) const;

    /**
     * @brief The port that flows share wherever switches send them: the slowest of those on all
     * their paths, the last of several.
     * @param sources so many of the first hosts send, a flow each
     * @param option says how many, with dashes, for the error
     * @return on the way to the last host
     * @throws InputError as CheckSources()
     */
    const FabricPort& GetBottleneck(uint32_t sources, const std::string& option) const;

    /**
     * @brief The bits that a port has sent, as its link sees it: with framing.
     * @param port the port
     * @return bits since the beginning
     */
    double GetSentBits(const FabricPort& port) const;

    /**
     * @brief Tell whether the user gave an option.
     * @param option its name, without dashes
     * @return true if it is on the command line
     */
    bool IsGiven(const std::string& option) const
    {
        return m_options.IsGiven(option);
    }

    /**
     * @brief Refuse options that the user gave but that mean nothing here.
     * @param options their names, without dashes
     * @param reason the reason, for the error
     * @throws InputError if one of them is on the command line
     */
    void RefuseOptions(const std::vector<std::string>& options, const std::string& reason) const;

    /**
     * @brief Start a workload beside the one that RunFlows() or RunFor() runs.
     * @param workload starts the flows
     * @param stream first of its random variable streams
     */
    void StartWorkload(Ptr<Workload> workload, int64_t stream);

    /**
     * @brief Run a workload until all its flows are over.
     * @param workload starts the flows
     * @param limit simulation ends then at the latest; flows not over are reported as unfinished
     */
    void RunFlows(Ptr<Workload> workload, Time limit);

    /**
     * @brief Run a workload for a time.
     * @param workload starts the flows
     * @param end end of the simulation
     */
    void RunFor(Ptr<Workload> workload, Time end);

    /**
     * @brief State a result: a line of the summary and an entry of run.json.
     * @param name a flat name that ends in its unit, "goodput_mean_bps"
     * @param value the value; NaN: it does not exist
     */
    void Report(const std::string& name, double value);

  private:
    void CheckConnected() const;
    void CheckRole(const std::string& role) const;
    void Prepare();
    void RunUntil(Time end);
    void CheckTimeline(Time end) const;

    /**
     * @brief Refuse that tenants join or leave where their flows are not their workloads'.
     * @param workload that is about to start
     */
    void CheckPresence(const Workload& workload) const;
    void Simulate(Time expected);
    void CollectResults();

    /// @brief Tell what must be known of the results before they are believed.
    void CollectNotices() const;
    void WriteOutput();

    /// @brief Note what was said, and what is in force.
    void RecordSettings() const;

    /// @return the scheme's summary, and the settings that differ from it
    std::string DescribeScheme() const;
    void PrintSummary() const;

    /// @return the folder of recorders' files: that of all, or where ./repro sim asks for these
    std::string GetRecordersFolder() const;

    /// @brief Write recorders' files, behind what is printed, if no others are written.
    void WriteRows();
    void CloseNetwork();

    std::string m_name;               //!< name of the program
    ScenarioOptions m_options;        //!< options of the program
    Spec m_schemeSpec{"dctcp"};       //!< option scheme
    Spec m_topologySpec;              //!< option topology
    Spec m_transportSpec;             //!< option transport
    Spec m_hostsSpec{"small-queues"}; //!< option hosts
    Spec m_tenantSpec;                //!< option tenants
    Spec m_record;                    //!< option record
    std::string m_events;             //!< option events
    std::string m_pcap;               //!< option pcap
    std::string m_out;                //!< option out
    std::string m_folder;             //!< folder of files until the run is over; empty: none
    Time m_forwardingDelay;           //!< option forwardingDelay
    uint32_t m_failLinks{0};          //!< option failLinks

    std::unique_ptr<RunManifest> m_manifest; //!< run.json
    Time m_baseRtt{0};                       //!< largest from the first host, before links fail
    JsonObject m_tenantSettings;             //!< tenants of the network, before anything changes
    Ptr<Network> m_network;                  //!< network that the user asked for
    Ptr<Fabric> m_fabric;                    //!< its fabric
    FlowWatch m_watch;                       //!< ends the simulation
    FlowBacklog m_backlog;                   //!< bytes asked for and not delivered
    std::vector<Ptr<Workload>> m_workloads;  //!< that were started
    RecorderList m_recorders;                //!< recorders of the run
    TimeWindow m_measured;                   //!< time that they measure
    std::unique_ptr<Timeline> m_timeline;    //!< events of the run; null until they are known
    Results m_results;                       //!< results of the run
    double m_wallSeconds{0};                 //!< spent in Simulator::Run()
};

} // namespace ns3

#endif /* SCENARIO_H */
