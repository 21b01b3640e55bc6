/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef KERNEL_SCOPE_H
#define KERNEL_SCOPE_H

#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup kernel-tests
 * @brief A simulator implementation with a scheduler.
 */
struct Kernel
{
    std::string name;           ///< its name in that of a test
    std::string implementation; ///< TypeId of the SimulatorImpl
    std::string scheduler;      ///< TypeId of the Scheduler
};

/**
 * @ingroup kernel-tests
 * @return the kernels that must behave alike, the reference first
 */
inline const std::vector<Kernel>&
GetKernels()
{
    static const std::vector<Kernel> kernels{
        {"default, map", "ns3::DefaultSimulatorImpl", "ns3::MapScheduler"},
        {"default, wheel", "ns3::DefaultSimulatorImpl", "ns3::TimingWheelScheduler"},
        {"wheel", "ns3::TimingWheelSimulatorImpl", "ns3::MapScheduler"},
    };
    return kernels;
}

/**
 * @ingroup kernel-tests
 * @brief Selects a kernel for as long as it lives, and ends the simulation with it.
 */
class KernelScope
{
  public:
    /// @param kernel to be used
    explicit KernelScope(const Kernel& kernel)
    {
        Simulator::Destroy();
        GlobalValue::GetValueByName("SimulatorImplementationType", m_implementation);
        GlobalValue::GetValueByName("SchedulerType", m_scheduler);
        Bind(StringValue(kernel.implementation),
             TypeIdValue(TypeId::LookupByName(kernel.scheduler)));
    }

    ~KernelScope()
    {
        Simulator::Destroy();
        Bind(m_implementation, m_scheduler);
    }

    KernelScope(const KernelScope&) = delete;
    KernelScope& operator=(const KernelScope&) = delete;

  private:
    /**
     * @param implementation of the simulator from now on
     * @param scheduler of the simulator from now on
     */
    static void Bind(const StringValue& implementation, const TypeIdValue& scheduler)
    {
        GlobalValue::Bind("SimulatorImplementationType", implementation);
        GlobalValue::Bind("SchedulerType", scheduler);
    }

    StringValue m_implementation; ///< value from before
    TypeIdValue m_scheduler;      ///< value from before
};

} // namespace ns3

#endif /* KERNEL_SCOPE_H */
