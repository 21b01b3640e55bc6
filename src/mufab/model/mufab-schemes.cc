/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/former-settings.h"
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
     "cubic:Controller=mufab,DefaultTenants=groups,Answers=NoPair,Stages=mufab",
     "uFAB: pairs share links by tokens, windows and paths by what switches tell"},
    {"mufab-prime",
     "mufab:Controller=(mufab:TwoStage=false,Advertisement=Eq3)",
     "uFAB': uFAB without the stage of admission that bounds the latency"},
};

/// Attributes of a class of its own.
static const FormerSettings g_formerMufabSchemesSettings{
    {"mufab", "Core", 0, "", 0, "", {"Stages"}},
    {"mufab", "Without", 0, "", 0, "", {"StagesExcept"}},
    {"mufab-prime", "Core", 0, "", 0, "", {"Stages"}},
    {"mufab-prime", "Without", 0, "", 0, "", {"StagesExcept"}},
    {"ns3::MufabScheme", "", 0, "", 0, "", {"ns3::Scheme"}},
};

} // namespace ns3
