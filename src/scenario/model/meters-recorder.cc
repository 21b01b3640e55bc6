/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What the meters of switch ports remember, and what they said.

#include "recorder.h"

#include "ns3/interval-checker.h"
#include "ns3/metered-queue-disc.h"
#include "ns3/network.h"
#include "ns3/simulator.h"

#include <array>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Samples of the meters of switch ports, class by class: their buckets or imagined queues,
 * and the rates of green, yellow and red packets since the last sample: meters.csv.
 */
class MetersRecorder : public SamplingRecorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::MetersRecorder")
                                .SetParent<SamplingRecorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<MetersRecorder>()
                                .AddAttribute("Interval",
                                              "Time between samples",
                                              TimeValue(MicroSeconds(100)),
                                              MakeTimeAccessor(&MetersRecorder::m_interval),
                                              MakeIntervalChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "samples of what meters of switch ports remember and said: meters.csv";
    }

  protected:
    bool FindSource(Network& network) override
    {
        network.GetFabric()->ForEachPort([this](FabricPort& port) {
            auto* disc = dynamic_cast<MeteredQueueDisc*>(&port.GetQueueDisc());
            if (disc && port.GetDescription().tier > 0)
            {
                disc->CountClasses();
                m_ports.push_back({port.GetDescription().name, disc, {}});
            }
        });
        return true;
    }

    std::unique_ptr<CsvWriter> CreateFile(const std::string& folder) const override
    {
        using Columns = std::initializer_list<std::string_view>;
        return std::make_unique<CsvWriter>(folder + "/meters.csv",
                                           Columns{"time_s", "port", "class", "measure", "value"});
    }

    void TakeSample(CsvWriter& csv, const std::string& time) override
    {
        for (Port& port : m_ports)
        {
            port.before.resize(port.disc->GetNClasses());
            for (uint32_t number = 1; number < port.disc->GetNClasses(); ++number)
            {
                if (port.disc->GetMeter(number))
                {
                    WriteClass(csv, time, port, number);
                }
            }
        }
        m_last = Simulator::Now();
    }

    void DoDispose() override
    {
        m_ports.clear();
        SamplingRecorder::DoDispose();
    }

  private:
    using Bytes = std::array<uint64_t, 3>; //!< by colour

    /// @brief A port with meters.
    struct Port
    {
        std::string name;             //!< of the port
        const MeteredQueueDisc* disc; //!< has the meters; outlives the run
        std::vector<Bytes> before;    //!< by class, as of the last sample
    };

    void WriteClass(CsvWriter& csv, const std::string& time, Port& port, uint32_t number)
    {
        const auto row = [&](const char* measure, double value) {
            csv.Row(time, port.name, number, measure, value);
        };
        port.disc->GetMeter(number)->ReportState(port.disc->GetState(number), row);
        const Bytes& bytes = port.disc->GetColourCounts(number).bytes;
        const double elapsed = (Simulator::Now() - m_last).GetSeconds(); // at first, since time 0
        constexpr std::array<const char*, 3> NAMES{"green_bps", "yellow_bps", "red_bps"};
        for (std::size_t i = 0; i < NAMES.size(); ++i)
        {
            const auto more = static_cast<double>(bytes[i] - port.before[number][i]);
            row(NAMES[i], elapsed > 0 ? more * 8 / elapsed : 0);
        }
        port.before[number] = bytes;
    }

    std::vector<Port> m_ports; //!< with meters
    Time m_last;               //!< time of the last sample
};

NS_OBJECT_ENSURE_REGISTERED(MetersRecorder);

} // namespace ns3
