/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NIMBLE_SCHEME_H
#define NIMBLE_SCHEME_H

#include "nimble-controller.h"

#include "ns3/class-limits.h"
#include "ns3/scheme.h"
#include "ns3/spec.h"

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Nimble (SOSR 2021): limiters at switch ports hold traffic classes to the rates that a
 * controller computes, by marks and drops; DCTCP hosts, flow ECMP.
 *
 * With a policy, classes are those that it names. Without one they
 * are the tenants, with their weights, priorities and limits, and without tenants the groups of
 * senders, with equal weights.
 */
class NimbleScheme : public Scheme, public ClassLimits
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    NimbleScheme();
    ~NimbleScheme() override;

    void ConfigureFabric(Network& network) override;
    void ConfigureNodes(Network& network) override;
    void ReportResults(const Network& network, Results& results) const override;
    void ReportSettings(JsonObject& settings) const override;
    int64_t AssignStreams(int64_t stream) override;
    std::optional<uint32_t> FindClass(const std::string& name) const override;
    void SetClassLimit(uint32_t number, DataRate limit) override;
    bool LimitsTenants() const override;

    /// @brief Controller of the limiters, once the network is built.
    Ptr<NimbleController> GetController() const
    {
        return m_controller;
    }

  protected:
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override;
    void DoDispose() override;

  private:
    NimbleRule GetRule() const;
    bool UsesVirtualQueues() const;
    Ptr<FabricQueueDisc> CreatePhysicalQueue(QueueLimit buffer) const;
    QueueLimit GetPortBuffer(DataRate rate) const;
    Ptr<ShapedQueueDisc> CreateVirtualQueues(Ptr<LimiterTable> table) const;

    std::string m_policyText;        //!< attribute Policy
    Spec m_controllerSpec;           //!< attribute RateController
    DataRate m_limit;                //!< attribute Limit
    QueueLimit m_portBuffer;         //!< attribute PortBuffer
    NimbleQueue m_limiter;           //!< attribute Limiter
    NimbleEnforcement m_enforcement; //!< attribute Enforcement
    bool m_chargeDropped;            //!< attribute ChargeDropped

    NimblePolicy m_policy;               //!< the user's policy
    Ptr<TrafficClassifier> m_classifier; //!< of all ports
    Ptr<NimbleController> m_controller;  //!< configures the limiters

    /// @brief Limiters of the switches' ports, by node and index: made while the fabric is built.
    mutable std::map<std::pair<const FabricNode*, uint16_t>, LimiterPort> m_ports;
};

} // namespace ns3

#endif /* NIMBLE_SCHEME_H */
