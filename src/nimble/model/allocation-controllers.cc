/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Controllers, by how they find rates.

#include "nimble-controller.h"
#include "rate-allocation.h"

namespace ns3
{

/**
 * @ingroup nimble
 * @brief `global`: Algorithm 2.
 */
class GlobalNimbleController : public NimbleController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::GlobalNimbleController")
                                .SetParent<NimbleController>()
                                .SetGroupName("Nimble")
                                .AddConstructor<GlobalNimbleController>();
        return tid;
    }

  protected:
    AllocationResult Allocate(const AllocationProblem& problem) const override
    {
        return AllocateRates(problem);
    }
};

/**
 * @ingroup nimble
 * @brief `global-share`: Algorithm 2 towards shares of the whole network's throughput, as in Figure
 * 2(b).
 */
class GlobalShareNimbleController : public NimbleController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::GlobalShareNimbleController")
                                .SetParent<NimbleController>()
                                .SetGroupName("Nimble")
                                .AddConstructor<GlobalShareNimbleController>();
        return tid;
    }

  protected:
    AllocationResult Allocate(const AllocationProblem& problem) const override
    {
        return AllocateGlobalShares(problem).result;
    }
};

/**
 * @ingroup nimble
 * @brief `local`: each port shares its rate by itself.
 */
class LocalNimbleController : public NimbleController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LocalNimbleController")
                                .SetParent<NimbleController>()
                                .SetGroupName("Nimble")
                                .AddConstructor<LocalNimbleController>();
        return tid;
    }

  protected:
    AllocationResult Allocate(const AllocationProblem& problem) const override
    {
        return AllocatePortRates(problem);
    }
};

/**
 * @ingroup nimble
 * @brief `static`: the policy's limits, wherever they hold, whoever sends. Groups of senders, which
 * are not known before they send, have theirs from then on.
 */
class StaticNimbleController : public NimbleController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::StaticNimbleController")
                                .SetParent<NimbleController>()
                                .SetGroupName("Nimble")
                                .AddConstructor<StaticNimbleController>();
        return tid;
    }

  protected:
    AllocationResult Allocate(const AllocationProblem& problem) const override
    {
        AllocationResult result;
        for (uint32_t port = 0; port < problem.capacities.size(); ++port)
        {
            for (uint32_t i = 0; i < problem.classes.size(); ++i)
            {
                if (const auto& limit = problem.GetRule(port, i).limit)
                {
                    result.limits.push_back({port, i, *limit});
                }
            }
        }
        return result;
    }

    bool NeedsPaths() const override
    {
        return GetClasses().Count() == 0;
    }
};

NS_OBJECT_ENSURE_REGISTERED(GlobalNimbleController);
NS_OBJECT_ENSURE_REGISTERED(GlobalShareNimbleController);
NS_OBJECT_ENSURE_REGISTERED(LocalNimbleController);
NS_OBJECT_ENSURE_REGISTERED(StaticNimbleController);

} // namespace ns3
