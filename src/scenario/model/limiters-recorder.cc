/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What channels of VM pairs tell of themselves.

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/direct-timer.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/network.h"
#include "ns3/pair-edge.h"
#include "ns3/string.h"

#include <memory>
#include <set>
#include <string>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Samples of what the channel of each VM pair tells of itself, such as its rate, its window,
 * its guarantee and what waits: limiters.csv.
 */
class LimitersRecorder : public WindowRecorder
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LimitersRecorder")
                                .SetParent<WindowRecorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<LimitersRecorder>()
                                .AddAttribute("Interval",
                                              "Time between samples",
                                              TimeValue(MilliSeconds(1)),
                                              MakeTimeAccessor(&LimitersRecorder::m_interval),
                                              MakeTimeChecker(TimeStep(1)))
                                .AddAttribute("Tenants",
                                              "Names of the tenants whose pairs are sampled, "
                                              "separated by commas; empty: all",
                                              StringValue(""),
                                              MakeStringAccessor(&LimitersRecorder::m_tenants),
                                              MakeStringChecker())
                                .AddAttribute("Measures",
                                              "What is sampled, separated by commas; empty: all "
                                              "that channels tell",
                                              StringValue(""),
                                              MakeStringAccessor(&LimitersRecorder::m_measures),
                                              MakeStringChecker());
        return tid;
    }

    LimitersRecorder()
        : m_timer(DirectEvent::Call<&LimitersRecorder::Sample>, this)
    {
    }

    std::string GetSummary() const override
    {
        return "samples of what channels of VM pairs tell of themselves: limiters.csv";
    }

    void Attach(Network& network, const TimeWindow& measured) override
    {
        m_window = GetWindow(measured);
        m_edge = network.GetFabric()->GetObject<PairEdge>();
        for (const auto& name : CutList(m_tenants))
        {
            m_chosenTenants.insert(name);
        }
        for (const auto& name : CutList(m_measures))
        {
            m_chosenMeasures.insert(name);
        }
        m_missing = m_chosenMeasures;
    }

    void Start(const std::string& folder) override
    {
        if (folder.empty())
        {
            return;
        }
        using Columns = std::initializer_list<std::string_view>;
        m_csv = std::make_unique<CsvWriter>(
            folder + "/limiters.csv",
            Columns{"time_s", "tenant", "pair", "source", "destination", "measure", "value"});
        if (m_edge)
        {
            m_timer.Set(m_window.from.GetTimeStep());
        }
    }

    void Write(const std::string& /* folder */) override
    {
        m_csv->Close();
        CheckNames();
    }

  protected:
    void DoDispose() override
    {
        m_timer.Cancel();
        m_edge = nullptr;
        WindowRecorder::DoDispose();
    }

  private:
    /// @brief Refuse names of nobody and nothing; which there are is known at the end.
    void CheckNames() const
    {
        for (const auto& name : m_chosenTenants)
        {
            if (m_edge && !m_edge->GetTenants().FindTenant(name))
            {
                throw InputError("--record limiters:Tenants", name, "names of tenants");
            }
        }
        if (m_told && !m_missing.empty())
        {
            throw InputError("--record limiters:Measures",
                             *m_missing.begin(),
                             "what the channels tell; limiters.csv without Measures has it all");
        }
    }

    /// @brief Write what each channel tells now.
    void Sample()
    {
        if (!m_window.IsNow())
        {
            return;
        }
        const std::string time = SecondsText(Simulator::Now());
        const TenantTable& tenants = m_edge->GetTenants();
        m_edge->ReportState([&](uint32_t pair, const char* name, double value) {
            const std::string& tenant = tenants.GetTenant(tenants.GetTenantOf(pair)).name;
            m_told = true;
            m_missing.erase(name);
            if ((m_chosenTenants.empty() || m_chosenTenants.contains(tenant)) &&
                (m_chosenMeasures.empty() || m_chosenMeasures.contains(name)))
            {
                m_csv->Row(time,
                           tenant,
                           pair,
                           tenants.GetSource(pair),
                           tenants.GetDestination(pair),
                           name,
                           value);
            }
        });
        m_timer.Set(m_interval.GetTimeStep());
    }

    Time m_interval;                        //!< attribute Interval
    std::string m_tenants;                  //!< attribute Tenants
    std::string m_measures;                 //!< attribute Measures
    std::set<std::string> m_chosenTenants;  //!< those of Tenants; none: all
    std::set<std::string> m_chosenMeasures; //!< those of Measures; none: all
    std::set<std::string> m_missing;        //!< those that no channel has told
    bool m_told{false};                     //!< whether a channel has told anything
    TimeWindow m_window;                    //!< when samples are taken
    Ptr<PairEdge> m_edge;                   //!< has the channels; nullptr: there are none
    DirectTimer m_timer;                    //!< takes a sample
    std::unique_ptr<CsvWriter> m_csv;       //!< limiters.csv; nullptr: none
};

NS_OBJECT_ENSURE_REGISTERED(LimitersRecorder);

} // namespace ns3
