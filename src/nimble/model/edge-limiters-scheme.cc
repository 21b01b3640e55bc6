/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-limiters.h"

#include "ns3/class-limits.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/network.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/string.h"
#include "ns3/tcp-host-scheme.h"
#include "ns3/uinteger.h"

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Rate limits at hosts (Nimble, SOSR 2021, Section 6.3.3): DCTCP hosts with a limiter per
 * destination and class, marking switches.
 */
class EdgeLimitersScheme : public TcpHostScheme, public ClassLimits
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::EdgeLimitersScheme")
                .SetParent<TcpHostScheme>()
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
                              StringValue(""),
                              MakeStringAccessor(&EdgeLimitersScheme::m_delaySpec),
                              MakeSpecChecker<UpdateDelay>())
                .AddAttribute("LeastRate",
                              "Limiters have this rate at least. Not in the paper",
                              DataRateValue(DataRate("10Mbps")),
                              MakeDataRateAccessor(&EdgeLimitersScheme::m_leastRate),
                              MakeDataRateChecker())
                .AddAttribute("Tolerance",
                              "Relative change of a rate that hosts are not told of. Not in the "
                              "paper",
                              DoubleValue(0.001),
                              MakeDoubleAccessor(&EdgeLimitersScheme::m_tolerance),
                              MakeDoubleChecker<double>(0, 1));
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
        if (!m_delaySpec.empty())
        {
            m_delay = CreateFromSpec<UpdateDelay>("--scheme UpdateDelay", m_delaySpec);
        }
        TcpHostScheme::ConfigureFabric(network);
    }

    void ConfigureNodes(Network& network) override
    {
        TcpHostScheme::ConfigureNodes(network);
        if (m_hosts.size() < network.GetFabric()->GetNHosts())
        {
            StringValue queue;
            GetAttribute("HostQueue", queue);
            if (queue.Get().empty())
            {
                GetAttribute("Queue", queue);
            }
            throw InputError("--scheme HostQueue or Queue",
                             queue.Get(),
                             "nothing: the limiters stand in the hosts' ports");
        }
        const NimbleClasses classes = m_policyText.empty()
                                          ? NimbleClasses(NimbleRule{}, network.GetTenants())
                                          : NimbleClasses(m_policy);
        m_limiters =
            std::make_unique<EdgeLimiters>(m_hosts,
                                           m_classifier,
                                           classes,
                                           m_delay,
                                           EdgeLimiters::Settings{m_tolerance, m_leastRate});
        network.GetTransports()->AddObserver(m_limiters.get());
    }

    void ReportResults(const Network& network, Results& results) const override
    {
        TcpHostScheme::ReportResults(network, results);
        m_limiters->ReportResults(results);
    }

    int64_t AssignStreams(int64_t stream) override
    {
        return m_delay ? m_delay->AssignStreams(stream) : 0;
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
    bool OwnsHostPorts() const override
    {
        return true;
    }

    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override
    {
        if (port.tier > 0)
        {
            return TcpHostScheme::CreateQueueDisc(port, buffer);
        }
        EdgeLimiters::HostPort host{CreateObject<ShapedQueueDisc>(),
                                    CreateObject<DestinationTable>(),
                                    port.rate};
        std::ostringstream inner;
        inner << "drop-tail:MaxSize=" << buffer;
        host.shaped->SetAttribute("Inner", StringValue(inner.str()));
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
        TcpHostScheme::DoDispose();
    }

  private:
    std::string m_policyText; //!< attribute Policy
    std::string m_delaySpec;  //!< attribute UpdateDelay
    DataRate m_leastRate;     //!< attribute LeastRate
    double m_tolerance;       //!< attribute Tolerance

    NimblePolicy m_policy;                               //!< what the user said
    Ptr<TrafficClassifier> m_classifier;                 //!< of all hosts
    Ptr<UpdateDelay> m_delay;                            //!< nullptr: updates take no time
    std::unique_ptr<EdgeLimiters> m_limiters;            //!< compute rates
    mutable std::vector<EdgeLimiters::HostPort> m_hosts; //!< made while the fabric is built
};

NS_OBJECT_ENSURE_REGISTERED(EdgeLimitersScheme);

} // namespace ns3
