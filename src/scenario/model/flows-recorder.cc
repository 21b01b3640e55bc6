/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Completion times of flows.

#include "recorder.h"

#include "ns3/flow-recorder.h"
#include "ns3/latency-histogram.h"
#include "ns3/network.h"
#include "ns3/workload.h"

#include <iomanip>
#include <iostream>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The life of flows that start in the window: flows.csv, and completion times: latency.csv.
 */
class FlowsRecorder : public WindowRecorder, public FlowObserver
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::FlowsRecorder")
                                .SetParent<WindowRecorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<FlowsRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "life and completion times of flows: flows.csv, latency.csv";
    }

    void Attach(Network& network, const TimeWindow& measured) override
    {
        m_window = GetWindow(measured);
        m_transports = PeekPointer(network.GetTransports());
        m_flows->SetAttribute("WarmUp", TimeValue(m_window.from));
        m_flows->SetAttribute("End", TimeValue(m_window.to));
        network.GetTransports()->AddObserver(this);
    }

    void Watch(Ptr<Workload> workload) override
    {
        m_workloads.push_back(workload);
    }

    void FlowStarted(const FlowRecord& record) override
    {
        const FlowRequest& flow = record.request;
        const Time ideal = flow.bytes > 0 ? m_transports->GetIdealCompletionTime(flow) : Time(0);
        m_flows->Started(record.id,
                         flow.group,
                         flow.source,
                         flow.destination,
                         flow.bytes,
                         record.requested,
                         ideal);
    }

    void FlowFinished(const FlowRecord& record) override
    {
        m_flows->FirstSent(record.id, record.firstSent);
        if (!record.IsComplete())
        {
            m_flows->Lost(record.id, record.request.bytes - record.deliveredBytes);
            return;
        }
        m_flows->Finished(record.id, record.acknowledged);
        if (m_window.Contains(record.requested))
        {
            m_latency.Add(record.acknowledged - record.firstSent);
        }
    }

    void Write(const std::string& folder) override
    {
        m_flows->Write(folder + "/flows.csv");
        m_latency.Write(folder + "/latency.csv");
    }

    void ReportResults(Results& results) const override
    {
        m_flows->ReportResults(results);
    }

    void Print(std::ostream& os) const override
    {
        os << "  flows: " << m_flows->GetStarted() << " started, " << m_flows->GetFinished()
           << " finished, " << m_flows->GetUnfinished() << " unfinished, " << m_flows->GetExcluded()
           << " outside the measured time";
        if (const uint64_t unstarted = CountUnstarted(); unstarted > 0)
        {
            os << ", " << unstarted << " due after the end";
        }
        os << "\n";
        os << "  " << std::left << std::setw(14) << "size" << std::right << std::setw(9) << "flows"
           << std::setw(14) << "mean FCT us" << std::setw(14) << "median us" << std::setw(14)
           << "99 % us" << std::setw(15) << "mean slowdown" << "\n";
        os << std::fixed << std::setprecision(2);
        const auto& classes = FlowRecorder::GetSizeClasses();
        const auto summaries = m_flows->Summarize(classes);
        for (std::size_t i = 0; i < classes.size(); ++i)
        {
            const FlowSummary& summary = summaries[i];
            if (summary.finished > 0)
            {
                os << "  " << std::left << std::setw(14) << classes[i].name << std::right
                   << std::setw(9) << summary.finished << std::setw(14) << summary.meanFctNs / 1e3
                   << std::setw(14) << summary.p50FctNs / 1e3 << std::setw(14)
                   << summary.p99FctNs / 1e3 << std::setw(15) << summary.meanSlowdown << "\n";
            }
        }
        os << std::defaultfloat << std::setprecision(6);
    }

  private:
    /// @return flows that were asked for and did not start
    uint64_t CountUnstarted() const
    {
        uint64_t flows = 0;
        for (const auto& workload : m_workloads)
        {
            flows += workload->GetUnstarted().flows;
        }
        return flows;
    }

    Ptr<FlowRecorder> m_flows{CreateObject<FlowRecorder>()}; //!< flows.csv
    LatencyHistogram m_latency;                              //!< latency.csv
    TimeWindow m_window;                                     //!< when measured flows start
    std::vector<Ptr<Workload>> m_workloads;                  //!< start the flows
    const Transports* m_transports{nullptr};                 //!< know ideal times
};

NS_OBJECT_ENSURE_REGISTERED(FlowsRecorder);

} // namespace ns3
