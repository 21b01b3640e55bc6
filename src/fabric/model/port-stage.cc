/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-stage.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PortStage);

TypeId
PortStage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PortStage").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

bool
PortStage::Admit(FabricItem* /* item */, FabricPort& /* port */)
{
    return true;
}

void
PortStage::Depart(FabricItem* /* item */, const FabricPort& /* port */)
{
}

void
PortStage::OnBuilt(Fabric& /* fabric */)
{
}

int64_t
PortStage::AssignStreams(int64_t /* stream */)
{
    return 0;
}

void
PortStage::ReportResults(Results& /* results */) const
{
}

DepartureStage::DepartureStage(Function function)
    : m_function(std::move(function))
{
}

void
DepartureStage::Depart(FabricItem* item, const FabricPort& port)
{
    m_function(item, port);
}

} // namespace ns3
