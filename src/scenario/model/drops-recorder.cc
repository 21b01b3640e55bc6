/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Drops and marks.

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/direct-timer.h"
#include "ns3/drop-recorder.h"
#include "ns3/input-error.h"
#include "ns3/interval-checker.h"
#include "ns3/network.h"
#include "ns3/number-text.h"

#include <iostream>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Drops and ECN marks over the whole run, by port and reason: drops.csv.
 */
class DropsRecorder : public Recorder
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DropsRecorder")
                                .SetParent<Recorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<DropsRecorder>()
                                .AddAttribute("Bin",
                                              "Width of the bins of drops_over_time.csv; 0: there "
                                              "is no such file",
                                              TimeValue(Time(0)),
                                              MakeTimeAccessor(&DropsRecorder::m_bin),
                                              MakeTimeChecker(Time(0)));
        return tid;
    }

    DropsRecorder()
        : m_timer(DirectEvent::Call<&DropsRecorder::EndBin>, this)
    {
    }

    std::string GetSummary() const override
    {
        return "drops and ECN marks by port and reason: drops.csv; over time: drops_over_time.csv";
    }

    void Attach(Network& network, const TimeWindow& /* measured */) override
    {
        m_fabric = PeekPointer(network.GetFabric());
        if (m_bin.IsStrictlyPositive() && m_bin < NanoSeconds(LEAST_RECORDING_INTERVAL_NS))
        {
            throw InputError("--record drops:Bin",
                             NanosecondsText(m_bin) + "ns",
                             "0, or at least " + std::to_string(LEAST_RECORDING_INTERVAL_NS) +
                                 "ns");
        }
    }

    void Start(const std::string& folder) override
    {
        if (m_bin.IsStrictlyPositive() && !folder.empty())
        {
            using Columns = std::initializer_list<std::string_view>;
            m_csv = std::make_unique<CsvWriter>(folder + "/drops_over_time.csv",
                                                Columns{"time_s", "drops", "marks"});
            m_timer.Set(m_bin.GetTimeStep());
        }
    }

    void Write(const std::string& folder) override
    {
        if (m_csv)
        {
            m_csv->Close();
        }
        Count().Write(folder + "/drops.csv");
    }

    void ReportResults(Results& results) const override
    {
        Count().ReportResults(results);
    }

    void Print(std::ostream& os) const override
    {
        const DropRecorder drops = Count();
        os << "  packets dropped: " << drops.GetTotal(Kind::DROP).packets
           << ", marked: " << drops.GetTotal(Kind::MARK).packets << "\n";
    }

  protected:
    void DoDispose() override
    {
        m_timer.Cancel();
        Recorder::DoDispose();
    }

  private:
    /// @brief Write what a bin had, with the time at which it began.
    void EndBin()
    {
        const DropRecorder all = Count();
        const uint64_t drops = all.GetTotal(Kind::DROP).packets;
        const uint64_t marks = all.GetTotal(Kind::MARK).packets;
        m_csv->Row(SecondsText(Simulator::Now() - m_bin), drops - m_drops, marks - m_marks);
        m_drops = drops;
        m_marks = marks;
        m_timer.Set(m_bin.GetTimeStep());
    }

    using Kind = DropRecorder::Kind; //!< drops or marks

    /**
     * @brief Ask all ports and switches.
     * @return what they counted
     */
    DropRecorder Count() const
    {
        DropRecorder drops;
        m_fabric->ForEachPort([&drops](const FabricPort& port) {
            const std::string& name = port.GetDescription().name;
            for (const auto& [reason, packets, bytes] : port.GetQueueDisc().GetDropCounts())
            {
                drops.Add(name, Kind::DROP, reason, packets, bytes);
            }
            for (const auto& [reason, packets, bytes] : port.GetQueueDisc().GetMarkCounts())
            {
                drops.Add(name, Kind::MARK, reason, packets, bytes);
            }
        });
        for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
        {
            const FabricSwitch& s = m_fabric->GetSwitch(i);
            // The bytes of what found no way are not counted.
            drops.Add(s.GetName(), Kind::DROP, "No route", s.GetNoRouteDrops(), 0);
            drops.Add(s.GetName(), Kind::DROP, "Wrong route", s.GetBadRouteDrops(), 0);
            drops.Add(s.GetName(), Kind::DROP, "Too many hops", s.GetLoopDrops(), 0);
            drops.Add(s.GetName(), Kind::DROP, "Link failed in flight", s.GetLostInFlight(), 0);
        }
        return drops;
    }

    const Fabric* m_fabric{nullptr};  //!< has the ports
    Time m_bin;                       //!< attribute Bin
    DirectTimer m_timer;              //!< ends a bin
    std::unique_ptr<CsvWriter> m_csv; //!< drops_over_time.csv; nullptr: none
    uint64_t m_drops{0};              //!< until the last bin
    uint64_t m_marks{0};              //!< until the last bin
};

NS_OBJECT_ENSURE_REGISTERED(DropsRecorder);

} // namespace ns3
