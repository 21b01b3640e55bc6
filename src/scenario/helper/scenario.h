/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_H
#define SCENARIO_H

#include "ns3/drop-recorder.h"
#include "ns3/fabric.h"
#include "ns3/flow-occupancy-recorder.h"
#include "ns3/flow-recorder.h"
#include "ns3/latency-histogram.h"
#include "ns3/network.h"
#include "ns3/packet-delay-recorder.h"
#include "ns3/poisson-workload.h"
#include "ns3/port-counters.h"
#include "ns3/queue-recorder.h"
#include "ns3/rate-recorder.h"
#include "ns3/results.h"
#include "ns3/run-manifest.h"
#include "ns3/scenario-options.h"
#include "ns3/workload.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief What all scenario programs do alike: options, network, recorders, output.
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
 *           scenario.RecordFlows(Time(0));
 *           auto workload = CreateObject<IncastWorkload>();
 *           workload->SetAttribute("Senders", UintegerValue(senders));
 *           scenario.RunFlows(workload, Seconds(1));
 *       });
 *   }
 * @endcode
 * Every program has the options --scheme, --topology, --transport, --hosts, --failLinks and --out,
 * ns-3's global values (--RngRun=2, --SimulatorImplementationType=..., --SchedulerType=...) and
 * attribute defaults (--ns3::TcpSocket::InitialCwnd=4). Input that cannot be used ends the program
 * with one line on standard error and exit status 1.
 */
class Scenario
{
  public:
    /**
     * @param name name of the program
     * @param summary what it simulates, one line
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
     * @param value where the value goes; holds the default now
     */
    template <typename T>
    void AddOption(const std::string& name, const std::string& help, T& value)
    {
        m_options.Add(name, help, value);
    }

    /**
     * @brief Add an option whose value is an object's specification (see object-spec.h). The
     * values `help` and `NAME:help` list what there is.
     * @tparam Base the object's class; has GetSummary()
     * @param name the option
     * @param help one line
     * @param spec where the specification goes; holds the default now
     */
    template <class Base>
    void AddSpecOption(const std::string& name, const std::string& help, std::string& spec)
    {
        m_options.AddSpec<Base>(name, help, spec);
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
    void SetDefaultTopology(const std::string& spec);

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

    /**
     * @brief The hosts' transports.
     * @return the transports
     */
    Ptr<Transports> GetTransports() const
    {
        return m_network->GetTransports();
    }

    /**
     * @brief The fabric.
     * @return the fabric
     */
    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /**
     * @brief Where a program may put files of its own, once it has run.
     * @return folder; empty: no files are wanted
     */
    const std::string& GetOutputFolder() const
    {
        return m_out;
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
     * @brief Record the life of flows: flows.csv, and their completion times as latency.csv.
     * @param warmUp flows that start earlier are not measured
     * @param end flows that start then or later are not measured; nothing: all are
     * @return the recorder
     */
    FlowRecorder& RecordFlows(Time warmUp, std::optional<Time> end = std::nullopt);

    /**
     * @brief Record the rate at which each group of flows is delivered: rates.csv.
     * @param binWidth width of the bins
     * @return the recorder
     */
    RateRecorder& RecordRates(Time binWidth);

    /**
     * @brief Sample the queues of switch ports: queues.csv, mean and maximum by role.
     * @param interval time between samples
     * @param first when the first sample is taken
     * @param last no sample is taken after it
     * @param file whether there is a queues.csv
     * @param only names of the ports to be sampled, separated by commas; empty: all
     * @return the recorder
     * @throws InputError if no switch port has one of the names
     */
    QueueRecorder& RecordQueues(Time interval,
                                Time first,
                                Time last,
                                bool file = true,
                                const std::string& only = "");

    /**
     * @brief Measure the delays of data packets: across the network (network_latency.csv), of whole
     * round trips as the senders' TCP sees them (round_trip.csv), in re-sequencing buffers
     * (resequencing.csv), in queues by role of the port; and their order of arrival.
     * @param from what happens before is not measured
     * @param to what happens then or later is not measured either
     * @return the recorder
     */
    PacketDelayRecorder& RecordDelays(Time from, Time to);

    /**
     * @brief Take snapshots of the data packets that each flow has in the queue of each switch
     * port: occupancy.csv. Acknowledgments are not counted.
     * @param interval time between snapshots
     * @param last no snapshot is taken after it
     * @return the recorder
     */
    FlowOccupancyRecorder& RecordOccupancy(Time interval, Time last);

    /**
     * @brief Set an attribute to what an option says.
     * @param object what has the attribute
     * @param attribute the attribute
     * @param value the option's value
     * @param option the option, with dashes, for the error
     * @throws InputError if the attribute cannot take the value
     */
    static void SetAttribute(Ptr<Object> object,
                             const std::string& attribute,
                             const AttributeValue& value,
                             const std::string& option);

    /**
     * @brief Have Poisson arrivals load a tier of links.
     * @param workload the arrivals; their sizes are known
     * @param load payload as a share of the tier's capacity, as option --load says
     * @param tier role of the tier's ports, as option --tier says; empty: GetLoadedRole()
     * @throws InputError if there is no such tier or the load is not above 0
     */
    void SetLoad(Ptr<PoissonWorkload> workload, double load, const std::string& tier);

    /**
     * @brief Run a workload until all its flows are over.
     * @param workload starts the flows
     * @param limit simulation ends then at the latest; flows not over are reported as unfinished
     */
    void RunFlows(Ptr<Workload> workload, Time limit);

    /**
     * @brief Run a workload for a time.
     * @param workload starts the flows
     * @param end when the simulation ends
     */
    void RunFor(Ptr<Workload> workload, Time end);

    /**
     * @brief State a result: a line of the summary and an entry of run.json.
     * @param name a flat name that ends in its unit, "goodput_mean_bps"
     * @param value the value; NaN: it does not exist
     */
    void Report(const std::string& name, double value);

  private:
    class Tap;
    struct Delays;

    void Simulate();
    void CountPorts();
    void CollectResults();
    void ReportDelays();
    void WriteOutput();
    void PrintSummary() const;
    void PrintFlowSummary() const;
    void CloseNetwork();

    std::string m_name;                //!< name of the program
    ScenarioOptions m_options;         //!< what the user can say
    std::string m_schemeSpec{"dctcp"}; //!< option scheme
    std::string m_topologySpec;        //!< option topology
    std::string m_transportSpec;       //!< option transport
    std::string m_hostsSpec{"ideal"};  //!< option hosts
    std::string m_out;                 //!< option out
    Time m_forwardingDelay;            //!< option forwardingDelay
    uint32_t m_failLinks{0};           //!< option failLinks

    std::unique_ptr<RunManifest> m_manifest; //!< run.json
    Ptr<Network> m_network;                  //!< what the user asked for
    Ptr<Fabric> m_fabric;                    //!< its fabric
    std::unique_ptr<Tap> m_tap;              //!< passes events of flows on
    Ptr<FlowRecorder> m_flows;               //!< flows.csv
    Ptr<RateRecorder> m_rates;               //!< rates.csv
    Ptr<QueueRecorder> m_queues;             //!< queues.csv
    Time m_firstQueueSample;                 //!< beginning of sampling
    Time m_lastQueueSample;                  //!< end of sampling
    bool m_queueFile{true};                  //!< whether there is a queues.csv
    Ptr<FlowOccupancyRecorder> m_occupancy;  //!< occupancy.csv
    std::unique_ptr<Delays> m_delays;        //!< what RecordDelays() asked for
    LatencyHistogram m_latency;              //!< latency.csv
    DropRecorder m_drops;                    //!< drops.csv
    std::vector<PortCounters> m_ports;       //!< ports.csv
    Results m_results;                       //!< what was found
    double m_wallSeconds{0};                 //!< spent in Simulator::Run()
};

} // namespace ns3

#endif /* SCENARIO_H */
