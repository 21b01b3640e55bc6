/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme.h"

#include "ns3/former-settings.h"

namespace ns3
{

/**
 * @ingroup schemes
 * Schemes that more than one paper compares with.
 *
 * Thresholds: DCTCP marks above 20 packets at 10 Gbit/s and above 80 at 40 Gbit/s (AFQ
 * Section 6.2), Clove from 20 packets on (its Section 5), ElasticSwitch from 30 KB on at 1 Gbit/s
 * (Trinity Section 5). DCQCN's are those of its Figure 14, 5 and 200 KB at 40 Gbit/s; its switch
 * has 12 MB for 32 ports (Section 4) and all traffic one priority, so that an input may hold 1/32
 * of it. Flows of a pair wait in one FIFO under static-reservation and elastic-switch, as in the
 * prototype of Trinity's authors; PicNIC', WCC and Clove have the tenants and answers of uFAB,
 * whose comparators they are.
 */
static const SchemeRows g_sharedSchemes{
    {"tcp",
     "ns3::Scheme:CongestionOps=ns3::TcpLinuxReno",
     "TCP Reno as in Linux, drop-tail queues, flow ECMP"},
    {"cubic", "tcp:CongestionOps=ns3::TcpCubic", "TCP Cubic, drop-tail queues, flow ECMP"},
    {"dctcp",
     "tcp:CongestionOps=ns3::TcpDctcp,MarkThreshold=24us",
     "DCTCP, ECN step marking, flow ECMP"},
    {"clove",
     "cubic:MarkThreshold=29999B,Agents=clove",
     "Clove: flowlets over the least utilized paths, TCP Cubic"},
    {"dcqcn",
     "ns3::Scheme:Transport=dcqcn,Queue=(red-mark:MinThreshold=1us,MaxThreshold=40us),HostQueue="
     "drop-tail,FlowControl=priority:Buffer=375kB",
     "DCQCN, random ECN marking, priority flow control, flow ECMP"},
    {"hpcc", "ns3::Scheme:Transport=hpcc", "HPCC, drop-tail, flow ECMP"},
    {"swift", "ns3::Scheme:Transport=swift", "Swift, drop-tail, flow ECMP"},
    {"host-fair-queueing",
     "cubic:Controller=open,DefaultTenants=groups",
     "tenants share hosts' links by guarantee, drop-tail, flow ECMP"},
    {"static-reservation",
     "cubic:Controller=static:FlowOrder=Fifo",
     "each VM pair limited to its guarantee at the sender, drop-tail, flow ECMP"},
    {"elastic-switch",
     "cubic:MarkThreshold=29999B,Controller=elastic-switch:FlowOrder=Fifo",
     "ElasticSwitch as Trinity's authors measured it: guarantees per VM pair, probing for more, "
     "back to the guarantee at any ECN mark"},
    {"elastic-switch-conservative",
     "elastic-switch",
     "elastic-switch, as Trinity's Figure 7 calls it (C-ElasticSwitch)"},
    {"elastic-switch-sigcomm13",
     "elastic-switch:Controller=(elastic-switch-sigcomm13:Interval=15ms,PartitionInterval=50ms,"
     "FlowOrder=Fifo)",
     "ElasticSwitch as published (SIGCOMM 2013): guarantees per VM pair, weighted CUBIC with "
     "hold-increase and rate-caution, ECN or losses"},
    {"elastic-switch-clove",
     "elastic-switch:Controller=(elastic-switch-sigcomm13:Interval=15ms,PartitionInterval=50ms),"
     "DefaultTenants=groups,Answers=NoPair,Agents=clove",
     "ElasticSwitch as published, flowlets over the least utilized paths (Clove)"},
    {"picnic",
     "cubic:Controller=pwc:Wcc=false,DefaultTenants=groups,Answers=NoPair",
     "PicNIC' (bandwidth part, as EyeQ): receivers grant rates, flow ECMP"},
    {"swift-wcc",
     "cubic:Controller=pwc:Picnic=false,DefaultTenants=groups,Answers=NoPair",
     "WCC: VM pairs have a Swift window, weighted by guarantees, flow ECMP"},
    {"pwc",
     "cubic:Controller=pwc,DefaultTenants=groups,Answers=NoPair,Agents=clove",
     "PicNIC' + WCC + Clove: receivers grant rates, weighted Swift, flowlets"},
};

/// Thresholds were bytes or packets, at 10 or 40 Gbit/s or any rate; parts had attributes.
static const FormerSettings g_formerSharedSchemesSettings{
    {"dctcp", "MarkThreshold", 1.2, "us"},
    {"clove", "MarkThreshold", 1, "B", -1},
    {"elastic-switch", "MarkThreshold", 1, "B", -1},
    {"elastic-switch-conservative", "MarkThreshold", 1, "B", -1},
    {"elastic-switch-aggressive", "MarkThreshold", 1, "B", -1},
    {"elastic-switch-sigcomm13", "MarkThreshold", 1, "B", -1},
    {"elastic-switch-clove", "MarkThreshold", 1, "B", -1},
    {"dcqcn", "MinThreshold", 0.2, "ns", 0, "", {"Queue=red-mark:MinThreshold"}},
    {"dcqcn", "MaxThreshold", 0.2, "ns", 0, "", {"Queue=red-mark:MaxThreshold"}},
    {"dcqcn", "MaxProbability", 0, "", 0, "", {"Queue=red-mark:MaxProbability"}},
    {"clove", "Clove", 0, "", 0, "", {"Agents"}},
    {"pwc", "Clove", 0, "", 0, "", {"Agents"}},
    {"elastic-switch-clove", "Clove", 0, "", 0, "", {"Agents"}},
    {"ns3::Scheme", "BufferPerGbps", 8, "ns", 0, "", {"EdgeBuffer", "CoreBuffer"}},
    {"ns3::Scheme", "SharedBuffer", 1, "B"},
    {"ns3::PortQueueScheme", "", 0, "", 0, "", {"ns3::Scheme"}},
    {"ns3::TcpHostScheme", "", 0, "", 0, "", {"ns3::Scheme"}},
    {"ns3::PairScheme", "", 0, "", 0, "", {"ns3::Scheme"}},
};

} // namespace ns3
