/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linux-host-model.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LinuxHostModel);

TypeId
LinuxHostModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LinuxHostModel")
            .SetParent<HostModel>()
            .SetGroupName("Transport")
            .AddConstructor<LinuxHostModel>()
            .AddAttribute(
                "Kernel",
                "2.6.38: full bursts, no small queues; 3.6: small queues of 128 KiB; "
                "4.0: bursts and small queues follow the pacing rate. The kernel is the "
                "latest of these that is not newer than the hosts'",
                EnumValue(LINUX_4_0),
                MakeEnumAccessor<Kernel>(&LinuxHostModel::m_kernel),
                MakeEnumChecker(LINUX_2_6_38, "2.6.38", LINUX_3_6, "3.6", LINUX_4_0, "4.0"))
            .AddAttribute("SmallQueue",
                          "Most bytes of a TCP connection in its host's port "
                          "(tcp_limit_output_bytes); 0: no limit; below 0: as the kernel has it, "
                          "131072 since 3.6",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&LinuxHostModel::m_smallQueue),
                          MakeIntegerChecker<int64_t>(-1, UINT32_MAX))
            .AddAttribute("BurstSize",
                          "Most payload of a TCP burst in bytes; 0: no segmentation offload",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&LinuxHostModel::m_burstSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BurstWindowShare",
                          "TCP waits until a full burst or the window over this may be sent "
                          "(tcp_tso_win_divisor); 0: it does not wait",
                          UintegerValue(3),
                          MakeUintegerAccessor(&LinuxHostModel::m_burstWindowShare),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Autosizing",
                          "Time at the pacing rate that a burst and a small queue hold at most, "
                          "from 4.0 on (2^20 ns); 0: their sizes alone count",
                          TimeValue(NanoSeconds(1 << 20)),
                          MakeTimeAccessor(&LinuxHostModel::m_autosizing),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CoalesceTime",
                          "Longest that data waits for the receiver's interrupt; 0: no receive "
                          "offload. Drivers differ, 20 us is a choice",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&LinuxHostModel::m_coalesceTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CoalesceSize",
                          "Most payload that receive offload makes one segment of, in bytes",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&LinuxHostModel::m_coalesceSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("SendBuffer",
                          "Most bytes of a UDP flow in its host's port; 0: no limit. A socket's "
                          "buffer of 212992 bytes (wmem_default) holds 92 packets of 2304 bytes of "
                          "kernel memory",
                          UintegerValue(92 * 1500),
                          MakeUintegerAccessor(&LinuxHostModel::m_sendBuffer),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

std::string
LinuxHostModel::GetSummary() const
{
    return "segmentation offload, TCP small queues and receive coalescing of a Linux kernel";
}

void
LinuxHostModel::Configure(Ptr<Transport> transport) const
{
    TypeId::AttributeInformation unused;
    const TypeId type = transport->GetInstanceTypeId();
    if (type.LookupAttributeByName("SmallQueue", &unused))
    {
        ConfigureTcp(transport);
    }
    else if (type.LookupAttributeByName("SendBuffer", &unused))
    {
        transport->SetAttribute("SendBuffer", UintegerValue(m_sendBuffer));
    }
    else
    {
        throw InputError("--hosts",
                         "linux",
                         type.GetName() + " has nothing of a Linux host; those that do have the "
                                          "attribute SmallQueue or SendBuffer, as lean and udp");
    }
}

void
LinuxHostModel::ConfigureTcp(Ptr<Transport> transport) const
{
    constexpr uint32_t FIRST_LIMIT = 128 * 1024;
    const uint32_t byKernel = m_kernel >= LINUX_3_6 ? FIRST_LIMIT : 0;
    const auto limit = m_smallQueue < 0 ? byKernel : static_cast<uint32_t>(m_smallQueue);
    const Time autosizing = m_kernel >= LINUX_4_0 ? m_autosizing : Time(0);
    transport->SetAttribute("SmallQueue", UintegerValue(limit));
    transport->SetAttribute("SmallQueueTime", TimeValue(autosizing));
    transport->SetAttribute("BurstSize", UintegerValue(m_burstSize));
    transport->SetAttribute("BurstTime", TimeValue(autosizing));
    transport->SetAttribute("BurstWindowShare", UintegerValue(m_burstWindowShare));
    transport->SetAttribute("CoalesceTime", TimeValue(m_coalesceTime));
    transport->SetAttribute("CoalesceSize", UintegerValue(m_coalesceSize));
}

} // namespace ns3
