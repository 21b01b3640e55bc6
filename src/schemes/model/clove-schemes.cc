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
                              "A port marks packets that find more than this waiting, in bytes, "
                              "packets or time at the link's rate (Clove Section 5: from 20 "
                              "packets on); hosts never see it",
                              QueueLimitValue(QueueLimit("29999B")),
                              MakeQueueLimitAccessor(&CloveScheme::m_markThreshold),
                              MakeQueueLimitChecker()));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "Clove: flowlets over the least utilized paths, TCP Cubic";
    }

  protected:
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override
    {
        return CreateMarkingQueueDisc(port, buffer, m_markThreshold);
    }

  private:
    QueueLimit m_markThreshold; //!< attribute MarkThreshold
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
