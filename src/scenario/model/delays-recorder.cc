/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Delays and order of packets.

#include "recorder.h"

#include "ns3/latency-histogram.h"
#include "ns3/network.h"
#include "ns3/packet-delay-recorder.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/results.h"

#include <limits>
#include <memory>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Delays of data packets: across the network (network_latency.csv), of whole round trips as
 * the senders' TCP sees them (round_trip.csv), in re-sequencing buffers (resequencing.csv), in
 * queues by role of the port; and their order of arrival.
 */
class DelaysRecorder : public WindowRecorder
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DelaysRecorder")
                                .SetParent<WindowRecorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<DelaysRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "delays and order of packets: network_latency.csv, round_trip.csv, "
               "resequencing.csv";
    }

    void Attach(Network& network, const TimeWindow& measured) override
    {
        m_window = GetWindow(measured);
        Fabric& fabric = *network.GetFabric();
        m_packets = std::make_unique<PacketDelayRecorder>(fabric, m_window.from, m_window.to);
        const Transports& transports = *network.GetTransports();
        for (uint32_t i = 0; i < transports.GetN(); ++i)
        {
            m_hasRoundTrip |= transports.Get(i)->TraceConnectWithoutContext(
                "RoundTrip",
                MakeCallback(&DelaysRecorder::Add, this).Bind(&m_roundTrip));
        }
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            for (const auto& agent : fabric.GetHost(host).GetEdgeAgents())
            {
                if (const auto buffer = DynamicCast<ResequencingBuffer>(agent))
                {
                    buffer->TraceConnectWithoutContext(
                        "Delay",
                        MakeCallback(&DelaysRecorder::Add, this).Bind(&m_resequencing));
                    m_hasResequencing = true;
                }
            }
        }
    }

    void Write(const std::string& folder) override
    {
        m_packets->GetNetworkLatency().Write(folder + "/network_latency.csv");
        m_roundTrip.Write(folder + "/round_trip.csv");
        m_resequencing.Write(folder + "/resequencing.csv");
    }

    void ReportResults(Results& results) const override
    {
        Report(results, "network_latency", m_packets->GetNetworkLatency());
        double total = 0;
        for (const auto& [role, delays] : m_packets->GetQueueingDelays())
        {
            if (delays.GetCount() > 0)
            {
                Report(results, "queueing_" + role, delays);
                total += delays.GetMeanNs() * static_cast<double>(delays.GetCount());
            }
        }
        results.Add("queueing_mean_us",
                    Divide(total, m_packets->GetNetworkLatency().GetCount()) / 1e3);
        if (m_hasRoundTrip)
        {
            Report(results, "round_trip", m_roundTrip);
        }
        if (m_hasResequencing)
        {
            Report(results, "resequencing", m_resequencing);
            const uint64_t data = m_resequencing.GetCount();
            results.Add("resequencing_mean_all_packets_us",
                        Divide(m_resequencing.GetMeanNs() / 1e3 * static_cast<double>(data),
                               data + m_packets->GetNAcknowledgments()));
        }
        const auto& disorder = m_packets->GetDisorder();
        results.Add("displaced_by_3_share",
                    Divide(static_cast<double>(disorder.displacedByThree), disorder.packets));
        results.Add("overtaken_by_3_share",
                    Divide(static_cast<double>(disorder.overtakenByThree), disorder.packets));
    }

  protected:
    void DoDispose() override
    {
        m_packets.reset();
        WindowRecorder::DoDispose();
    }

  private:
    /**
     * @brief Count a delay that ends now, if that is in the window.
     * @param histogram takes it
     * @param delay how long
     */
    void Add(LatencyHistogram* histogram, Time delay)
    {
        if (m_window.IsNow())
        {
            histogram->Add(delay);
        }
    }

    /**
     * @param sum over packets
     * @param count of the packets
     * @return the mean; NaN without packets: packets may have waited and none arrived
     */
    static double Divide(double sum, uint64_t count)
    {
        return count > 0 ? sum / static_cast<double>(count)
                         : std::numeric_limits<double>::quiet_NaN();
    }

    /**
     * @brief State mean, 99th percentile and maximum; none of nothing.
     * @param results takes them
     * @param name what they are of
     * @param delays what was recorded
     */
    static void Report(Results& results, const std::string& name, const LatencyHistogram& delays)
    {
        const auto microseconds = [&delays](Time time) {
            return delays.GetCount() > 0 ? time.ToDouble(Time::US)
                                         : std::numeric_limits<double>::quiet_NaN();
        };
        results.Add(name + "_mean_us", delays.GetMeanNs() / 1e3);
        results.Add(name + "_p99_us", microseconds(delays.GetQuantile(0.99)));
        results.AddMaximum(name + "_max_us", microseconds(delays.GetMax()));
    }

    std::unique_ptr<PacketDelayRecorder> m_packets; //!< across the network
    TimeWindow m_window;                            //!< when delays are recorded
    LatencyHistogram m_roundTrip;                   //!< as senders measure it
    LatencyHistogram m_resequencing;                //!< in buffers of receivers
    bool m_hasRoundTrip{false};                     //!< whether the transport measures round trips
    bool m_hasResequencing{false};                  //!< whether receivers have buffers
};

NS_OBJECT_ENSURE_REGISTERED(DelaysRecorder);

} // namespace ns3
