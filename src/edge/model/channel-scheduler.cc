/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "channel-scheduler.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * @brief The first of those that take turns becomes the last.
 * @param turns they, as an intrusive list
 */
template <class List>
void
PutLast(List& turns)
{
    if (&turns.front() != &turns.back())
    {
        turns.splice(turns.end(), turns, turns.begin());
    }
}

} // namespace

void
ChannelScheduler::SetLevels(const std::vector<double>& levels, bool perTenant)
{
    NS_ASSERT_MSG(m_tenants.empty(), "levels are set before tenants are added");
    NS_ASSERT(std::is_sorted(levels.begin(), levels.end()));
    m_levels = levels;
    m_perTenant = perTenant;
    for (double level : levels)
    {
        m_queues.emplace_back().weight = level;
    }
}

uint32_t
ChannelScheduler::AddTenant(double weight)
{
    m_tenants.emplace_back();
    const auto tenant = static_cast<uint32_t>(m_tenants.size() - 1);
    SetWeight(tenant, weight);
    return tenant;
}

void
ChannelScheduler::SetWeight(uint32_t number, double weight)
{
    NS_ASSERT_MSG(weight > 0, "a weight is above 0");
    Tenant& tenant = m_tenants.at(number);
    tenant.weight = weight;
    if (m_levels.empty())
    {
        if (!tenant.queue)
        {
            tenant.queue = &m_queues.emplace_back();
        }
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
    const bool shared = !m_levels.empty() && m_perTenant;
    return shared ? queue.weight * static_cast<double>(queue.tenants.size()) : queue.weight;
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
    Tenant& tenant = m_tenants[channel.m_tenant];
    if (tenant.channels.empty())
    {
        Join(tenant);
    }
    tenant.channels.push_back(channel);
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
        Tenant& tenant = m_tenants[channel.m_tenant];
        tenant.channels.erase(tenant.channels.iterator_to(channel));
        if (tenant.channels.empty())
        {
            Leave(tenant);
        }
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

FabricItem*
ChannelScheduler::Dequeue(int64_t now, PairChannel*& from)
{
    OfferDue(now);
    while (!m_backlogged.empty())
    {
        Queue& queue = *m_backlogged.begin();
        Tenant& tenant = queue.tenants.front();
        PairChannel& channel = tenant.channels.front();
        const int64_t release = channel.GetReleaseTime(now);
        if (release > now)
        {
            PutAside(channel, release);
            continue;
        }
        FabricItem* item = channel.Dequeue(now);
        --channel.m_waiting;
        const double finish = queue.tag + item->size / GetWeight(queue);
        EndTurn(queue, tenant, channel);
        Charge(queue, finish);
        from = &channel;
        return item;
    }
    Restart();
    return nullptr;
}

void
ChannelScheduler::EndTurn(Queue& queue, Tenant& tenant, PairChannel& channel)
{
    if (channel.m_waiting > 0)
    {
        PutLast(tenant.channels);
    }
    else
    {
        PutAside(channel, PairChannel::NEVER);
        if (tenant.channels.empty())
        {
            return; // the tenant has left its queue
        }
    }
    PutLast(queue.tenants);
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
    const auto place = m_backlogged.iterator_to(queue);
    const auto next = std::next(place);
    if (next == m_backlogged.end() || finish < next->tag) // it stays where it is
    {
        queue.tag = finish;
        return;
    }
    m_backlogged.erase(place);
    queue.tag = finish;
    m_backlogged.insert(queue);
}

} // namespace ns3
