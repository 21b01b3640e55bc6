/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcqcn-scheme.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/red-mark-queue-disc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcqcnScheme);

TypeId
DcqcnScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcqcnScheme")
            .SetParent<PortQueueScheme>()
            .SetGroupName("Schemes")
            .AddConstructor<DcqcnScheme>()
            .AddAttribute("Transport",
                          "How hosts send, unless --transport says otherwise",
                          StringValue("dcqcn"),
                          MakeStringAccessor(&DcqcnScheme::m_transport),
                          MakeSpecChecker<Transport>(true))
            .AddAttribute(
                "MinThreshold",
                "Kmin: a port marks nothing while no more than this waits, in bytes or time at "
                "the link's rate (DCQCN, SIGCOMM 2015, Figure 14: 5 KB at 40 Gbit/s)",
                QueueLimitValue(QueueLimit("1us")),
                MakeQueueLimitAccessor(&DcqcnScheme::m_minThreshold),
                MakeQueueLimitChecker())
            .AddAttribute(
                "MaxThreshold",
                "Kmax: a port marks every packet while more than this waits, in bytes or time "
                "at the link's rate (Figure 14: 200 KB at 40 Gbit/s)",
                QueueLimitValue(QueueLimit("40us")),
                MakeQueueLimitAccessor(&DcqcnScheme::m_maxThreshold),
                MakeQueueLimitChecker())
            .AddAttribute("MaxProbability",
                          "Pmax: probability of a mark with Kmax waiting (Figure 14: 1 %)",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&DcqcnScheme::m_maxProbability),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

std::string
DcqcnScheme::GetSummary() const
{
    return "DCQCN, random ECN marking, priority flow control, flow ECMP";
}

std::string
DcqcnScheme::GetTransportSpecs() const
{
    return m_transport;
}

Ptr<FabricQueueDisc>
DcqcnScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    if (port.tier == 0)
    {
        return PortQueueScheme::CreateQueueDisc(port, buffer); // a network card does not mark
    }
    return CreateObjectWithAttributes<RedMarkQueueDisc>("MaxSize",
                                                        QueueSizeValue(buffer),
                                                        "MinThreshold",
                                                        QueueLimitValue(m_minThreshold),
                                                        "MaxThreshold",
                                                        QueueLimitValue(m_maxThreshold),
                                                        "MaxProbability",
                                                        DoubleValue(m_maxProbability));
}

std::string
DcqcnScheme::GetDefaultFlowControl() const
{
    // Section 4: a switch with 32 ports of 40 Gbit/s has 12 MB. All traffic is of one priority, so
    // an input may hold 1/32 of it.
    return "priority:Buffer=375000";
}

} // namespace ns3
