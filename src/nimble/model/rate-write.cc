/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rate-write.h"

namespace ns3
{

FabricItem*
RateWrite::Make(uint32_t source, uint32_t destination, const RateWriteFields& fields)
{
    FabricItem* item = FabricItem::Create();
    item->extension = new RateWrite(fields);
    item->source = source;
    item->destination = destination;
    item->size = RateWriteHeader::DATAGRAM;
    item->SetClass(FabricItem::CONTROL);
    return item;
}

bool
RateWriteStage::Process(FabricItem* item)
{
    if (item->GetClass() != FabricItem::CONTROL)
    {
        return true;
    }
    const auto* write = dynamic_cast<const RateWrite*>(item->extension);
    if (!write || write->fields.node != m_node)
    {
        return true;
    }
    m_limiters.WriteRate(write->fields.limiter, DataRate(write->fields.rate));
    item->Release();
    return false;
}

} // namespace ns3
