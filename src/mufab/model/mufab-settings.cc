/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-settings.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/object-base.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3
{

namespace
{

constexpr uint16_t IP_HEADER = 20;          //!< bytes
constexpr uint16_t LARGEST_DATAGRAM = 1500; //!< bytes

} // namespace

TypeId
MufabSettings::AddAttributes(TypeId tid)
{
    using Self = MufabSettings;
    return WindowLaw::Settings::AddAttributes(tid)
        .AddAttribute("TokenPeriod",
                      "Time between two assignments of tokens (Section 5.1)",
                      TimeValue(MicroSeconds(32)),
                      MakeTimeAccessor(&Self::tokenPeriod),
                      MakeTimeChecker(TimeStep(1)))
        .AddAttribute("BaseRtt",
                      "T_max, for pairs and switches, at least the largest base RTT of the "
                      "network; 0: that, a packet of 1500 bytes there and an acknowledgment "
                      "back with nothing in the way (testbed: 24 us)",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&Self::baseRtt),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ProbeClock",
                      "When a pair sends its next probe: when it has sent L_w = 4096 bytes "
                      "since the response (AfterResponse, Section 4.1), or since the last "
                      "probe if that was answered (AfterProbe), or every ProbeRounds base "
                      "RTTs (Periodic, Section 5.6)",
                      EnumValue(AFTER_RESPONSE),
                      MakeEnumAccessor<ProbeClock>(&Self::clock),
                      MakeEnumChecker(AFTER_RESPONSE,
                                      "AfterResponse",
                                      AFTER_PROBE,
                                      "AfterProbe",
                                      PERIODIC,
                                      "Periodic"))
        .AddAttribute("ProbeRounds",
                      "Base RTTs between two probes, with ProbeClock=Periodic",
                      UintegerValue(1),
                      MakeUintegerAccessor(&Self::probeRounds),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("ProbeSize",
                      "IP datagram of a probe in bytes, at most 1500; 0: that of its fields, "
                      "20 of IP, 1 and one per switch of the source route, 3 or 4, and 8 per "
                      "switch (Appendix G). The paper's 1.28 % of overhead at 4 KB mean 53 "
                      "bytes with Ethernet, 39 without: two switches",
                      UintegerValue(0),
                      MakeUintegerAccessor(&Self::probeSize),
                      MakeUintegerChecker<uint16_t>())
        .AddAttribute("Encoding",
                      "Whether probes carry values as they are (Exact) or what the fields of "
                      "Appendix G hold (Wire). The paper gives the fields no units, and whole "
                      "tokens are too coarse for many pairs of small guarantees",
                      EnumValue(EXACT),
                      MakeEnumAccessor<Encoding>(&Self::encoding),
                      MakeEnumChecker(EXACT, "Exact", WIRE, "Wire"))
        .AddAttribute("TokenBits",
                      "Width of the pair's tokens in a probe: 24 as the legend of Fig. 22 "
                      "says, or 16 as it is drawn",
                      UintegerValue(24),
                      MakeUintegerAccessor(&Self::tokenBits),
                      MakeUintegerChecker<uint32_t>(16, 24))
        .AddAttribute("GiveUp",
                      "Time after which no more finish probes are sent: switches clean up "
                      "then (Section 4.2). From one to the next the time doubles",
                      TimeValue(Seconds(10)),
                      MakeTimeAccessor(&Self::giveUp),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("Candidates",
                      "Paths that are asked at once, at most 16. The paper: a few, chosen at "
                      "random",
                      UintegerValue(4),
                      MakeUintegerAccessor(&Self::candidates),
                      MakeUintegerChecker<uint32_t>(1, 16))
        .AddAttribute("Preference",
                      "Which of the qualified paths is taken: at random, in proportion to "
                      "what is left (Headroom), the one with most left (Most), or at random "
                      "(Uniform). The paper: at random, with a preference",
                      EnumValue(PathPreference::HEADROOM),
                      MakeEnumAccessor<PathPreference>(&Self::preference),
                      MakeEnumChecker(PathPreference::HEADROOM,
                                      "Headroom",
                                      PathPreference::MOST,
                                      "Most",
                                      PathPreference::UNIFORM,
                                      "Uniform"))
        .AddAttribute("FreezeRounds",
                      "N: after a migration for its guarantee's sake a host waits 1 to N base "
                      "RTTs until the next (Sections 3.5 and 5.6)",
                      UintegerValue(10),
                      MakeUintegerAccessor(&Self::freezeRounds),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("Retry",
                      "Time until a path that has failed is asked again",
                      TimeValue(MilliSeconds(10)),
                      MakeTimeAccessor(&Self::retry),
                      MakeTimeChecker(TimeStep(1)))
        .AddAttribute("KeepOrder",
                      "Whether data wait, after a migration, until the old path is empty: for "
                      "its base RTT or the last that was measured, at most 4 base RTTs "
                      "(Section 3.5, an option)",
                      BooleanValue(false),
                      MakeBooleanAccessor(&Self::keepOrder),
                      MakeBooleanChecker())
        .AddAttribute("PathsPerPair",
                      "Underlay paths that a pair uses at once (Section 6, Appendix F)",
                      UintegerValue(1),
                      MakeUintegerAccessor(&Self::pathsPerPair),
                      MakeUintegerChecker<uint32_t>(1, 255))
        .AddAttribute("ConservationPeriod",
                      "Time between two looks at other paths for work conservation; 0: none. "
                      "The paper does not say how often",
                      TimeValue(Seconds(1)),
                      MakeTimeAccessor(&Self::conservationPeriod),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ConservationTime",
                      "Time for which another path must have been better until a pair takes "
                      "it (Section 3.5)",
                      TimeValue(Seconds(30)),
                      MakeTimeAccessor(&Self::conservationTime),
                      MakeTimeChecker(Time(0)));
}

void
MufabSettings::CheckAttributes() const
{
    WindowLaw::Settings::CheckAttributes();
    const std::string name = "ns3::MufabPairController::";
    if (tokenBits != 16 && tokenBits != 24)
    {
        throw InputError(name + "TokenBits", std::to_string(tokenBits), "16 or 24");
    }
    if (probeSize > LARGEST_DATAGRAM || (probeSize > 0 && probeSize < IP_HEADER))
    {
        throw InputError(name + "ProbeSize",
                         std::to_string(probeSize),
                         "0, or 20 to 1500 bytes: a probe is one packet");
    }
}

uint16_t
MufabSettings::GetProbeSize(uint32_t switches, uint32_t records) const
{
    return probeSize > 0
               ? probeSize
               : static_cast<uint16_t>(IP_HEADER + 1 + switches + 1 + tokenBits / 8 + 8 * records);
}

} // namespace ns3
