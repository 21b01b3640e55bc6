/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "huge-pages.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"

#include <sys/mman.h>

namespace ns3
{

namespace
{

/// Switches the request off, such as to compare: memory is then as usual.
GlobalValue g_hugePages("HugePages",
                        "Ask the system for huge pages for the items, ports, queues and events of "
                        "large networks (Linux: transparent huge pages); results are the same",
                        BooleanValue(true),
                        MakeBooleanChecker());

constexpr std::size_t LARGEST_POOLED = 65536; //!< such as all ports of a switch, in bytes
constexpr std::size_t LINE = 64;              //!< alignment of smaller blocks, a cache line

/**
 * @brief How a block is aligned.
 * @param bytes its size
 * @return to a huge page if it is as large as one
 */
std::align_val_t
GetAlignment(std::size_t bytes)
{
    return std::align_val_t{bytes >= HugePages::SIZE ? HugePages::SIZE : LINE};
}

/// @brief Where the pool gets its memory.
class BlockResource : public std::pmr::memory_resource
{
  private:
    void* do_allocate(std::size_t bytes, std::size_t /* alignment */) override
    {
        return HugePages::Allocate(bytes);
    }

    void do_deallocate(void* block, std::size_t bytes, std::size_t /* alignment */) override
    {
        HugePages::Free(block, bytes);
    }

    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override
    {
        return this == &other;
    }
};

} // namespace

void*
HugePages::Allocate(std::size_t bytes)
{
    void* block = ::operator new(bytes, GetAlignment(bytes));
#ifdef MADV_HUGEPAGE
    BooleanValue wanted;
    if (bytes >= SIZE)
    {
        g_hugePages.GetValue(wanted);
    }
    if (wanted.Get())
    {
        madvise(block, bytes, MADV_HUGEPAGE); // only advice: a system that cannot, need not
    }
#endif
    return block;
}

void
HugePages::Free(void* block, std::size_t bytes)
{
    ::operator delete(block, bytes, GetAlignment(bytes));
}

std::pmr::memory_resource&
HugePages::GetPool()
{
    // Never destroyed: objects may outlive all that ends with the program.
    static auto* const blocks = new BlockResource;
    static auto* const pool =
        new std::pmr::unsynchronized_pool_resource({0, LARGEST_POOLED}, blocks);
    return *pool;
}

} // namespace ns3
