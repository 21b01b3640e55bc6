/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "channel-scheduler.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

void
ChannelScheduler::SetLevels(const std::vector<double>& levels)
{
    NS_ASSERT_MSG(m_entries.empty(), "levels are set before tenants are added");
    NS_ASSERT(std::is_sorted(levels.begin(), levels.end()));
    m_levels = levels;
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
    const bool queued = !tenant.turns.empty();
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
    return m_levels.empty() ? queue.weight
                            : queue.weight * static_cast<double>(queue.tenants.size());
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

bool
ChannelScheduler::Enqueue(PairChannel& channel, FabricItem* item, int64_t now)
{
    if (!channel.Enqueue(item, now))
    {
        return false;
    }
    ++channel.m_waiting;
    Offer(channel);
    return true;
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
        EndHold(channel);
    }
    Enter(channel);
}

void
ChannelScheduler::Enter(PairChannel& channel)
{
    Tenant& tenant = *channel.m_tenant;
    if (tenant.turns.empty())
    {
        Join(tenant);
    }
    tenant.turns.push_back(channel);
    channel.m_state = PairChannel::QUEUED;
}

void
ChannelScheduler::Exit(PairChannel& channel)
{
    Tenant& tenant = *channel.m_tenant;
    tenant.turns.erase(tenant.turns.iterator_to(channel));
    if (tenant.turns.empty())
    {
        Leave(tenant);
    }
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
        Suspend(channel, PairChannel::NEVER);
    }
    return item;
}

void
ChannelScheduler::Suspend(PairChannel& channel, int64_t release)
{
    if (channel.m_state == PairChannel::QUEUED)
    {
        Exit(channel);
    }
    else if (channel.m_state == PairChannel::HELD)
    {
        EndHold(channel);
    }
    channel.m_state = PairChannel::SUSPENDED;
    if (release != PairChannel::NEVER)
    {
        channel.m_state = PairChannel::HELD;
        Hold(channel, release);
    }
}

void
ChannelScheduler::Hold(PairChannel& channel, int64_t release)
{
    channel.m_release = release;
    m_held.insert(channel);
    m_nextRelease = m_held.begin()->m_release;
}

void
ChannelScheduler::EndHold(PairChannel& channel)
{
    m_held.erase(m_held.iterator_to(channel));
    m_nextRelease = m_held.empty() ? PairChannel::NEVER : m_held.begin()->m_release;
}

void
ChannelScheduler::OfferDue(int64_t now)
{
    while (m_nextRelease <= now)
    {
        Offer(*m_held.begin());
    }
}

void
ChannelScheduler::Charge(Queue& queue, double finish)
{
    m_virtualTime = queue.tag;
    m_lastFinish = std::max(m_lastFinish, finish);
    if (queue.tenants.empty())
    {
        queue.tag = finish;
        return;
    }
    // Among equal tags the queue that has waited longest goes first.
    m_backlogged.erase(m_backlogged.iterator_to(queue));
    queue.tag = finish;
    m_backlogged.insert(queue);
}

void
ChannelScheduler::EndTurn(PairChannel& channel, uint32_t size)
{
    Tenant& tenant = *channel.m_tenant;
    Queue& queue = *tenant.queue;
    const double finish = queue.tag + size / GetWeight(queue);
    tenant.turns.pop_front();
    if (channel.m_waiting > 0)
    {
        tenant.turns.push_back(channel);
    }
    else
    {
        channel.m_state = PairChannel::SUSPENDED;
    }
    if (tenant.turns.empty())
    {
        Leave(tenant);
    }
    else
    {
        queue.tenants.shift_forward();
    }
    Charge(queue, finish);
}

FabricItem*
ChannelScheduler::Dequeue(int64_t now)
{
    OfferDue(now);
    while (!m_backlogged.empty())
    {
        PairChannel& channel = m_backlogged.begin()->tenants.front().turns.front();
        const int64_t release = channel.GetReleaseTime(now);
        if (release > now)
        {
            Suspend(channel, release);
            continue;
        }
        FabricItem* item = channel.Dequeue(now);
        --channel.m_waiting;
        channel.m_statistics.sentBytes += item->size;
        ++channel.m_statistics.sentPackets;
        EndTurn(channel, item->size);
        return item;
    }
    Restart();
    return nullptr;
}

} // namespace ns3
