/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What channels of VM pairs tell of themselves.

#include "recorder.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/interval-checker.h"
#include "ns3/network.h"
#include "ns3/pair-edge.h"
#include "ns3/string.h"

#include <set>
#include <string>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Samples of what the channel of each VM pair tells of itself, such as its rate, its window,
 * its guarantee and what waits: limiters.csv.
 */
class LimitersRecorder : public SamplingRecorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LimitersRecorder")
                                .SetParent<SamplingRecorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<LimitersRecorder>()
                                .AddAttribute("Interval",
                                              "Time between samples",
                                              TimeValue(MilliSeconds(1)),
                                              MakeTimeAccessor(&LimitersRecorder::m_interval),
                                              MakeIntervalChecker())
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

    std::string GetSummary() const override
    {
        return "samples of what channels of VM pairs tell of themselves: limiters.csv";
    }

    void Write(const std::string& folder) override
    {
        SamplingRecorder::Write(folder);
        CheckNames();
    }

  protected:
    bool FindSource(Network& network) override
    {
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
        return m_edge != nullptr;
    }

    std::unique_ptr<CsvWriter> CreateFile(const std::string& folder) const override
    {
        using Columns = std::initializer_list<std::string_view>;
        return std::make_unique<CsvWriter>(
            folder + "/limiters.csv",
            Columns{"time_s", "tenant", "pair", "source", "destination", "measure", "value"});
    }

    void TakeSample(CsvWriter& csv, const std::string& time) override
    {
        const TenantTable& tenants = m_edge->GetTenants();
        m_edge->ReportState([&](uint32_t pair, const char* name, double value) {
            const std::string& tenant = tenants.GetTenant(tenants.GetTenantOf(pair)).name;
            m_told = true;
            m_missing.erase(name);
            if ((m_chosenTenants.empty() || m_chosenTenants.contains(tenant)) &&
                (m_chosenMeasures.empty() || m_chosenMeasures.contains(name)))
            {
                csv.Row(time,
                        tenant,
                        pair,
                        tenants.GetSource(pair),
                        tenants.GetDestination(pair),
                        name,
                        value);
            }
        });
    }

    void DoDispose() override
    {
        m_edge = nullptr;
        SamplingRecorder::DoDispose();
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

    std::string m_tenants;                  //!< attribute Tenants
    std::string m_measures;                 //!< attribute Measures
    std::set<std::string> m_chosenTenants;  //!< those of Tenants; none: all
    std::set<std::string> m_chosenMeasures; //!< those of Measures; none: all
    std::set<std::string> m_missing;        //!< those that no channel has told
    bool m_told{false};                     //!< true if a channel has told anything
    Ptr<PairEdge> m_edge;                   //!< has the channels; nullptr: there are none
};

NS_OBJECT_ENSURE_REGISTERED(LimitersRecorder);

} // namespace ns3
