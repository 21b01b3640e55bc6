/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Lengths of queues.

#include "recorder.h"

#include "ns3/boolean.h"
#include "ns3/csv-writer.h"
#include "ns3/event-id.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/interval-checker.h"
#include "ns3/network.h"
#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Samples of the queues of ports: queues.csv, mean and maximum by role.
 *
 * One event samples all queues and writes them at once, so memory does not grow with the run.
 * Averages and maxima are over the samples: a peak between two samples is not seen (a port's own
 * counters see it, PortCounters), and traffic in step with Interval is seen at one phase only.
 */
class QueuesRecorder : public WindowRecorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::QueuesRecorder")
                .SetParent<WindowRecorder>()
                .SetGroupName("Scenario")
                .AddConstructor<QueuesRecorder>()
                .AddAttribute("Interval",
                              "Time between samples",
                              TimeValue(MicroSeconds(100)),
                              MakeTimeAccessor(&QueuesRecorder::m_interval),
                              MakeIntervalChecker())
                .AddAttribute("Ports",
                              "Names of the ports that are sampled, of switches or hosts, such as "
                              "\"leaf0:3,host5:0\"; empty: all switch ports",
                              StringValue(""),
                              MakeStringAccessor(&QueuesRecorder::m_ports),
                              MakeStringChecker())
                .AddAttribute("Samples",
                              "Whether each sample goes into queues.csv, or only their mean and "
                              "maximum into run.json",
                              BooleanValue(true),
                              MakeBooleanAccessor(&QueuesRecorder::m_writesSamples),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "samples of the queues of ports: queues.csv";
    }

    void Attach(Network& network, const TimeWindow& measured) override
    {
        m_window = SetWindow(measured);
        const auto names = CutList(m_ports);
        std::set<std::string> wanted(names.begin(), names.end());
        const bool all = wanted.empty();
        network.GetFabric()->ForEachPort([&](FabricPort& port) {
            const auto& description = port.GetDescription();
            if (all ? description.tier > 0 : wanted.erase(description.name) > 0)
            {
                m_queues.push_back({&port, &m_byRole[description.role]});
            }
        });
        if (!wanted.empty())
        {
            throw InputError("--record queues:Ports",
                             *wanted.begin(),
                             "a port of a switch or host, such as those in ports.csv");
        }
    }

    void Start(const std::string& folder) override
    {
        if (m_writesSamples && !folder.empty())
        {
            using Columns = std::initializer_list<std::string_view>;
            m_csv = std::make_unique<CsvWriter>(folder + "/queues.csv",
                                                Columns{"time_s", "port", "bytes", "packets"});
        }
        m_event =
            Simulator::Schedule(m_window.from - Simulator::Now(), &QueuesRecorder::Sample, this);
    }

    void Write(const std::string& /* folder */) override
    {
        if (m_csv)
        {
            m_csv->Close();
        }
    }

    void ReportResults(Results& results) const override
    {
        constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
        for (const auto& [role, summary] : m_byRole)
        {
            const bool some = summary.samples > 0;
            const auto samples = static_cast<double>(summary.samples);
            results.Add("queue_mean_bytes_" + role, some ? summary.sumBytes / samples : NONE);
            results.Add("queue_mean_packets_" + role, some ? summary.sumPackets / samples : NONE);
            results.AddMaximum("queue_max_bytes_" + role, some ? summary.mostBytes : NONE);
            results.AddMaximum("queue_max_packets_" + role, some ? summary.mostPackets : NONE);
        }
    }

  protected:
    void DoDispose() override
    {
        m_event.Cancel();
        m_csv.reset();
        WindowRecorder::DoDispose();
    }

  private:
    /// @brief Statistics over the samples of all queues of a role.
    struct Summary
    {
        uint64_t samples{0};     //!< samples taken, the empty ones too
        uint64_t sumBytes{0};    //!< sum over the samples
        uint64_t sumPackets{0};  //!< sum over the samples
        uint64_t mostBytes{0};   //!< greatest sample
        uint64_t mostPackets{0}; //!< greatest sample
    };

    /// @brief A port whose queue is sampled.
    struct Queue
    {
        const FabricPort* port; //!< the port
        Summary* summary;       //!< of its role
    };

    /// @brief Sample all queues, and again after Interval; the end of the window is included.
    void Sample()
    {
        const std::string time = m_csv ? SecondsText(Simulator::Now()) : "";
        for (const Queue& queue : m_queues)
        {
            const uint64_t bytes = queue.port->GetWaitingBytes();
            const uint64_t packets = queue.port->GetWaitingPackets();
            Summary& summary = *queue.summary;
            ++summary.samples;
            summary.sumBytes += bytes;
            summary.sumPackets += packets;
            summary.mostBytes = std::max(summary.mostBytes, bytes);
            summary.mostPackets = std::max(summary.mostPackets, packets);
            if (m_csv)
            {
                m_csv->Row(time, queue.port->GetDescription().name, bytes, packets);
            }
        }
        if (Simulator::Now() + m_interval <= m_window.to)
        {
            m_event = Simulator::Schedule(m_interval, &QueuesRecorder::Sample, this);
        }
    }

    TimeWindow m_window;                     //!< time in which samples are taken
    Time m_interval;                         //!< attribute Interval
    std::string m_ports;                     //!< attribute Ports
    bool m_writesSamples;                    //!< attribute Samples
    EventId m_event;                         //!< the next sampling
    std::map<std::string, Summary> m_byRole; //!< queue lengths seen, by role
    std::vector<Queue> m_queues;             //!< all queues
    std::unique_ptr<CsvWriter> m_csv;        //!< queues.csv; nullptr: none
};

NS_OBJECT_ENSURE_REGISTERED(QueuesRecorder);

} // namespace ns3
