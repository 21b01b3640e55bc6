/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "window-law.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/nstime.h"
#include "ns3/object-base.h"

#include <algorithm>
#include <limits>
#include <string>

namespace ns3
{

// ---- Eqs. 1 to 3 ----

double
BandwidthShare::GetFraction(double tokens, const LinkState& link)
{
    return tokens > 0 ? tokens / std::max(tokens, link.tokens) : 0;
}

double
BandwidthShare::GetShare(double tokens, const LinkState& link) const
{
    return GetFraction(tokens, link) * GetTarget(link);
}

double
BandwidthShare::GetRate(double tokens, const LinkState& link, double sum) const
{
    const double target = GetTarget(link);
    return link.rate > 0 ? std::min(GetFraction(tokens, link) * sum * target / link.rate, target)
                         : target;
}

double
BandwidthShare::GetWindow(double tokens, const LinkState& link, double rtt, double own) const
{
    const double bdp = GetBdp(link, rtt);
    const double underWay = link.rate * rtt / 8 + link.queue;
    const double window = GetFraction(tokens, link) * std::max(link.window, own) * bdp / underWay;
    return underWay > 0 ? std::min(window, windowCap * bdp) : bdp;
}

double
BandwidthShare::PredictRate(double tokens, const LinkState& link, double extra, double own) const
{
    const double target = GetTarget(link);
    const double share = tokens > 0 ? tokens / std::max(tokens, link.tokens + extra) * target : 0;
    return std::max(share, target - std::max(0.0, link.rate - own));
}

// ---- Two stages of admission ----

void
TwoStageAdmission::Join(double bootstrap)
{
    m_stage = RAMP;
    m_ramp = bootstrap;
    m_lastIncrement = INT64_MIN / 2; // the first response is one RTT later in any case
}

double
TwoStageAdmission::HandleResponse(const Response& response, int64_t now, int64_t rtt)
{
    if (response.isDemandLimited)
    {
        m_stage = RAMP;
        m_ramp = response.shareWindow;
    }
    else if (m_stage == RAMP && now - m_lastIncrement >= rtt)
    {
        m_ramp += response.growth.value_or(response.shareWindow);
        m_lastIncrement = now;
    }
    if (m_stage == RAMP && !response.isDemandLimited && m_ramp > response.utilizationWindow)
    {
        m_stage = UTILIZATION;
    }
    return m_stage == UTILIZATION ? response.utilizationWindow
                                  : std::min(m_ramp, response.utilizationWindow);
}

double
WindowLaw::Settings::GetGrowth(double /* ramp */, double share) const
{
    return share;
}

// ---- The window on a path ----

WindowLaw::WindowLaw(const Settings& settings, int64_t rtt, std::size_t links, double firstRate)
    : m_settings(settings),
      m_equations(settings.GetEquations()),
      m_rtt(rtt),
      m_seconds(TimeStep(rtt).GetSeconds()),
      m_firstBdp(m_equations.GetBdp({.capacity = firstRate}, m_seconds)),
      m_windows(links)
{
}

double
WindowLaw::GetGuaranteed(double tokens) const
{
    return tokens * m_equations.unit * m_seconds / 8;
}

double
WindowLaw::SetWindow(double window)
{
    m_window = std::max(window, LEAST_WINDOW);
    return m_window;
}

double
WindowLaw::Join(double tokens)
{
    const double bootstrap = GetGuaranteed(tokens);
    m_admission.Join(bootstrap);
    SetWindow(m_settings.twoStage ? bootstrap : m_firstBdp);
    std::ranges::fill(m_windows, m_window);
    return m_window;
}

double
WindowLaw::Rejoin(double tokens)
{
    if (!m_settings.twoStage)
    {
        return m_window;
    }
    const double bootstrap = GetGuaranteed(tokens);
    m_admission.Join(bootstrap);
    return SetWindow(bootstrap);
}

double
WindowLaw::HandleResponse(const std::vector<LinkState>& links,
                          const std::vector<double>& told,
                          const Sender& sender,
                          int64_t now)
{
    if (links.empty())
    {
        return SetWindow(GetGuaranteed(sender.tokens));
    }
    double share = std::numeric_limits<double>::infinity();
    double window = share;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        m_windows[i] = std::max(m_equations.GetWindow(sender.tokens, links[i], m_seconds, told[i]),
                                LEAST_WINDOW);
        share = std::min(share, m_equations.GetShare(sender.tokens, links[i]));
        // WindowCap lets Eq. 3 give more, but what is in force is a BDP at most.
        window = std::min({window, m_windows[i], m_equations.GetBdp(links[i], m_seconds)});
    }
    if (m_settings.twoStage)
    {
        const double shareWindow = share * m_seconds / 8;
        const bool isDemandLimited = !sender.isBacklogged && sender.rate < share; // scenario 2
        const double growth = m_settings.GetGrowth(m_admission.GetRamp(), shareWindow);
        window =
            m_admission.HandleResponse({window, shareWindow, isDemandLimited, growth}, now, m_rtt);
    }
    return SetWindow(window);
}

double
WindowLaw::GetAdvertised(std::size_t link) const
{
    const bool isRamping = m_settings.twoStage && GetStage() == TwoStageAdmission::RAMP;
    return isRamping && m_settings.advertisement == USED ? std::min(m_windows[link], m_window)
                                                         : m_windows[link];
}

// ---- Attributes ----

void
WindowLaw::Settings::CheckAttributes() const
{
    const std::string name = "ns3::MufabPairController::";
    if (utilization <= 0 || utilization > 1)
    {
        throw InputError(name + "TargetUtilization",
                         std::to_string(utilization),
                         "above 0 and at most 1");
    }
    if (unit.GetBitRate() == 0)
    {
        throw InputError(name + "UnitBandwidth", "0", "a rate above 0");
    }
}

TypeId
WindowLaw::Settings::AddAttributes(TypeId tid)
{
    return tid
        .AddAttribute("UnitBandwidth",
                      "B_u, what a token is guaranteed at least, which the paper does not "
                      "name: with 10 Mbps a field of 16 bits holds the tokens of a 400G link",
                      DataRateValue(DataRate("10Mbps")),
                      MakeDataRateAccessor(&Settings::unit),
                      MakeDataRateChecker())
        .AddAttribute("TargetUtilization",
                      "eta, share of each link's rate that is to be used, above 0 and at most "
                      "1 (Section 3.3, footnote 5)",
                      DoubleValue(0.95),
                      MakeDoubleAccessor(&Settings::utilization),
                      MakeDoubleChecker<double>())
        .AddAttribute("OwnRtt",
                      "Whether Eq. 3 and the first windows use each path's own base RTT, as "
                      "they are printed, or the largest of the network. At rest Eq. 3 gives "
                      "equal windows per token: with base RTTs of their own, pairs with 12 "
                      "and 24 us would share a link 2:1",
                      BooleanValue(false),
                      MakeBooleanAccessor(&Settings::ownRtt),
                      MakeBooleanChecker())
        .AddAttribute("Pacing",
                      "Whether packets leave at window / T. Without it a pair whose RTT is "
                      "less than T is faster than its share",
                      BooleanValue(true),
                      MakeBooleanAccessor(&Settings::paced),
                      MakeBooleanChecker())
        .AddAttribute("TwoStage",
                      "Whether admission has two stages, which bounds the latency (Section "
                      "3.4); without, it is uFAB' (Section 5.2)",
                      BooleanValue(true),
                      MakeBooleanAccessor(&Settings::twoStage),
                      MakeBooleanChecker())
        .AddAttribute("Advertisement",
                      "What a pair tells a link as its window, whose sum is W: the window in "
                      "force, as Section 3.4 has the same symbol for both (Used), or always "
                      "that of Eq. 3 (Eq3). With Used, pairs that lack data keep others from "
                      "using all of the link; with Eq3, they may send a burst of a BDP each",
                      EnumValue(WindowLaw::USED),
                      MakeEnumAccessor<Advertisement>(&Settings::advertisement),
                      MakeEnumChecker(WindowLaw::USED, "Used", WindowLaw::EQ3, "Eq3"))
        .AddAttribute("WindowCap",
                      "Most that Eq. 3 gives for a link and that a pair tells it, in target "
                      "BDPs (1: Eq. 3 as printed; the window in force is one BDP at most in "
                      "any case). With 1, a pair with few tokens cannot use what pairs with "
                      "more of them, held back by other links, leave: their part of W stays "
                      "below their part of Phi. More lets windows wind up on idle links",
                      DoubleValue(1),
                      MakeDoubleAccessor(&Settings::windowCap),
                      MakeDoubleChecker<double>(1));
}

} // namespace ns3
