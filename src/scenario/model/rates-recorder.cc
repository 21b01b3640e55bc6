/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rates-recorder.h"

#include "ns3/interval-checker.h"
#include "ns3/network.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RatesRecorder);

TypeId
RatesRecorder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RatesRecorder")
            .SetParent<Recorder>()
            .SetGroupName("Scenario")
            .AddConstructor<RatesRecorder>()
            .AddAttribute("Bin",
                          "Time over which rates are averaged",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&RatesRecorder::SetBin, &RatesRecorder::GetBin),
                          MakeIntervalChecker());
    return tid;
}

RatesRecorder::RatesRecorder()
    : m_rates(CreateObject<RateRecorder>())
{
}

std::string
RatesRecorder::GetSummary() const
{
    return "rate at which each group of flows is delivered: rates.csv";
}

void
RatesRecorder::SetBin(Time bin)
{
    m_rates->SetAttribute("BinWidth", TimeValue(bin));
}

Time
RatesRecorder::GetBin() const
{
    TimeValue bin;
    m_rates->GetAttribute("BinWidth", bin);
    return bin.Get();
}

void
RatesRecorder::Attach(Network& network, const TimeWindow& /* measured */)
{
    network.GetTransports()->AddObserver(this);
}

void
RatesRecorder::FlowDelivered(const FlowRecord& record, uint32_t bytes)
{
    m_rates->Add(record.request.group, bytes, Simulator::Now());
}

void
RatesRecorder::Write(const std::string& folder)
{
    m_rates->Write(folder + "/rates.csv", Simulator::Now());
}

} // namespace ns3
