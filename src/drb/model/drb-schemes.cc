/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/former-settings.h"
#include "ns3/scheme.h"

namespace ns3
{

/**
 * @ingroup drb
 * The schemes of DRB's figures (CoNEXT 2013, Section 5). Where packets of a connection take
 * different paths, hosts restore their order, and give up a gap after 10 ms. Under ecmp-core
 * switches hash what hosts send, so that there is no outer header and nothing to reorder.
 * DeTail's switches have 128 KB for each input, as much as the other schemes' ports (the paper
 * leaves it open), and its own paper's 16 and 64 KB as what counts as a short and a long queue.
 */
static const SchemeRows g_drbSchemes{
    {"drb",
     "ns3::BouncingScheme:CongestionOps=ns3::TcpLinuxReno,Selector=digit-reversal,"
     "ResequencingTimeout=10ms",
     "TCP, each packet bounces at a top switch: digit-reversal order; order restored"},
    {"rb",
     "drb:Selector=random",
     "TCP, each packet bounces at a top switch: drawn at random; order restored"},
    {"rrb",
     "drb:Selector=round-robin",
     "TCP, each packet bounces at a top switch: round robin; order restored"},
    {"ecmp-core",
     "drb:Selector=,OuterHeader=0,ResequencingTimeout=0s",
     "TCP, ECMP that takes every connection up to a top switch, drawn by hash"},
    {"detail",
     "tcp:Paths=(adaptive:ShortQueue=16KiB,LongQueue=64KiB),FlowControl=(priority:Buffer=128KiB,"
     "MaxPacket=1500),ResequencingTimeout=10ms",
     "DeTail: TCP over lossless links, each packet to a port with a short queue; order restored"},
    {"mptcp",
     "ns3::MptcpScheme:Transport=mptcp",
     "multipath TCP, linked increases, subflows on different paths; drop-tail queues"},
};

/// Thresholds were bytes at 1 Gbit/s; parts of detail had attributes.
static const FormerSettings g_formerDrbSchemesSettings{
    {"ns3::BouncingScheme", "MarkThreshold", 8, "ns", 0, "0"},
    {"detail", "InputBuffer", 1, "B", 0, "", {"FlowControl=priority:Buffer"}},
    {"detail", "MaxPacket", 0, "", 0, "", {"FlowControl=priority:MaxPacket"}},
    {"detail", "ShortQueue", 1, "B", 0, "", {"Paths=adaptive:ShortQueue"}},
    {"detail", "LongQueue", 1, "B", 0, "", {"Paths=adaptive:LongQueue"}},
};

} // namespace ns3
