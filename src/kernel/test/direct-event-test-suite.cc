/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "kernel-scope.h"

#include "ns3/direct-event.h"
#include "ns3/direct-timer.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup kernel-tests
 * @brief A test case of direct events, run under one kernel.
 */
class DirectEventTestCaseBase : public TestCase
{
  public:
    /**
     * @param name the case that is tested
     * @param kernel the kernel that it runs under
     */
    DirectEventTestCaseBase(const std::string& name, const Kernel& kernel)
        : TestCase(name + " (" + kernel.name + ")"),
          m_kernel(kernel)
    {
    }

    /// A direct event or a timer has come.
    void Handle()
    {
        m_log += std::to_string(DirectEvent::Now()) + " ";
    }

  protected:
    /// The test.
    virtual void RunUnderKernel() = 0;

    /// @return the log since the last call
    std::string TakeLog()
    {
        return std::exchange(m_log, {});
    }

  private:
    void DoRun() override
    {
        KernelScope scope(m_kernel);
        RunUnderKernel();
    }

    Kernel m_kernel;   ///< under which to test
    std::string m_log; ///< log of events and their times
};

/**
 * @ingroup kernel-tests
 * @brief Direct events call the right function with the right object at the right time.
 */
class DirectEventTestCase : public DirectEventTestCaseBase
{
  public:
    /// @param kernel under which to test
    explicit DirectEventTestCase(const Kernel& kernel)
        : DirectEventTestCaseBase("Direct events", kernel)
    {
    }

  private:
    /// An object that is touched ahead.
    struct Target
    {
        int steps[3]{};      ///< calls of the hook touch, by step
        int discarded{0};    ///< calls of the hook discard
        int called{0};       ///< calls of the handler
        bool inOrder{true};  ///< touched step by step, and before the call
        uint32_t context{0}; ///< of the last call

        /// Called by the event.
        void Call()
        {
            ++called;
            context = Simulator::GetContext();
        }
    };

    /**
     * @tparam Counter the counter
     * @param object a Target
     */
    template <auto Counter>
    static void Count(void* object)
    {
        ++(static_cast<Target*>(object)->*Counter);
    }

    /**
     * @param object a Target
     * @param step number of the step
     */
    static void Touch(void* object, std::size_t step)
    {
        auto target = static_cast<Target*>(object);
        const bool isNext = step == 0 || target->steps[step - 1] == 1;
        target->inOrder &= target->called == 0 && isNext;
        ++target->steps[step];
    }

    void RunUnderKernel() override
    {
        const auto tag = DirectEvent::Register(DirectEvent::Call<&DirectEventTestCase::Handle>);
        const DirectEvent::Hooks hooks{.touch = &DirectEventTestCase::Touch,
                                       .discard = &DirectEventTestCase::Count<&Target::discarded>};
        const auto target = DirectEvent::Register(DirectEvent::Call<&Target::Call>, hooks);
        NS_TEST_EXPECT_MSG_NE(+tag, 0, "0 is no tag");
        NS_TEST_EXPECT_MSG_NE(+tag, +target, "one tag per handler");
        NS_TEST_EXPECT_MSG_EQ(+DirectEvent::Register(DirectEvent::Call<&Target::Call>, hooks),
                              +target,
                              "registered again");
        auto* self = static_cast<DirectEventTestCaseBase*>(this);
        DirectEvent::Schedule(7, tag, self); // before there is a simulator
        NS_TEST_EXPECT_MSG_EQ(DirectEvent::Now(), 0, "the beginning");
        DirectEvent::ScheduleAt(5, tag, self);
        DirectEvent::Schedule(0, tag, self);
        DirectEvent::Schedule(1000000000000, tag, self);
        Target targets[64];
        for (uint32_t i = 0; i < std::size(targets); ++i)
        {
            DirectEvent::Schedule(20, target, &targets[i], i);
        }
        std::vector<Target> crowd(20000); // of few events only the first step is taken
        for (Target& other : crowd)
        {
            DirectEvent::Schedule(1000000, target, &other);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "0 5 7 1000000000000 ", "times");
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 68 + crowd.size(), "events");
        const bool direct = Simulator::GetImplementation()->GetInstanceTypeId() ==
                            TimingWheelSimulatorImpl::GetTypeId();
        for (uint32_t i = 0; i < std::size(targets); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(targets[i].called, 1, "called once");
            NS_TEST_EXPECT_MSG_EQ(targets[i].context, i, "in its context");
            NS_TEST_EXPECT_MSG_EQ(targets[i].discarded, 0, "it happened");
            const int expected = direct && i > 0 ? 1 : 0; // the first one comes at once
            for (const int step : targets[i].steps)
            {
                NS_TEST_EXPECT_MSG_EQ(step, expected, "touched once in each step");
            }
            NS_TEST_EXPECT_MSG_EQ(targets[i].inOrder, true, "in order");
        }
        DirectEvent::Schedule(1, tag, self); // never happens
        DirectEvent::Schedule(1, target, &targets[0]);
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(targets[0].called, 1, "not called again");
        NS_TEST_EXPECT_MSG_EQ(targets[0].discarded, 1, "discarded");
    }
};

/**
 * @ingroup kernel-tests
 * @brief Timers fire when they should, and cost no more events than they should.
 */
class DirectTimerTestCase : public DirectEventTestCaseBase
{
  public:
    /// @param kernel under which to test
    explicit DirectTimerTestCase(const Kernel& kernel)
        : DirectEventTestCaseBase("Timers", kernel)
    {
    }

  private:
    void RunUnderKernel() override
    {
        CheckDeadlines();
        CheckLaziness();
        CheckOrder();
        CheckHandlers();
        CheckDestruction();
    }

    /// @return a handler for timers of this test case
    static DirectEvent::Handler GetHandler()
    {
        return DirectEvent::Call<&DirectEventTestCaseBase::Handle>;
    }

    /// @return this, as the handler wants it
    void* Self()
    {
        return static_cast<DirectEventTestCaseBase*>(this);
    }

    /// Run until nothing is left, and begin again at time 0.
    void RunToEnd()
    {
        Simulator::Run();
        Simulator::Destroy();
    }

    /// Set, move and cancel the deadline.
    void CheckDeadlines()
    {
        DirectTimer timer(GetHandler(), Self());
        NS_TEST_EXPECT_MSG_EQ(timer.IsPending(), false, "not set");
        timer.Set(100);
        NS_TEST_EXPECT_MSG_EQ(timer.IsPending(), true, "set");
        NS_TEST_EXPECT_MSG_EQ(timer.GetDeadline(), 100, "deadline");
        RunToEnd();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "100 ", "fired once");
        NS_TEST_EXPECT_MSG_EQ(timer.IsPending(), false, "fired");

        timer.Set(100);
        timer.Set(300);
        timer.Set(200);
        RunToEnd();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "200 ", "moved later, then earlier");

        timer.Set(300);
        timer.Set(100);
        timer.Set(300);
        RunToEnd();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "300 ", "moved earlier, then later");

        timer.Set(100);
        timer.Cancel();
        NS_TEST_EXPECT_MSG_EQ(timer.IsPending(), false, "cancelled");
        RunToEnd();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "", "cancelled");

        timer.Set(100);
        timer.Cancel();
        timer.Set(50);
        RunToEnd();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "50 ", "cancelled and set again");

        timer.Set(0);
        RunToEnd();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "0 ", "at once");
    }

    /// A timer that is restarted often costs few events.
    void CheckLaziness()
    {
        struct Sender
        {
            int restarts{1000};     ///< yet to come
            DirectTimer* timer;     ///< restarted
            DirectEvent::Tag tag{}; ///< of Restart

            /// An acknowledgement has come.
            void Restart()
            {
                timer->Set(1000);
                if (--restarts > 0)
                {
                    DirectEvent::Schedule(10, tag, this);
                }
            }
        };

        DirectTimer timer(GetHandler(), Self());
        Sender sender{.timer = &timer};
        sender.tag = DirectEvent::Register(DirectEvent::Call<&Sender::Restart>);
        sender.Restart();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "10990 ", "after the last restart");
        // The timer wakes up once in 1000 steps: at 1000, 1990, 2980, ...
        NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount(), 999 + 13, "events");
        Simulator::Destroy();

        timer.Set(300);
        timer.Set(100);
        timer.Set(500);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "500 ", "deadline");
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 3, "what is superseded adds no event");
        Simulator::Destroy();
    }

    /// An eager timer comes where it was set among events of equal time, a lazy one later.
    void CheckOrder()
    {
        struct Race
        {
            DirectTimer* timer{nullptr}; ///< set at 0, and again at 50 for 150
            std::string order{};         ///< of what happens at 150

            void Restart()
            {
                timer->Set(100);
            }

            void Start()
            {
                DirectEvent::Schedule(90,
                                      DirectEvent::Register(DirectEvent::Call<&Race::Arrive>),
                                      this);
            }

            void Arrive()
            {
                order += "event ";
            }

            void Expire()
            {
                order += "timer ";
            }
        };

        for (const bool eager : {false, true})
        {
            Race race;
            DirectTimer timer(DirectEvent::Call<&Race::Expire>,
                              &race,
                              Simulator::NO_CONTEXT,
                              eager);
            race.timer = &timer;
            timer.Set(100);
            DirectEvent::Schedule(50,
                                  DirectEvent::Register(DirectEvent::Call<&Race::Restart>),
                                  &race);
            DirectEvent::Schedule(60,
                                  DirectEvent::Register(DirectEvent::Call<&Race::Start>),
                                  &race);
            RunToEnd();
            NS_TEST_EXPECT_MSG_EQ(race.order, (eager ? "timer event " : "event timer "), "at 150");
        }
    }

    /// Handlers set or destroy their timer.
    void CheckHandlers()
    {
        struct Owner
        {
            DirectEventTestCaseBase* test;      ///< takes the log
            int fires;                          ///< yet to come
            std::unique_ptr<DirectTimer> timer; ///< destroyed after the last

            /// The deadline has come.
            void Expire()
            {
                test->Handle();
                if (--fires > 0)
                {
                    timer->Set(10);
                }
                else
                {
                    timer.reset();
                }
            }
        };

        Owner owner{this, 3, nullptr};
        owner.timer = std::make_unique<DirectTimer>(DirectEvent::Call<&Owner::Expire>, &owner);
        owner.timer->Set(20);
        owner.timer->Set(10);
        RunToEnd();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "10 20 30 ", "set again by the handler, then destroyed");
    }

    /// Timers are destroyed with events pending, and outlive the simulator.
    void CheckDestruction()
    {
        DirectTimer survivor(GetHandler(), Self());
        {
            DirectTimer gone(GetHandler(), Self());
            gone.Set(50);
            gone.Set(40);
        }
        DirectTimer other(GetHandler(), Self()); // must not get what the events above refer to
        other.Set(60);
        survivor.Set(70);
        Simulator::Stop(TimeStep(65));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "60 ", "only that which was there");
        {
            DirectTimer gone(GetHandler(), Self());
            gone.Set(1000);
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(survivor.IsPending(), false, "the simulation is over");
        survivor.Set(90); // later than the event that never came
        DirectTimer next(GetHandler(), Self());
        next.Set(20);
        RunToEnd();
        NS_TEST_EXPECT_MSG_EQ(TakeLog(), "20 90 ", "in the next simulation");
    }
};

/**
 * @ingroup kernel-tests
 * @brief The direct event test suite.
 */
class DirectEventTestSuite : public TestSuite
{
  public:
    DirectEventTestSuite()
        : TestSuite("direct-event", Type::UNIT)
    {
        for (const auto& kernel : GetKernels())
        {
            AddTestCase(new DirectEventTestCase(kernel));
            AddTestCase(new DirectTimerTestCase(kernel));
        }
    }
};

static DirectEventTestSuite g_directEventTestSuite; ///< static variable for test initialization
