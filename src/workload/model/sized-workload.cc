/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sized-workload.h"

#include "ns3/attribute-form.h"
#include "ns3/log.h"
#include "ns3/string.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SizedWorkload");
NS_OBJECT_ENSURE_REGISTERED(SizedWorkload);

TypeId
SizedWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SizedWorkload")
            .SetParent<Workload>()
            .SetGroupName("Workload")
            .AddAttribute("Sizes",
                          "Flow sizes: a published distribution, a law or the path of a CDF file, "
                          "each with attributes behind a colon, as in enterprise:MaxSize=3e6.",
                          SpecValue(""),
                          MakeSpecAccessor(&SizedWorkload::SetSizes, &SizedWorkload::GetSizesSpec),
                          MakeSpecChecker<FlowSizeDistribution>());
    return tid;
}

void
SizedWorkload::DoDispose()
{
    m_sizes = nullptr;
    Workload::DoDispose();
}

void
SizedWorkload::SetSizes(const Spec& spec)
{
    NS_LOG_FUNCTION(this << spec);
    m_spec = spec;
    m_sizes = nullptr;
}

Spec
SizedWorkload::GetSizesSpec() const
{
    return m_spec;
}

Ptr<FlowSizeDistribution>
SizedWorkload::GetSizes() const
{
    // Not made in SetSizes(): an attribute's setter that throws would leak the object under
    // creation.
    if (!m_sizes)
    {
        m_sizes = CreateFlowSizes("Sizes", m_spec);
    }
    return m_sizes;
}

int64_t
SizedWorkload::AssignStreams(int64_t stream)
{
    GetSizes()->AssignStreams(stream + 2);
    return Workload::AssignStreams(stream);
}

void
SizedWorkload::DoPrepare()
{
    GetSizes(); // complains if there are none
}

} // namespace ns3
