/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Requests, jobs and their steps.

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/number-text.h"
#include "ns3/results.h"
#include "ns3/workload.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Records the durations of tasks: requests until the last response, jobs, and the steps of
 * dependent tasks: tasks.csv. Tasks that start before the measured time are left out.
 */
class TasksRecorder : public Recorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::TasksRecorder")
                                .SetParent<Recorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<TasksRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "how long requests, jobs and their steps take: tasks.csv";
    }

    void Attach(Network& /* network */, const TimeWindow& measured) override
    {
        m_from = measured.from;
    }

    void Watch(Ptr<Workload> workload) override
    {
        workload->TraceConnectWithoutContext("TaskFinished",
                                             MakeCallback(&TasksRecorder::Note, this));
    }

    void Write(const std::string& folder) override
    {
        CsvWriter csv(folder + "/tasks.csv",
                      {"task",
                       "step",
                       "group",
                       "starter",
                       "start_ns",
                       "duration_ns",
                       "flows",
                       "bytes",
                       "lost_bytes"});
        for (const TaskRecord& record : m_records)
        {
            csv.Row(record.task,
                    record.step,
                    record.group,
                    record.starter,
                    NanosecondsText(record.started),
                    NanosecondsText(record.finished - record.started),
                    record.flows,
                    record.bytes,
                    record.missing);
        }
        csv.Close();
    }

    void ReportResults(Results& results) const override
    {
        std::map<std::string, std::pair<uint32_t, uint32_t>> counts; // whole, over but with losses
        for (const TaskRecord& record : m_records)
        {
            auto& [whole, incomplete] = counts[record.step];
            ++(record.missing > 0 ? incomplete : whole);
        }
        for (const auto& [step, count] : counts)
        {
            if (count.second > 0)
            {
                results.Add(step + "_incomplete_count", count.second);
            }
            if (count.first > 0)
            {
                results.Add(step + "_count", count.first);
            }
        }
    }

  private:
    /**
     * @brief A task or step is over.
     * @param record the record
     */
    void Note(const TaskRecord& record)
    {
        if (record.started >= m_from)
        {
            m_records.push_back(record);
        }
    }

    Time m_from;                       //!< tasks that start earlier are not recorded
    std::vector<TaskRecord> m_records; //!< in the order in which they ended
};

NS_OBJECT_ENSURE_REGISTERED(TasksRecorder);

} // namespace ns3
