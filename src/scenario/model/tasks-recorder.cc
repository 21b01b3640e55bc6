/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "recorder.h"

#include "ns3/task-recorder.h"

namespace ns3
{

/**
 * @ingroup scenario
 * @brief How long the tasks of workloads take: tasks.csv. Tasks that start before the measured time
 * are left out.
 */
class TasksRecorder : public Recorder
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    // Inherited.
    std::string GetSummary() const override;
    void Attach(Network& network, const TimeWindow& measured) override;
    void Watch(Ptr<Workload> workload) override;
    void Write(const std::string& folder) override;
    void ReportResults(Results& results) const override;

  private:
    Ptr<TaskRecorder> m_tasks{CreateObject<TaskRecorder>()}; //!< tasks.csv
};

NS_OBJECT_ENSURE_REGISTERED(TasksRecorder);

TypeId
TasksRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TasksRecorder")
                            .SetParent<Recorder>()
                            .SetGroupName("Scenario")
                            .AddConstructor<TasksRecorder>();
    return tid;
}

std::string
TasksRecorder::GetSummary() const
{
    return "how long requests, jobs and their steps take: tasks.csv";
}

void
TasksRecorder::Attach(Network& /* network */, const TimeWindow& measured)
{
    m_tasks->SetAttribute("WarmUp", TimeValue(measured.from));
}

void
TasksRecorder::Watch(Ptr<Workload> workload)
{
    m_tasks->Watch(workload);
}

void
TasksRecorder::Write(const std::string& folder)
{
    m_tasks->Write(folder + "/tasks.csv");
}

void
TasksRecorder::ReportResults(Results& results) const
{
    m_tasks->ReportResults(results);
}

} // namespace ns3
