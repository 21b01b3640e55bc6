/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TENANT_ECN_H
#define TENANT_ECN_H

#include "ns3/fabric-item.h"

namespace ns3
{

/**
 * @ingroup edge
 * @defgroup tenant-ecn ECN below tenants
 * @brief A shim that learns of congestion by ECN makes every packet ECN-capable on its way and
 * undoes that at the receiver (Trinity Sections 3.3 and 4.1).
 *
 * A connection that uses ECN itself, which a shim sees in its handshake, is to get its marks;
 * others are to see none. In the fabric an item says whether the connection it belongs to uses ECN:
 * it left the tenant's stack ECN-capable. The sending shim keeps that in a bit of
 * FabricItem::kind. What was not ECN-capable, such as a SYN, arrives so.
 */

/// @ingroup tenant-ecn
/// @brief Bit of FabricItem::kind: the tenant's stack sent the item ECN-capable.
constexpr uint8_t TENANT_USES_ECN = 0x80;

/**
 * @ingroup tenant-ecn
 * @brief At the sender: have switches mark the item rather than let it pass unmarked.
 * @param item a tenant's
 */
inline void
HideTenantEcn(FabricItem& item)
{
    if (item.GetEcn() == FabricItem::NOT_ECT)
    {
        item.kind &= static_cast<uint8_t>(~TENANT_USES_ECN);
        item.SetEcn(FabricItem::ECT0);
    }
    else
    {
        item.kind |= TENANT_USES_ECN;
    }
}

/**
 * @ingroup tenant-ecn
 * @brief At the receiver, once marks are counted: let the tenant's stack see what it would have
 * seen without the shim.
 * @param item a tenant's
 */
inline void
RestoreTenantEcn(FabricItem& item)
{
    if (!(item.kind & TENANT_USES_ECN))
    {
        item.SetEcn(FabricItem::NOT_ECT);
    }
}

} // namespace ns3

#endif /* TENANT_ECN_H */
