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
    if (&tenant == m_alone.tenant)
    {
        EndAlone();
    }
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
    if (&tenant != m_alone.tenant)
    {
        EnterBeside(tenant);
    }
    (&tenant == m_alone.tenant ? m_alone.turns : tenant.turns).push_back(channel);
    channel.m_state = PairChannel::QUEUED;
}

void
ChannelScheduler::EnterBeside(Tenant& tenant)
{
    const bool alone = m_alone.turns.empty() && m_backlogged.empty();
    EndAlone();
    if (alone)
    {
        BeginAlone(tenant);
    }
    else if (tenant.turns.empty())
    {
        Join(tenant);
    }
}

void
ChannelScheduler::BeginAlone(Tenant& tenant)
{
    m_alone.tenant = &tenant;
    m_alone.tag = std::max(tenant.queue->tag, m_virtualTime);
    m_alone.weight = tenant.queue->weight;
}

void
ChannelScheduler::EndAlone()
{
    if (Tenant* tenant = std::exchange(m_alone.tenant, nullptr))
    {
        tenant->queue->tag = m_alone.tag;
        m_lastFinish = std::max(m_lastFinish, m_alone.tag);
        if (!m_alone.turns.empty())
        {
            tenant->turns.swap(m_alone.turns);
            Join(*tenant);
        }
    }
}

void
ChannelScheduler::Exit(PairChannel& channel)
{
    Tenant& tenant = *channel.m_tenant;
    if (&tenant == m_alone.tenant)
    {
        m_alone.turns.erase(m_alone.turns.iterator_to(channel));
        return;
    }
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
        EndHold(channel);
    }
    channel.m_state = PairChannel::ASIDE;
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

inline PairChannel*
ChannelScheduler::FindNext()
{
    if (m_alone.tenant)
    {
        return m_alone.turns.empty() ? nullptr : &m_alone.turns.front();
    }
    return m_backlogged.empty() ? nullptr : &m_backlogged.begin()->tenants.front().turns.front();
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

inline void
ChannelScheduler::EndTurn(Tenant& tenant, uint32_t size)
{
    if (m_alone.tenant)
    {
        ChargeAlone(size);
        EndTurn(m_alone.turns);
        return;
    }
    const double finish = tenant.queue->tag + size / GetWeight(*tenant.queue);
    EndTurn(tenant.turns);
    if (tenant.turns.empty())
    {
        Leave(tenant);
    }
    else
    {
        tenant.queue->tenants.shift_forward();
    }
    Charge(*tenant.queue, finish);
}

FabricItem*
ChannelScheduler::Dequeue(int64_t now)
{
    if (m_nextRelease <= now) [[unlikely]]
    {
        OfferDue(now);
    }
    while (PairChannel* channel = FindNext())
    {
        const bool isOpen = channel->m_flags & PairChannel::OPEN;
        const int64_t release = isOpen ? now : channel->GetReleaseTime(now);
        if (release > now) [[unlikely]]
        {
            PutAside(*channel, release);
            continue;
        }
        FabricItem* item = isOpen ? channel->m_queues.Pop() : channel->Dequeue(now);
        NoteSent(*channel, item->size);
        EndTurn(*channel->m_tenant, item->size);
        return item;
    }
    Restart();
    return nullptr;
}

} // namespace ns3
