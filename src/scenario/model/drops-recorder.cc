/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Drops and marks.

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/direct-timer.h"
#include "ns3/input-error.h"
#include "ns3/interval-checker.h"
#include "ns3/network.h"
#include "ns3/number-text.h"
#include "ns3/results.h"

#include <iostream>
#include <map>
#include <tuple>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Drops and ECN marks over the whole run, by port and reason: drops.csv.
 */
class DropsRecorder : public Recorder
{
  public:
    /// @brief Get the type ID.
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
        CsvWriter csv(folder + "/drops.csv", {"port", "kind", "reason", "packets", "bytes"});
        for (const auto& [key, count] : CountAll())
        {
            const auto& [port, kind, reason] = key;
            csv.Row(port, kind == DROP ? "drop" : "mark", reason, count.packets, count.bytes);
        }
        csv.Close();
    }

    void ReportResults(Results& results) const override
    {
        const Counts counts = CountAll();
        const Count drops = GetTotal(counts, DROP);
        const Count marks = GetTotal(counts, MARK);
        results.Add("dropped_packets", drops.packets);
        results.Add("dropped_bytes", drops.bytes);
        results.Add("marked_packets", marks.packets);
        results.Add("marked_bytes", marks.bytes);
    }

    void Print(std::ostream& os) const override
    {
        const Counts counts = CountAll();
        os << "  packets dropped: " << GetTotal(counts, DROP).packets
           << ", marked: " << GetTotal(counts, MARK).packets << "\n";
    }

  protected:
    void DoDispose() override
    {
        m_timer.Cancel();
        Recorder::DoDispose();
    }

  private:
    /// @brief The two things that are counted.
    enum Kind
    {
        DROP, //!< it was discarded
        MARK, //!< its ECN field was set to Congestion Experienced
    };

    /// @brief A number of packets.
    struct Count
    {
        uint64_t packets{0}; //!< packets
        uint64_t bytes{0};   //!< their bytes

        Count& operator+=(const Count& other)
        {
            packets += other.packets;
            bytes += other.bytes;
            return *this;
        }
    };

    /// @brief Counts above 0, by port, kind and reason.
    using Counts = std::map<std::tuple<std::string, Kind, std::string>, Count>;

    /**
     * @brief Ask all ports and switches.
     * @return their counts
     */
    Counts CountAll() const
    {
        Counts counts;
        const auto add = [&counts](const std::string& port,
                                   Kind kind,
                                   const std::string& reason,
                                   uint64_t packets,
                                   uint64_t bytes) {
            if (packets > 0)
            {
                counts[{port, kind, reason}] += {packets, bytes};
            }
        };
        m_fabric->ForEachPort([&add](const FabricPort& port) {
            const std::string& name = port.GetDescription().name;
            for (const auto& [reason, packets, bytes] : port.GetQueueDisc().GetDropCounts())
            {
                add(name, DROP, reason, packets, bytes);
            }
            for (const auto& [reason, packets, bytes] : port.GetQueueDisc().GetMarkCounts())
            {
                add(name, MARK, reason, packets, bytes);
            }
        });
        for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
        {
            const FabricSwitch& s = m_fabric->GetSwitch(i);
            // The bytes of what found no way are not counted.
            add(s.GetName(), DROP, "No route", s.GetNoRouteDrops(), 0);
            add(s.GetName(), DROP, "Wrong route", s.GetBadRouteDrops(), 0);
            add(s.GetName(), DROP, "Too many hops", s.GetLoopDrops(), 0);
            add(s.GetName(), DROP, "Link failed in flight", s.GetLostInFlight(), 0);
        }
        return counts;
    }

    /**
     * @brief Sum over all ports and reasons.
     * @param counts the counts
     * @param kind drops or marks
     * @return their number
     */
    static Count GetTotal(const Counts& counts, Kind kind)
    {
        Count total;
        for (const auto& [key, count] : counts)
        {
            total += std::get<Kind>(key) == kind ? count : Count();
        }
        return total;
    }

    /// @brief Write what a bin had, with the time at which it began.
    void EndBin()
    {
        const Counts counts = CountAll();
        const uint64_t drops = GetTotal(counts, DROP).packets;
        const uint64_t marks = GetTotal(counts, MARK).packets;
        m_csv->Row(SecondsText(Simulator::Now() - m_bin), drops - m_drops, marks - m_marks);
        m_drops = drops;
        m_marks = marks;
        m_timer.Set(m_bin.GetTimeStep());
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
