/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMING_WHEEL_H
#define TIMING_WHEEL_H

#include "huge-pages.h"
#include "prefetch.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

/**
 * @defgroup kernel Simulation kernel
 * @brief A timing wheel, as an ns-3 scheduler and as a simulator implementation, and direct events.
 */

namespace ns3
{

/**
 * @ingroup kernel
 * @brief Pending events in exact (time, uid) order: a wheel of buckets for what is near, a heap for
 * the rest.
 *
 * Most events of a network happen within a few serialisation and propagation delays. Those go,
 * unsorted and in constant time, into one of BUCKETS lists, each covering a few nanoseconds; a
 * bucket is sorted when time reaches it. Everything else goes into a binary heap: what lies beyond
 * the wheel's horizon, and what would have to be inserted deep into the bucket now being drained.
 * The next event is the smaller of the drained bucket's front and the heap's front, so the order
 * is exact wherever an event is kept, and no workload costs more than O(log n) per event. The width
 * of the buckets follows the workload; it changes how fast the wheel is, never the order.
 *
 * Uids are compared by age, so the order stays exact when the 32-bit uid wraps, provided that no
 * two events of equal time were scheduled 2^32 events or more apart.
 */
class TimingWheel
{
  public:
    /// A pending event.
    struct Event
    {
        uint64_t time;     ///< when it happens, in time steps
        uint32_t uid;      ///< its position in the order of scheduling
        uint32_t context;  ///< the execution context (node id)
        uintptr_t payload; ///< what to do; not interpreted here
    };

    /// An empty wheel, whose first bucket width follows the resolution that Time has now.
    TimingWheel()
        : m_shift(ChooseShift())
    {
    }

    /// @return true if no event is pending
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// @return the number of pending events
    std::size_t GetSize() const
    {
        return m_size;
    }

    /**
     * Add an event.
     * @param event the event, by value, so that it stays in registers: one put together in memory
     *        could not be read before all that was stored earlier has reached the cache; its time
     *        must not be before that of the last event popped
     */
    void Insert(Event event)
    {
        ++m_size;
        if (static_cast<int32_t>(event.uid - m_newestUid) > 0)
        {
            m_newestUid = event.uid;
        }
        const uint64_t bucket = event.time >> m_shift;
        const uint64_t ahead = bucket - m_bucket;
        if (ahead - 1 >= BUCKETS - 1) [[unlikely]]
        {
            InsertElsewhere(event.time, event.uid, event.context, event.payload);
            return;
        }
        m_distant += ahead / (BUCKETS / 2);
        Bucket& list = m_buckets[bucket % BUCKETS];
        if (list.fill == Block::CAPACITY)
        {
            InsertIntoNewBlock(bucket % BUCKETS,
                               event.time,
                               event.uid,
                               event.context,
                               event.payload);
            return;
        }
        m_blocks[list.last].events[list.fill++] = event;
    }

    /// @return the next event; one must be pending
    const Event& Peek()
    {
        Settle();
        return IsHeapNext() ? m_heap.front() : m_current.GetFront();
    }

    /// @return the next event, which is then no longer pending; one must be pending. Valid until
    ///         another one is taken or inserted
    const Event& Pop()
    {
        Settle();
        --m_size;
        return TakeNext();
    }

    /// @return the time that a bucket covers at present, in time steps
    uint64_t GetBucketWidth() const
    {
        return uint64_t{1} << m_shift;
    }

    /// @return true if the last event popped was the first of its bucket
    bool HasJustRefilled() const
    {
        return m_current.IsFirstTaken();
    }

    /**
     * Look past the next event, as far as the order is known without work, to prefetch.
     * @param distance 0 for the next event, 1 for the one after it, ...
     * @return an event that will happen soon, or nullptr
     */
    const Event* PeekAhead(std::size_t distance) const
    {
        return m_current.LookAt(distance);
    }

    /**
     * Look at some events of the bucket that comes next, to prefetch: a block at each call, until
     * all have been seen. What the next call reads is prefetched.
     * @param visit called with each event, in no order, and maybe with some that happened long ago
     */
    template <class Visit>
    void LookIntoNextBucket(const Visit& visit)
    {
        if (!m_looking)
        {
            StartLooking();
            return;
        }
        if (m_ahead == NIL) [[likely]]
        {
            return;
        }
        const Block& block = m_blocks[m_ahead];
        m_ahead = block.next == m_aheadEnd ? NIL : block.next;
        PrefetchBlock(block.next);
        for (const Event& event : block.events)
        {
            visit(event);
        }
    }

    /**
     * Remove an event that is pending, in O(log n): its entry is skipped once it comes up.
     * @param time the event's time, in time steps
     * @param uid the event's uid
     */
    void Remove(uint64_t time, uint32_t uid)
    {
        --m_size;
        m_removed.push_back({time, uid, 0, 0});
        std::push_heap(m_removed.begin(), m_removed.end(), Later{m_newestUid});
        if (m_removed.size() > MIN_COMPACTION && m_removed.size() > m_size)
        {
            Rebuild(m_shift);
        }
    }

  private:
    static constexpr uint32_t BUCKETS = 4096;           ///< 64 words of 64 bits: one summary word
    static constexpr std::size_t MAX_SHIFTED = 16;      ///< entries worth moving to keep one sorted
    static constexpr std::size_t MIN_COMPACTION = 1024; ///< removed entries not worth a compaction
    static constexpr std::size_t MIN_PERIOD = 1 << 14;  ///< events between two looks at the width
    static constexpr uint64_t GOOD_LOAD = 3;  ///< events in a bucket: not worth narrower ones
    static constexpr uint64_t MAX_TIMES = 32; ///< in a bucket: sorting beats the heap
    static constexpr unsigned MAX_SHIFT = 40; ///< log2 of the greatest bucket width
    static constexpr uint32_t NIL = std::numeric_limits<uint32_t>::max();   ///< no block
    static constexpr uint64_t NEVER = std::numeric_limits<uint64_t>::max(); ///< no event's time

    /// Order of events, the later first: what std::push_heap wants to keep the earliest in front.
    struct Later
    {
        uint32_t newestUid; ///< ages count from here

        /**
         * @param a an event
         * @param b another event
         * @return true if a happens after b
         */
        bool operator()(const Event& a, const Event& b) const
        {
            return a.time != b.time ? a.time > b.time : newestUid - a.uid < newestUid - b.uid;
        }
    };

    /// Some events of a bucket's circular list: as many as fit into two cache lines.
    struct alignas(64) Block
    {
        static constexpr uint32_t CAPACITY = 5; ///< events

        uint32_t next;          ///< the next block; the list's last block refers to its first
        Event events[CAPACITY]; ///< all valid, but in the last block
    };

    /// A list of blocks.
    struct Bucket
    {
        uint32_t last{NIL};             ///< the last block
        uint32_t fill{Block::CAPACITY}; ///< events in it
    };

    /// The events of the bucket that is being drained, in an array that keeps its memory.
    class Drained
    {
      public:
        Drained() = default;
        Drained(const Drained&) = delete; // pointers into m_memory
        Drained& operator=(const Drained&) = delete;
        Drained(Drained&&) = default;
        Drained& operator=(Drained&&) = default;

        /// @return true if no event is left
        bool IsEmpty() const
        {
            return m_front == m_back;
        }

        /// @return the events left
        std::size_t GetSize() const
        {
            return m_back - m_front;
        }

        /// @return the first event left
        Event* begin() const
        {
            return m_front;
        }

        /// @return behind the last event
        Event* end() const
        {
            return m_back;
        }

        /// @return the first event left; there must be one
        const Event& GetFront() const
        {
            return *m_front;
        }

        /// @return the first event left, which is taken; valid until one is added
        const Event& TakeFront()
        {
            return *m_front++;
        }

        /// @return true if one event was taken
        bool IsFirstTaken() const
        {
            return m_front == m_memory.data() + 1;
        }

        /// @param distance from the first event left
        /// @return an event; nullptr if there are not so many
        const Event* LookAt(std::size_t distance) const
        {
            return distance < GetSize() ? m_front + distance : nullptr;
        }

        /// Forget all events.
        void Clear()
        {
            m_front = m_back = m_memory.data();
        }

        /// @param block events to append
        /// @param count how many of the block's
        void Append(const Block& block, uint32_t count)
        {
            if (m_limit - m_back < Block::CAPACITY) [[unlikely]]
            {
                Grow();
            }
            std::memcpy(m_back, block.events, sizeof(block.events)); // a constant size is faster
            m_back += count;
        }

        /// @param place where to insert, from begin() to end()
        /// @param event what to insert
        void Insert(Event* place, Event event)
        {
            const auto index = place - m_front;
            if (m_limit == m_back)
            {
                Grow();
            }
            std::copy_backward(m_front + index, m_back, m_back + 1);
            m_front[index] = event;
            ++m_back;
        }

      private:
        /// Make room for more events.
        [[gnu::noinline]] void Grow()
        {
            const auto front = m_front - m_memory.data();
            const auto back = m_back - m_memory.data();
            m_memory.resize(2 * m_memory.size() + Block::CAPACITY);
            m_front = m_memory.data() + front;
            m_back = m_memory.data() + back;
            m_limit = m_memory.data() + m_memory.size();
        }

        Event* m_front{nullptr};     ///< the first event left
        Event* m_back{nullptr};      ///< behind the last one
        Event* m_limit{nullptr};     ///< end of the memory
        std::vector<Event> m_memory; ///< of the events
    };

    /// @return log2 of the bucket width in time steps: about 4 ns, or one step if that is coarser
    static unsigned ChooseShift()
    {
        const auto steps =
            static_cast<uint64_t>(std::max<int64_t>(1, NanoSeconds(4).GetTimeStep()));
        return std::bit_width(steps) - 1;
    }

    /**
     * @param a an event
     * @param b another event
     * @return true if a happens before b
     */
    bool IsBefore(const Event& a, const Event& b) const
    {
        return Later{m_newestUid}(b, a);
    }

    /// @return true if the heap's front comes before the drained bucket's front
    bool IsHeapNext() const
    {
        return m_current.IsEmpty() || (m_heapTime <= m_current.GetFront().time &&
                                       IsBefore(m_heap.front(), m_current.GetFront()));
    }

    // What Insert() seldom does takes an event in parts, as these stay in registers, and comes last
    // in it: so it needs nothing of its registers afterwards and saves none.

    /**
     * Insert what the wheel has no bucket for.
     * @param time as in Event
     * @param uid as in Event
     * @param context as in Event
     * @param payload as in Event
     */
    [[gnu::noinline]] void InsertElsewhere(uint64_t time,
                                           uint32_t uid,
                                           uint32_t context,
                                           uintptr_t payload)
    {
        if (time >> m_shift <= m_bucket)
        {
            InsertCurrent({time, uid, context, payload});
        }
        else
        {
            ++m_far;
            PushHeap({time, uid, context, payload});
        }
    }

    /**
     * Insert into a bucket that has no room.
     * @param slot the bucket's place
     * @param time as in Event
     * @param uid as in Event
     * @param context as in Event
     * @param payload as in Event
     */
    [[gnu::noinline]] void InsertIntoNewBlock(uint32_t slot,
                                              uint64_t time,
                                              uint32_t uid,
                                              uint32_t context,
                                              uintptr_t payload)
    {
        m_blocks[AddBlock(slot)].events[0] = {time, uid, context, payload};
        m_buckets[slot].fill = 1;
    }

    /**
     * Append an empty block to the list of a bucket.
     * @param slot the bucket's place
     * @return the block's place
     */
    uint32_t AddBlock(uint32_t slot)
    {
        if (m_free == NIL) [[unlikely]]
        {
            AddFreeBlock();
        }
        const uint32_t block = std::exchange(m_free, m_blocks[m_free].next);
        Bucket& bucket = m_buckets[slot];
        if (bucket.last == NIL)
        {
            m_blocks[block].next = block;
            m_occupied[slot / 64] |= 1ULL << slot % 64;
            m_summary |= 1ULL << slot / 64;
        }
        else
        {
            m_blocks[block].next = m_blocks[bucket.last].next;
            m_blocks[bucket.last].next = block;
        }
        bucket = {block, 0};
        return block;
    }

    /// Take memory for another block.
    [[gnu::noinline]] void AddFreeBlock()
    {
        m_free = static_cast<uint32_t>(m_blocks.size());
        m_blocks.emplace_back().next = NIL;
    }

    /**
     * Insert into the bucket that is being drained, unless that would move too many entries.
     * @param event the event
     */
    void InsertCurrent(Event event)
    {
        const auto stop = m_current.end() - std::min(m_current.GetSize(), MAX_SHIFTED);
        auto place = m_current.end();
        while (place > stop && IsBefore(event, place[-1]))
        {
            --place;
        }
        if (place == stop && m_current.GetSize() > MAX_SHIFTED)
        {
            ++m_loaded;
            ++m_times;
            PushHeap(event);
            return;
        }
        m_current.Insert(place, event);
    }

    /**
     * Insert into the heap.
     * @param event the event
     */
    void PushHeap(Event event)
    {
        m_heap.push_back(event);
        std::push_heap(m_heap.begin(), m_heap.end(), Later{m_newestUid});
        m_heapTime = m_heap.front().time;
    }

    /// @return the next entry, taken from where it is kept
    const Event& TakeNext()
    {
        return IsHeapNext() ? PopHeap() : m_current.TakeFront();
    }

    /// @return the heap's earliest entry, taken out
    [[gnu::noinline]] const Event& PopHeap()
    {
        m_popped = m_heap.front();
        DropFront(m_heap);
        m_heapTime = m_heap.empty() ? NEVER : m_heap.front().time;
        return m_popped;
    }

    /// @param heap a heap with an entry; the earliest one goes
    void DropFront(std::vector<Event>& heap) const
    {
        std::pop_heap(heap.begin(), heap.end(), Later{m_newestUid});
        heap.pop_back();
    }

    /// Make the next entry one that is known and was not removed.
    void Settle()
    {
        if (m_current.IsEmpty())
        {
            Refill();
        }
        if (!m_removed.empty()) [[unlikely]]
        {
            SkipRemoved();
        }
    }

    /// Drop entries that were removed from the front. The removed are kept in the same order, so
    /// the next entry was removed if and only if it is the first of them.
    [[gnu::noinline]] void SkipRemoved()
    {
        while (!m_removed.empty())
        {
            const Event& next = IsHeapNext() ? m_heap.front() : m_current.GetFront();
            if (next.time != m_removed.front().time || next.uid != m_removed.front().uid)
            {
                return;
            }
            DropFront(m_removed);
            TakeNext();
            if (m_current.IsEmpty())
            {
                Refill();
            }
        }
    }

    /// Make buckets wider if much is beyond the horizon, and narrower if much has to be sorted that
    /// narrower buckets would part, unless that would put much beyond the horizon: no change leaves
    /// a reason to take it back.
    void AdaptWidth()
    {
        const uint64_t loads = std::max<uint64_t>(1, m_loads);
        const uint64_t load = m_loaded / loads;
        const uint64_t times = m_times / loads;
        const bool oftenFar = m_far > m_loaded / 4;
        const bool oftenFarIfNarrower = m_far + m_distant > m_loaded / 8;
        m_far = m_distant = m_loaded = m_times = m_loads = 0;
        if (oftenFar && times <= MAX_TIMES && m_shift < MAX_SHIFT)
        {
            Rebuild(m_shift + 1);
        }
        else if (load > GOOD_LOAD && times > 2 && !oftenFarIfNarrower && m_shift > 0)
        {
            Rebuild(m_shift - 1);
        }
    }

    /**
     * Start again with the pending events, without entries that were removed.
     * @param shift log2 of the bucket width from now on, in time steps
     */
    void Rebuild(unsigned shift)
    {
        std::vector<Event> all(m_current.begin(), m_current.end());
        m_current.Clear();
        for (uint32_t slot = 0; slot < BUCKETS; ++slot)
        {
            if (m_buckets[slot].last != NIL)
            {
                Unload(slot);
            }
        }
        all.insert(all.end(), m_current.begin(), m_current.end());
        all.insert(all.end(), m_heap.begin(), m_heap.end());
        if (!m_removed.empty())
        {
            const auto before = [this](const Event& a, const Event& b) { return IsBefore(a, b); };
            std::sort(all.begin(), all.end(), before);
            std::sort(m_removed.begin(), m_removed.end(), before);
        }
        TimingWheel wheel;
        wheel.m_shift = shift;
        wheel.m_bucket = m_bucket << m_shift >> shift;
        wheel.m_newestUid = m_newestUid;
        auto removed = m_removed.begin();
        for (const Event& event : all)
        {
            if (removed != m_removed.end() && removed->uid == event.uid)
            {
                ++removed; // both are in the same order
            }
            else
            {
                wheel.Insert(event);
            }
        }
        *this = std::move(wheel);
    }

    /**
     * Bring a block into the cache.
     * @param block its place
     */
    void PrefetchBlock(uint32_t block) const
    {
        PrefetchBytes(&m_blocks[block], sizeof(Block));
    }

    /// Begin with LookIntoNextBucket().
    [[gnu::noinline]] void StartLooking()
    {
        m_looking = true;
        m_ahead = m_summary ? m_buckets[FindOccupied() % BUCKETS].last : NIL;
        m_aheadEnd = m_ahead;
        if (m_ahead != NIL)
        {
            PrefetchBlock(m_ahead);
        }
    }

    /// Go on to the next bucket that has an entry, in the wheel or in the heap, and sort it.
    [[gnu::noinline]] void Refill()
    {
        m_current.Clear();
        if (m_loaded + m_far > std::max(MIN_PERIOD, m_size)) // a rebuild is O(1) per event
        {
            AdaptWidth(); // which may have put something into the drained bucket again
        }
        if (!m_current.IsEmpty())
        {
            return;
        }
        uint64_t bucket = m_summary ? FindOccupied() : std::numeric_limits<uint64_t>::max();
        if (!m_heap.empty())
        {
            bucket = std::min(bucket, m_heapTime >> m_shift);
        }
        if (bucket <= m_bucket || bucket == std::numeric_limits<uint64_t>::max())
        {
            return;
        }
        m_bucket = bucket;
        m_looking = false;
        const uint32_t slot = bucket % BUCKETS;
        if (m_buckets[slot].last != NIL)
        {
            Unload(slot);
            SortCurrent();
            m_loaded += m_current.GetSize();
            m_times += CountTimes();
            ++m_loads;
        }
    }

    /// @return the number of the first bucket after the drained one that has entries; one must have
    uint64_t FindOccupied() const
    {
        const auto start = static_cast<uint32_t>((m_bucket + 1) % BUCKETS);
        uint32_t word = start / 64;
        uint64_t bits = m_occupied[word] & ~0ULL << start % 64;
        if (bits == 0)
        {
            const uint32_t following = (word + 1) % 64;
            word = (following + std::countr_zero(std::rotr(m_summary, following))) % 64;
            bits = m_occupied[word];
        }
        const uint32_t slot = word * 64 + std::countr_zero(bits);
        return m_bucket + 1 + (slot - start) % BUCKETS;
    }

    /**
     * Move a bucket's list into the array that is drained.
     * @param slot the bucket's place, which has entries
     */
    void Unload(uint32_t slot)
    {
        const auto [last, fill] = std::exchange(m_buckets[slot], Bucket{});
        uint32_t block = last;
        do
        {
            block = m_blocks[block].next;
            const Block& source = m_blocks[block];
            PrefetchBlock(source.next);
            m_current.Append(source, block == last ? fill : Block::CAPACITY);
        } while (block != last);
        // The circle is opened behind its last block and put in front of the free list.
        std::swap(m_blocks[last].next, m_free);
        m_occupied[slot / 64] &= ~(1ULL << slot % 64);
        if (m_occupied[slot / 64] == 0)
        {
            m_summary &= ~(1ULL << slot / 64);
        }
    }

    /// Sort the drained bucket; few entries, or many of equal time, are the common cases.
    void SortCurrent()
    {
        const auto before = [this](const Event& a, const Event& b) { return IsBefore(a, b); };
        if (m_current.GetSize() > MAX_SHIFTED)
        {
            if (!std::is_sorted(m_current.begin(), m_current.end(), before))
            {
                std::sort(m_current.begin(), m_current.end(), before);
            }
            return;
        }
        for (Event* event = m_current.begin() + 1; event < m_current.end(); ++event)
        {
            if (IsBefore(*event, event[-1]))
            {
                MoveToPlace(event);
            }
        }
    }

    /**
     * Move an event of the drained bucket to its place among those before it, which are sorted.
     * @param event where it is; it comes before the one in front of it
     */
    void MoveToPlace(Event* event)
    {
        const Event moved = *event;
        do
        {
            *event = event[-1];
            --event;
        } while (event > m_current.begin() && IsBefore(moved, event[-1]));
        *event = moved;
    }

    /// @return the number of different times in the drained bucket, which is sorted; of a small
    /// one, which does not matter, the number of events
    uint64_t CountTimes() const
    {
        if (m_current.GetSize() <= MAX_SHIFTED)
        {
            return m_current.GetSize();
        }
        uint64_t times = 1;
        for (const Event* event = m_current.begin() + 1; event < m_current.end(); ++event)
        {
            times += event->time != event[-1].time;
        }
        return times;
    }

    // First what each event touches.
    unsigned m_shift;             ///< log2 of the bucket width in time steps
    uint32_t m_newestUid{0};      ///< the uid of the event scheduled last
    std::size_t m_size{0};        ///< pending events, without those removed
    uint64_t m_bucket{0};         ///< number of the bucket being drained; the wheel's are after it
    uint64_t m_distant{0};        ///< events put into the wheel's farther half, see m_far
    uint64_t m_heapTime{NEVER};   ///< of the heap's front
    Drained m_current;            ///< the bucket being drained, sorted
    std::vector<Event> m_removed; ///< entries to be skipped, a heap
    HugeVector<Bucket> m_buckets = HugeVector<Bucket>(BUCKETS); ///< the wheel
    HugeVector<Block> m_blocks;                                 ///< blocks of all buckets
    uint32_t m_free{NIL};                                       ///< first unused block
    bool m_looking{false};               ///< StartLooking() was called for the drained bucket
    uint32_t m_ahead{NIL};               ///< block to look into, if any
    uint32_t m_aheadEnd{NIL};            ///< block to stop at
    uint64_t m_summary{0};               ///< which words of m_occupied are not 0
    uint64_t m_occupied[BUCKETS / 64]{}; ///< which buckets have entries
    std::vector<Event> m_heap;           ///< what is not in the wheel
    Event m_popped{};                    ///< the last event taken from the heap
    uint64_t m_far{0};    ///< events put beyond the horizon since the width was looked at
    uint64_t m_loaded{0}; ///< events in the buckets drained since then
    uint64_t m_times{0};  ///< different times in each of those buckets
    uint64_t m_loads{0};  ///< those buckets
};

} // namespace ns3

#endif /* TIMING_WHEEL_H */
