/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An exercise: a bouncing order of your own. Is digit reversal the best there is?
//
// A server visits the bouncing switches in some order, over and over. Here is a fourth one beside
// DRB, RRB and RB: every Stride-th switch. While every server sends to another, the program
// measures how long packets wait at each hop (queueing_..._us) and how many of them arrive out of
// order.
//
//   ./repro scratch drb-exercise -- --hosts=ideal --scheme=drb:Selector=stride:Stride=5
//   --transport=lean:MaxWindow=65535
//   ./repro scratch drb-exercise -- --hosts=ideal --scheme=drb --transport=lean:MaxWindow=65535
//   ./repro scratch drb-exercise -- --hosts=ideal --scheme=rrb --transport=lean:MaxWindow=65535
//
// src/drb/doc/drb.rst, "Exercise", asks the questions.

#include "ns3/bouncing-selector.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/permutation-workload.h"
#include "ns3/scenario.h"
#include "ns3/uinteger.h"

#include <functional>
#include <numeric>

using namespace ns3;

// The order: which point is visited when. Change the last line of GetPoint(). Registered below, it
// is known as Selector=stride; the network, the tables, the outer header and the order's
// restoration are there.
class StrideBouncingSelector : public CyclicBouncingSelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::StrideBouncingSelector")
                .SetParent<CyclicBouncingSelector>()
                .AddConstructor<StrideBouncingSelector>()
                .AddAttribute("Stride",
                              "Points from one visit to the next",
                              UintegerValue(1),
                              MakeUintegerAccessor(&StrideBouncingSelector::m_stride),
                              MakeUintegerChecker<uint32_t>(1, 10'000));
        return tid;
    }

  protected:
    // `radices` are the up-links of a rack's switch and of an aggregation switch: in a fat-tree, m
    // and m. Points 0 to m - 1 are behind the first up-link of a rack, m to 2m - 1 behind the
    // second.
    uint32_t GetPoint(uint32_t turn, const std::vector<uint32_t>& radices) const override
    {
        const uint32_t points =
            std::accumulate(radices.begin(), radices.end(), 1U, std::multiplies<>());
        if (std::gcd(m_stride, points) != 1) // some points would never be visited
        {
            throw InputError("--scheme Selector",
                             "Stride=" + std::to_string(m_stride),
                             "a number without a divisor in common with " + std::to_string(points));
        }
        return turn * m_stride % points;
    }

  private:
    uint32_t m_stride;
};

NS_OBJECT_ENSURE_REGISTERED(StrideBouncingSelector);

int
main(int argc, char* argv[])
{
    Scenario scenario("drb-exercise", "what the order of bouncing switches does to queues");
    Time warmUp = MilliSeconds(5);
    Time duration = MilliSeconds(10);
    scenario.AddOption("warmUp", "time before packets are looked at", warmUp);
    scenario.AddOption("duration", "time in which they are looked at", duration);

    return scenario.Main(argc, argv, [&] {
        scenario.SetDefaultTopology(
            "fat-tree:K=12,Pods=2,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps");
        scenario.BuildNetwork();
        scenario.SetMeasuredTime(warmUp, warmUp + duration);
        scenario.Record("delays");
        const auto workload = CreateObject<PermutationWorkload>();
        workload->SetAttribute("RackSize", UintegerValue(scenario.GetRackSize())); // leave racks
        workload->SetAttribute("Bytes", DoubleValue(0)); // for the whole run
        scenario.RunFor(workload, warmUp + duration);
    });
}
