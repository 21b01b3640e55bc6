/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "huge-pages.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"

#include <algorithm>
#include <array>
#include <sys/mman.h>
#include <utility>

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
 * @brief The alignment of a block.
 * @param bytes its size
 * @return that of a huge page if it is as large as one, else a cache line
 */
std::align_val_t
GetAlignment(std::size_t bytes)
{
    return std::align_val_t{bytes >= HugePages::SIZE ? HugePages::SIZE : LINE};
}

/**
 * @brief The pool: whole cache lines from large chunks, and lists of the blocks that came back.
 *
 * What each item touches is at the same place in like objects. With a distance of 2 kB between
 * them, as the blocks of std::pmr's pools have it, these lines would share 2 of the 64 sets of a
 * common first-level cache. Therefore larger blocks are odd numbers of lines.
 */
class LinePool : public std::pmr::memory_resource
{
  private:
    /// @brief A block that is free.
    struct FreeBlock
    {
        FreeBlock* next; //!< of the same size
    };

    /**
     * @brief The size of a block.
     * @param bytes asked for
     * @return in cache lines, at least 1; an odd number unless the block is small
     */
    static std::size_t GetLines(std::size_t bytes)
    {
        constexpr std::size_t small = 8; // a line more would be much
        const std::size_t lines = std::max<std::size_t>(1, (bytes + LINE - 1) / LINE);
        return lines < small ? lines : lines | 1;
    }

    void* do_allocate(std::size_t bytes, std::size_t /* alignment */) override
    {
        const std::size_t lines = GetLines(bytes);
        if (lines >= m_free.size())
        {
            return HugePages::Allocate(bytes);
        }
        if (FreeBlock* block = m_free[lines])
        {
            m_free[lines] = block->next;
            return block;
        }
        if (m_left < lines * LINE)
        {
            m_chunk = std::min(2 * m_chunk, LARGEST_CHUNK);
            m_next = static_cast<std::byte*>(HugePages::Allocate(m_chunk));
            m_left = m_chunk;
        }
        m_left -= lines * LINE;
        return std::exchange(m_next, m_next + lines * LINE);
    }

    void do_deallocate(void* memory, std::size_t bytes, std::size_t /* alignment */) override
    {
        const std::size_t lines = GetLines(bytes);
        if (lines >= m_free.size())
        {
            HugePages::Free(memory, bytes);
            return;
        }
        m_free[lines] = new (memory) FreeBlock{m_free[lines]};
    }

    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override
    {
        return this == &other;
    }

    static constexpr std::size_t FIRST_CHUNK = 65536;                 //!< in bytes, twice
    static constexpr std::size_t LARGEST_CHUNK = 4 * HugePages::SIZE; //!< in bytes

    std::array<FreeBlock*, LARGEST_POOLED / LINE + 2> m_free{}; //!< by number of lines
    std::size_t m_chunk{FIRST_CHUNK};                           //!< bytes of the newest chunk
    std::byte* m_next{nullptr};                                 //!< the rest of it
    std::size_t m_left{0};                                      //!< bytes
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
    ::operator delete(block, GetAlignment(bytes)); // clang offers the sized form from version 19 on
}

std::pmr::memory_resource&
HugePages::GetPool()
{
    // Never destroyed: objects may outlive all that ends with the program.
    static auto* const pool = new LinePool;
    return *pool;
}

} // namespace ns3
