/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "detail-scheme.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DetailScheme);

TypeId
DetailScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DetailScheme")
            .SetParent<TcpHostScheme>()
            .SetGroupName("Drb")
            .AddConstructor<DetailScheme>()
            .AddAttribute("InputBuffer",
                          "Bytes that a switch has for each input, before it must pause the sender "
                          "(left open by the paper, whose other schemes have 128 KB per port)",
                          UintegerValue(131072),
                          MakeUintegerAccessor(&DetailScheme::m_inputBuffer),
                          MakeUintegerChecker<uint32_t>(0, 1 << 30))
            .AddAttribute("MaxPacket",
                          "Largest packet in bytes, on which the headroom depends",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&DetailScheme::m_maxPacket),
                          MakeUintegerChecker<uint32_t>(64, 65535))
            .AddAttribute("ShortQueue",
                          "A port with fewer bytes waiting is taken before all others (DeTail: 16 "
                          "KB)",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&DetailScheme::m_shortQueue),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("LongQueue",
                          "A port with as many bytes waiting is taken only if all are so (DeTail: "
                          "64 KB)",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&DetailScheme::m_longQueue),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

std::string
DetailScheme::GetSummary() const
{
    return "DeTail: TCP over lossless links, each packet to a port with a short queue; order "
           "restored";
}

std::string
DetailScheme::GetCongestionOps() const
{
    return "ns3::TcpLinuxReno";
}

std::string
DetailScheme::GetDefaultPaths() const
{
    return "adaptive:ShortQueue=" + std::to_string(m_shortQueue) +
           ",LongQueue=" + std::to_string(m_longQueue);
}

std::string
DetailScheme::GetDefaultFlowControl() const
{
    return "priority:Buffer=" + std::to_string(m_inputBuffer) +
           ",MaxPacket=" + std::to_string(m_maxPacket);
}

Time
DetailScheme::GetDefaultResequencingTimeout() const
{
    return MilliSeconds(10); // as for the other schemes of Section 5
}

} // namespace ns3
