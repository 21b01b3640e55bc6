/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Other forms of ElasticSwitch.

#include "elastic-switch-scheme.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief The same as ElasticSwitchScheme, as Trinity's Figure 7 calls it: slow increase, and all
 * the way down at any mark.
 */
class ElasticSwitchConservativeScheme : public ElasticSwitchScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ElasticSwitchConservativeScheme")
                                .SetParent<ElasticSwitchScheme>()
                                .SetGroupName("Schemes")
                                .AddConstructor<ElasticSwitchConservativeScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "elastic-switch, as Trinity's Figure 7 calls it (C-ElasticSwitch)";
    }
};

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchConservativeScheme);

/**
 * @ingroup schemes
 * @brief ElasticSwitch with Trinity's work-conserving rates: steep increase, gradual decrease
 * (Trinity Figure 7).
 */
class ElasticSwitchAggressiveScheme : public ElasticSwitchScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ElasticSwitchAggressiveScheme")
                                .SetParent<ElasticSwitchScheme>()
                                .SetGroupName("Schemes")
                                .AddConstructor<ElasticSwitchAggressiveScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "ElasticSwitch with the rates of trinity and no colours (A-ElasticSwitch)";
    }

  protected:
    std::string GetDefaultController() const override
    {
        return "elastic-switch-aggressive";
    }
};

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchAggressiveScheme);

/**
 * @ingroup schemes
 * @brief ElasticSwitch as published: guarantee partitioning every 50 ms, weighted CUBIC every 15
 * ms.
 */
class ElasticSwitchSigcomm13Scheme : public ElasticSwitchScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ElasticSwitchSigcomm13Scheme")
                                .SetParent<ElasticSwitchScheme>()
                                .SetGroupName("Schemes")
                                .AddConstructor<ElasticSwitchSigcomm13Scheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "ElasticSwitch as published (SIGCOMM 2013): guarantees per VM pair, weighted CUBIC "
               "with hold-increase and rate-caution, ECN or losses";
    }

  protected:
    std::string GetDefaultController() const override
    {
        return "elastic-switch-sigcomm13:Interval=15ms,PartitionInterval=50ms";
    }
};

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchSigcomm13Scheme);

} // namespace ns3
