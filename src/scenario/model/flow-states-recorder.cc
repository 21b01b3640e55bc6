/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What senders decide by.

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/interval-checker.h"
#include "ns3/network.h"
#include "ns3/notice.h"
#include "ns3/number-text.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Samples of the state of flows under way: flow-states.csv.
 */
class FlowStatesRecorder : public SamplingRecorder, public FlowObserver
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::FlowStatesRecorder")
                .SetParent<SamplingRecorder>()
                .SetGroupName("Scenario")
                .AddConstructor<FlowStatesRecorder>()
                .AddAttribute("Interval",
                              "Time between samples",
                              TimeValue(MicroSeconds(100)),
                              MakeTimeAccessor(&FlowStatesRecorder::m_interval),
                              MakeIntervalChecker())
                .AddAttribute("Flows",
                              "Numbers of the flows that are sampled, in the order of their start, "
                              "such as \"1,2\"; empty: all",
                              StringValue(""),
                              MakeStringAccessor(&FlowStatesRecorder::m_chosen),
                              MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "samples of window, RTT, rate and the like of each flow: flow-states.csv";
    }

    void FlowStarted(const FlowRecord& record) override
    {
        m_nFlows = std::max<uint64_t>(m_nFlows, record.id);
        if (m_numbers.empty() || m_numbers.contains(record.id))
        {
            m_flows.emplace(record.id, record.request);
        }
    }

    void FlowFinished(const FlowRecord& record) override
    {
        m_flows.erase(record.id);
    }

    /// Flows start as the run goes, so that it is known only now which there are.
    void Write(const std::string& folder) override
    {
        SamplingRecorder::Write(folder);
        if (!m_numbers.empty() && *m_numbers.rbegin() > m_nFlows)
        {
            PrintNotice("flow-states: there is no flow " + std::to_string(*m_numbers.rbegin()) +
                        ": " + std::to_string(m_nFlows) + " have started");
        }
    }

  protected:
    bool FindSource(Network& network) override
    {
        constexpr const char* ARGUMENT = "--record flow-states:Flows";
        for (const std::string& number : CutList(m_chosen))
        {
            m_numbers.insert(ParseCount(ARGUMENT, number));
        }
        if (m_numbers.contains(0))
        {
            throw InputError(ARGUMENT, "0", "flows are counted from 1, as in flows.csv");
        }
        m_transports = PeekPointer(network.GetTransports());
        network.GetTransports()->AddObserver(this);
        return true;
    }

    std::unique_ptr<CsvWriter> CreateFile(const std::string& folder) const override
    {
        using Columns = std::initializer_list<std::string_view>;
        return std::make_unique<CsvWriter>(folder + "/flow-states.csv",
                                           Columns{"time_s",
                                                   "flow",
                                                   "subflow",
                                                   "source",
                                                   "destination",
                                                   "window_bytes",
                                                   "threshold_bytes",
                                                   "rtt_s",
                                                   "alpha",
                                                   "rate_bps",
                                                   "in_flight_bytes"});
    }

    void TakeSample(CsvWriter& csv, const std::string& time) override
    {
        for (const auto& [flow, request] : m_flows)
        {
            uint32_t subflow = 0;
            for (const FlowState& state : m_transports->Get(request.transport)->GetStates(flow))
            {
                csv.Row(time,
                        flow,
                        subflow++,
                        request.source,
                        request.destination,
                        state.window,
                        state.threshold,
                        state.rtt ? SecondsText(Seconds(*state.rtt)) : "",
                        state.alpha,
                        state.rate,
                        state.inFlight);
            }
        }
    }

  private:
    std::string m_chosen;                    //!< attribute Flows
    std::set<uint64_t> m_numbers;            //!< the same; empty: all
    uint64_t m_nFlows{0};                    //!< that have started
    std::map<FlowId, FlowRequest> m_flows;   //!< under way, of those that are sampled
    const Transports* m_transports{nullptr}; //!< know states
};

NS_OBJECT_ENSURE_REGISTERED(FlowStatesRecorder);

} // namespace ns3
