/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An exercise: another rule of admission for pairs that join.
//
// In uFAB's first stage a window grows by the pair's share once per base RTT (Section 3.4), which
// bounds what pairs that join together have in flight. Here is a rule that doubles the window
// instead, as TCP does. 14 pairs of 500 Mbit/s start together to one host; the program tells the
// longest round trip and how long it takes until they have 7 Gbit/s together.
//
//   ./repro scratch mufab-exercise -- --scheme=mufab '--transport=udp:Rate=10Gbps;lean'
//   ./repro scratch mufab-exercise -- --scheme=mufab:Controller=doubling
//   '--transport=udp:Rate=10Gbps;lean'
//
// src/mufab/doc/mufab.rst, "Exercise", asks the questions.

#include "ns3/double.h"
#include "ns3/mufab-pair-controller.h"
#include "ns3/rates-recorder.h"
#include "ns3/scenario.h"

#include <algorithm>

using namespace ns3;

// The rule. Registered below, it is known as Controller=doubling; windows of Eq. 3, probes and
// paths are uFAB's.
class DoublingPairController : public MufabPairController
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DoublingPairController")
                                .SetParent<MufabPairController>()
                                .AddConstructor<DoublingPairController>()
                                .AddAttribute("Factor",
                                              "Of the window per base RTT",
                                              DoubleValue(2),
                                              MakeDoubleAccessor(&DoublingPairController::m_factor),
                                              MakeDoubleChecker<double>(1, 100));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "uFAB's edge with windows that are multiplied when a pair joins";
    }

    // A pair has its window (ramp) and its share of the path, r * T. Change what stands between the
    // braces.
    double GetGrowth(double ramp, double /* share */) const override
    {
        return (m_factor - 1) * ramp;
    }

  private:
    double m_factor;
};

NS_OBJECT_ENSURE_REGISTERED(DoublingPairController);

int
main(int argc, char* argv[])
{
    constexpr uint32_t SENDERS = 14;
    Scenario scenario("mufab-exercise", "pairs that join together on one link");
    Time duration = MilliSeconds(3);
    scenario.AddOption("duration", "simulated time", duration);
    scenario.SetDefaultTenants(
        "list:Of={tenant F hosts=0-13 hose=500Mbps workload=on-off:Outstanding=1,Jitter=0s,"
        "Sizes=\"fixed:Bytes=1e12\"; vm F hosts=14 hose=7Gbps}");

    return scenario.Main(argc, argv, [&] {
        scenario.SetDefaultTopology("single-switch:Hosts=15,HostRate=10Gbps,LinkDelay=5376ns");
        scenario.BuildNetwork();
        scenario.SetMeasuredTime(Time(0), duration);
        const auto recorder = scenario.Record<RatesRecorder>({{"Bin", "50us"}});
        scenario.RunFor(scenario.CreateTenantWorkloads(), duration);
        const RateBins& rates = recorder->GetRates();
        double late = 0;
        for (int64_t bin = 0; bin < duration.GetMicroSeconds() / 50; ++bin)
        {
            late = rates.GetRate(0, bin) < 0.95 * SENDERS * 500e6
                       ? 50.0 * static_cast<double>(bin + 1)
                       : late;
        }
        scenario.Report("guarantees_after_us", late);
        scenario.Report("goodput_gbps", rates.Summarize(0, duration / 2, duration).mean / 1e9);
    });
}
