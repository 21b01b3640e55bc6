/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Clove by itself, and with ElasticSwitch.

#include "clove-edge-agent.h"
#include "cubic-scheme.h"
#include "elastic-switch-scheme.h"
#include "network.h"

#include "ns3/object-spec.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief Clove (CoNEXT 2017) below TCP CUBIC, whose flowlets it sends over the better paths.
 */
class CloveScheme : public CubicScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::CloveScheme")
                .SetParent<CubicScheme>()
                .SetGroupName("Schemes")
                .AddConstructor<CloveScheme>()
                .AddAttribute("Clove",
                              "How flowlets find paths, with its attributes, such as "
                              "clove:Feedback=Marks",
                              StringValue("clove"),
                              MakeStringAccessor(&CloveScheme::m_clove),
                              MakeSpecChecker<EdgeAgent>())
                .AddAttribute("MarkThreshold",
                              "Bytes that a packet finds waiting at a port of a switch from which "
                              "on it is marked (Clove Section 5: 20 packets); hosts never see it",
                              UintegerValue(30000),
                              MakeUintegerAccessor(&CloveScheme::m_markThreshold),
                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "Clove: flowlets over the least utilized paths, TCP Cubic";
    }

    void ConfigureFabric(Network& network) override
    {
        CloveEdgeAgent::Create(m_clove); // refuses what is wrong here
        CubicScheme::ConfigureFabric(network);
    }

    void ConfigureNodes(Network& network) override
    {
        CubicScheme::ConfigureNodes(network);
        CloveEdgeAgent::Install(*network.GetFabric(), m_clove);
    }

  protected:
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& /* port */,
                                         QueueSize buffer) const override
    {
        return CreateObjectWithAttributes<StepMarkQueueDisc>(
            "MaxSize",
            QueueSizeValue(buffer),
            "MarkThreshold",
            QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, m_markThreshold - 1)));
    }

  private:
    std::string m_clove;      //!< attribute Clove
    uint32_t m_markThreshold; //!< attribute MarkThreshold
};

NS_OBJECT_ENSURE_REGISTERED(CloveScheme);

/**
 * @ingroup schemes
 * @brief ElasticSwitch as published with Clove's paths, at uFAB's edge (uFAB Section 5.1).
 */
class ElasticSwitchCloveScheme : public ElasticSwitchScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ElasticSwitchCloveScheme")
                .SetParent<ElasticSwitchScheme>()
                .SetGroupName("Schemes")
                .AddConstructor<ElasticSwitchCloveScheme>()
                .AddAttribute("Clove",
                              "How flowlets find paths, with its attributes, "
                              "such as clove:Gap=36us",
                              StringValue("clove"),
                              MakeStringAccessor(&ElasticSwitchCloveScheme::m_clove),
                              MakeSpecChecker<EdgeAgent>());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "ElasticSwitch as published, flowlets over the least utilized paths (Clove)";
    }

    void ConfigureFabric(Network& network) override
    {
        CloveEdgeAgent::Create(m_clove); // refuses what is wrong here
        ElasticSwitchScheme::ConfigureFabric(network);
    }

    void ConfigureNodes(Network& network) override
    {
        ElasticSwitchScheme::ConfigureNodes(network);
        CloveEdgeAgent::Install(*network.GetFabric(), m_clove);
    }

  protected:
    std::string GetDefaultController() const override
    {
        return "elastic-switch-sigcomm13:Interval=15ms,PartitionInterval=50ms";
    }

    std::string GetDefaultTenants() const override
    {
        return "groups"; // as uFAB
    }

    PairEdge::Answers GetDefaultAnswers() const override
    {
        return PairEdge::NO_PAIR; // as uFAB
    }

  private:
    std::string m_clove; //!< attribute Clove
};

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchCloveScheme);

} // namespace ns3
