/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/scheme.h"

namespace ns3
{

/**
 * @ingroup mufab
 * uFAB, and uFAB' without the stage of admission that bounds the latency: windows are those of Eq.
 * 3 from the start, and so is what is told of them (SIGCOMM 2022, Section 5). Each group of senders
 * has a virtual fabric. Windows are meant for data: answers have no pair.
 */
static const SchemeRows g_mufabSchemes{
    {"mufab",
     "ns3::MufabScheme:CongestionOps=ns3::TcpCubic,Controller=mufab,DefaultTenants=groups,Answers="
     "NoPair",
     "uFAB: pairs share links by tokens, windows and paths by what switches tell"},
    {"mufab-prime",
     "mufab:Controller=(mufab:TwoStage=false,Advertisement=Eq3)",
     "uFAB': uFAB without the stage of admission that bounds the latency"},
};

} // namespace ns3
