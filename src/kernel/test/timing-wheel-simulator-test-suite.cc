/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "kernel-scope.h"

#include "ns3/direct-event.h"
#include "ns3/direct-timer.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/timing-wheel-simulator-impl.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace ns3;

/**
 * @ingroup kernel-tests
 * @brief A random simulation that uses all there is, and writes down what happens.
 *
 * What it does next depends on its random numbers, which it draws as events happen: if the order
 * of two events differs once, everything after that differs.
 */
class RandomSimulation
{
  public:
    /// @param seed of the random numbers
    explicit RandomSimulation(uint32_t seed)
        : m_random(seed)
    {
        for (uint32_t i = 0; i < m_timers.size(); ++i)
        {
            MakeTimer(i);
        }
    }

    /// @return the log, a line per event
    std::string Run()
    {
        for (int i = 0; i < 50; ++i)
        {
            Act();
        }
        for (int part = 0; part < 3; ++part)
        {
            Simulator::Stop(NanoSeconds(20000));
            Simulator::Run();
            m_trace << "stopped at " << DirectEvent::Now() << " after "
                    << Simulator::GetEventCount() << "\n";
            Act();
        }
        m_actions = 0; // no more of them, so the simulation runs dry
        Simulator::Run();
        Simulator::ScheduleDestroy(&RandomSimulation::HandleStock, this, 999);
        Simulator::Destroy();
        return m_trace.str();
    }

  private:
    /// A timer and what its handler needs to know.
    struct NumberedTimer
    {
        RandomSimulation* simulation;       ///< the simulation of the timer
        uint32_t number;                    ///< its number
        std::unique_ptr<DirectTimer> timer; ///< the timer

        /// Its deadline has come.
        void Expire()
        {
            simulation->Log("timer", number);
            simulation->Act();
        }
    };

    /// @param i the timer to make anew, whatever it was doing
    void MakeTimer(uint32_t i)
    {
        const auto handler = DirectEvent::Call<&NumberedTimer::Expire>;
        m_timers[i] = {this, i, std::make_unique<DirectTimer>(handler, &m_timers[i], i)};
    }

    /**
     * @param what happened
     * @param number of what it happened to
     */
    void Log(const char* what, uint32_t number)
    {
        m_trace << DirectEvent::Now() << " " << Simulator::Now().GetTimeStep() << " "
                << Simulator::GetContext() << " " << what << " " << number << "\n";
    }

    /// @param number of the event
    void HandleStock(uint32_t number)
    {
        Log("stock", number);
        Act();
    }

    /// A direct event has come.
    void HandleFirst()
    {
        Log("first", 0);
        Act();
    }

    /// A direct event of another kind has come.
    void HandleSecond()
    {
        Log("second", 0);
        Act();
    }

    /// @return a random delay in time steps: none, or within a bucket, the wheel or beyond
    int64_t DrawDelay()
    {
        constexpr std::array<int64_t, 5> longest{1, 4, 64, 3000, 40000};
        return static_cast<int64_t>(m_random() % longest[m_random() % longest.size()]);
    }

    /// Do two things at random, so that events multiply until their number is up.
    void Act()
    {
        static const auto first =
            DirectEvent::Register(DirectEvent::Call<&RandomSimulation::HandleFirst>);
        static const auto second =
            DirectEvent::Register(DirectEvent::Call<&RandomSimulation::HandleSecond>);
        for (int i = 0; i < 2 && m_actions > 0; ++i)
        {
            --m_actions;
            const auto delay = DrawDelay();
            const uint32_t number = m_random() % m_timers.size();
            switch (m_random() % 12)
            {
            case 0:
            case 1:
                m_events.push_back(Simulator::Schedule(TimeStep(delay),
                                                       &RandomSimulation::HandleStock,
                                                       this,
                                                       number));
                break;
            case 2:
                Simulator::ScheduleWithContext(number,
                                               TimeStep(delay),
                                               &RandomSimulation::HandleStock,
                                               this,
                                               number);
                break;
            case 3:
                m_events.push_back(
                    Simulator::ScheduleNow(&RandomSimulation::HandleStock, this, number));
                break;
            case 4:
                DirectEvent::Schedule(delay, first, this, number);
                break;
            case 5:
                DirectEvent::ScheduleAt(DirectEvent::Now() + delay, second, this);
                break;
            case 6:
            case 7:
                m_timers[number].timer->Set(delay);
                break;
            case 8:
                m_timers[number].timer->Cancel();
                break;
            case 9:
                MakeTimer(number == 0 ? 1 : 0);
                break;
            default:
                Withdraw();
            }
        }
    }

    /// Cancel or remove an event, and write down what can be known about it.
    void Withdraw()
    {
        if (m_events.empty())
        {
            return;
        }
        EventId& event = m_events[m_random() % m_events.size()];
        m_trace << "expired " << event.IsExpired() << " left "
                << Simulator::GetDelayLeft(event).GetTimeStep();
        m_random() % 2 ? event.Cancel() : event.Remove();
        m_trace << " expired " << event.IsExpired() << "\n";
    }

    std::mt19937 m_random;                  ///< source of randomness
    int m_actions{20000};                   ///< things left to do
    std::array<NumberedTimer, 20> m_timers; ///< timers
    std::vector<EventId> m_events;          ///< events that can be withdrawn
    std::ostringstream m_trace;             ///< log of events
};

/**
 * @ingroup kernel-tests
 * @brief All kernels run the same events in the same order.
 */
class KernelEquivalenceTestCase : public TestCase
{
  public:
    /// @param seed of the random simulation
    explicit KernelEquivalenceTestCase(uint32_t seed)
        : TestCase("Same events under all kernels, seed " + std::to_string(seed)),
          m_seed(seed)
    {
    }

  private:
    void DoRun() override
    {
        std::string expected;
        for (const auto& kernel : GetKernels())
        {
            KernelScope scope(kernel);
            const auto trace = RandomSimulation(m_seed).Run();
            if (expected.empty())
            {
                expected = trace;
                const auto lines = std::count(trace.begin(), trace.end(), '\n');
                NS_TEST_EXPECT_MSG_GT(lines, 5000, "enough happened");
            }
            // Not compared with the macro, which would print both.
            NS_TEST_EXPECT_MSG_EQ((trace == expected), true, kernel.name << " does the same");
        }
        // The same again with uids that wrap on the way.
        KernelScope scope(GetKernels().back());
        auto wheel = CreateObject<TimingWheelSimulatorImpl>();
        Simulator::SetImplementation(wheel);
        wheel->SetNextUid(0xfffffff0);
        NS_TEST_EXPECT_MSG_EQ((RandomSimulation(m_seed).Run() == expected),
                              true,
                              "wrapping uids change nothing");
    }

    uint32_t m_seed; ///< seed of the random simulation
};

/**
 * @ingroup kernel-tests
 * @brief A test case that is run under one kernel.
 */
class KernelTestCase : public TestCase
{
  public:
    /**
     * @param name the case that is tested
     * @param kernel the kernel that it runs under
     */
    KernelTestCase(const std::string& name, const Kernel& kernel)
        : TestCase(name + " (" + kernel.name + ")"),
          m_kernel(kernel)
    {
    }

  protected:
    /// The test.
    virtual void RunUnderKernel() = 0;

    /// @param what happened
    void Log(std::string what)
    {
        m_log += what + "@" + std::to_string(Simulator::Now().GetNanoSeconds()) + " ";
    }

    std::string m_log; ///< log of events

  private:
    void DoRun() override
    {
        KernelScope scope(m_kernel);
        RunUnderKernel();
    }

    Kernel m_kernel; ///< under which to test
};

/**
 * @ingroup kernel-tests
 * @brief Events are cancelled, removed, asked about.
 */
class KernelEventIdTestCase : public KernelTestCase
{
  public:
    /// @param kernel under which to test
    explicit KernelEventIdTestCase(const Kernel& kernel)
        : KernelTestCase("Event ids", kernel)
    {
    }

  private:
    void RunUnderKernel() override
    {
        auto schedule = [this](int64_t delay, const char* name) {
            return Simulator::Schedule(NanoSeconds(delay), &KernelEventIdTestCase::Log, this, name);
        };
        EventId cancelled = schedule(10, "cancelled");
        EventId removed = schedule(10, "removed");
        m_running = schedule(10, "running");
        Simulator::Schedule(NanoSeconds(10), &KernelEventIdTestCase::CheckRunning, this);
        m_later = schedule(10, "later");
        EventId far = schedule(1000000000, "far");
        NS_TEST_EXPECT_MSG_EQ(m_running.IsPending(), true, "pending");
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetDelayLeft(far), Seconds(1), "delay left");
        cancelled.Cancel();
        NS_TEST_EXPECT_MSG_EQ(cancelled.IsExpired(), true, "cancelled is expired");
        cancelled.Remove(); // does nothing
        removed.Remove();
        NS_TEST_EXPECT_MSG_EQ(removed.IsExpired(), true, "removed is expired");
        removed.Remove(); // does nothing
        far.Remove();
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetDelayLeft(far), Time(0), "no delay left");
        NS_TEST_EXPECT_MSG_EQ(EventId().IsExpired(), true, "no event");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_log, "running@10 later@10 ", "what happened");
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 4, "removed events are not run");
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "nothing left");
    }

    /// Called when one event has happened, and one of the same time has not.
    void CheckRunning()
    {
        NS_TEST_EXPECT_MSG_EQ(m_running.IsExpired(), true, "has happened");
        NS_TEST_EXPECT_MSG_EQ(m_later.IsExpired(), false, "has not happened");
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetDelayLeft(m_later), Time(0), "but will at once");
    }

    EventId m_running; ///< an event that happens
    EventId m_later;   ///< one of the same time that happens later
};

/**
 * @ingroup kernel-tests
 * @brief Events run when the simulator is destroyed.
 */
class KernelDestroyTestCase : public KernelTestCase
{
  public:
    /// @param kernel under which to test
    explicit KernelDestroyTestCase(const Kernel& kernel)
        : KernelTestCase("Destroy events", kernel)
    {
    }

  private:
    void RunUnderKernel() override
    {
        auto schedule = [this](const char* name) {
            return Simulator::ScheduleDestroy(&KernelDestroyTestCase::Log, this, name);
        };
        const EventId before = Simulator::ScheduleNow([] {});
        EventId first = schedule("first");
        EventId cancelled = schedule("cancelled");
        EventId removed = schedule("removed");
        EventId last = schedule("last");
        const EventId after = Simulator::ScheduleNow([] {});
        NS_TEST_EXPECT_MSG_EQ(after.GetUid() - before.GetUid(), 5, "each took a uid");
        Simulator::ScheduleDestroy(&KernelDestroyTestCase::Schedule, this);
        auto object = Create<Counted>(&m_alive);
        Simulator::Schedule(Seconds(1), &Counted::Touch, object);
        object = nullptr;
        NS_TEST_EXPECT_MSG_EQ(first.IsExpired(), false, "pending");
        cancelled.Cancel();
        removed.Remove();
        NS_TEST_EXPECT_MSG_EQ(cancelled.IsExpired(), true, "cancelled");
        NS_TEST_EXPECT_MSG_EQ(removed.IsExpired(), true, "removed");
        Simulator::Stop(NanoSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_log, "", "not yet");
        NS_TEST_EXPECT_MSG_EQ(m_alive, 1, "a pending event keeps what it refers to");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(m_log, "first@5 last@5 late@5 ", "in order");
        NS_TEST_EXPECT_MSG_EQ(last.IsExpired(), true, "done");
        NS_TEST_EXPECT_MSG_EQ(m_alive, 0, "pending events are let go");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), Time(0), "a new simulation begins at 0");
    }

    /// Schedule one more, while the simulator is being destroyed.
    void Schedule()
    {
        Simulator::ScheduleDestroy(&KernelDestroyTestCase::Log, this, "late");
    }

    /// Something that an event refers to.
    class Counted : public SimpleRefCount<Counted>
    {
      public:
        /// @param alive the number of such objects
        explicit Counted(int* alive)
            : m_alive(alive)
        {
            ++*m_alive;
        }

        ~Counted()
        {
            --*m_alive;
        }

        /// Called by an event that never happens.
        void Touch()
        {
        }

      private:
        int* m_alive; ///< the number of such objects
    };

    int m_alive{0}; ///< objects of class Counted
};

/**
 * @ingroup kernel-tests
 * @brief The simulation stops and goes on.
 */
class KernelStopTestCase : public KernelTestCase
{
  public:
    /// @param kernel under which to test
    explicit KernelStopTestCase(const Kernel& kernel)
        : KernelTestCase("Stop and go on", kernel)
    {
    }

  private:
    void RunUnderKernel() override
    {
        auto schedule = [this](int64_t delay, const char* name) {
            Simulator::Schedule(NanoSeconds(delay), &KernelStopTestCase::Log, this, name);
        };
        schedule(10, "a");
        const EventId stop = Simulator::Stop(NanoSeconds(10));
        schedule(10, "b");
        schedule(20, "c");
        NS_TEST_EXPECT_MSG_EQ(stop.IsPending(), true, "Stop gives an event");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_log, "a@10 ", "stopped before events scheduled later");
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "stopped");
        Simulator::Stop(NanoSeconds(5)).Cancel();
        schedule(5, "d");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_log, "a@10 b@10 d@15 c@20 ", "gone on, not stopped again");
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetMaximumSimulationTime(),
                              TimeStep(std::numeric_limits<int64_t>::max()),
                              "the longest simulation");
        const auto longest = Simulator::GetMaximumSimulationTime() - Simulator::Now();
        Simulator::Schedule(longest, &Simulator::Stop);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(),
                              Simulator::GetMaximumSimulationTime(),
                              "the end of time is reached");
    }
};

/**
 * @ingroup kernel-tests
 * @brief Other threads schedule events.
 */
class KernelThreadTestCase : public KernelTestCase
{
  public:
    /// @param kernel under which to test
    explicit KernelThreadTestCase(const Kernel& kernel)
        : KernelTestCase("Events of other threads", kernel)
    {
    }

  private:
    static constexpr uint32_t THREADS = 4;   ///< threads that schedule
    static constexpr uint32_t EVENTS = 2000; ///< events per thread

    void RunUnderKernel() override
    {
        Simulator::Schedule(NanoSeconds(1), &KernelThreadTestCase::KeepRunning, this);
        std::vector<std::thread> threads;
        for (uint32_t thread = 0; thread < THREADS; ++thread)
        {
            threads.emplace_back([this, thread] {
                for (uint32_t event = 0; event < EVENTS; ++event)
                {
                    Simulator::ScheduleWithContext(thread,
                                                   NanoSeconds(3),
                                                   &KernelThreadTestCase::Handle,
                                                   this,
                                                   thread,
                                                   event);
                }
            });
        }
        Simulator::Run();
        for (auto& thread : threads)
        {
            thread.join();
        }
        NS_TEST_EXPECT_MSG_EQ(m_received, THREADS * EVENTS, "every event happened");
        NS_TEST_EXPECT_MSG_EQ(m_disorder, 0, "each thread's events in order, in their context");
    }

    /// Give the simulation something to do until all events have come.
    void KeepRunning()
    {
        if (m_received < THREADS * EVENTS)
        {
            Simulator::Schedule(NanoSeconds(1), &KernelThreadTestCase::KeepRunning, this);
        }
    }

    /**
     * @param thread that scheduled the event
     * @param event its number
     */
    void Handle(uint32_t thread, uint32_t event)
    {
        m_disorder += m_next[thread] != event || Simulator::GetContext() != thread;
        m_next[thread] = event + 1;
        ++m_received;
    }

    std::array<uint32_t, THREADS> m_next{}; ///< number of each thread's next event
    uint32_t m_received{0};                 ///< events that happened
    uint32_t m_disorder{0};                 ///< events that should not have happened then
};

/**
 * @ingroup kernel-tests
 * @brief The simulator test suite, for all kernels.
 */
class TimingWheelSimulatorTestSuite : public TestSuite
{
  public:
    TimingWheelSimulatorTestSuite()
        : TestSuite("timing-wheel-simulator", Type::UNIT)
    {
        for (uint32_t seed = 1; seed <= 10; ++seed)
        {
            AddTestCase(new KernelEquivalenceTestCase(seed));
        }
        for (const auto& kernel : GetKernels())
        {
            AddTestCase(new KernelEventIdTestCase(kernel));
            AddTestCase(new KernelDestroyTestCase(kernel));
            AddTestCase(new KernelStopTestCase(kernel));
            AddTestCase(new KernelThreadTestCase(kernel));
        }
    }
};

/// Static variable for test initialization
static TimingWheelSimulatorTestSuite g_timingWheelSimulatorTestSuite;
