/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Tenants that join and leave, and changes of their guarantees, weights and limits.

#include "class-limits.h"
#include "network.h"
#include "timeline-event.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/string.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief The common part of events of one tenant.
 */
class TenantTimelineEvent : public TimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::TenantTimelineEvent")
                                .SetParent<TimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddAttribute("Tenant",
                                              "The tenant's name",
                                              StringValue(""),
                                              MakeStringAccessor(&TenantTimelineEvent::m_name),
                                              MakeStringChecker());
        return tid;
    }

    void Resolve(Network& network, const std::string& argument) override
    {
        const auto tenants = network.GetTenants();
        if (!tenants || tenants->GetNTenants() == 0)
        {
            throw InputError(argument, m_name, "there are no tenants, see --tenants");
        }
        if (m_name.empty())
        {
            throw InputError(argument, "", "needs tenant=");
        }
        const auto found = tenants->FindTenant(m_name);
        if (!found)
        {
            std::string known;
            for (TenantId tenant = 0; tenant < tenants->GetNTenants(); ++tenant)
            {
                known += (tenant > 0 ? ", " : "") + tenants->GetTenant(tenant).name;
            }
            throw InputError(argument, m_name, "tenants are " + known);
        }
        m_tenant = *found;
    }

    void Apply(Network& network) override
    {
        Apply(*network.GetTenants(), m_tenant);
    }

    void Rehearse(const Network& /* network */,
                  TenantTable& tenants,
                  const std::string& /* argument */) const override
    {
        Apply(tenants, m_tenant);
    }

  protected:
    /**
     * @brief Have it happen, now.
     * @param tenants all tenants
     * @param tenant the one that it happens to
     */
    virtual void Apply(TenantTable& tenants, TenantId tenant) const = 0;

    std::string m_name;   //!< attribute Tenant
    TenantId m_tenant{0}; //!< its number
};

/**
 * @ingroup schemes
 * @brief The common part of joining and leaving. A tenant whose first event is to join is absent
 * until then, one whose first event is to leave is there from the beginning.
 */
class PresenceTimelineEvent : public TenantTimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::PresenceTimelineEvent")
                                .SetParent<TenantTimelineEvent>()
                                .SetGroupName("Schemes");
        return tid;
    }

    void Resolve(Network& network, const std::string& argument) override
    {
        TenantTimelineEvent::Resolve(network, argument);
        const Tenant& tenant = network.GetTenants()->GetTenant(m_tenant);
        if (tenant.joins.IsStrictlyPositive() || tenant.leaves.IsStrictlyPositive())
        {
            throw InputError(argument,
                             m_name,
                             "its statement says joins= or leaves=; say all of it in one place");
        }
    }

    bool NeedsTenantWorkloads() const override
    {
        return true;
    }

    std::optional<Toggle> GetToggle() const override
    {
        return Toggle{"tenant " + m_name, TurnsOn(), std::nullopt};
    }

  protected:
    /**
     * @brief True if the tenant sends from then on.
     * @return true if it joins
     */
    virtual bool TurnsOn() const = 0;
};

/**
 * @ingroup schemes
 * @brief `join tenant=NAME`: a tenant begins to send.
 */
class JoinTimelineEvent : public PresenceTimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::JoinTimelineEvent")
                                .SetParent<TenantTimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddConstructor<JoinTimelineEvent>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a tenant begins to send, and not before: join tenant=B";
    }

    void Announce(Network& network, bool isFirst) override
    {
        const auto tenants = network.GetTenants();
        if (isFirst)
        {
            tenants->StartAbsent(m_tenant);
        }
        tenants->AwaitJoin(m_tenant);
    }

  protected:
    bool TurnsOn() const override
    {
        return true;
    }

    void Apply(TenantTable& tenants, TenantId tenant) const override
    {
        tenants.Join(tenant);
    }
};

/**
 * @ingroup schemes
 * @brief `leave tenant=NAME`: a tenant sends nothing any more.
 */
class LeaveTimelineEvent : public PresenceTimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LeaveTimelineEvent")
                                .SetParent<TenantTimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddConstructor<LeaveTimelineEvent>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a tenant leaves, all it sends is stopped: leave tenant=B";
    }

  protected:
    bool TurnsOn() const override
    {
        return false;
    }

    void Apply(TenantTable& tenants, TenantId tenant) const override
    {
        tenants.Leave(tenant);
    }
};

/**
 * @ingroup schemes
 * @brief `rate tenant=NAME limit=RATE`: most that a tenant may send over a link from then on; with
 * `class=NAME` the same of a traffic class, under a scheme that limits classes.
 */
class RateTimelineEvent : public TenantTimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RateTimelineEvent")
                                .SetParent<TenantTimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddConstructor<RateTimelineEvent>()
                                .AddAttribute("Class",
                                              "The traffic class's name, in place of a tenant's",
                                              StringValue(""),
                                              MakeStringAccessor(&RateTimelineEvent::m_class),
                                              MakeStringChecker())
                                .AddAttribute("Limit",
                                              "Most that the tenant or class may send over a link "
                                              "from then on; 0bps: as much as it likes",
                                              DataRateValue(DataRate(0)),
                                              MakeDataRateAccessor(&RateTimelineEvent::m_limit),
                                              MakeDataRateChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a limit of a tenant or a traffic class changes: rate tenant=B limit=20Gbps";
    }

    std::vector<std::string> GetNeeded() const override
    {
        return {"Limit"};
    }

    void Resolve(Network& network, const std::string& argument) override
    {
        if (m_class.empty())
        {
            TenantTimelineEvent::Resolve(network, argument);
            network.CheckTenantLimits(argument, m_name);
            return;
        }
        if (!m_name.empty())
        {
            throw InputError(argument, m_name, "is a tenant beside a class; name one of them");
        }
        const auto* classes = dynamic_cast<ClassLimits*>(PeekPointer(network.GetScheme()));
        if (!classes)
        {
            throw InputError(argument, m_class, "the scheme has no traffic classes with limits");
        }
        const auto found = classes->FindClass(m_class);
        if (!found)
        {
            throw InputError(argument, m_class, "is no traffic class of the scheme's policy");
        }
        m_number = *found;
    }

    void Apply(Network& network) override
    {
        if (m_class.empty())
        {
            TenantTimelineEvent::Apply(network);
            return;
        }
        dynamic_cast<ClassLimits&>(*network.GetScheme()).SetClassLimit(m_number, m_limit);
    }

    void Rehearse(const Network& network,
                  TenantTable& tenants,
                  const std::string& argument) const override
    {
        if (m_class.empty())
        {
            TenantTimelineEvent::Rehearse(network, tenants, argument);
        }
    }

  protected:
    void Apply(TenantTable& tenants, TenantId tenant) const override
    {
        tenants.SetLimit(tenant, m_limit);
    }

  private:
    std::string m_class;  //!< attribute Class
    DataRate m_limit;     //!< attribute Limit
    uint32_t m_number{0}; //!< of the class
};

/**
 * @ingroup schemes
 * @brief `hose tenant=NAME send=RATE receive=RATE`: what each VM of a tenant is guaranteed from
 * then on.
 */
class HoseTimelineEvent : public TenantTimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::HoseTimelineEvent")
                .SetParent<TenantTimelineEvent>()
                .SetGroupName("Schemes")
                .AddConstructor<HoseTimelineEvent>()
                .AddAttribute("Send",
                              "What each VM of the tenant may send at least; 0bps: no guarantee",
                              DataRateValue(DataRate(0)),
                              MakeDataRateAccessor(&HoseTimelineEvent::m_send),
                              MakeDataRateChecker())
                .AddAttribute("Receive",
                              "What each VM of the tenant may receive at least; 0bps: no guarantee",
                              DataRateValue(DataRate(0)),
                              MakeDataRateAccessor(&HoseTimelineEvent::m_receive),
                              MakeDataRateChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "the guarantee of each VM of a tenant changes: hose tenant=B send=1Gbps "
               "receive=1Gbps";
    }

    std::vector<std::string> GetNeeded() const override
    {
        return {"Send", "Receive"};
    }

    void Rehearse(const Network& network,
                  TenantTable& tenants,
                  const std::string& argument) const override
    {
        TenantTimelineEvent::Rehearse(network, tenants, argument);
        network.CheckAdmission(tenants, argument);
    }

  protected:
    void Apply(TenantTable& tenants, TenantId tenant) const override
    {
        for (const VmId vm : tenants.GetVmsOf(tenant))
        {
            tenants.SetHose(vm, m_send, m_receive);
        }
    }

  private:
    DataRate m_send;    //!< attribute Send
    DataRate m_receive; //!< attribute Receive
};

/**
 * @ingroup schemes
 * @brief `weight tenant=NAME value=W`: a tenant's share of what nobody is guaranteed changes.
 */
class WeightTimelineEvent : public TenantTimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::WeightTimelineEvent")
                                .SetParent<TenantTimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddConstructor<WeightTimelineEvent>()
                                .AddAttribute("Value",
                                              "The tenant's weight from then on",
                                              DoubleValue(1),
                                              MakeDoubleAccessor(&WeightTimelineEvent::m_weight),
                                              MakeDoubleChecker<double>(1e-6, 1e6));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a tenant's weight changes: weight tenant=B value=2";
    }

    std::vector<std::string> GetNeeded() const override
    {
        return {"Value"};
    }

  protected:
    void Apply(TenantTable& tenants, TenantId tenant) const override
    {
        tenants.SetWeight(tenant, m_weight);
    }

  private:
    double m_weight; //!< attribute Value
};

NS_OBJECT_ENSURE_REGISTERED(TenantTimelineEvent);
NS_OBJECT_ENSURE_REGISTERED(PresenceTimelineEvent);
NS_OBJECT_ENSURE_REGISTERED(JoinTimelineEvent);
NS_OBJECT_ENSURE_REGISTERED(LeaveTimelineEvent);
NS_OBJECT_ENSURE_REGISTERED(RateTimelineEvent);
NS_OBJECT_ENSURE_REGISTERED(HoseTimelineEvent);
NS_OBJECT_ENSURE_REGISTERED(WeightTimelineEvent);

} // namespace ns3
