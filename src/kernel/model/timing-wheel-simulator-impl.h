/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMING_WHEEL_SIMULATOR_IMPL_H
#define TIMING_WHEEL_SIMULATOR_IMPL_H

#include "timing-wheel.h"

#include "ns3/event-id.h"
#include "ns3/simulator-impl.h"

#include <atomic>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace ns3
{

class DirectEvent;

/**
 * @ingroup kernel
 * @brief A simulator implementation on a TimingWheel, which also runs direct events.
 *
 * Selected as any other, before the first use of the Simulator:
 * `--SimulatorImplementationType=ns3::TimingWheelSimulatorImpl`. A simulation gives the same
 * results, event for event, as under DefaultSimulatorImpl with a MapScheduler. DirectEvent
 * bypasses the virtual functions below when this implementation is the one in use.
 *
 * The class is final, so that nobody can override PreEventHook(), which is therefore never called.
 */
class TimingWheelSimulatorImpl final : public SimulatorImpl
{
  public:
    /**
     * @brief Get the TypeId
     * @return The TypeId for this class
     */
    static TypeId GetTypeId();

    TimingWheelSimulatorImpl();
    ~TimingWheelSimulatorImpl() override;

    // Inherited
    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    EventId Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

    /**
     * Set the uid that the next event gets. Meant for tests of what happens when uids wrap.
     * @param uid the uid, at least EventId::VALID
     */
    void SetNextUid(uint32_t uid);

  private:
    friend class DirectEvent;

    /// An event that another thread scheduled.
    struct ForeignEvent
    {
        uint32_t context; ///< the execution context
        uint64_t delay;   ///< time steps from when the main thread takes it
        EventImpl* event; ///< the event
    };

    void DoDispose() override;

    /**
     * Add an event to the wheel.
     * @param time time of the event, in time steps
     * @param context its execution context
     * @param payload an EventImpl*, or a direct event's object with the tag in the top byte
     * @return the event's uid
     */
    uint32_t Insert(uint64_t time, uint32_t context, uintptr_t payload)
    {
        if (time < m_now) [[unlikely]]
        {
            RefusePast(time);
        }
        const uint32_t uid = TakeUid();
        m_wheel.InsertNewest({time, uid, context, payload});
        return uid;
    }

    /**
     * End the program. Apart from Insert(), because with what an NS_ASSERT() prints that would be
     * too long to be compiled into those that schedule.
     * @param time of an event, in time steps, before now
     */
    [[noreturn]] void RefusePast(uint64_t time) const;

    /// @return the next uid; EventId reserves those below VALID, so they are left out on wrapping
    uint32_t TakeUid()
    {
        const uint32_t uid = m_uid++;
        if (m_uid < EventId::VALID) [[unlikely]]
        {
            m_uid = EventId::VALID;
        }
        return uid;
    }

    /// Run the next event.
    void ProcessOneEvent();

    /// Fetch the memory that the next events will touch, where so many are pending that it is far.
    void TouchAhead();

    /**
     * Call the hook `touch` of an event that will happen soon, if it has one.
     * @param distance as for TimingWheel::PeekAhead()
     * @param step number of the step
     */
    void Touch(std::size_t distance, std::size_t step) const;

    /**
     * Bring the first line of what an event is about into the cache.
     * @param distance of the event, as for TimingWheel::PeekAhead()
     */
    void PrefetchObject(std::size_t distance) const;

    /// Move what other threads scheduled into the wheel.
    void TakeForeignEvents();

    static TimingWheelSimulatorImpl* s_inUse; ///< the simulator's implementation, if of this class

    TimingWheel m_wheel;                       ///< pending events
    uint64_t m_now{0};                         ///< time of the current event, in time steps
    uint32_t m_uid{EventId::VALID};            ///< uid of the next event to be scheduled
    uint32_t m_currentUid{EventId::INVALID};   ///< uid of the current event
    uint32_t m_currentContext;                 ///< execution context of the current event
    bool m_stop{false};                        ///< Run() is to return
    uint64_t m_eventCount{0};                  ///< events run
    std::list<EventId> m_destroyEvents;        ///< events to run at Destroy()
    std::thread::id m_mainThread;              ///< the thread that runs the events
    std::atomic<bool> m_haveForeign{false};    ///< m_foreignEvents is not empty
    std::mutex m_foreignMutex;                 ///< guards m_foreignEvents
    std::vector<ForeignEvent> m_foreignEvents; ///< events that other threads scheduled
};

} // namespace ns3

#endif /* TIMING_WHEEL_SIMULATOR_IMPL_H */
