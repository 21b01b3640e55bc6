/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An exercise: a meter of your own. How little can a switch remember of a class and still hold it
// to its rate?
//
// Four long DCTCP flows share one port on which their class may have 50 Gbit/s. Here is a meter
// that counts bytes in windows of time: yellow beyond a part of what the window allows, red beyond
// all of it. The program measures the goodput, how many packets were dropped, and how long the
// queue got.
//
//   ./repro scratch nimble-exercise -- --scheme=nimble --meter=window:Window=10us
//   ./repro scratch nimble-exercise -- --scheme=nimble --meter=window:Window=1ms
//   ./repro scratch nimble-exercise -- --scheme=nimble --meter=logical
//   ./repro scratch nimble-exercise -- --scheme=nimble --meter=native
//
// src/nimble/doc/nimble.rst, "Exercise", asks the questions.

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/meter.h"
#include "ns3/number-text.h"
#include "ns3/rates-recorder.h"
#include "ns3/scenario.h"
#include "ns3/simulator.h"
#include "ns3/staggered-workload.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;

// The meter: one state of 24 bytes per class, three functions that matter. Change Mark().
class WindowMeter final : public Meter // known as "window"
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::WindowMeter")
                .SetParent<Meter>()
                .AddConstructor<WindowMeter>()
                .AddAttribute("Rate",
                              "That a class may have",
                              DataRateValue(DataRate("1Gbps")),
                              MakeDataRateAccessor(&WindowMeter::m_rate),
                              MakeDataRateChecker())
                .AddAttribute("YellowBurst", // every limiter is told its thresholds
                              "Not used",
                              UintegerValue(0),
                              MakeUintegerAccessor(&WindowMeter::m_yellowBurst),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("RedBurst",
                              "Not used",
                              UintegerValue(0),
                              MakeUintegerAccessor(&WindowMeter::m_redBurst),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("Window",
                              "Time in which bytes are counted",
                              TimeValue(MicroSeconds(100)),
                              MakeTimeAccessor(&WindowMeter::m_window),
                              MakeTimeChecker(NanoSeconds(1)))
                .AddAttribute("Yellow",
                              "Share of what the window allows beyond which packets are yellow",
                              DoubleValue(0.8),
                              MakeDoubleAccessor(&WindowMeter::m_yellow),
                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

    using Meter::Mark;

    void Check() const override
    {
    }

    State Start(int64_t now) const override
    {
        return {now, 0, 0}; // begin of the window, bytes in it
    }

    void Settle(State& state, int64_t now) const override
    {
        const int64_t window = m_window.GetNanoSeconds();
        if (now - state.last >= window)
        {
            state.last = now - (now - state.last) % window;
            state.committed = 0;
        }
    }

    Colour Mark(State& state, int64_t now, uint32_t bytes, Colour /* before */) const override
    {
        Settle(state, now);
        const double allowed = m_rate.GetBitRate() / 8.0 * m_window.GetSeconds();
        const double counted = static_cast<double>(state.committed) + bytes;
        if (counted > allowed)
        {
            return Colour::RED;
        }
        state.committed += bytes;
        return counted > m_yellow * allowed ? Colour::YELLOW : Colour::GREEN;
    }

    double GetYellowFill(const State& /* state */) const override
    {
        return 1; // only where packets are marked or dropped at random
    }

  protected:
    void Clip(State& /* state */) const override
    {
    }

  private:
    DataRate m_rate;        // attribute Rate
    uint32_t m_yellowBurst; // attribute YellowBurst
    uint32_t m_redBurst;    // attribute RedBurst
    Time m_window;          // attribute Window
    double m_yellow;        // attribute Yellow
};

NS_OBJECT_ENSURE_REGISTERED(WindowMeter);

int
main(int argc, char* argv[])
{
    constexpr uint32_t FLOWS = 4;
    Scenario scenario("nimble-exercise", "a limit of 50 Gbps kept by a meter");
    std::string meter = "window";
    Time warmUp = MilliSeconds(2);
    Time duration = MilliSeconds(10);
    scenario.AddOption("meter", "the meter, without rate and thresholds", meter);
    scenario.AddOption("warmUp", "time before goodput is measured", warmUp);
    scenario.AddOption("duration", "time in which goodput is measured", duration);
    return scenario.Main(argc, argv, [&] {
        scenario.SetDefaultTopology("single-switch:LinkDelay=1us,HostRate=100Gbps,Hosts=5");
        Config::SetDefault("ns3::NimbleScheme::Policy",
                           StringValue("{class A groups=0-3; "
                                       "local A at=switch0:4 rate=50Gbps type=hard}"));
        Config::SetDefault("ns3::NimbleScheme::RateController",
                           StringValue("static:YellowBurst=81920,LogicalMeter=(" + meter + ")"));
        scenario.BuildNetwork();
        const Time end = warmUp + duration;
        scenario.SetMeasuredTime(warmUp, end);
        const auto rates =
            scenario.Record<RatesRecorder>({{"Bin", SecondsText(duration / 20) + "s"}});
        const auto workload = CreateObject<StaggeredWorkload>();
        workload->SetAttribute("Flows", UintegerValue(FLOWS));
        workload->SetAttribute("Sources", UintegerValue(FLOWS));
        workload->SetAttribute("Spacing", TimeValue(MicroSeconds(1)));
        workload->SetAttribute("Hold", TimeValue(end));
        scenario.RunFor(workload, end);
        double goodput = 0;
        for (uint32_t group = 0; group < FLOWS; ++group)
        {
            goodput += rates->GetRates().Summarize(group, warmUp, end).mean;
        }
        scenario.Report("goodput_bps", goodput);
    });
}
