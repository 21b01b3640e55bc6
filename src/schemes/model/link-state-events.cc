/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Failures and repairs of links.

#include "network.h"
#include "timeline-event.h"

#include "ns3/input-error.h"
#include "ns3/string.h"

#include <set>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @brief The name of the node that a port belongs to.
 * @param port the port
 * @return the part of the port's name before the colon
 */
std::string
GetNodeName(const FabricPort& port)
{
    const std::string& name = port.GetDescription().name;
    return name.substr(0, name.rfind(':'));
}

} // namespace

/**
 * @ingroup schemes
 * @brief The common part of failures and repairs of a link. All links between two nodes are meant.
 */
class LinkStateTimelineEvent : public TimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LinkStateTimelineEvent")
                                .SetParent<TimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddAttribute("Target",
                                              "The names of the link's ends in any order, such as "
                                              "edge0:aggregation1 or host0:edge0",
                                              StringValue(""),
                                              MakeStringAccessor(&LinkStateTimelineEvent::m_ends),
                                              MakeStringChecker());
        return tid;
    }

    void Resolve(Network& network, const std::string& argument) override
    {
        const Fabric& fabric = *network.GetFabric();
        const auto colon = m_ends.find(':');
        const std::set<std::string> wanted{m_ends.substr(0, colon),
                                           colon == std::string::npos ? ""
                                                                      : m_ends.substr(colon + 1)};
        m_links.clear();
        for (uint32_t link = 0; link < fabric.GetNLinks(); ++link)
        {
            const auto ports = fabric.GetLink(link);
            if (std::set{GetNodeName(*ports[0]), GetNodeName(*ports[1])} == wanted)
            {
                m_links.push_back(link);
            }
        }
        if (m_links.empty())
        {
            const auto last = fabric.GetLink(fabric.GetNLinks() - 1);
            throw InputError(argument,
                             m_ends,
                             "a link, by its ends: " + GetNodeName(*last[0]) + ":" +
                                 GetNodeName(*last[1]) + " and the like");
        }
    }

    void Apply(Network& network) override
    {
        for (const uint32_t link : m_links)
        {
            network.GetFabric()->SetLinkUp(link, TurnsOn());
        }
    }

    std::optional<Toggle> GetToggle() const override
    {
        // By number: a link may be called by its ends in either order.
        return Toggle{"link " + std::to_string(m_links.at(0)), TurnsOn(), true};
    }

  protected:
    /**
     * @brief True if the link works from then on.
     * @return true for a repair
     */
    virtual bool TurnsOn() const = 0;

  private:
    std::string m_ends;            //!< attribute Target
    std::vector<uint32_t> m_links; //!< numbers of the links
};

/**
 * @ingroup schemes
 * @brief `fail-link NAME:NAME`: a link fails, in both directions.
 */
class FailLinkTimelineEvent : public LinkStateTimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::FailLinkTimelineEvent")
                                .SetParent<LinkStateTimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddConstructor<FailLinkTimelineEvent>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a link fails: fail-link edge0:aggregation1";
    }

  protected:
    bool TurnsOn() const override
    {
        return false;
    }
};

/**
 * @ingroup schemes
 * @brief `repair-link NAME:NAME`: a link that has failed works again.
 */
class RepairLinkTimelineEvent : public LinkStateTimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RepairLinkTimelineEvent")
                                .SetParent<LinkStateTimelineEvent>()
                                .SetGroupName("Schemes")
                                .AddConstructor<RepairLinkTimelineEvent>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a link works again: repair-link edge0:aggregation1";
    }

  protected:
    bool TurnsOn() const override
    {
        return true;
    }
};

NS_OBJECT_ENSURE_REGISTERED(LinkStateTimelineEvent);
NS_OBJECT_ENSURE_REGISTERED(FailLinkTimelineEvent);
NS_OBJECT_ENSURE_REGISTERED(RepairLinkTimelineEvent);

} // namespace ns3
