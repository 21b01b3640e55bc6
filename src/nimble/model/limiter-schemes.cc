/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Schemes that are Nimble with other limiters: what the paper compares with.

#include "nimble-scheme.h"

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Nimble with the meters that a switch has.
 */
class NimbleNmScheme : public NimbleScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::NimbleNmScheme")
                                .SetParent<NimbleScheme>()
                                .SetGroupName("Nimble")
                                .AddConstructor<NimbleNmScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "Nimble: native meters with ECN-shaping, global rates, DCTCP hosts, flow ECMP";
    }

  protected:
    NimbleRule GetDefaultRule() const override
    {
        NimbleRule rule;
        rule.queue = NimbleQueue::NM;
        return rule;
    }
};

/**
 * @ingroup nimble
 * @brief A queue per class at each port, drained at the class's rate (Nimble, SOSR 2021, Section
 * 2.2.2).
 */
class VqScheme : public NimbleScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::VqScheme")
                                .SetParent<NimbleScheme>()
                                .SetGroupName("Nimble")
                                .AddConstructor<VqScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a virtual queue per class and port, global rates, DCTCP hosts, flow ECMP";
    }

  protected:
    NimbleRule GetDefaultRule() const override
    {
        NimbleRule rule;
        rule.queue = NimbleQueue::VQ;
        rule.enforcement = NimbleEnforcement::SHAPING;
        return rule;
    }
};

/**
 * @ingroup nimble
 * @brief Virtual queues that mark above a step (Nimble, SOSR 2021, Section 6.1.1).
 */
class VqEcnScheme : public VqScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::VqEcnScheme")
                                .SetParent<VqScheme>()
                                .SetGroupName("Nimble")
                                .AddConstructor<VqEcnScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a virtual queue with ECN marking per class and port, global rates, DCTCP hosts";
    }

  protected:
    NimbleRule GetDefaultRule() const override
    {
        NimbleRule rule = VqScheme::GetDefaultRule();
        rule.enforcement = NimbleEnforcement::ECN_SHAPING;
        return rule;
    }
};

/**
 * @ingroup nimble
 * @brief What exceeds a rate is dropped (Nimble, SOSR 2021, Section 2.2.2).
 */
class PolicingScheme : public NimbleScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::PolicingScheme")
                                .SetParent<NimbleScheme>()
                                .SetGroupName("Nimble")
                                .AddConstructor<PolicingScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a policer per class and port, global rates, DCTCP hosts, flow ECMP";
    }

  protected:
    NimbleRule GetDefaultRule() const override
    {
        NimbleRule rule;
        rule.enforcement = NimbleEnforcement::POLICING;
        return rule;
    }
};

/**
 * @ingroup nimble
 * @brief What exceeds a rate waits, as much as there may be (Nimble, SOSR 2021, Section 2.2.2):
 * virtual queues with large buffers and without marks.
 */
class ShapingScheme : public VqScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ShapingScheme")
                                .SetParent<VqScheme>()
                                .SetGroupName("Nimble")
                                .AddConstructor<ShapingScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a shaper with a large buffer per class and port, global rates, DCTCP hosts";
    }

  protected:
    uint32_t GetDefaultQueueBuffer() const override
    {
        return 8 << 20; // 8 MB; the paper's Fig. 3 shows 2 to 7.8
    }
};

/**
 * @ingroup nimble
 * @brief Each port shares its rate by itself (Nimble, SOSR 2021, Section 6.3.2).
 */
class LocalPoliciesScheme : public NimbleScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LocalPoliciesScheme")
                                .SetParent<NimbleScheme>()
                                .SetGroupName("Nimble")
                                .AddConstructor<LocalPoliciesScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "logical meters with ECN-shaping, rates that each port finds by itself, DCTCP hosts";
    }

  protected:
    std::string GetDefaultController() const override
    {
        return "local";
    }
};

NS_OBJECT_ENSURE_REGISTERED(NimbleNmScheme);
NS_OBJECT_ENSURE_REGISTERED(VqScheme);
NS_OBJECT_ENSURE_REGISTERED(VqEcnScheme);
NS_OBJECT_ENSURE_REGISTERED(PolicingScheme);
NS_OBJECT_ENSURE_REGISTERED(ShapingScheme);
NS_OBJECT_ENSURE_REGISTERED(LocalPoliciesScheme);

} // namespace ns3
