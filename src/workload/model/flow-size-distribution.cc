/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-size-distribution.h"

#include "cdf-flow-size-distribution.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/object-spec.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FlowSizeDistribution");
NS_OBJECT_ENSURE_REGISTERED(FlowSizeDistribution);

namespace
{

/**
 * @brief Find the CDF file in `FILE:Attribute=Value,...`. Its path may have colons itself.
 * @param text the text from the user
 * @return the name of the file as it is written; empty: there is none
 */
std::string
FindFile(const std::string& text)
{
    for (auto end = text.size(); end != std::string::npos && end > 0;
         end = text.rfind(':', end - 1))
    {
        if (!CdfFlowSizeDistribution::Locate(text.substr(0, end)).empty())
        {
            return text.substr(0, end);
        }
    }
    return "";
}

} // namespace

TypeId
FlowSizeDistribution::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FlowSizeDistribution")
                            .SetParent<Object>()
                            .SetGroupName("Workload")
                            .AddAttribute("MaxSize",
                                          "Sizes are clipped to this many bytes; 0: not clipped.",
                                          DoubleValue(0),
                                          MakeDoubleAccessor(&FlowSizeDistribution::m_maxSize),
                                          MakeDoubleChecker<double>(0, MAX_FLOW_SIZE));
    return tid;
}

FlowSizeDistribution::FlowSizeDistribution()
    : m_uniform(CreateObject<UniformRandomVariable>())
{
}

void
FlowSizeDistribution::DoDispose()
{
    m_uniform = nullptr;
    Object::DoDispose();
}

double
FlowSizeDistribution::Limit() const
{
    return m_maxSize > 0 ? m_maxSize : std::numeric_limits<double>::infinity();
}

uint64_t
FlowSizeDistribution::NextSize()
{
    const double size = std::min({DoQuantile(m_uniform->GetValue()), Limit(), MAX_FLOW_SIZE});
    return std::max<int64_t>(1, std::llround(size));
}

double
FlowSizeDistribution::Mean() const
{
    return DoLimitedMean(Limit());
}

double
FlowSizeDistribution::Cdf(double bytes) const
{
    return bytes >= Limit() ? 1.0 : DoCdf(bytes);
}

int64_t
FlowSizeDistribution::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_uniform->SetStream(stream);
    return 1;
}

std::vector<std::string>
ListFlowSizes()
{
    auto names = CdfFlowSizeDistribution::ListPublished();
    for (const auto& law : ListRegisteredNames(FlowSizeDistribution::GetTypeId()))
    {
        names.push_back(law);
    }
    return names;
}

Ptr<FlowSizeDistribution>
CreateFlowSizes(const std::string& argument, const Spec& spec)
{
    const std::string name = spec.GetName();
    const auto laws = ListRegisteredNames(FlowSizeDistribution::GetTypeId());
    Ptr<FlowSizeDistribution> sizes;
    if (std::find(laws.begin(), laws.end(), name) != laws.end())
    {
        sizes = CreateFromSpec<FlowSizeDistribution>(argument, spec);
    }
    else if (const std::string file = FindFile(spec.ToString()); !file.empty())
    {
        const Spec cdf("cdf" + spec.ToString().substr(file.size()));
        sizes = CreateFromSpec<FlowSizeDistribution>(argument, cdf);
        sizes->SetAttribute("File", StringValue(file));
    }
    else
    {
        std::string known;
        for (const auto& each : ListFlowSizes())
        {
            known += each + ", ";
        }
        throw InputError(argument,
                         spec.ToString(),
                         (spec.IsEmpty() ? "is missing: must be one of " : "must be one of ") +
                             known + "or the path of a CDF file");
    }
    sizes->Mean(); // a broken file shall speak up now, not in the middle of a run
    return sizes;
}

} // namespace ns3
