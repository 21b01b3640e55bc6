/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "recorder.h"

#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/number-text.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/workload.h"

#include <cmath>
#include <ostream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Recorder);
NS_OBJECT_ENSURE_REGISTERED(WindowRecorder);
NS_OBJECT_ENSURE_REGISTERED(SamplingRecorder);

bool
TimeWindow::IsNow() const
{
    return Contains(Simulator::Now());
}

void
PrintResult(std::ostream& os, const std::string& name, double value)
{
    os << "  " << name << " = ";
    if (std::isnan(value))
    {
        os << "none\n";
        return;
    }
    os << value << "\n";
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
        PrintResult(os, row.name, row.value);
    }
}

std::vector<double>
Recorder::GetHostLinkBytes(const Fabric& fabric, Time width)
{
    std::vector<double> bytes;
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        // Of a link: the other direction has the same rate.
        const DataRate rate = fabric.GetHost(host).GetPort(0).GetDescription().rate;
        bytes.push_back(static_cast<double>(rate.GetBitRate()) / 8 * width.GetSeconds());
    }
    return bytes;
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
WindowRecorder::SetWindow(const TimeWindow& measured)
{
    m_from = m_from.IsStrictlyNegative() ? measured.from : m_from;
    m_to = m_to.IsStrictlyNegative() ? measured.to : m_to;
    if (m_to <= m_from)
    {
        const std::string name = GetRegisteredName(GetInstanceTypeId(), Recorder::GetTypeId());
        throw InputError("--record " + name + ":To",
                         SecondsText(m_to) + "s",
                         "after From, which is " + SecondsText(m_from) + "s");
    }
    return {m_from, m_to};
}

TypeId
SamplingRecorder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SamplingRecorder").SetParent<WindowRecorder>().SetGroupName("Scenario");
    return tid;
}

SamplingRecorder::SamplingRecorder()
    : m_timer(DirectEvent::Call<&SamplingRecorder::Sample>, this)
{
}

void
SamplingRecorder::DoDispose()
{
    m_timer.Cancel();
    WindowRecorder::DoDispose();
}

void
SamplingRecorder::Attach(Network& network, const TimeWindow& measured)
{
    m_window = SetWindow(measured);
    m_hasSource = FindSource(network);
}

void
SamplingRecorder::Start(const std::string& folder)
{
    if (folder.empty())
    {
        return;
    }
    m_csv = CreateFile(folder);
    if (m_hasSource)
    {
        m_timer.Set(m_window.from.GetTimeStep());
    }
}

void
SamplingRecorder::Write(const std::string& /* folder */)
{
    m_csv->Close();
}

void
SamplingRecorder::Sample()
{
    if (m_window.IsNow())
    {
        TakeSample(*m_csv, SecondsText(Simulator::Now()));
        m_timer.Set(m_interval.GetTimeStep());
    }
}

} // namespace ns3
