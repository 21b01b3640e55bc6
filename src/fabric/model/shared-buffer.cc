/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer.h"

#include "ns3/assert.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);

TypeId
SharedBuffer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SharedBuffer")
                            .SetParent<Object>()
                            .SetGroupName("Fabric")
                            .AddConstructor<SharedBuffer>()
                            .AddAttribute("Size",
                                          "Memory of the switch in bytes",
                                          UintegerValue(12'000'000),
                                          MakeUintegerAccessor(&SharedBuffer::m_size),
                                          MakeUintegerChecker<uint64_t>(1))
                            .AddAttribute("Alpha",
                                          "A queue may hold this many times the free memory",
                                          DoubleValue(1.0),
                                          MakeDoubleAccessor(&SharedBuffer::m_alpha),
                                          MakeDoubleChecker<double>(0.0));
    return tid;
}

bool
SharedBuffer::Reserve(uint32_t size, uint32_t queued)
{
    const uint64_t free = m_size - m_used;
    if (size > free || queued + size > m_alpha * static_cast<double>(free))
    {
        return false;
    }
    m_used += size;
    return true;
}

void
SharedBuffer::Free(uint32_t size)
{
    NS_ASSERT_MSG(m_used >= size, "more memory freed than reserved");
    m_used -= size;
}

uint64_t
SharedBuffer::GetUsed() const
{
    return m_used;
}

} // namespace ns3
