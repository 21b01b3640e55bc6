/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "derangement.h"

#include "ns3/shuffle.h"

#include <numeric>

namespace ns3
{

bool
Derangement::HasLocalPair(const std::vector<uint32_t>& destinations, const IsLocal& isLocal)
{
    for (uint32_t source = 0; source < destinations.size(); ++source)
    {
        if (isLocal(source, destinations[source]))
        {
            return true;
        }
    }
    return false;
}

bool
Derangement::IsPossible(uint32_t count, const IsLocal& isLocal)
{
    // All VMs of a host must send to others, and so many others there must be.
    for (uint32_t vm = 0; vm < count; ++vm)
    {
        uint32_t together = 0;
        for (uint32_t other = 0; other < count; ++other)
        {
            together += isLocal(vm, other) ? 1 : 0;
        }
        if (2 * together > count)
        {
            return false;
        }
    }
    return true;
}

std::vector<uint32_t>
Derangement::Draw(uint32_t count, const IsLocal& isLocal, Ptr<UniformRandomVariable> random)
{
    std::vector<uint32_t> destinations(count);
    std::iota(destinations.begin(), destinations.end(), 0);
    // Rejection keeps all derangements equally likely; it takes e shuffles on average.
    do
    {
        Shuffle(destinations.begin(), destinations.end(), random);
    } while (HasLocalPair(destinations, isLocal));
    return destinations;
}

} // namespace ns3
