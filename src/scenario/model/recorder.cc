/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "recorder.h"

#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/workload.h"

#include <ostream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Recorder);
NS_OBJECT_ENSURE_REGISTERED(WindowRecorder);

bool
TimeWindow::IsNow() const
{
    const Time now = Simulator::Now();
    return now >= from && now < to;
}

TypeId
Recorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Recorder").SetParent<Object>().SetGroupName("Scenario");
    return tid;
}

void
Recorder::Watch(Ptr<Workload> /* workload */)
{
}

void
Recorder::Start(const std::string& /* folder */)
{
}

void
Recorder::Write(const std::string& /* folder */)
{
}

void
Recorder::ReportResults(Results& /* results */) const
{
}

void
Recorder::Print(std::ostream& os) const
{
    Results results;
    ReportResults(results);
    for (const Results::Row& row : results.GetRows())
    {
        os << "  " << row.name << " = " << row.value << "\n";
    }
}

TypeId
WindowRecorder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WindowRecorder")
            .SetParent<Recorder>()
            .SetGroupName("Scenario")
            .AddAttribute("From",
                          "What happens before is not recorded; below 0: as the scenario measures",
                          TimeValue(Seconds(-1)),
                          MakeTimeAccessor(&WindowRecorder::m_from),
                          MakeTimeChecker())
            .AddAttribute("To",
                          "What happens then or later is not recorded; below 0: as the scenario "
                          "measures",
                          TimeValue(Seconds(-1)),
                          MakeTimeAccessor(&WindowRecorder::m_to),
                          MakeTimeChecker());
    return tid;
}

TimeWindow
WindowRecorder::GetWindow(const TimeWindow& measured) const
{
    return {m_from.IsStrictlyNegative() ? measured.from : m_from,
            m_to.IsStrictlyNegative() ? measured.to : m_to};
}

} // namespace ns3
