/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TASK_GRAPH_WORKLOAD_H
#define TASK_GRAPH_WORKLOAD_H

#include "flow-size-distribution.h"
#include "workload.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class Statement;

/**
 * @ingroup workload
 * @brief Dependent tasks: steps that begin when others are over, such as the storage service of
 * uFAB (Section 5.3), in which an agent writes to a block server that then writes three copies:
 * @code
 *   role agent vms=0-3
 *   role block vms=4-7
 *   role chunk vms=8-11
 *   step write from=agent to=block bytes=fixed:Bytes=65536
 *   step copy from=block to=chunk times=3 bytes=fixed:Bytes=65536 after=write
 * @endcode
 *
 * A role is some of the hosts (of a tenant: of its VMs), counted from 0. Each host of the first
 * step's `from` runs tasks: at a fixed Interval with a random phase, with Poisson arrivals, or in a
 * closed loop. In a task, a step goes from those who play its role `from` to those who play `to`:
 * if nobody does yet, each sender draws `times` of that role, on other hosts and different ones. A
 * sender begins a step when all flows to it of the steps in `after` are over; if none of those goes
 * to it, when these steps are over. `connections` flows share the bytes of two hosts.
 */
class TaskGraphWorkload : public Workload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    bool IsOver() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// @brief A step of a task.
    struct Step
    {
        std::string name;                //!< unique
        std::string from;                //!< role of the senders
        std::string to;                  //!< role of the receivers
        uint32_t times{1};               //!< receivers that each sender draws
        uint32_t connections{1};         //!< flows per sender and receiver
        Ptr<FlowSizeDistribution> sizes; //!< bytes from a sender to a receiver
        std::vector<uint32_t> after;     //!< earlier steps, by place
    };

    void DoDispose() override;
    void DoPrepare() override;
    void DoStart() override;
    std::optional<FlowArrival> DoNext() override;
    void Launch(const FlowArrival& arrival) override;
    void DoTaskFinished(uint32_t starter) override;

    /// @brief Read the statements, unless that was done.
    void Read();

    /**
     * @brief Take in a role.
     * @param statement says it
     */
    void AddRole(const Statement& statement);

    /**
     * @brief Take in a step.
     * @param statement says it
     */
    void AddStep(const Statement& statement);

    /// @brief Refuse roles that the hosts cannot play.
    void CheckRoles() const;

    /**
     * @brief Draw the hosts of a task, and all its flows.
     * @param starter the host that runs it
     * @return the task
     */
    TaskPlan DrawTask(uint32_t starter);

    /**
     * @brief The hosts that may receive from a sender.
     * @param step the step
     * @param sender the sender
     * @return those of the step's role on other hosts
     */
    std::vector<uint32_t> GetCandidates(const Step& step, uint32_t sender) const;

    /**
     * @brief Find what a flow must wait for.
     * @param step the step
     * @param sender the sender
     * @param flows the flows of earlier steps
     * @return their places
     */
    static std::vector<uint32_t> FindPredecessors(const Step& step,
                                                  uint32_t sender,
                                                  const std::vector<TaskFlow>& flows);

    /**
     * @brief A host has thought: run its next task.
     * @param starter the host
     */
    void Continue(uint32_t starter);

    std::string m_text;                                //!< attribute Of
    std::string m_path;                                //!< attribute File
    Time m_interval;                                   //!< time between the tasks of a host
    bool m_poisson;                                    //!< attribute Poisson
    uint32_t m_outstanding;                            //!< tasks of a host at a time
    Time m_thinkTime;                                  //!< mean pause of a host
    Time m_maxDelay;                                   //!< first tasks start within so long
    std::multiset<std::pair<int64_t, uint32_t>> m_due; //!< time steps and hosts of the next tasks

    std::map<std::string, std::vector<uint32_t>> m_roles; //!< hosts that may play each role
    std::vector<Step> m_steps;                            //!< in the order of the statements
};

} // namespace ns3

#endif /* TASK_GRAPH_WORKLOAD_H */
