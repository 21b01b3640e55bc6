/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "limiter-switch.h"

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/object-spec.h"
#include "ns3/queue-limit.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

bool
LimiterSetting::IsCloseTo(const LimiterSetting& other, double tolerance) const
{
    const auto own = static_cast<double>(rate.GetBitRate());
    return std::abs(static_cast<double>(other.rate.GetBitRate()) - own) <= tolerance * own &&
           yellowBurst == other.yellowBurst && redBurst == other.redBurst && queue == other.queue &&
           enforcement == other.enforcement;
}

LimiterDelta::LimiterDelta(const LimiterSettings& before,
                           const LimiterSettings& after,
                           double tolerance)
{
    for (const auto& [key, setting] : after)
    {
        const auto old = before.find(key);
        if (old == before.end())
        {
            added.push_back(key);
        }
        else if (!old->second.IsCloseTo(setting, tolerance))
        {
            modified.push_back(key);
        }
    }
    for (const auto& [key, setting] : before)
    {
        if (!after.contains(key))
        {
            removed.push_back(key);
        }
    }
}

MeterSource::MeterSource(Spec nativeMeter, Spec logicalMeter)
    : m_nativeMeter(std::move(nativeMeter)),
      m_logicalMeter(std::move(logicalMeter))
{
}

Ptr<const Meter>
MeterSource::Get(const LimiterSetting& setting)
{
    if (m_known.size() > MOST)
    {
        m_known.clear(); // those in use stay with their users
    }
    Ptr<const Meter>& meter =
        m_known[{setting.queue, setting.rate.GetBitRate(), setting.yellowBurst, setting.redBurst}];
    if (!meter)
    {
        const bool native = setting.queue == NimbleQueue::NM;
        meter = CreateFromSpec<Meter>(native ? "NativeMeter" : "LogicalMeter",
                                      native ? m_nativeMeter : m_logicalMeter,
                                      {{"Rate", Create<DataRateValue>(setting.rate)},
                                       {"YellowBurst", Create<UintegerValue>(setting.yellowBurst)},
                                       {"RedBurst", Create<UintegerValue>(setting.redBurst)}});
    }
    return meter;
}

namespace
{

/**
 * @brief Create the queue of a class with a virtual queue.
 * @param enforcement treatment of the excess
 * @return the queue
 */
Ptr<FabricQueueDisc>
CreateVirtualQueue(NimbleEnforcement enforcement)
{
    if (enforcement == NimbleEnforcement::ECN_SHAPING)
    {
        return CreateObject<StepMarkQueueDisc>();
    }
    return CreateObject<DropTailQueueDisc>();
}

/**
 * @brief Give a virtual queue its class's thresholds: it marks above the yellow one and ends at the
 * red one, so that the virtual queues of a port share its buffer as meters do.
 * @param queue the queue of a class
 * @param setting of the class
 */
void
SetThresholds(FabricQueueDisc& queue, const LimiterSetting& setting)
{
    const auto set = [&queue](const char* attribute, uint32_t bytes) {
        queue.SetAttribute(attribute,
                           QueueLimitValue(QueueLimit(QueueSize(QueueSizeUnit::BYTES, bytes))));
    };
    // What exceeds the rate of a policer is dropped: there is room for the bucket's packets only.
    constexpr uint32_t BUCKET = 3000;
    set("MaxSize", setting.enforcement == NimbleEnforcement::POLICING ? BUCKET : setting.redBurst);
    if (setting.enforcement == NimbleEnforcement::ECN_SHAPING)
    {
        set("MarkThreshold", setting.yellowBurst);
    }
}

} // namespace

LimiterSwitch::LimiterSwitch(std::map<uint32_t, LimiterPort> ports,
                             MeterSource& meters,
                             uint32_t nClasses)
    : m_ports(std::move(ports)),
      m_meters(meters),
      m_nClasses(nClasses)
{
}

void
LimiterSwitch::Write(const LimiterKey& key, const std::optional<LimiterSetting>& setting)
{
    LimiterSettings& bank = m_banks[(m_epoch + 1) % 2];
    if (setting)
    {
        bank[key] = *setting;
    }
    else
    {
        bank.erase(key);
    }
    m_written.push_back(key);
    GetIndex(key);
}

void
LimiterSwitch::Flip()
{
    ++m_epoch;
    LimiterSettings& stale = m_banks[(m_epoch + 1) % 2];
    for (const LimiterKey& key : m_written)
    {
        Apply(key);
        const auto active = GetActive().find(key);
        if (active == GetActive().end())
        {
            stale.erase(key);
        }
        else
        {
            stale[key] = active->second;
        }
    }
    m_written.clear();
}

uint32_t
LimiterSwitch::GetIndex(const LimiterKey& key)
{
    const auto [place, isNew] = m_indices.emplace(key, static_cast<uint32_t>(m_registers.size()));
    if (isNew)
    {
        m_registers.push_back(key);
    }
    return place->second;
}

bool
LimiterSwitch::WriteRate(uint32_t index, DataRate rate)
{
    if (index >= m_registers.size())
    {
        return false;
    }
    const LimiterKey& key = m_registers[index];
    const auto active = GetActive().find(key);
    if (active == GetActive().end() || active->second.queue != NimbleQueue::LM)
    {
        return false;
    }
    m_banks[m_epoch % 2][key].rate = rate;
    const bool isPending = std::ranges::find(m_written, key) != m_written.end();
    if (LimiterSettings& other = m_banks[(m_epoch + 1) % 2]; !isPending && other.contains(key))
    {
        other[key].rate = rate;
    }
    Apply(key);
    return true;
}

uint32_t
LimiterSwitch::GetNumber(const LimiterKey& key)
{
    if (key.input == LimiterTable::ANY_INPUT)
    {
        return key.trafficClass;
    }
    const auto number = static_cast<uint32_t>(m_nClasses + 1 + m_byInput.size());
    return m_byInput.emplace(key, number).first->second;
}

void
LimiterSwitch::Apply(const LimiterKey& key)
{
    const auto found = GetActive().find(key);
    const LimiterSetting* setting = found == GetActive().end() ? nullptr : &found->second;
    if (key.anyOutput)
    {
        ApplyToAllPorts(key, setting);
        return;
    }
    LimiterPort& port = m_ports.at(key.port);
    if (setting && setting->queue == NimbleQueue::VQ)
    {
        ApplyToMeter(port, key, nullptr);
        ApplyToQueue(port, key, setting);
        return;
    }
    ApplyToMeter(port, key, setting);
    if (port.shaped)
    {
        ApplyToQueue(port, key, nullptr);
    }
}

void
LimiterSwitch::ApplyToAllPorts(const LimiterKey& key, const LimiterSetting* setting)
{
    const uint32_t number = GetNumber(key);
    Ptr<SharedMeter>& meter = m_shared[key];
    if (setting)
    {
        if (!meter)
        {
            meter = CreateObject<SharedMeter>();
        }
        meter->SetProfile(m_meters.Get(*setting), m_clock.Now());
    }
    for (auto& [index, port] : m_ports)
    {
        if (setting)
        {
            port.metered->SetMeter(number, meter);
            port.metered->SetActions(number, setting->actions);
        }
        port.meters->SetForAnyOutput(key.trafficClass,
                                     key.input,
                                     setting ? number : LimiterTable::NO_CLASS);
    }
}

void
LimiterSwitch::ApplyToMeter(LimiterPort& port, const LimiterKey& key, const LimiterSetting* setting)
{
    const uint32_t number = GetNumber(key);
    if (setting)
    {
        port.metered->SetMeter(number, m_meters.Get(*setting));
        port.metered->SetActions(number, setting->actions);
    }
    port.meters->Set(key.trafficClass, key.input, setting ? number : LimiterTable::NO_CLASS);
}

void
LimiterSwitch::ApplyToQueue(LimiterPort& port, const LimiterKey& key, const LimiterSetting* setting)
{
    const uint32_t number = GetNumber(key);
    if (!setting)
    {
        // A class that is limited no more keeps its queue, so that nothing overtakes what waits.
        if (port.virtualQueues.contains(number))
        {
            port.shaped->SetRate(number, port.rate);
        }
        return;
    }
    port.shaped->SetRate(number, setting->rate);
    const bool isNew = port.virtualQueues.insert(number).second;
    const auto queue = isNew ? CreateVirtualQueue(setting->enforcement)
                             : Ptr<FabricQueueDisc>(&port.shaped->GetInner(number));
    SetThresholds(*queue, *setting);
    if (isNew)
    {
        port.shaped->SetInner(number, queue);
    }
    port.queues->Set(key.trafficClass, key.input, number);
}

} // namespace ns3
