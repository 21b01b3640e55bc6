/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/scheme.h"

namespace ns3
{

/**
 * @ingroup trinity
 * Trinity (TCC 2018), and the comparator that has its rates. Red packets are marked from 30 KB on
 * (Section 5). Section 3.3 divides hoses equally; hosts of a testbed do not keep step. Order is
 * restored within 2 ms: above the time in which 30 KB of red data get away at 200 Mbit/s, below
 * TCP's timeouts.
 */
static const SchemeRows g_trinitySchemes{
    {"trinity",
     "ns3::TrinityScheme:CongestionOps=ns3::TcpCubic,MarkThreshold=29999B,ResequencingTimeout=2ms,"
     "Controller=(trinity:Partition=Equal,IntervalJitter=0.1)",
     "Trinity: guaranteed traffic before work-conserving traffic, which yields to ECN marks"},
    {"elastic-switch-aggressive",
     "elastic-switch:Controller=elastic-switch-aggressive:FlowOrder=Fifo",
     "ElasticSwitch with the rates of trinity and no colours (A-ElasticSwitch)"},
};

} // namespace ns3
