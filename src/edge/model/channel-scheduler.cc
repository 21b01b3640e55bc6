/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "channel-scheduler.h"

#include "ns3/assert.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{

void
ChannelScheduler::SetLevels(const std::vector<double>& levels, bool perTenant)
{
    NS_ASSERT_MSG(m_entries.empty(), "levels are set before tenants are added");
    NS_ASSERT(std::is_sorted(levels.begin(), levels.end()));
    m_levels = levels;
    m_perTenant = perTenant && !levels.empty();
    for (double level : levels)
    {
        m_queues.emplace_back().weight = level;
    }
}

uint32_t
ChannelScheduler::AddTenant(double weight)
{
    m_entries.push_back(std::make_unique<Entry>());
    const auto tenant = static_cast<uint32_t>(m_entries.size() - 1);
    SetWeight(tenant, weight);
    return tenant;
}

void
ChannelScheduler::SetWeight(uint32_t number, double weight)
{
    NS_ASSERT_MSG(weight > 0, "a weight is above 0");
    Entry& entry = *m_entries.at(number);
    Tenant& tenant = entry.tenant;
    if (m_levels.empty())
    {
        tenant.queue = &entry.queue;
        tenant.queue->weight = weight;
        return;
    }
    const bool queued = !tenant.channels.empty();
    if (queued)
    {
        Leave(tenant);
    }
    tenant.queue = &ChooseQueue(weight);
    if (queued)
    {
        Join(tenant);
    }
}

ChannelScheduler::Queue&
ChannelScheduler::ChooseQueue(double weight)
{
    const auto level = std::lower_bound(m_levels.begin(), m_levels.end(), weight);
    const auto index = static_cast<size_t>(level - m_levels.begin());
    return m_queues[std::min(index, m_levels.size() - 1)];
}

double
ChannelScheduler::GetWeight(const Queue& queue) const
{
    return m_perTenant ? queue.weight * static_cast<double>(queue.tenants.size()) : queue.weight;
}

void
ChannelScheduler::Join(Tenant& tenant)
{
    Queue& queue = *tenant.queue;
    if (queue.tenants.empty())
    {
        queue.tag = std::max(queue.tag, m_virtualTime);
        m_backlogged.insert(queue);
    }
    queue.tenants.push_back(tenant);
}

void
ChannelScheduler::Leave(Tenant& tenant)
{
    Queue& queue = *tenant.queue;
    queue.tenants.erase(queue.tenants.iterator_to(tenant));
    if (queue.tenants.empty())
    {
        m_backlogged.erase(m_backlogged.iterator_to(queue));
    }
}

void
ChannelScheduler::Enter(PairChannel& channel)
{
    Tenant& tenant = GetTenant(channel);
    if (tenant.channels.empty())
    {
        Join(tenant);
    }
    tenant.channels.push_back(channel);
}

void
ChannelScheduler::Exit(PairChannel& channel)
{
    if (&channel == m_only)
    {
        m_only = nullptr;
        return;
    }
    Tenant& tenant = GetTenant(channel);
    tenant.channels.erase(tenant.channels.iterator_to(channel));
    if (tenant.channels.empty())
    {
        Leave(tenant);
    }
}

void
ChannelScheduler::Offer(PairChannel& channel)
{
    if (channel.m_state == PairChannel::QUEUED)
    {
        return;
    }
    if (channel.m_state == PairChannel::HELD)
    {
        m_held.erase(m_held.iterator_to(channel));
    }
    channel.m_state = PairChannel::QUEUED;
    if (!m_only && m_backlogged.empty())
    {
        m_only = &channel;
        return;
    }
    if (m_only)
    {
        Enter(*std::exchange(m_only, nullptr));
    }
    Enter(channel);
}

FabricItem*
ChannelScheduler::Flush(PairChannel& channel)
{
    if (channel.m_waiting == 0)
    {
        return nullptr;
    }
    FabricItem* item = channel.Flush();
    if (--channel.m_waiting == 0)
    {
        PutAside(channel, PairChannel::NEVER);
    }
    return item;
}

void
ChannelScheduler::PutAside(PairChannel& channel, int64_t release)
{
    if (channel.m_state == PairChannel::QUEUED)
    {
        Exit(channel);
    }
    else if (channel.m_state == PairChannel::HELD)
    {
        m_held.erase(m_held.iterator_to(channel));
    }
    channel.m_state = PairChannel::ASIDE;
    if (release != PairChannel::NEVER)
    {
        channel.m_release = release;
        channel.m_state = PairChannel::HELD;
        m_held.insert(channel);
    }
}

void
ChannelScheduler::OfferDue(int64_t now)
{
    while (!m_held.empty() && m_held.begin()->m_release <= now)
    {
        Offer(*m_held.begin());
    }
}

PairChannel*
ChannelScheduler::FindNext()
{
    if (m_only || m_backlogged.empty())
    {
        return m_only;
    }
    return &m_backlogged.begin()->tenants.front().channels.front();
}

inline void
ChannelScheduler::EndOnlyTurn(PairChannel& channel, uint32_t size)
{
    ChargeOnly(*GetTenant(channel).queue, size);
    if (channel.m_waiting == 0)
    {
        m_only = nullptr;
        channel.m_state = PairChannel::ASIDE;
    }
}

inline void
ChannelScheduler::PutLast(Tenant& tenant, PairChannel& channel)
{
    if (channel.m_waiting > 0)
    {
        tenant.channels.shift_forward();
    }
    else
    {
        Exit(channel);
        channel.m_state = PairChannel::ASIDE;
        if (tenant.channels.empty())
        {
            return; // the tenant has left its queue
        }
    }
    tenant.queue->tenants.shift_forward();
}

void
ChannelScheduler::Resort(Queue& queue, double finish)
{
    const auto place = m_backlogged.iterator_to(queue);
    const auto next = std::next(place);
    if (next == m_backlogged.end() || finish < next->tag)
    {
        queue.tag = finish; // in its place
        return;
    }
    // Among equal tags the queue that has waited longest goes first.
    m_backlogged.erase(place);
    queue.tag = finish;
    m_backlogged.insert(queue);
}

inline void
ChannelScheduler::Charge(Queue& queue, double finish)
{
    m_virtualTime = queue.tag;
    m_lastFinish = std::max(m_lastFinish, finish);
    if (queue.tenants.empty() || m_backlogged.size() == 1)
    {
        queue.tag = finish;
        return;
    }
    Resort(queue, finish);
}

void
ChannelScheduler::EndTurn(PairChannel& channel, uint32_t size)
{
    Tenant& tenant = GetTenant(channel);
    const double finish = tenant.queue->tag + size / GetWeight(*tenant.queue);
    PutLast(tenant, channel);
    Charge(*tenant.queue, finish);
}

FabricItem*
ChannelScheduler::Dequeue(int64_t now)
{
    if (!m_held.empty()) [[unlikely]]
    {
        OfferDue(now);
    }
    while (PairChannel* channel = FindNext())
    {
        const bool isOpen = channel->m_isOpen;
        const int64_t release = isOpen ? now : channel->GetReleaseTime(now);
        if (release > now) [[unlikely]]
        {
            PutAside(*channel, release);
            continue;
        }
        FabricItem* item = isOpen ? channel->m_queues.Pop() : channel->Dequeue(now);
        --channel->m_waiting;
        channel->CountSent(item->size);
        if (channel == m_only)
        {
            EndOnlyTurn(*channel, item->size);
        }
        else
        {
            EndTurn(*channel, item->size);
        }
        return item;
    }
    Restart();
    return nullptr;
}

} // namespace ns3
