/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How many limiters change while flows come and go (Nimble, SOSR 2021, Section 6.3.3 and Figure
// 14): at hosts one per pair of hosts and class, in the network one per class and output port where
// Algorithm 2 decides. Flows are fluid: each has its path's rate by Algorithm 2, parted evenly.

#include "ns3/calculation.h"
#include "ns3/csv-writer.h"
#include "ns3/double.h"
#include "ns3/edge-limiters.h"
#include "ns3/input-error.h"
#include "ns3/limiter-switch.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rate-allocation.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <set>

using namespace ns3;

namespace
{

/// @brief Options of the command line.
struct Options
{
    uint32_t leaves{10};
    uint32_t hostsPerLeaf{10};
    uint32_t spines{5};
    uint32_t classes{2};
    double load{0.7};           //!< of the hosts' links
    double longShare{0.1};      //!< of the flows, by number
    double shortBytes{16384};   //!< 16 KB
    double longBytes{67108864}; //!< 64 MB
    double tolerance{0.01};     //!< relative change of a limiter that is not told
    Time step{MicroSeconds(100)};
    Time window{MilliSeconds(10)};
    Time warmUp{MilliSeconds(50)};
    Time duration{MilliSeconds(100)};
};

constexpr double LINK = 100e9; //!< bit/s

/// @brief A leaf-spine: where its ports stand in an AllocationProblem.
class LeafSpinePorts
{
  public:
    explicit LeafSpinePorts(const Options& options)
        : m_options(options)
    {
    }

    uint32_t CountHosts() const
    {
        return m_options.leaves * m_options.hostsPerLeaf;
    }

    uint32_t CountSwitchPorts() const
    {
        return 2 * CountFabricLinks() + CountHosts();
    }

    /// @brief Rates of all ports: of switches in the order in which paths use them, then of hosts.
    std::vector<double> GetCapacities() const
    {
        return std::vector<double>(CountSwitchPorts() + CountHosts(), LINK);
    }

    /**
     * @brief The way from a host to another.
     * @param source the host that sends
     * @param destination the host that receives
     * @param spine by which it goes, if they do not share a leaf
     * @return ports along it
     */
    std::vector<uint32_t> GetPath(uint32_t source, uint32_t destination, uint32_t spine) const
    {
        const uint32_t from = source / m_options.hostsPerLeaf;
        const uint32_t to = destination / m_options.hostsPerLeaf;
        const uint32_t nic = CountSwitchPorts() + source;
        const uint32_t last = 2 * CountFabricLinks() + destination;
        if (from == to)
        {
            return {nic, last};
        }
        const uint32_t up = from * m_options.spines + spine;
        const uint32_t down = CountFabricLinks() + to * m_options.spines + spine;
        return {nic, up, down, last};
    }

  private:
    uint32_t CountFabricLinks() const
    {
        return m_options.leaves * m_options.spines;
    }

    const Options& m_options;
};

/// @brief Limiters that were told something, window by window.
class Churn
{
  public:
    explicit Churn(double tolerance)
        : m_tolerance(tolerance)
    {
    }

    /**
     * @brief Tell what differs.
     * @param settings settings that limiters are to have
     */
    void Tell(const LimiterSettings& settings)
    {
        const LimiterDelta delta(m_told, settings, m_tolerance);
        m_writes += delta.Count();
        for (const auto* changed : {&delta.added, &delta.modified})
        {
            for (const LimiterKey& key : *changed)
            {
                m_told[key] = settings.at(key);
                m_updated.insert(key);
            }
        }
        for (const LimiterKey& key : delta.removed)
        {
            m_told.erase(key);
            m_updated.insert(key);
        }
    }

    /**
     * @brief End a window.
     * @return limiters that were updated in it, once or more often; how often all of them were
     */
    std::pair<double, double> EndWindow()
    {
        const auto limiters = static_cast<double>(m_updated.size());
        m_updated.clear();
        return {limiters, static_cast<double>(std::exchange(m_writes, 0))};
    }

  private:
    double m_tolerance;             //!< relative change that is not told
    LimiterSettings m_told;         //!< settings that limiters have
    std::set<LimiterKey> m_updated; //!< in this window
    uint64_t m_writes{0};           //!< in this window
};

/// @brief Flows that come, are sent at the rates of Algorithm 2, and end.
class FluidNetwork
{
  public:
    explicit FluidNetwork(const Options& options)
        : m_options(options),
          m_ports(options)
    {
        m_random->SetStream(1);
        m_links.assign(m_ports.CountHosts(), LINK);
    }

    /**
     * @brief A step of time: flows of this step come, rates are found, bytes are sent.
     * @param edge limiters of hosts
     * @param network limiters of switches
     */
    void Step(Churn& edge, Churn& network)
    {
        AddFlows();
        const auto rates = Allocate(network);
        TellHosts(edge);
        for (Flow& flow : m_flows)
        {
            const auto& [path, count] = *m_paths.find(flow.path);
            flow.left -= rates.at(path) / count * m_options.step.GetSeconds() / 8;
        }
        std::erase_if(m_flows, [this](const Flow& flow) {
            const bool over = flow.left <= 0;
            if (over)
            {
                Forget(m_paths, flow.path);
                Forget(m_pairs, flow.pair);
            }
            return over;
        });
    }

    std::size_t CountFlows() const
    {
        return m_flows.size();
    }

  private:
    /// @brief A flow.
    struct Flow
    {
        double left;             //!< bytes to send
        RoutingPath path;        //!< its way
        EdgeLimiters::Pair pair; //!< its hosts and class
    };

    template <class Key>
    static void Forget(std::map<Key, uint32_t>& counts, const Key& key)
    {
        const auto found = counts.find(key);
        if (--found->second == 0)
        {
            counts.erase(found);
        }
    }

    uint32_t Draw(uint32_t count)
    {
        return m_random->GetInteger(0, count - 1);
    }

    /// @brief Poisson arrivals: load times the hosts' links over the mean size.
    void AddFlows()
    {
        const double mean = m_options.longShare * m_options.longBytes +
                            (1 - m_options.longShare) * m_options.shortBytes;
        const double perSecond = m_options.load * LINK * m_ports.CountHosts() / 8 / mean;
        const double end = m_now + m_options.step.GetSeconds();
        for (; m_next < end; m_next += -std::log(1 - m_random->GetValue(0, 1)) / perSecond)
        {
            const uint32_t source = Draw(m_ports.CountHosts());
            const uint32_t destination =
                (source + 1 + Draw(m_ports.CountHosts() - 1)) % m_ports.CountHosts();
            const uint32_t trafficClass = Draw(m_options.classes);
            const bool isLong = m_random->GetValue(0, 1) < m_options.longShare;
            Flow flow{isLong ? m_options.longBytes : m_options.shortBytes,
                      {trafficClass, m_ports.GetPath(source, destination, Draw(m_options.spines))},
                      {source, destination, trafficClass + 1}};
            ++m_paths[flow.path];
            ++m_pairs[flow.pair];
            m_flows.push_back(flow);
        }
        m_now = end;
    }

    /// @brief Algorithm 2 over the paths in use.
    std::map<RoutingPath, double> Allocate(Churn& network) const
    {
        AllocationProblem problem;
        problem.capacities = m_ports.GetCapacities();
        problem.classes.assign(m_options.classes, {1});
        for (const auto& [path, count] : m_paths)
        {
            problem.paths.push_back(path);
        }
        const auto result = AllocateRates(problem);
        LimiterSettings settings;
        for (const PortLimit& limit : result.limits)
        {
            if (limit.port < m_ports.CountSwitchPorts()) // a host's link is limit enough
            {
                settings[{limit.port, limit.trafficClass + 1}] = MakeSetting(limit.rate);
            }
        }
        network.Tell(settings);
        std::map<RoutingPath, double> rates;
        for (std::size_t i = 0; i < problem.paths.size(); ++i)
        {
            rates.emplace(problem.paths[i], result.rates[i]);
        }
        return rates;
    }

    /// @brief Limiters of hosts, by pair and class.
    void TellHosts(Churn& edge) const
    {
        LimiterSettings settings;
        for (const auto& [pair, rate] : EdgeLimiters::GetRates(m_pairs, m_links, m_classes))
        {
            const auto& [source, destination, number] = pair;
            settings[{source * m_ports.CountHosts() + destination, number}] = MakeSetting(rate);
        }
        edge.Tell(settings);
    }

    static LimiterSetting MakeSetting(double rate)
    {
        LimiterSetting setting;
        setting.rate = DataRate(static_cast<uint64_t>(std::llround(rate)));
        return setting;
    }

    const Options& m_options;
    LeafSpinePorts m_ports;
    NimbleClasses m_classes{NimbleRule{}, nullptr}; //!< all alike
    std::vector<double> m_links;                    //!< of hosts
    std::vector<Flow> m_flows;                      //!< under way
    std::map<RoutingPath, uint32_t> m_paths;        //!< flows of each
    std::map<EdgeLimiters::Pair, uint32_t> m_pairs; //!< flows of each
    double m_now{0};                                //!< seconds
    double m_next{0};                               //!< time of the next arrival
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()};
};

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    Calculation calculation("nimble-churn", "counts limiters that change as flows come and go");
    const auto count = MakeUintegerChecker<uint32_t>(1, 1000);
    const auto share = MakeDoubleChecker<double>(0, 1);
    const auto bytes = MakeDoubleChecker<double>(1);
    const auto time = MakeTimeChecker(MicroSeconds(1));
    calculation.AddOption("leaves", "leaf switches", options.leaves, count);
    calculation.AddOption("hostsPerLeaf", "hosts of each", options.hostsPerLeaf, count);
    calculation.AddOption("spines", "spine switches", options.spines, count);
    calculation.AddOption("classes", "traffic classes, all alike", options.classes, count);
    calculation.AddOption("load", "of the hosts' links", options.load, share);
    calculation.AddOption("longShare", "part of the flows that is long", options.longShare, share);
    calculation.AddOption("shortBytes", "bytes of a short flow", options.shortBytes, bytes);
    calculation.AddOption("longBytes", "bytes of a long flow", options.longBytes, bytes);
    calculation.AddOption("tolerance",
                          "relative change of a limiter that is no update",
                          options.tolerance,
                          share);
    calculation.AddOption("step", "time from computation to computation", options.step, time);
    calculation.AddOption("window", "time in which updates are counted", options.window, time);
    calculation.AddOption("warmUp", "time before that", options.warmUp);
    calculation.AddOption("duration", "time of all windows", options.duration, time);
    return calculation.Main(argc, argv, [&] {
        if (options.leaves * options.hostsPerLeaf < 2)
        {
            throw InputError("--hostsPerLeaf",
                             std::to_string(options.hostsPerLeaf),
                             "there must be two hosts");
        }
        if (options.window < options.step || options.duration < options.window)
        {
            throw InputError("--window",
                             std::to_string(options.window.GetMicroSeconds()) + "us",
                             "at least --step and at most --duration");
        }
        FluidNetwork network(options);
        Churn edge(options.tolerance);
        Churn inside(options.tolerance);
        const auto run = [&](Time time) {
            for (Time done; done < time; done += options.step)
            {
                network.Step(edge, inside);
            }
        };
        run(options.warmUp);
        edge.EndWindow();
        inside.EndWindow();
        std::unique_ptr<CsvWriter> csv;
        if (const std::string folder = calculation.GetOutputFolder(); !folder.empty())
        {
            using Columns = std::initializer_list<std::string_view>;
            csv = std::make_unique<CsvWriter>(folder + "/updates.csv",
                                              Columns{"time_s", "where", "limiters", "writes"});
        }
        const auto windows = options.duration.GetTimeStep() / options.window.GetTimeStep();
        for (int64_t i = 0; i < windows; ++i)
        {
            run(options.window);
            const double end = (options.window * (i + 1)).GetSeconds();
            for (auto& [where, churn] :
                 std::map<std::string, Churn*>{{"edge", &edge}, {"network", &inside}})
            {
                const auto [limiters, writes] = churn->EndWindow();
                if (csv)
                {
                    csv->Row(end, where, limiters, writes);
                }
            }
        }
        if (csv)
        {
            csv->Close();
        }
        calculation.Report("flows_at_end", static_cast<double>(network.CountFlows()));
    });
}
