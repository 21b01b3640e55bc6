/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Failures: every host sends to one other host while switches and links fail and are repaired.

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/number-text.h"
#include "ns3/permutation-workload.h"
#include "ns3/rates-recorder.h"
#include "ns3/scenario.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Default events: the first switch of the highest tier fails for a third of the time.
 * @param scenario has the topology
 * @param fabric the fabric
 * @param duration the time
 * @return a timeline
 */
std::string
GetDefaultEvents(const Scenario& scenario, const Fabric& fabric, Time duration)
{
    uint32_t highest = 0;
    for (uint32_t i = 1; i < fabric.GetNSwitches(); ++i)
    {
        if (fabric.GetSwitch(i).GetTier() > fabric.GetSwitch(highest).GetTier())
        {
            highest = i;
        }
    }
    if (fabric.GetSwitch(highest).GetTier() == 1)
    {
        scenario.RefuseTopology("has no second tier, of which a switch could fail; --events says "
                                "what else does");
    }
    const std::string& name = fabric.GetSwitch(highest).GetName();
    return SecondsText(duration / 3) + "s fail-switch " + name + "; " +
           SecondsText(2 * duration / 3) + "s repair-switch " + name;
}

/**
 * @brief Times at which the network changes.
 * @param timeline failures and repairs
 * @param duration of the simulation
 * @return rising times, 0 the first and the duration the last
 */
std::vector<Time>
GetBoundaries(const Timeline& timeline, Time duration)
{
    std::vector<Time> times{Time(0)};
    for (const auto& entry : timeline.GetEntries())
    {
        if (entry.time > times.back())
        {
            times.push_back(entry.time);
        }
    }
    times.push_back(duration);
    return times;
}

/// @brief The goodput of all hosts together, bin by bin.
class Goodput
{
  public:
    /**
     * @param rates recorded rates
     * @param bin width of its bins
     * @param duration of the simulation
     */
    Goodput(const RateBins& rates, Time bin, Time duration)
        : m_bin(bin),
          m_rates(duration.GetTimeStep() / bin.GetTimeStep())
    {
        for (const uint32_t group : rates.GetGroups())
        {
            for (std::size_t i = 0; i < m_rates.size(); ++i)
            {
                m_rates[i] += rates.GetRate(group, i);
            }
        }
    }

    /**
     * @brief Mean over the bins within a time.
     * @param from its beginning
     * @param to its end
     * @return bit/s; NaN if there is no bin
     */
    double GetMean(Time from, Time to) const
    {
        const auto [first, last] = GetBins(from, to);
        return first < last ? std::accumulate(first, last, 0.0) / static_cast<double>(last - first)
                            : std::numeric_limits<double>::quiet_NaN();
    }

    /**
     * @brief The lowest of these bins.
     * @param from as above
     * @param to as above
     * @return bit/s; NaN if there is no bin
     */
    double GetLowest(Time from, Time to) const
    {
        const auto [first, last] = GetBins(from, to);
        return first < last ? *std::min_element(first, last)
                            : std::numeric_limits<double>::quiet_NaN();
    }

    /**
     * @brief Time that the rate takes to come near a value for good.
     * @param from beginning of the time
     * @param to its end
     * @param value bit/s
     * @param tolerance largest deviation, relative to the value
     * @return seconds to the first bin after which all are near; NaN if the last is not
     */
    double GetSettlingTime(Time from, Time to, double value, double tolerance) const
    {
        const auto [first, last] = GetBins(from, to);
        auto settled = last;
        while (settled != first && std::abs(*(settled - 1) - value) <= tolerance * value)
        {
            --settled;
        }
        if (settled == last)
        {
            return std::numeric_limits<double>::quiet_NaN();
        }
        return (m_bin * (settled - m_rates.begin()) - from).GetSeconds();
    }

  private:
    using Bin = std::vector<double>::const_iterator; //!< a bin

    /**
     * @brief The bins that lie wholly within a time.
     * @param from its beginning
     * @param to its end
     * @return the first, and the one after the last
     */
    std::pair<Bin, Bin> GetBins(Time from, Time to) const
    {
        const int64_t width = m_bin.GetTimeStep();
        const int64_t first = (from.GetTimeStep() + width - 1) / width;
        const auto bins = static_cast<int64_t>(m_rates.size());
        const int64_t last = std::min(to.GetTimeStep() / width, bins);
        return {m_rates.begin() + std::min(first, last), m_rates.begin() + last};
    }

    Time m_bin;                  //!< width of a bin
    std::vector<double> m_rates; //!< bit/s, by bin
};

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("failures", "every host sends to one other host while parts of the net fail");
    uint32_t shift = 0;
    bool withinRacks = true;
    Time jitter;
    Time duration = Seconds(3);
    double tolerance = 0.05;
    scenario.AddOption("shift", "host i sends to host i + shift; 0: a random permutation", shift);
    scenario.AddOption("withinRacks", "whether a random pair may be in one rack", withinRacks);
    scenario.AddOption("jitter", "starts are spread uniformly over so long", jitter);
    scenario.AddOption("duration",
                       "time that is simulated",
                       duration,
                       MakeTimeChecker(MicroSeconds(10)));
    scenario.AddOption("tolerance",
                       "goodput has settled when it stays so near to where it ends up",
                       tolerance,
                       MakeDoubleChecker<double>(1e-6, 1));

    return scenario.Main(argc, argv, [&] {
        // Hellos, timeouts: what matters here takes a second whatever the rates are.
        scenario.SetDefaultTopology(
            "fat-tree:K=4,HostRate=100Mbps,FabricRate=100Mbps,CoreRate=100Mbps");
        const Fabric& fabric = scenario.BuildNetwork();
        const auto rates = scenario.Record<RatesRecorder>({{"Bin", "20ms"}});
        const Time bin = rates->GetBin();
        if (bin > duration)
        {
            throw InputError("--duration",
                             TimeText(duration),
                             "at least the Bin of rates.csv, " + TimeText(bin));
        }
        scenario.SetDefaultEvents([&] { return GetDefaultEvents(scenario, fabric, duration); });
        const auto workload = CreateObject<PermutationWorkload>();
        Scenario::SetAttribute(workload, "Shift", UintegerValue(shift), "--shift");
        workload->SetAttribute("Bytes", DoubleValue(0)); // for the whole run
        workload->SetAttribute("Jitter", TimeValue(jitter));
        if (!withinRacks)
        {
            workload->SetAttribute("RackSize", UintegerValue(scenario.GetRackSize()));
        }
        scenario.RunFor(workload, duration);

        const auto times = GetBoundaries(scenario.GetTimeline(), duration);
        const Goodput goodput(rates->GetRates(), bin, duration);
        double first = 0;
        for (std::size_t i = 0; i + 1 < times.size(); ++i)
        {
            // Where the goodput ends up: its mean over the second half of the time until the next
            // change.
            const Time middle = (times[i] + times[i + 1]) / 2;
            const double plateau = goodput.GetMean(middle, times[i + 1]);
            const std::string period = "period" + std::to_string(i);
            first = i == 0 ? plateau : first;
            scenario.Report(period + "_start_s", times[i].GetSeconds());
            scenario.Report(period + "_goodput_bps", plateau);
            scenario.Report(period + "_goodput_share", plateau / first);
            scenario.Report(period + "_lowest_share",
                            goodput.GetLowest(times[i], times[i + 1]) / first);
            scenario.Report(period + "_settling_s",
                            goodput.GetSettlingTime(times[i], times[i + 1], plateau, tolerance));
        }
    });
}
