/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An exercise: a control law of your own for what VM pairs send beyond their guarantees.
//
// Trinity cuts R_W by a part that grows with the marks, and lets it grow by a tenth when there was
// none (Eqs. 5 and 6). Here is a law that adds a fixed step instead of multiplying. Tenant A
// sends alone; then tenant B joins, as in the paper's Fig. 12. The program tells what each gets
// from then on and how much of the link is used.
//
//   ./repro scratch trinity-exercise -- --hosts=ideal --scheme=trinity
//   ./repro scratch trinity-exercise -- --hosts=ideal --scheme=trinity:Controller=additive
//   ./repro scratch trinity-exercise -- --hosts=ideal
//   '--scheme=trinity:Controller="additive:Step=5Mbps"'
//
// src/trinity/doc/trinity.rst, "Exercise", asks the questions.

#include "ns3/rates-recorder.h"
#include "ns3/scenario.h"
#include "ns3/trinity-pair-controller.h"

#include <algorithm>

using namespace ns3;

// The law: R_W of all pairs of a host, at each report. Registered below, it is known as
// Controller=additive; colours, buckets, reports and re-sequencing are Trinity's.
class AdditivePairController : public TrinityPairController
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::AdditivePairController")
                                .SetParent<TrinityPairController>()
                                .AddConstructor<AdditivePairController>()
                                .AddAttribute("Step",
                                              "Growth of R_W per interval without marks",
                                              DataRateValue(DataRate("20Mbps")),
                                              MakeDataRateAccessor(&AdditivePairController::m_step),
                                              MakeDataRateChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "Trinity's shim with rates that grow by a fixed step";
    }

  protected:
    void DoInstall() override
    {
        TrinityPairController::DoInstall();
        SetLaw([this](double, double spare, const auto& pairs) { UpdateRates(spare, pairs); });
    }

  private:
    // A pair has its guarantee (R_G), its rate (R_W), the share of its packets that were marked in
    // the last interval (beta), and feedback: whether a report came. Change what stands between the
    // braces.
    void UpdateRates(double spare, const std::vector<SpareRateLaw::Pair*>& pairs)
    {
        for (SpareRateLaw::Pair* pair : pairs)
        {
            if (pair->feedback == SpareRateLaw::REPORT)
            {
                pair->rate = pair->beta > 0 ? pair->rate * (1 - pair->beta / 2)
                                            : pair->rate + static_cast<double>(m_step.GetBitRate());
                pair->rate = std::min(pair->rate, spare);
            }
            pair->feedback = SpareRateLaw::NO_REPORT;
            pair->isCautious = true; // nobody is given what others leave
        }
    }

    DataRate m_step;
};

NS_OBJECT_ENSURE_REGISTERED(AdditivePairController);

int
main(int argc, char* argv[])
{
    Scenario scenario("trinity-exercise", "two tenants on one link, one of which joins later");
    Time warmUp = MilliSeconds(150);
    Time duration = MilliSeconds(850);
    scenario.AddOption("warmUp", "time before goodput is measured", warmUp);
    scenario.AddOption("duration", "time in which goodput is measured", duration);
    scenario.SetDefaultTenants(
        "list:Of={tenant A hosts=0,2 hose=200Mbps workload=staggered:Flows=1,Hold=1h; "
        "tenant B hosts=1,3 hose=200Mbps joins=100ms workload=staggered:Flows=1,Hold=1h}");

    return scenario.Main(argc, argv, [&] {
        scenario.SetDefaultTopology("dumbbell:LeftRate=1Gbps,RightRate=1Gbps,BottleneckRate=1Gbps,"
                                    "LeftDelay=30us,RightDelay=30us,BottleneckDelay=30us");
        scenario.BuildNetwork();
        scenario.SetMeasuredTime(warmUp, warmUp + duration);
        const auto recorder = scenario.Record<RatesRecorder>({{"Bin", "5ms"}});
        scenario.RunFor(scenario.CreateTenantWorkloads(), warmUp + duration);
        const RateBins& rates = recorder->GetRates();
        const double a = rates.Summarize(0, warmUp, warmUp + duration).mean;
        const double b = rates.Summarize(1, warmUp, warmUp + duration).mean;
        scenario.Report("goodput_A_mbps", a / 1e6);
        scenario.Report("goodput_B_mbps", b / 1e6);
        scenario.Report("link_used_share", (a + b) / 1e9);
    });
}
