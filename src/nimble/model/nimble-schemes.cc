/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/former-settings.h"
#include "ns3/scheme.h"

namespace ns3
{

/**
 * @ingroup nimble
 * Nimble and what it is compared with (SOSR 2021): native meters; virtual queues without and with
 * marks (Section 6.1.1); policing and shaping (Section 2.2.2), the latter with a large buffer,
 * which the paper leaves open (its Fig. 3 shows up to 7.8 MB); rates that each port finds by itself
 * (Section 6.3.2); limiters at hosts (Section 6.3.3). Ports mark above 20 % of 400 KB (Section 5).
 */
static const SchemeRows g_nimbleSchemes{
    {"nimble",
     "ns3::NimbleScheme:CongestionOps=ns3::TcpDctcp,MarkThreshold=81920B",
     "Nimble: logical meters with ECN-shaping, global rates, DCTCP hosts, flow ECMP"},
    {"nimble-nm",
     "nimble:Limiter=NativeMeter",
     "Nimble: native meters with ECN-shaping, global rates, DCTCP hosts, flow ECMP"},
    {"vq",
     "nimble:Limiter=VirtualQueue,Enforcement=Shaping",
     "a virtual queue per class and port, global rates, DCTCP hosts, flow ECMP"},
    {"vq-ecn",
     "vq:Enforcement=EcnShaping",
     "a virtual queue with ECN marking per class and port, global rates, DCTCP hosts"},
    {"policing",
     "nimble:Enforcement=Policing",
     "a policer per class and port, global rates, DCTCP hosts, flow ECMP"},
    {"shaping",
     "vq:PortBuffer=8MiB",
     "a shaper with a large buffer per class and port, global rates, DCTCP hosts"},
    {"local-policies",
     "nimble:RateController=local",
     "logical meters with ECN-shaping, rates that each port finds by itself, DCTCP hosts"},
    {"edge-limiters",
     "ns3::EdgeLimitersScheme:CongestionOps=ns3::TcpDctcp,MarkThreshold=81920B",
     "limiters per destination and class at DCTCP hosts, ECN step marking, flow ECMP"},
};

/// Sizes were bytes; Controller is that of VM pairs in all schemes.
static const FormerSettings g_formerNimbleSchemesSettings{
    {"ns3::NimbleScheme", "MarkThreshold", 1, "B"},
    {"ns3::NimbleScheme", "VirtualQueueBuffer", 1, "B", 0, "", {"PortBuffer"}},
    {"ns3::NimbleScheme", "Controller", 0, "", 0, "", {"RateController"}},
    {"ns3::EdgeLimitersScheme", "MarkThreshold", 1, "B"},
};

} // namespace ns3
