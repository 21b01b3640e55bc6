/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/scheme.h"

namespace ns3
{

/**
 * @ingroup afq
 * The schemes of AFQ's figures (NSDI 2018, Section 6).
 */
static const SchemeRows g_afqSchemes{
    {"afq",
     "ns3::Scheme:Transport=packet-pair,Queue=afq",
     "AFQ: packet-pair hosts, approximate fair queueing, flow ECMP"},
    {"ideal-fq",
     "ns3::Scheme:Transport=packet-pair,Queue=ideal-fq",
     "packet-pair hosts, ideal fair queueing, flow ECMP"},
    {"afq-tcp", "tcp:Queue=afq", "TCP Reno as in Linux, approximate fair queueing, flow ECMP"},
    {"afq-dctcp",
     "afq-tcp:CongestionOps=ns3::TcpDctcp",
     "DCTCP, approximate fair queueing with ECN per flow, flow ECMP"},
    {"ideal-fq-dctcp",
     "afq-dctcp:Queue=ideal-fq",
     "DCTCP, ideal fair queueing with ECN per flow, flow ECMP"},
    {"sfq",
     "tcp:Queue=(drr:Queues=32,DropPolicy=Tail)",
     "TCP Reno, stochastic fair queueing over 32 queues, flow ECMP"},
};

} // namespace ns3
