/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HUGE_PAGES_H
#define HUGE_PAGES_H

#include <cstddef>
#include <memory_resource>
#include <new>
#include <vector>

namespace ns3
{

/**
 * @ingroup kernel
 * @brief Memory for what a large simulation touches in no order: items, ports, queues, events.
 *
 * A large network does not fit the processor's table of pages (TLB), so that nearly every access
 * costs a search for its page. The system is therefore asked (`madvise`) to give blocks of 2 MiB
 * and more in pages of that size. Small networks never have such blocks. Where the system does not
 * know huge pages, memory is as usual. The GlobalValue HugePages switches the request off.
 *
 * Like all of the simulation, the memory belongs to one thread.
 */
class HugePages
{
  public:
    static constexpr std::size_t SIZE = std::size_t{1} << 21; //!< of a huge page on common machines

    /**
     * @brief Take a block of memory from the system.
     * @param bytes its size
     * @return the block, aligned to huge pages if it is as large as one, else to cache lines
     */
    static void* Allocate(std::size_t bytes);

    /**
     * @brief Give a block back.
     * @param block a block from Allocate()
     * @param bytes its size
     */
    static void Free(void* block, std::size_t bytes);

    /**
     * @brief The source of memory for many small objects, packed together.
     * @return memory that is kept for later objects of like size until the program ends
     */
    static std::pmr::memory_resource& GetPool();
};

/**
 * @ingroup kernel
 * @brief Base of classes whose objects stand in huge pages, together with those of descendants.
 */
class InHugePages
{
  public:
    /**
     * @brief Memory for an object or several.
     * @param bytes size
     * @return memory
     */
    static void* operator new(std::size_t bytes)
    {
        return HugePages::GetPool().allocate(bytes);
    }

    /// @overload
    static void* operator new(std::size_t bytes, std::align_val_t alignment)
    {
        return HugePages::GetPool().allocate(bytes, static_cast<std::size_t>(alignment));
    }

    /// @overload
    static void* operator new[](std::size_t bytes)
    {
        return operator new(bytes);
    }

    /// @overload
    static void* operator new[](std::size_t bytes, std::align_val_t alignment)
    {
        return operator new(bytes, alignment);
    }

    /**
     * @brief Construct in memory that is there.
     * @param place the memory
     * @return the memory
     */
    static void* operator new(std::size_t /* bytes */, void* place)
    {
        return place;
    }

    /**
     * @brief Give memory back.
     * @param memory memory from operator new
     * @param bytes size
     */
    static void operator delete(void* memory, std::size_t bytes)
    {
        HugePages::GetPool().deallocate(memory, bytes);
    }

    /// @overload
    static void operator delete(void* memory, std::size_t bytes, std::align_val_t alignment)
    {
        HugePages::GetPool().deallocate(memory, bytes, static_cast<std::size_t>(alignment));
    }

    /// @overload
    static void operator delete[](void* memory, std::size_t bytes)
    {
        operator delete(memory, bytes);
    }

    /// @overload
    static void operator delete[](void* memory, std::size_t bytes, std::align_val_t alignment)
    {
        operator delete(memory, bytes, alignment);
    }
};

/**
 * @ingroup kernel
 * @brief Lets a standard container of many elements stand in huge pages.
 * @tparam T the elements
 */
template <class T>
class HugePageAllocator
{
  public:
    using value_type = T; //!< for the container

    HugePageAllocator() = default;

    /// @tparam U other elements; all allocators are the same
    template <class U>
    HugePageAllocator(const HugePageAllocator<U>& /* other */)
    {
    }

    /**
     * @brief Memory for elements.
     * @param count their number
     * @return memory
     */
    T* allocate(std::size_t count)
    {
        return static_cast<T*>(HugePages::Allocate(count * sizeof(T)));
    }

    /**
     * @brief Give memory back.
     * @param memory memory from allocate()
     * @param count number of elements
     */
    void deallocate(T* memory, std::size_t count)
    {
        HugePages::Free(memory, count * sizeof(T));
    }

    /// @return true: what one allocates another may free
    bool operator==(const HugePageAllocator&) const
    {
        return true;
    }
};

/**
 * @ingroup kernel
 * @brief Lets the many small containers of hosts and flows stand together in huge pages.
 * @tparam T the elements
 */
template <class T>
class PooledAllocator
{
  public:
    using value_type = T; //!< for the container

    PooledAllocator() = default;

    /// @tparam U other elements; all allocators are the same
    template <class U>
    PooledAllocator(const PooledAllocator<U>& /* other */)
    {
    }

    /**
     * @brief Memory for elements.
     * @param count their number
     * @return memory
     */
    T* allocate(std::size_t count)
    {
        return static_cast<T*>(HugePages::GetPool().allocate(count * sizeof(T), alignof(T)));
    }

    /**
     * @brief Give memory back.
     * @param memory memory from allocate()
     * @param count number of elements
     */
    void deallocate(T* memory, std::size_t count)
    {
        HugePages::GetPool().deallocate(memory, count * sizeof(T), alignof(T));
    }

    /// @return true: what one allocates another may free
    bool operator==(const PooledAllocator&) const
    {
        return true;
    }
};

/// @brief A vector of very many elements.
/// @tparam T the elements
template <class T>
using HugeVector = std::vector<T, HugePageAllocator<T>>;

} // namespace ns3

#endif /* HUGE_PAGES_H */
