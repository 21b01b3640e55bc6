/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trinity-channel.h"

#include "trinity-colours.h"

#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/results.h"
#include "ns3/tenant-ecn.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TrinityChannel");

namespace
{

constexpr uint32_t FULL_PACKET = 1500; //!< in bytes

} // namespace

TrinityChannel::TrinityChannel(const Settings& settings)
    : PairChannel(settings.limit),
      m_settings(settings),
      m_green(DataRate(0), settings.greenDepth, GetTime()),
      m_red(DataRate(0), settings.redDepth, GetTime())
{
}

TrinityChannel::~TrinityChannel()
{
    while (FabricItem* item = m_short.Pop())
    {
        item->Release();
    }
}

int64_t
TrinityChannel::GetTime() const
{
    const int64_t now = m_clock.Now();
    return m_settings.tick > 0 ? now / m_settings.tick * m_settings.tick : now;
}

void
TrinityChannel::SetRates(double guaranteed, double spare)
{
    const int64_t now = GetTime();
    m_green.SetRate(now, DataRate(static_cast<uint64_t>(guaranteed)));
    m_red.SetRate(now, DataRate(static_cast<uint64_t>(spare)));
    m_tau = m_settings.tau;
    // When the wait begins, the tokens of a packet are in the bucket.
    const uint32_t room = m_settings.greenDepth - std::min(m_settings.greenDepth, FULL_PACKET);
    const double fill = guaranteed > 0 ? 8e9 * room / guaranteed : 0; // in ns
    if (guaranteed > 0 && fill < static_cast<double>(m_tau))
    {
        m_tau = static_cast<int64_t>(fill);
        NS_LOG_WARN("pair " << GetPair() << ": tau is " << m_tau
                            << " ns, after which the green bucket is full");
    }
    Wake();
}

bool
TrinityChannel::Enqueue(FabricItem* item, int64_t now)
{
    if (item->size > std::min(m_settings.greenDepth, m_settings.redDepth)) [[unlikely]]
    {
        throw InputError("BucketDepth",
                         std::to_string(std::min(m_settings.greenDepth, m_settings.redDepth)),
                         "at least the size of every packet; there is one of " +
                             std::to_string(item->size) + " bytes");
    }
    const auto payload = m_settings.classification.fabric->GetPayload(*item);
    const uint32_t length = payload ? payload->length : 0;
    if (!m_classifier.Classify(m_settings.classification, *item, length, now))
    {
        if (!m_settings.limit.Admits(m_short, item->size))
        {
            ++m_colours.droppedShort;
            return false;
        }
        m_short.Push(item);
        return true;
    }
    const bool first = m_queues.IsEmpty();
    if (!PairChannel::Enqueue(item, now))
    {
        ++m_colours.droppedLong;
        return false;
    }
    m_classifier.Hold(*item);
    if (first)
    {
        m_longFlow = &m_classifier.GetFlow(*item);
    }
    return true;
}

int64_t
TrinityChannel::GetGreenTime(int64_t now)
{
    if (!m_short.IsEmpty()) // rule 1
    {
        return m_green.GetReleaseTime(now, m_short.Front()->size);
    }
    const int64_t tokens = m_green.GetReleaseTime(now, m_queues.Front()->size); // rule 2
    return m_longFlow->GetGreenTime(tokens, now, m_tau);
}

int64_t
TrinityChannel::GetRedTime(int64_t now) // rule 3
{
    return m_queues.IsEmpty() ? TokenBucket::NEVER
                              : m_red.GetReleaseTime(now, m_queues.Front()->size);
}

int64_t
TrinityChannel::GetReleaseTime(int64_t now)
{
    const int64_t time = GetTime();
    int64_t release = std::min(GetGreenTime(time), GetRedTime(time));
    if (release <= time)
    {
        return now;
    }
    if (release == TokenBucket::NEVER)
    {
        return NEVER;
    }
    if (m_settings.tick > 0)
    {
        release = ((release - 1) / m_settings.tick + 1) * m_settings.tick;
    }
    return now + m_clock.GetDelayUntil(release);
}

FabricItem*
TrinityChannel::Dequeue(int64_t /* now */)
{
    const int64_t time = GetTime();
    if (GetGreenTime(time) > time)
    {
        FabricItem* item = PopLong(true);
        m_red.Take(time, item->size);
        Colour(*item, true);
        return item;
    }
    FabricItem* item = m_short.IsEmpty() ? PopLong(false) : m_short.Pop();
    m_green.Take(time, item->size);
    Colour(*item, false);
    return item;
}

FabricItem*
TrinityChannel::PopLong(bool isRed)
{
    m_longFlow->Send(isRed);
    ByteCountClassifier::LetGo(*m_longFlow);
    FabricItem* item = m_queues.Pop();
    m_longFlow = m_queues.IsEmpty() ? nullptr : &m_classifier.GetFlow(*m_queues.Front());
    return item;
}

void
TrinityChannel::Colour(FabricItem& item, bool isRed)
{
    HideTenantEcn(item);
    const uint8_t dscp = GetDscp(isRed ? TrinityColour::RED : TrinityColour::GREEN);
    item.tos = static_cast<uint8_t>(dscp << 2 | item.GetEcn());
    item.priority = isRed ? 1 : 0;
    (isRed ? m_colours.redBytes : m_colours.greenBytes) += item.size;
    m_colours.redPackets += isRed ? 1 : 0;
}

FabricItem*
TrinityChannel::Flush()
{
    if (FabricItem* item = m_short.Pop())
    {
        return item;
    }
    return m_queues.IsEmpty() ? nullptr : PopLong(false);
}

void
TrinityChannel::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    m_short.ForEach(visit);
    m_queues.ForEach(visit);
}

void
TrinityChannel::EndInterval(int64_t now)
{
    m_stock = {Stock{now, m_colours.redPackets}, m_stock[0], m_stock[1]};
}

bool
TrinityChannel::MissesRed(int64_t before)
{
    const size_t last = m_stock[0].time <= before ? 0 : 1; // that interval and the one before
    if (m_stock[last + 1].time < 0 || m_stock[last].time > before)
    {
        return false;
    }
    const bool missing = m_stock[last].packets > m_redReceived;
    const bool sent = m_stock[last].packets > m_stock[last + 1].packets;
    if (missing && !sent)
    {
        m_redReceived = m_stock[last].packets; // lost
    }
    return missing && sent;
}

void
TrinityChannel::ReportState(int64_t now, const StateVisitor& visit) const
{
    PairChannel::ReportState(now, visit);
    const uint64_t rate = m_green.GetRate().GetBitRate() + m_red.GetRate().GetBitRate();
    visit("rate_bps", static_cast<double>(rate));
    visit("green_bytes", static_cast<double>(m_colours.greenBytes));
    visit("red_bytes", static_cast<double>(m_colours.redBytes));
}

void
TrinityChannel::ReportResults(Results& results) const
{
    PairChannel::ReportResults(results);
    results.Add("pair_green_bytes", static_cast<double>(m_colours.greenBytes));
    results.Add("pair_red_bytes", static_cast<double>(m_colours.redBytes));
    results.Add("pair_dropped_short_packets", m_colours.droppedShort);
    results.Add("pair_dropped_long_packets", m_colours.droppedLong);
    results.Add("pair_guaranteed_rate_bps", static_cast<double>(m_green.GetRate().GetBitRate()));
    results.Add("pair_spare_rate_bps", static_cast<double>(m_red.GetRate().GetBitRate()));
}

} // namespace ns3
