/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-queue-disc-item.h"

#include "fabric-queue-disc.h"

#include "ns3/hash-family.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/socket.h"

#include <array>

namespace ns3
{

namespace
{

/**
 * @brief The packet of an item that has none.
 * @param tos DSCP and ECN of the item
 * @return an empty packet, shared by all such items; never to be changed
 */
Ptr<Packet>
GetEmptyPacket(uint8_t tos)
{
    static auto& packets = *new std::array<Ptr<Packet>, 256>; // by socket priority; never freed
    const uint8_t priority = Socket::IpTos2Priority(tos);
    Ptr<Packet>& packet = packets[priority];
    if (!packet)
    {
        packet = Create<Packet>();
        SocketPriorityTag tag;
        tag.SetPriority(priority);
        packet->AddPacketTag(tag);
    }
    return packet;
}

/**
 * @brief Memory of wrappers that are not in use, kept until the program ends.
 * @return pieces of the size of a wrapper
 */
std::vector<void*>&
GetFreeMemory()
{
    static auto& memory = *new std::vector<void*>; // outlives objects that die at exit
    return memory;
}

} // namespace

FabricQueueDiscItem::FabricQueueDiscItem(FabricItem* item)
    : QueueDiscItem(item->packet ? Ptr<Packet>(item->packet) : GetEmptyPacket(item->tos),
                    Address(),
                    Ipv4L3Protocol::PROT_NUMBER),
      m_item(item),
      m_hash(item->hash),
      m_size(item->size)
{
    SetTxQueueIndex(0);
}

uint32_t
FabricQueueDiscItem::GetSize() const
{
    return m_size;
}

void
FabricQueueDiscItem::AddHeader()
{
    // Headers are fields of the item.
}

bool
FabricQueueDiscItem::Mark()
{
    if (!m_item || m_item->GetEcn() == FabricItem::NOT_ECT)
    {
        return false;
    }
    m_item->SetEcn(FabricItem::CE);
    return true;
}

bool
FabricQueueDiscItem::GetUint8Value(Uint8Values field, uint8_t& value) const
{
    if (field != IP_DSFIELD || !m_item)
    {
        return false;
    }
    value = m_item->tos;
    return true;
}

uint32_t
FabricQueueDiscItem::Hash(uint32_t perturbation) const
{
    return HashFlow(m_hash, perturbation);
}

void
FabricQueueDiscItem::Print(std::ostream& os) const
{
    os << "flow " << std::hex << m_hash << std::dec << " size " << m_size;
}

void*
FabricQueueDiscItem::operator new(std::size_t size)
{
    std::vector<void*>& free = GetFreeMemory();
    if (free.empty())
    {
        return ::operator new(size);
    }
    void* memory = free.back();
    free.pop_back();
    return memory;
}

void
FabricQueueDiscItem::operator delete(void* memory)
{
    GetFreeMemory().push_back(memory);
}

} // namespace ns3
