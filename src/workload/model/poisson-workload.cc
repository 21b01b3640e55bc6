/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "poisson-workload.h"

#include "flow-rate.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/log.h"
#include "ns3/number-text.h"
#include "ns3/object-spec.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PoissonWorkload");
NS_OBJECT_ENSURE_REGISTERED(PoissonWorkload);

namespace
{

constexpr double MAX_FLOW_RATE = 1e9; //!< flows per second: more would never end

} // namespace

TypeId
PoissonWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PoissonWorkload")
            .SetParent<SizedWorkload>()
            .SetGroupName("Workload")
            .AddConstructor<PoissonWorkload>()
            .AddAttribute("Load",
                          "Payload as a share of the loaded tier's capacity, 1 for all of it.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&PoissonWorkload::m_load),
                          MakeDoubleChecker<double>(1e-6, 10))
            .AddAttribute("Capacity",
                          "Capacity in one direction of the links that are loaded, together.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&PoissonWorkload::m_capacity),
                          MakeDataRateChecker())
            .AddAttribute("Crossing",
                          "Probability that a flow crosses one of these links.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&PoissonWorkload::m_crossing),
                          MakeDoubleChecker<double>(1e-9, 1))
            .AddAttribute("FlowRate",
                          "Flows per second; 0: as many as the load takes.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PoissonWorkload::m_flowRate),
                          MakeDoubleChecker<double>(0, MAX_FLOW_RATE));
    return tid;
}

std::string
PoissonWorkload::GetSummary() const
{
    return "Flows between random pairs arrive as a Poisson process, at a stated load";
}

double
PoissonWorkload::GetFlowRate() const
{
    if (m_flowRate > 0)
    {
        return m_flowRate;
    }
    if (m_capacity.GetBitRate() == 0)
    {
        throw InputError(GetRegisteredName(GetInstanceTypeId(), Workload::GetTypeId()),
                         "no FlowRate",
                         "needs FlowRate=, or Capacity=, the rate of the links together that Load= "
                         "is a share of");
    }
    const double rate = FlowRateForLoad(m_load, m_capacity, m_crossing, GetSizes()->Mean());
    if (!(rate <= MAX_FLOW_RATE))
    {
        throw InputError("Load",
                         NumberText(m_load),
                         "takes more than 1e9 flows per second of this size");
    }
    return rate;
}

LoadedLinks
PoissonWorkload::GetLoadedLinks(Fabric& fabric, const std::string& role) const
{
    return {fabric.GetCapacity(role), fabric.GetCrossingProbability(role)};
}

void
PoissonWorkload::DoPrepare()
{
    SizedWorkload::DoPrepare();
    m_interval = 1 / GetFlowRate();
    m_lastStart = 0;
    NS_LOG_INFO("flows per second: " << GetFlowRate());
}

void
PoissonWorkload::DrawPair(FlowRequest& request)
{
    request.source = RandomHost();
    request.destination = RandomHostBut(request.source);
}

std::optional<FlowArrival>
PoissonWorkload::DoNext()
{
    // Summed up as a real number: rounding every interval to a time step would shift the rate.
    m_lastStart += m_interval * m_intervals->GetValue();
    FlowArrival arrival;
    if (m_lastStart > GetLongestTime().GetSeconds())
    {
        return std::nullopt;
    }
    arrival.at = Seconds(m_lastStart);
    DrawPair(arrival.request);
    arrival.request.bytes = GetSizes()->NextSize();
    return arrival;
}

} // namespace ns3
