/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHUFFLE_WORKLOAD_H
#define SHUFFLE_WORKLOAD_H

#include "sized-workload.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Shuffle: mappers send to reducers (Trinity, Section 5.3).
 *
 * A job is a task: every mapper sends to every reducer, or to some drawn at random, and the job is
 * over when all has arrived.
 */
class ShuffleWorkload : public SizedWorkload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    bool IsOver() const override;
    UnstartedFlows GetUnstarted() const override;

  private:
    void DoPrepare() override;
    void DoStart() override;
    void Launch(const FlowArrival& arrival) override;
    void DoTaskFinished(uint32_t starter) override;

    /**
     * @brief Hosts that a mapper may send to.
     * @param mapper index of the mapper
     * @return indices of the reducers on other hosts
     */
    std::vector<uint32_t> GetReducers(uint32_t mapper) const;

    /// @brief Draw a job and run it.
    void RunJob();

    uint32_t m_mappers;     //!< number of hosts, the first ones, that map
    uint32_t m_reducers;    //!< reducers of each mapper
    uint32_t m_connections; //!< flows per pair
    uint32_t m_parallel;    //!< flows that a reducer receives at a time
    uint32_t m_jobs;        //!< number of jobs
    Time m_interval;        //!< time from job to job
    Time m_maxDelay;        //!< within which the flows of a job begin
    uint32_t m_begun{0};    //!< jobs begun
};

} // namespace ns3

#endif /* SHUFFLE_WORKLOAD_H */
