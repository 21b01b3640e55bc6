/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "update-delay.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(UpdateDelay);
NS_OBJECT_ENSURE_REGISTERED(ConstantUpdateDelay);
NS_OBJECT_ENSURE_REGISTERED(NormalUpdateDelay);

TypeId
UpdateDelay::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::UpdateDelay")
            .SetParent<Object>()
            .SetGroupName("Nimble")
            .AddAttribute(
                "Order",
                "Which updates wait for one another: Parallel, DeviceSerial (those of one "
                "host or switch), ControllerSerial (all). Not in the paper; its Fig. "
                "15(a) needs DeviceSerial hosts",
                EnumValue(UpdateDelay::DEVICE_SERIAL),
                MakeEnumAccessor<Order>(&UpdateDelay::m_order),
                MakeEnumChecker(UpdateDelay::PARALLEL,
                                "Parallel",
                                UpdateDelay::DEVICE_SERIAL,
                                "DeviceSerial",
                                UpdateDelay::CONTROLLER_SERIAL,
                                "ControllerSerial"));
    return tid;
}

int64_t
UpdateDelay::AssignStreams(int64_t /* stream */)
{
    return 0;
}

std::vector<Time>
UpdateDelay::Issue(const std::vector<uint32_t>& devices)
{
    const Time now = Simulator::Now();
    std::vector<Time> delays;
    for (const uint32_t device : devices)
    {
        if (m_order == PARALLEL)
        {
            delays.push_back(Draw());
            continue;
        }
        Time& busy = m_busy[m_order == DEVICE_SERIAL ? device : 0];
        busy = std::max(busy, now) + Draw();
        delays.push_back(busy - now);
    }
    return delays;
}

TypeId
ConstantUpdateDelay::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ConstantUpdateDelay")
                            .SetParent<UpdateDelay>()
                            .SetGroupName("Nimble")
                            .AddConstructor<ConstantUpdateDelay>()
                            .AddAttribute("Delay",
                                          "Time of every update (Nimble, SOSR 2021, Section 6.3.3, "
                                          "Fig. 16: 10 ms)",
                                          TimeValue(MilliSeconds(10)),
                                          MakeTimeAccessor(&ConstantUpdateDelay::m_delay),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

Time
ConstantUpdateDelay::Draw()
{
    return m_delay;
}

TypeId
NormalUpdateDelay::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NormalUpdateDelay")
            .SetParent<UpdateDelay>()
            .SetGroupName("Nimble")
            .AddConstructor<NormalUpdateDelay>()
            .AddAttribute("Mean",
                          "Mean of the delays before negative ones are dealt with (Nimble, SOSR "
                          "2021, Section 6.3.3: 1 ms)",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&NormalUpdateDelay::m_mean),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Variance",
                          "Variance of the delays in ms^2 (Nimble, SOSR 2021, Section 6.3.3: '10 "
                          "ms'); 0: all are the mean",
                          DoubleValue(10),
                          MakeDoubleAccessor(&NormalUpdateDelay::m_variance),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Negative",
                          "What becomes of a negative delay: Clamp (it is 0, and the mean 1.82 ms) "
                          "or Redraw (the mean is 2.92 ms). Not in the paper",
                          EnumValue(NormalUpdateDelay::CLAMP),
                          MakeEnumAccessor<Negative>(&NormalUpdateDelay::m_negative),
                          MakeEnumChecker(NormalUpdateDelay::CLAMP,
                                          "Clamp",
                                          NormalUpdateDelay::REDRAW,
                                          "Redraw"));
    return tid;
}

NormalUpdateDelay::NormalUpdateDelay()
    : m_draw(CreateObject<NormalRandomVariable>())
{
}

int64_t
NormalUpdateDelay::AssignStreams(int64_t stream)
{
    m_draw->SetStream(stream);
    return 1;
}

Time
NormalUpdateDelay::Draw()
{
    constexpr double PER_MILLISECOND = 1e3;
    const double deviation = std::sqrt(m_variance) / PER_MILLISECOND;
    double seconds = m_mean.GetSeconds() + deviation * (deviation > 0 ? m_draw->GetValue() : 0);
    while (seconds < 0 && m_negative == REDRAW)
    {
        seconds = m_mean.GetSeconds() + deviation * m_draw->GetValue();
    }
    return Seconds(std::max(0.0, seconds));
}

} // namespace ns3
