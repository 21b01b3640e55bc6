/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Lengths of queues.

#include "recorder.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/interval-checker.h"
#include "ns3/network.h"
#include "ns3/queue-recorder.h"
#include "ns3/string.h"

#include <set>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Samples of the queues of ports: queues.csv, mean and maximum by role.
 */
class QueuesRecorder : public WindowRecorder
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
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
        m_window = GetWindow(measured);
        m_queues->SetAttribute("Interval", TimeValue(m_interval));
        const auto names = CutList(m_ports);
        std::set<std::string> wanted(names.begin(), names.end());
        const bool all = wanted.empty();
        network.GetFabric()->ForEachPort([&](FabricPort& port) {
            const auto& description = port.GetDescription();
            if (all ? description.tier > 0 : wanted.erase(description.name) > 0)
            {
                m_queues->AddProbe(description.name, description.role, [&port] {
                    return QueueLength{port.GetWaitingBytes(), port.GetWaitingPackets()};
                });
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
        const bool file = m_writesSamples && !folder.empty();
        m_queues->Start(m_window.from, m_window.to, file ? folder + "/queues.csv" : "");
    }

    void Write(const std::string& /* folder */) override
    {
        m_queues->Close();
    }

    void ReportResults(Results& results) const override
    {
        m_queues->ReportResults(results);
    }

  private:
    Ptr<QueueRecorder> m_queues{CreateObject<QueueRecorder>()}; //!< queues.csv
    TimeWindow m_window;                                        //!< when samples are taken
    Time m_interval;                                            //!< attribute Interval
    std::string m_ports;                                        //!< attribute Ports
    bool m_writesSamples;                                       //!< attribute Samples
};

NS_OBJECT_ENSURE_REGISTERED(QueuesRecorder);

} // namespace ns3
