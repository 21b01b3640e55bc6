/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TASK_RUNNER_H
#define TASK_RUNNER_H

#include "ns3/flow.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// @ingroup workload
/// @brief A flow of a task.
struct TaskFlow
{
    uint32_t source{0};            //!< index of the sending host or VM
    uint32_t destination{0};       //!< index of the receiving host or VM
    uint64_t bytes{0};             //!< payload
    uint32_t step{0};              //!< number of its step in the task
    std::vector<uint32_t> after{}; //!< flows of the task, by place, that must be over before
    Time delay{};                  //!< it begins so long after it may
};

/// @ingroup workload
/// @brief A task that is to be run: flows, some of which wait for others.
struct TaskPlan
{
    uint32_t starter{0};           //!< index of the host or VM whose task it is
    std::vector<TaskFlow> flows{}; //!< at least one; each waits only for flows before it
};

/// @ingroup workload
/// @brief A task that is over, or one of its steps.
struct TaskRecord
{
    uint32_t task{0};    //!< number of the task, as its flows carry it
    std::string step{};  //!< name of the step; "task": all of it
    uint32_t group{0};   //!< group of its flows (the tenant)
    uint32_t starter{0}; //!< host whose task it is
    Time started{};      //!< start of the first flow
    Time finished{};     //!< end of the last flow
    uint32_t flows{0};   //!< number of flows
    uint64_t bytes{0};   //!< their payload
    uint64_t missing{0}; //!< payload that was lost for good, or not sent
};

/**
 * @ingroup workload
 * @brief Runs tasks: starts the flows of each as soon as those that they wait for are over.
 *
 * A flow is over when its last byte has arrived: who waits for it is its receiver, and knows
 * nothing of acknowledgments.
 */
class TaskRunner : public FlowObserver
{
  public:
    /// @brief Starts a flow; hosts by their index.
    using StartFlow = std::function<FlowId(const FlowRequest& request)>;

    /// @brief Told of a step or task that is over; group and host are not filled in.
    using Finished = std::function<void(const TaskRecord& record, bool isWhole)>;

    /**
     * @param start starts flows
     * @param finished told of each step, where there are several, and then of the task
     * @param steps names of the steps
     * @param parallel flows of a task that one host or VM receives at a time; 0: any number
     */
    TaskRunner(StartFlow start,
               Finished finished,
               std::vector<std::string> steps,
               uint32_t parallel = 0);

    /**
     * @brief Number tasks together with other runners.
     * @param numbers number of the last task of them all
     */
    void ShareNumbers(std::shared_ptr<uint32_t> numbers);

    /**
     * @brief Run a task from now on.
     * @param plan the task
     */
    void Run(TaskPlan plan);

    /// @brief Give up all tasks: nothing more of them is started or told.
    void Cancel();

    /**
     * @brief Tasks that are not over.
     * @return their number
     */
    std::size_t GetRunning() const;

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override;
    void FlowFinished(const FlowRecord& record) override;

  private:
    /// @brief A flow under way.
    struct UnderWay
    {
        uint32_t task;  //!< number of its task
        uint32_t place; //!< among the flows of the task
        uint64_t left;  //!< bytes that have not arrived
    };

    /// @brief Flows of a task that belong together.
    struct Part
    {
        Time started;        //!< start of the first flow
        uint32_t flows{0};   //!< number of flows
        uint32_t begun{0};   //!< number of flows started
        uint32_t over{0};    //!< number of flows that are over
        uint64_t bytes{0};   //!< their payload
        uint64_t missing{0}; //!< payload that was not delivered by those that are over
    };

    /// @brief Flows of a task on their way to one host or VM.
    struct Inbound
    {
        uint32_t active{0};           //!< number of flows under way
        std::deque<uint32_t> ready{}; //!< those that could start but for the limit
    };

    /// @brief A task under way.
    struct Task
    {
        TaskPlan plan;                           //!< its flows
        std::vector<uint32_t> waits;             //!< by flow: how many it still waits for
        std::vector<std::vector<uint32_t>> next; //!< by flow: those that wait for it
        std::vector<Part> steps;                 //!< by step
        Part whole;                              //!< all of it
        std::map<uint32_t, Inbound> inbound;     //!< by receiver
    };

    void HandleOver(FlowId id);
    void Release(uint32_t number, Task& task, uint32_t flow);
    void Offer(uint32_t number, Task& task, uint32_t flow);
    void Begin(uint32_t number, Task& task, uint32_t flow);
    void Report(uint32_t number, const Task& task, const Part& part, const std::string& step);

    StartFlow m_start;                            //!< starts flows
    Finished m_finished;                          //!< told of what is over
    std::vector<std::string> m_steps;             //!< names of the steps
    uint32_t m_parallel;                          //!< flows that one receives at a time
    std::shared_ptr<uint32_t> m_number;           //!< of the last task
    std::unordered_map<uint32_t, Task> m_tasks;   //!< under way, by number
    std::unordered_map<FlowId, UnderWay> m_flows; //!< flows under way
};

} // namespace ns3

#endif /* TASK_RUNNER_H */
