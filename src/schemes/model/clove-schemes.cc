/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Clove by itself, and with ElasticSwitch.

#include "cubic-scheme.h"
#include "elastic-switch-scheme.h"
#include "with-clove.h"

#include "ns3/step-mark-queue-disc.h"
#include "ns3/uinteger.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief Clove (CoNEXT 2017) below TCP CUBIC, whose flowlets it sends over the better paths.
 */
class CloveScheme : public WithClove<CubicScheme>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = AddCloveAttribute(
            TypeId("ns3::CloveScheme")
                .SetParent<CubicScheme>()
                .SetGroupName("Schemes")
                .AddConstructor<CloveScheme>()
                .AddAttribute("MarkThreshold",
                              "Bytes that a packet finds waiting at a port of a switch from which "
                              "on it is marked (Clove Section 5: 20 packets); hosts never see it",
                              UintegerValue(30000),
                              MakeUintegerAccessor(&CloveScheme::m_markThreshold),
                              MakeUintegerChecker<uint32_t>(1)));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "Clove: flowlets over the least utilized paths, TCP Cubic";
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
    uint32_t m_markThreshold; //!< attribute MarkThreshold
};

NS_OBJECT_ENSURE_REGISTERED(CloveScheme);

/**
 * @ingroup schemes
 * @brief ElasticSwitch as published with Clove's paths, at uFAB's edge (uFAB Section 5.1).
 */
class ElasticSwitchCloveScheme : public WithClove<ElasticSwitchScheme>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = AddCloveAttribute(TypeId("ns3::ElasticSwitchCloveScheme")
                                                  .SetParent<ElasticSwitchScheme>()
                                                  .SetGroupName("Schemes")
                                                  .AddConstructor<ElasticSwitchCloveScheme>());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "ElasticSwitch as published, flowlets over the least utilized paths (Clove)";
    }

  protected:
    std::string GetDefaultController() const override
    {
        return "elastic-switch-sigcomm13:Interval=15ms,PartitionInterval=50ms";
    }

    std::map<std::string, std::string> GetControllerDefaults() const override
    {
        return {}; // flows take turns, as uFAB's
    }

    std::string GetDefaultTenants() const override
    {
        return "groups"; // as uFAB
    }

    PairEdge::Answers GetDefaultAnswers() const override
    {
        return PairEdge::NO_PAIR; // as uFAB
    }
};

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchCloveScheme);

} // namespace ns3
