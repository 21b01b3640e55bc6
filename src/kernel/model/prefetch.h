/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREFETCH_H
#define PREFETCH_H

#include <cstddef>

namespace ns3
{

/**
 * @ingroup kernel
 * @brief Bring memory into the cache.
 * @param begin first byte; any address does no harm
 * @param bytes number of bytes
 */
inline void
PrefetchBytes(const void* begin, std::size_t bytes)
{
    constexpr std::size_t LINE = 64;
    for (std::size_t offset = 0; offset < bytes; offset += LINE)
    {
        __builtin_prefetch(static_cast<const std::byte*>(begin) + offset);
    }
}

} // namespace ns3

#endif /* PREFETCH_H */
