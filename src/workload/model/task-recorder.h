/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TASK_RECORDER_H
#define TASK_RECORDER_H

#include "workload.h"

#include <string>
#include <vector>

namespace ns3
{

class Results;

/**
 * @ingroup workload
 * @brief Records how long tasks take: requests until the last response, jobs, and the steps of
 * dependent tasks.
 */
class TaskRecorder : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Record the tasks of a workload.
     * @param workload runs them
     */
    void Watch(Ptr<Workload> workload);

    /**
     * @brief What was recorded.
     * @return tasks and steps, in the order in which they ended
     */
    const std::vector<TaskRecord>& GetRecords() const;

    /**
     * @brief Report the number of tasks, mean, 99th percentile and longest time, per kind of step.
     * @param results takes them
     */
    void ReportResults(Results& results) const;

    /**
     * @brief Write `task,step,group,starter,start_ns,duration_ns,flows,bytes`, a line per task or
     * step that is over.
     * @param path the file
     * @throws InputError naming --out if the file cannot be written
     */
    void Write(const std::string& path) const;

  private:
    /**
     * @brief A task or step is over.
     * @param record the record
     */
    void Note(const TaskRecord& record);

    Time m_warmUp;                     //!< attribute WarmUp
    std::vector<TaskRecord> m_records; //!< what was recorded
};

} // namespace ns3

#endif /* TASK_RECORDER_H */
