/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMING_WHEEL_SCHEDULER_H
#define TIMING_WHEEL_SCHEDULER_H

#include "timing-wheel.h"

#include "ns3/scheduler.h"

namespace ns3
{

/**
 * @ingroup kernel
 * @brief A TimingWheel as an ns-3 scheduler: `--SchedulerType=ns3::TimingWheelScheduler`.
 *
 * Events come out in the same order as from a MapScheduler.
 */
class TimingWheelScheduler : public Scheduler
{
  public:
    /**
     * @brief Get the TypeId
     * @return The TypeId for this class
     */
    static TypeId GetTypeId();

    TimingWheelScheduler();
    ~TimingWheelScheduler() override;

    // Inherited
    void Insert(const Event& ev) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& ev) override;

  private:
    mutable TimingWheel m_wheel; ///< pending events; to look at the next one, a bucket is sorted
};

} // namespace ns3

#endif /* TIMING_WHEEL_SCHEDULER_H */
