/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-item.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace ns3
{

namespace
{

/// @brief Free items, taken from the system in chunks and kept until the program ends.
struct ItemPool
{
    static constexpr std::size_t FIRST_CHUNK = 256; //!< items taken from the system at first
    static constexpr std::size_t LARGEST_CHUNK = HugePages::SIZE / sizeof(FabricItem); //!< later

    std::vector<HugeVector<FabricItem>> chunks; //!< all items there are
    FabricItem* free{nullptr};                  //!< the unused ones
    uint64_t live{0};                           //!< the used ones

    /// @brief Take a chunk, twice as large as the one before: a large pool stands in huge pages.
    void Grow()
    {
        const std::size_t size =
            chunks.empty() ? FIRST_CHUNK : std::min(2 * chunks.back().size(), LARGEST_CHUNK);
        chunks.emplace_back(size);
        for (std::size_t i = size; i-- > 0;)
        {
            FabricItem* item = &chunks.back()[i];
            item->next = free;
            free = item;
        }
    }
};

ItemPool g_pool; //!< like ns-3's own packet buffers, one pool serves the process

} // namespace

FabricItem*
FabricItem::Create()
{
    if (!g_pool.free) [[unlikely]]
    {
        g_pool.Grow();
    }
    FabricItem* item = g_pool.free;
    g_pool.free = item->next;
    ++g_pool.live;
    std::memset(static_cast<void*>(item), 0, offsetof(FabricItem, transport));
    return item;
}

void
FabricItem::Release()
{
    if (packet) [[unlikely]]
    {
        packet->Unref();
    }
    if (extension) [[unlikely]]
    {
        delete extension;
    }
    next = g_pool.free;
    g_pool.free = this;
    --g_pool.live;
}

uint64_t
FabricItem::GetLiveCount()
{
    return g_pool.live;
}

} // namespace ns3
