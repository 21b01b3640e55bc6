/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-limiters.h"

#include "ns3/class-limits.h"
#include "ns3/drop-tail-queue-disc.h"
#include "ns3/input-error.h"
#include "ns3/network.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/scheme.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Rate limits at hosts (Nimble, SOSR 2021, Section 6.3.3): DCTCP hosts with a limiter per
 * destination and class, marking switches.
 */
class EdgeLimitersScheme : public Scheme, public ClassLimits
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::EdgeLimitersScheme")
                .SetParent<Scheme>()
                .SetGroupName("Nimble")
                .AddConstructor<EdgeLimitersScheme>()
                .AddAttribute("Policy",
                              "Traffic classes and what they are to get at hosts' links, as in "
                              "ns3::NimbleScheme; local policies do not count here",
                              StringValue(""),
                              MakeStringAccessor(&EdgeLimitersScheme::m_policyText),
                              MakeStringChecker())
                .AddAttribute("UpdateDelay",
                              "How long hosts take to program a limiter, one after another, such "
                              "as 'normal:Mean=1ms,Variance=10' (Nimble, SOSR 2021, Section "
                              "6.3.3). Empty: no time",
                              SpecValue(""),
                              MakeSpecAccessor(&EdgeLimitersScheme::m_delaySpec),
                              MakeSpecChecker<UpdateDelay>());
        return tid;
    }

    void ConfigureFabric(Network& network) override
    {
        m_classifier = CreateObject<TrafficClassifier>();
        if (!m_policyText.empty())
        {
            m_policy = NimblePolicy("--scheme Policy", m_policyText, {});
            m_classifier->SetPolicy(m_policy);
        }
        if (!m_delaySpec.IsEmpty())
        {
            m_delay = CreateFromSpec<UpdateDelay>("--scheme UpdateDelay", m_delaySpec);
        }
        Scheme::ConfigureFabric(network);
    }

    void ConfigureNodes(Network& network) override
    {
        Scheme::ConfigureNodes(network);
        if (m_hosts.size() < network.GetFabric()->GetNHosts())
        {
            StringValue queue;
            GetAttribute("HostQueue", queue);
            throw InputError("--scheme HostQueue",
                             queue.Get(),
                             "nothing: the limiters stand in the hosts' ports");
        }
        const NimbleClasses classes = m_policyText.empty()
                                          ? NimbleClasses(NimbleRule{}, network.GetTenants())
                                          : NimbleClasses(m_policy);
        m_limiters = std::make_unique<EdgeLimiters>(m_hosts, m_classifier, classes, m_delay);
        network.GetTransports()->AddObserver(m_limiters.get());
    }

    void ReportResults(const Network& network, Results& results) const override
    {
        Scheme::ReportResults(network, results);
        m_limiters->ReportResults(results);
    }

    void ReportSettings(JsonObject& settings) const override
    {
        if (!m_policyText.empty())
        {
            m_policy.ReportSettings(settings);
        }
    }

    int64_t AssignStreams(int64_t stream) override
    {
        const int64_t used = m_delay ? m_delay->AssignStreams(stream) : 0;
        return used + Scheme::AssignStreams(stream + used);
    }

    std::optional<uint32_t> FindClass(const std::string& name) const override
    {
        return m_limiters->GetClasses().Find(name);
    }

    void SetClassLimit(uint32_t number, DataRate limit) override
    {
        m_limiters->SetLimit(number, limit);
    }

  protected:
    Ptr<FabricQueueDisc> CreateHostQueueDisc(const FabricPort::Description& port,
                                             QueueSize buffer) const override
    {
        EdgeLimiters::HostPort host{CreateObject<ShapedQueueDisc>(),
                                    CreateObject<DestinationTable>(),
                                    port.rate};
        host.shaped->SetInnerFactory([buffer] {
            return CreateObjectWithAttributes<DropTailQueueDisc>("MaxSize", QueueSizeValue(buffer));
        });
        host.table->SetTrafficClassifier(m_classifier);
        host.shaped->SetClassifier(host.table);
        const auto index = static_cast<const FabricHost*>(port.node)->GetIndex();
        m_hosts.resize(std::max<std::size_t>(m_hosts.size(), index + 1));
        m_hosts[index] = host;
        return host.shaped;
    }

    void DoDispose() override
    {
        m_limiters.reset();
        m_hosts.clear();
        m_classifier = nullptr;
        m_delay = nullptr;
        Scheme::DoDispose();
    }

  private:
    std::string m_policyText; //!< attribute Policy
    Spec m_delaySpec;         //!< attribute UpdateDelay

    NimblePolicy m_policy;                               //!< the user's policy
    Ptr<TrafficClassifier> m_classifier;                 //!< of all hosts
    Ptr<UpdateDelay> m_delay;                            //!< nullptr: updates take no time
    std::unique_ptr<EdgeLimiters> m_limiters;            //!< compute rates
    mutable std::vector<EdgeLimiters::HostPort> m_hosts; //!< made while the fabric is built
};

NS_OBJECT_ENSURE_REGISTERED(EdgeLimitersScheme);

} // namespace ns3
