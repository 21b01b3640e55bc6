/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One run of a public simulator that appears to be the AFQ authors' (cross-afq-authors.sh builds
// it), as a row of a table of this folder: its ports and hosts in the networks of the experiments
// cross-afq-authors and cross-afq-authors-incast. Its own main programs for these are not public.

#include "aprx-fairqueue.h"
#include "fairqueue.h"
#include "packetpair.h"
#include "pipe.h"
#include "stoc-fairqueue.h"
#include "tcp.h"
#include "workloads.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <new>
#include <numeric>
#include <random>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

// A pointer of FairQueue is read before it is written.
void*
operator new(std::size_t size)
{
    return std::calloc(1, size);
}

void
operator delete(void* memory) noexcept
{
    std::free(memory);
}

namespace
{

const double SEGMENT_NS_BPS = 1500 * 8e9; // a full packet in bits, times ns per s
const double ACK_NS_BPS = 40 * 8e9;
const uint64_t EDGE_BPS = 10000000000;
const uint64_t CORE_BPS = 40000000000;
const uint64_t HOST_BUFFER = 8192000; // of that code's fat-tree, as is the fair queue at hosts

/// @brief Counts the packets that ports drop.
class DropCounter : public QueueLogger
{
  public:
    void logQueue(Queue&, QueueEvent event, Packet&) override
    {
        drops += event == PKT_DROP;
    }

    uint64_t drops{0};
};

/// @brief Takes completion times out of what sources print: "Flow NUMBER ... fct MICROSECONDS ...".
class CompletionReader : public std::streambuf
{
  public:
    std::vector<double> ns; // by flow; 0: not finished

  protected:
    int overflow(int character) override
    {
        if (character != '\n')
        {
            m_line += static_cast<char>(character);
            return character;
        }
        const auto at = m_line.find(" fct ");
        if (m_line.compare(0, 5, "Flow ") == 0 && at != std::string::npos)
        {
            ns.at(std::stoul(m_line.substr(5))) = 1e3 * std::stod(m_line.substr(at + 5));
        }
        m_line.clear();
        return character;
    }

  private:
    std::string m_line;
};

/// @brief A port of a switch or a host, with the wire behind it.
struct Port
{
    Queue* queue;
    Pipe* wire;
    uint64_t bps;
    double delayNs;
};

using Route = std::vector<Port>;

/// @brief Makes ports of one kind.
struct PortMaker
{
    std::string kind;
    double delayNs;
    DropCounter* counter;

    Port Make(uint64_t bps, uint64_t buffer) const
    {
        return {MakeQueue(bps, buffer), new Pipe(timeFromNs(delayNs)), bps, delayNs};
    }

    Port MakeHost() const
    {
        return {new FairQueue(EDGE_BPS, HOST_BUFFER, counter),
                new Pipe(timeFromNs(delayNs)),
                EDGE_BPS,
                delayNs};
    }

    Queue* MakeQueue(uint64_t bps, uint64_t buffer) const
    {
        if (kind == "afq" || kind == "afq-dctcp")
        {
            AFQcfg config;
            config.nBucket = 16384; // Section 6.2.2
            return new AprxFairQueue(bps, buffer, counter, config);
        }
        if (kind == "ideal-fq")
        {
            return new FairQueue(bps, buffer, counter);
        }
        if (kind == "sfq")
        {
            return new StocFairQueue(bps, buffer, counter);
        }
        return new Queue(bps, buffer, counter);
    }
};

/// @brief The cluster of Section 6.2.1 in the suite's small size: 3 leaves of 16 hosts, 2 spines.
class LeafSpine
{
  public:
    static const uint32_t LEAVES = 3;
    static const uint32_t HOSTS = 16;
    static const uint32_t SPINES = 2;

    explicit LeafSpine(const PortMaker& maker)
    {
        for (uint32_t leaf = 0; leaf < LEAVES; ++leaf)
        {
            for (uint32_t host = 0; host < HOSTS; ++host)
            {
                m_fromHost.push_back(maker.MakeHost());
                m_toHost.push_back(maker.Make(EDGE_BPS, 512000));
            }
            for (uint32_t spine = 0; spine < SPINES; ++spine)
            {
                m_toSpine.push_back(maker.Make(CORE_BPS, 1024000));
                m_toLeaf.push_back(maker.Make(CORE_BPS, 1024000));
            }
        }
    }

    Route GetRoute(uint32_t source, uint32_t destination, uint32_t spine) const
    {
        Route route{m_fromHost[source]};
        if (source / HOSTS != destination / HOSTS)
        {
            route.push_back(m_toSpine[source / HOSTS * SPINES + spine]);
            route.push_back(m_toLeaf[destination / HOSTS * SPINES + spine]);
        }
        route.push_back(m_toHost[destination]);
        return route;
    }

  private:
    std::vector<Port> m_fromHost;
    std::vector<Port> m_toHost;
    std::vector<Port> m_toSpine;
    std::vector<Port> m_toLeaf;
};

/// @brief Flows of one kind of hosts, and how long they take.
class Flows
{
  public:
    explicit Flows(const std::string& hosts)
        : m_hosts(hosts)
    {
        TcpSrc::_enable_dctcp = hosts == "dctcp" || hosts == "afq-dctcp";
    }

    void Add(double startNs, uint64_t bytes, const Route& forward, const Route& back)
    {
        DataSource* source;
        DataSink* sink;
        if (m_hosts == "packet-pair")
        {
            source = new PacketPairSrc(nullptr, bytes);
            sink = new PacketPairSink;
        }
        else
        {
            source = new TcpSrc(nullptr, nullptr, bytes);
            sink = new TcpSink;
        }
        source->setName(std::to_string(m_bytes.size()));
        source->connect(timeFromNs(startNs), *Join(forward, *sink), *Join(back, *source), *sink);
        m_bytes.push_back(bytes);
        m_startNs.push_back(startNs);
        m_idleNs.push_back(GetIdleNs(bytes, forward, back));
    }

    void Run(CompletionReader& reader)
    {
        reader.ns.assign(m_bytes.size(), 0);
        EventList::Get().setEndtime(timeFromSec(10));
        while (EventList::Get().doNextEvent())
        {
        }
        m_ns = reader.ns;
    }

    /// @brief Columns CLASS_flows, _unfinished, _mean, _p99, _mean_us of the flows that start in
    /// time.
    std::string GetClass(uint64_t below, double fromNs) const
    {
        std::vector<double> times;
        double idle = 0;
        uint32_t started = 0;
        for (std::size_t i = 0; i < m_ns.size(); ++i)
        {
            if (m_bytes[i] >= below || m_startNs[i] < fromNs)
            {
                continue;
            }
            ++started;
            if (m_ns[i] > 0)
            {
                times.push_back(m_ns[i]);
                idle += m_idleNs[i];
            }
        }
        std::sort(times.begin(), times.end());
        const double sum = std::accumulate(times.begin(), times.end(), 0.0);
        const double rank = 0.99 * (times.size() - 1);
        const std::size_t low = rank;
        const std::size_t high = std::min(low + 1, times.size() - 1);
        const double p99 = times[low] + (rank - low) * (times[high] - times[low]);
        std::ostringstream row;
        row << started << ',' << started - times.size() << ',' << sum / idle << ','
            << p99 / idle * times.size() << ',' << sum / times.size() / 1e3;
        return row.str();
    }

    /// @brief From the first start to the last acknowledgment; empty if a flow did not finish.
    std::string GetCompletionMs() const
    {
        double last = 0;
        for (std::size_t i = 0; i < m_ns.size(); ++i)
        {
            if (m_ns[i] == 0)
            {
                return "";
            }
            last = std::max(last, m_startNs[i] + m_ns[i]);
        }
        const double first = *std::min_element(m_startNs.begin(), m_startNs.end());
        return std::to_string((last - first) / 1e6);
    }

  private:
    static route_t* Join(const Route& route, PacketSink& end)
    {
        auto* joined = new route_t; // that code deletes it
        for (const Port& port : route)
        {
            joined->push_back(port.queue);
            joined->push_back(port.wire);
        }
        joined->push_back(&end);
        return joined;
    }

    static double GetIdleNs(uint64_t bytes, const Route& forward, const Route& back)
    {
        double ns = ((bytes + 1499) / 1500 - 1) * SEGMENT_NS_BPS / EDGE_BPS;
        for (const Port& port : forward)
        {
            ns += SEGMENT_NS_BPS / port.bps + port.delayNs;
        }
        for (const Port& port : back)
        {
            ns += ACK_NS_BPS / port.bps + port.delayNs;
        }
        return ns;
    }

    std::string m_hosts;
    std::vector<uint64_t> m_bytes;
    std::vector<double> m_startNs;
    std::vector<double> m_idleNs;
    std::vector<double> m_ns;
};

/// @brief Poisson arrivals between hosts, load counted on the leaves' links to spines.
std::string
RunCluster(const PortMaker& maker,
           Flows& flows,
           CompletionReader& reader,
           const std::string& sizes,
           double load,
           uint32_t seed)
{
    const double warmUpNs = 4e6;
    const double endNs = 24e6;
    const uint64_t largest = 3000000;
    Workloads workload(30000, sizes == "enterprise" ? Workloads::ENTERPRISE : Workloads::PARETO);
    const auto draw = [&] {
        return std::max<uint64_t>(1, std::min(workload.generateFlowSize(), largest));
    };
    srand(1);
    double mean = 0;
    const int samples = 4000000;
    for (int i = 0; i < samples; ++i)
    {
        mean += static_cast<double>(draw()) / samples;
    }
    srand(seed);
    std::mt19937_64 random(seed);
    const uint32_t hosts = LeafSpine::LEAVES * LeafSpine::HOSTS;
    const double leaving = (hosts - LeafSpine::HOSTS) / (hosts - 1.0); // share of the flows
    const double capacity = LeafSpine::LEAVES * LeafSpine::SPINES * CORE_BPS / 8e9; // bytes per ns
    std::exponential_distribution<double> gap(load * capacity / leaving / mean);
    const LeafSpine network(maker);
    for (double ns = gap(random); ns < endNs; ns += gap(random))
    {
        const uint32_t source = random() % hosts;
        const uint32_t destination = (source + 1 + random() % (hosts - 1)) % hosts;
        const uint32_t spine = random() % LeafSpine::SPINES;
        flows.Add(ns,
                  draw(),
                  network.GetRoute(source, destination, spine),
                  network.GetRoute(destination, source, spine));
    }
    flows.Run(reader);
    return flows.GetClass(UINT64_MAX, warmUpNs) + ',' + flows.GetClass(100000, warmUpNs);
}

/// @brief All senders of a star answer the first host at once.
std::string
RunIncast(const PortMaker& maker,
          Flows& flows,
          CompletionReader& reader,
          uint32_t senders,
          uint32_t seed)
{
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> jitterNs(0, 5000);
    const Port answered = maker.Make(EDGE_BPS, 300000);
    const Port asking = maker.MakeHost();
    for (uint32_t i = 0; i < senders; ++i)
    {
        const Port sender = maker.MakeHost();
        const Port acknowledged = maker.Make(EDGE_BPS, 300000);
        flows.Add(jitterNs(random), 1500000 / senders, {sender, answered}, {asking, acknowledged});
    }
    flows.Run(reader);
    return flows.GetCompletionMs();
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 4)
    {
        std::cerr << "usage: public cluster SCHEME SEED SIZES LOAD | incast SCHEME SEED SENDERS\n";
        return 1;
    }
    const std::string& scheme = words[1];
    const uint32_t seed = std::stoul(words[2]);
    const bool incast = words[0] == "incast";
    DropCounter counter;
    const PortMaker maker{scheme, incast ? 2150.0 : 860.0, &counter};
    CompletionReader reader;
    std::streambuf* terminal = std::cout.rdbuf(&reader);
    const bool pairs = scheme == "afq" || scheme == "ideal-fq";
    Flows flows(pairs ? "packet-pair" : scheme);
    const std::string row =
        incast ? RunIncast(maker, flows, reader, std::stoul(words[3]), seed)
               : RunCluster(maker, flows, reader, words[3], std::stod(words[4]), seed);
    std::cout.rdbuf(terminal);
    std::cout << row << ',' << counter.drops << '\n';
    return 0;
}
