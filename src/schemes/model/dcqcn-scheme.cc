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
            .AddAttribute("MinThreshold",
                          "Kmin: bytes waiting at a 40 Gbit/s port above which it marks; other "
                          "rates in proportion (DCQCN, SIGCOMM 2015, Figure 14: 5 KB)",
                          DoubleValue(5000),
                          MakeDoubleAccessor(&DcqcnScheme::m_minThreshold),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("MaxThreshold",
                          "Kmax: bytes waiting at a 40 Gbit/s port above which it marks every "
                          "packet; other rates in proportion (Figure 14: 200 KB)",
                          DoubleValue(200000),
                          MakeDoubleAccessor(&DcqcnScheme::m_maxThreshold),
                          MakeDoubleChecker<double>(0.0))
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

void
DcqcnScheme::ConfigureFabric(Network& network)
{
    if (m_minThreshold > m_maxThreshold)
    {
        std::ostringstream given;
        given << m_minThreshold;
        std::ostringstream allowed;
        allowed << "at most MaxThreshold, " << m_maxThreshold;
        throw InputError("--scheme MinThreshold", given.str(), allowed.str());
    }
    PortQueueScheme::ConfigureFabric(network);
}

Ptr<FabricQueueDisc>
DcqcnScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    if (port.tier == 0)
    {
        return PortQueueScheme::CreateQueueDisc(port, buffer); // a network card does not mark
    }
    const double scale = static_cast<double>(port.rate.GetBitRate()) / 40e9;
    const auto scaled = [scale](double bytes) {
        return UintegerValue(static_cast<uint32_t>(std::lround(bytes * scale)));
    };
    return CreateObjectWithAttributes<RedMarkQueueDisc>("MaxSize",
                                                        QueueSizeValue(buffer),
                                                        "MinThreshold",
                                                        scaled(m_minThreshold),
                                                        "MaxThreshold",
                                                        scaled(m_maxThreshold),
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
