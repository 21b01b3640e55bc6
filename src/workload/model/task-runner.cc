/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "task-runner.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

TaskRunner::TaskRunner(StartFlow start,
                       Finished finished,
                       std::vector<std::string> steps,
                       uint32_t parallel)
    : m_start(std::move(start)),
      m_finished(std::move(finished)),
      m_steps(std::move(steps)),
      m_parallel(parallel),
      m_number(std::make_shared<uint32_t>(0))
{
}

void
TaskRunner::ShareNumbers(std::shared_ptr<uint32_t> numbers)
{
    m_number = std::move(numbers);
}

std::size_t
TaskRunner::GetRunning() const
{
    return m_tasks.size();
}

void
TaskRunner::Cancel()
{
    m_tasks.clear();
    m_flows.clear();
}

void
TaskRunner::Run(TaskPlan plan)
{
    NS_ASSERT_MSG(!plan.flows.empty(), "a task without flows would never be over");
    const uint32_t number = ++*m_number;
    Task& task = m_tasks[number];
    task.plan = std::move(plan);
    const auto& flows = task.plan.flows;
    task.waits.resize(flows.size());
    task.next.resize(flows.size());
    task.steps.resize(m_steps.size());
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        for (Part* part : {&task.steps[flows[i].step], &task.whole})
        {
            ++part->flows;
            part->bytes += flows[i].bytes;
        }
        task.waits[i] = static_cast<uint32_t>(flows[i].after.size());
        for (const uint32_t earlier : flows[i].after)
        {
            NS_ASSERT_MSG(earlier < i, "flow " << i << " waits for a later one");
            task.next[earlier].push_back(i);
        }
    }
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        if (task.waits[i] == 0)
        {
            Release(number, task, i);
        }
    }
}

void
TaskRunner::Release(uint32_t number, Task& task, uint32_t flow)
{
    const Time delay = task.plan.flows[flow].delay;
    if (delay.IsZero())
    {
        Offer(number, task, flow);
        return;
    }
    Simulator::Schedule(delay, [this, number, flow] {
        if (const auto found = m_tasks.find(number); found != m_tasks.end()) // not given up
        {
            Offer(number, found->second, flow);
        }
    });
}

void
TaskRunner::Offer(uint32_t number, Task& task, uint32_t flow)
{
    Inbound& inbound = task.inbound[task.plan.flows[flow].destination];
    if (m_parallel > 0 && inbound.active >= m_parallel)
    {
        inbound.ready.push_back(flow);
        return;
    }
    ++inbound.active;
    Begin(number, task, flow);
}

void
TaskRunner::Begin(uint32_t number, Task& task, uint32_t flow)
{
    const TaskFlow& plan = task.plan.flows[flow];
    for (Part* part : {&task.steps[plan.step], &task.whole})
    {
        if (part->begun++ == 0)
        {
            part->started = Simulator::Now();
        }
    }
    FlowRequest request;
    request.source = plan.source;
    request.destination = plan.destination;
    request.bytes = plan.bytes;
    request.task = number;
    m_flows[m_start(request)] = {number, flow, plan.bytes};
}

void
TaskRunner::FlowDelivered(const FlowRecord& record, uint32_t bytes)
{
    const auto found = m_flows.find(record.id);
    if (found == m_flows.end())
    {
        return; // not of a task of ours
    }
    found->second.left -= std::min<uint64_t>(found->second.left, bytes);
    if (found->second.left == 0)
    {
        HandleOver(record.id);
    }
}

void
TaskRunner::FlowFinished(const FlowRecord& record)
{
    if (m_flows.contains(record.id))
    {
        HandleOver(record.id); // of a transport that loses data, or was stopped
    }
}

void
TaskRunner::HandleOver(FlowId id)
{
    const auto found = m_flows.find(id);
    const auto [number, flow, left] = found->second;
    m_flows.erase(found);
    Task& task = m_tasks.at(number);
    const TaskFlow& plan = task.plan.flows[flow];
    Inbound& inbound = task.inbound[plan.destination];
    --inbound.active;
    if (!inbound.ready.empty())
    {
        const uint32_t ready = inbound.ready.front();
        inbound.ready.pop_front();
        Offer(number, task, ready);
    }
    for (const uint32_t later : task.next[flow])
    {
        if (--task.waits[later] == 0)
        {
            Release(number, task, later);
        }
    }
    Part& step = task.steps[plan.step];
    for (Part* part : {&step, &task.whole})
    {
        part->missing += left;
    }
    if (++step.over == step.flows && m_steps.size() > 1)
    {
        Report(number, task, step, m_steps[plan.step]);
    }
    if (++task.whole.over == task.whole.flows)
    {
        const Task over = std::move(task);
        m_tasks.erase(number); // before it is told: who is told may ask, or run another
        Report(number, over, over.whole, "");
    }
}

void
TaskRunner::Report(uint32_t number, const Task& task, const Part& part, const std::string& step)
{
    TaskRecord record;
    record.task = number;
    record.step = step.empty() ? "task" : step;
    record.starter = task.plan.starter;
    record.started = part.started;
    record.finished = Simulator::Now();
    record.flows = part.flows;
    record.bytes = part.bytes;
    record.missing = part.missing;
    m_finished(record, step.empty());
}

} // namespace ns3
