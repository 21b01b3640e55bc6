/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "window-pair-controller.h"

#include "acknowledging-receiver.h"
#include "window-channel.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WindowPairController);

TypeId
WindowPairController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WindowPairController")
            .SetParent<PairController>()
            .SetGroupName("Edge")
            .AddConstructor<WindowPairController>()
            .AddAttribute("Window",
                          "Bytes of IP datagrams of a pair that may be under way",
                          DoubleValue(30000),
                          MakeDoubleAccessor(&WindowPairController::m_window),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("BaseRtt",
                          "Round-trip time without queueing (uFAB Section 5.1: at most 24 us)",
                          TimeValue(MicroSeconds(24)),
                          MakeTimeAccessor(&WindowPairController::m_baseRtt),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("Timeout",
                          "Time after which what was not reported is lost; 0: 8 times BaseRtt "
                          "(twice uFAB's bound on the latency, Section 4.1)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&WindowPairController::m_timeout),
                          MakeTimeChecker(Time(0)));
    return tid;
}

std::string
WindowPairController::GetSummary() const
{
    return "each pair has a window of fixed size";
}

Time
WindowPairController::GetTimeout() const
{
    return m_timeout.IsZero() ? 8 * m_baseRtt : m_timeout;
}

std::unique_ptr<PairChannel>
WindowPairController::CreateChannel(uint32_t /* pair */)
{
    return std::make_unique<WindowChannel>(GetChannelTerms(), m_window, m_baseRtt, GetTimeout());
}

bool
WindowPairController::HasReceivers() const
{
    return true;
}

std::unique_ptr<PairReceiver>
WindowPairController::CreateReceiver(uint32_t pair)
{
    return std::make_unique<AcknowledgingReceiver>(pair, GetEdge());
}

} // namespace ns3
