/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Completion times of flows.

#include "recorder.h"

#include "ns3/flow-table.h"
#include "ns3/latency-histogram.h"
#include "ns3/network.h"
#include "ns3/results.h"
#include "ns3/workload.h"

#include <iostream>
#include <optional>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The life of flows that start in the window: flows.csv, and completion times: latency.csv.
 */
class FlowsRecorder : public WindowRecorder, public FlowObserver
{
  public:
    /// @brief Get the type ID.
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
        m_window = SetWindow(measured);
        m_transports = PeekPointer(network.GetTransports());
        m_flows.emplace(m_window.from, m_window.to);
        network.GetTransports()->AddObserver(this);
        m_fabric = PeekPointer(network.GetFabric());
        network.GetFabric()->TraceConnectWithoutContext(
            "LinkState",
            MakeCallback(&FlowsRecorder::LinkChanges, this));
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
        if (flow.bytes > 0 && m_window.Contains(record.requested))
        {
            m_present.emplace(record.id, flow);
        }
    }

    void FlowFinished(const FlowRecord& record) override
    {
        if (m_present.erase(record.id) > 0 && m_linksChanged)
        {
            LowerIdeal(record.id, record.request);
        }
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
        results.Add("flows_started", m_flows->GetStarted());
        results.Add("flows_finished", m_flows->GetFinished());
        results.Add("flows_unfinished", m_flows->GetUnfinished());
        results.Add("flows_excluded", m_flows->GetExcluded());
        if (m_flows->GetSizedStarted() > 0)
        {
            results.Add("flows_started_all", m_flows->GetSizedStarted());
            results.Add("flows_finished_all", m_flows->GetSizedFinished());
        }
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
    }

  private:
    /// @brief A link is about to be taken out of the routes, or into them.
    void LinkChanges(uint32_t /* link */, bool /* up */)
    {
        m_linksChanged = true;
        for (const auto& [id, request] : m_present)
        {
            LowerIdeal(id, request);
        }
    }

    /**
     * @brief The ideal time is that of the best network that a flow has met, or it could be faster:
     * it may wait for a link that is repaired.
     * @param id the flow
     * @param request its request
     */
    void LowerIdeal(FlowId id, const FlowRequest& request)
    {
        const bool isConnected = !m_fabric->GetPath(request.source, request.destination).empty() &&
                                 !m_fabric->GetPath(request.destination, request.source).empty();
        if (isConnected)
        {
            m_flows->LowerIdeal(id, m_transports->GetIdealCompletionTime(request));
        }
    }

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

    std::optional<FlowTable> m_flows;                  //!< flows.csv
    LatencyHistogram m_latency;                        //!< latency.csv
    TimeWindow m_window;                               //!< time in which measured flows start
    std::vector<Ptr<Workload>> m_workloads;            //!< start the flows
    const Transports* m_transports{nullptr};           //!< know ideal times
    const Fabric* m_fabric{nullptr};                   //!< knows ways
    std::unordered_map<FlowId, FlowRequest> m_present; //!< measured flows that are not over
    bool m_linksChanged{false};                        //!< true if a link failed or came back
};

NS_OBJECT_ENSURE_REGISTERED(FlowsRecorder);

} // namespace ns3
