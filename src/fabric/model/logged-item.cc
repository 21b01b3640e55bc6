/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "logged-item.h"

#include "fabric.h"

namespace ns3
{

namespace
{

/**
 * @brief Write what an item is for, and the place of its payload in the flow.
 * @param os the log
 * @param item the item
 * @param fabric knows its flow
 */
void
WritePurpose(std::ostream& os, const FabricItem& item, const Fabric& fabric)
{
    if (item.GetClass() != FabricItem::DATA)
    {
        os << (item.GetClass() == FabricItem::ANSWER ? "answer" : "control");
        return;
    }
    // As() is for whoever may write there; here it is only read.
    const auto payload = fabric.GetPayload(const_cast<FabricItem&>(item));
    os << (payload && payload->opens ? "opening" : "data");
    if (payload && payload->ordered && payload->length > 0)
    {
        os << " " << payload->begin << "+" << payload->length;
    }
}

} // namespace

LoggedItem::LoggedItem(const FabricItem& item, const FabricPort* port)
    : m_item(item),
      m_port(port),
      m_fabric(port ? port->GetDescription().fabric : nullptr)
{
}

LoggedItem::LoggedItem(const FabricItem& item, const Fabric& fabric)
    : m_item(item),
      m_port(nullptr),
      m_fabric(&fabric)
{
}

std::ostream&
operator<<(std::ostream& os, const LoggedItem& logged)
{
    const FabricItem& item = logged.m_item;
    if (!logged.m_fabric)
    {
        return os << "flow of hash " << item.hash << ", " << item.size << " bytes";
    }
    if (logged.m_port)
    {
        os << logged.m_port->GetDescription().name << ": ";
    }
    os << logged.m_fabric->GetFlowTag(item) << ", ";
    WritePurpose(os, item, *logged.m_fabric);
    return os << " from host " << item.source << " to host " << item.destination;
}

std::ostream&
operator<<(std::ostream& os, const FlowTag& tag)
{
    os << "flow " << tag.flow;
    return tag.pair > 0 ? os << " of pair " << tag.pair - 1 : os;
}

} // namespace ns3
