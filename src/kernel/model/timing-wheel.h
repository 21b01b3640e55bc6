/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMING_WHEEL_H
#define TIMING_WHEEL_H

#include "huge-pages.h"

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
 * Most events of a network happen within a few serialisation and propagation delays. Those go, as
 * they come and in constant time, into one of BUCKETS buckets, each covering a few nanoseconds; a
 * bucket is sorted when time reaches it. Everything else goes into a binary heap: what lies beyond
 * the wheel's horizon, what would have to be inserted deep into the bucket now being drained, and
 * what does not come in the order of uids (so equal times in a bucket are in order already).
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
        uint64_t time;     ///< time of the event, in time steps
        uint32_t uid;      ///< its position in the order of scheduling
        uint32_t context;  ///< the execution context (node id)
        uintptr_t payload; ///< the work; not interpreted here
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
        if (static_cast<int32_t>(event.uid - m_newestUid) <= 0) [[unlikely]]
        {
            InsertOld(event);
            return;
        }
        InsertNewest(event);
    }

    /**
     * The same without asking whether it is so, for one that schedules in the order of uids.
     * @param event the event; its uid follows, perhaps not at once, on that of the last one
     * inserted
     */
    void InsertNewest(Event event)
    {
        ++m_size;
        m_newestUid = event.uid;
        Place(event);
    }

    /// @return the next event; one must be pending
    const Event& Peek()
    {
        if (!IsCurrentNext())
        {
            SkipRemoved();
        }
        return IsHeapNext() ? m_heap.front() : m_current.GetFront();
    }

    /// @return the next event, which is then no longer pending; one must be pending. Valid until
    ///         another one is taken or inserted
    const Event& Pop()
    {
        if (IsCurrentNext()) [[likely]]
        {
            --m_size;
            return m_current.TakeFront();
        }
        return PopEarliest();
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
        if (m_ahead == nullptr) [[likely]]
        {
            return;
        }
        for (const Event& event : m_ahead->events)
        {
            visit(event);
        }
        m_ahead = GetBlock(m_ahead->next);
        PrefetchBlock(m_ahead);
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
        m_otherTime = std::min(m_otherTime, time);
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

    /// Some events of a bucket, as many as fit into two cache lines, in the order of their uids.
    struct alignas(64) Block
    {
        static constexpr uint32_t CAPACITY = 5; ///< events

        uint32_t next{NIL};     ///< the place in m_blocks of one filled earlier, if any
        Event events[CAPACITY]; ///< in m_blocks all; in m_buckets as many as m_fill says
    };

    /// The events left of the bucket that is being drained: where they are if one block holds them,
    /// so that the first is at hand at once, else in an array that keeps its memory.
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
            return m_front == m_start + 1;
        }

        /// @param distance from the first event left
        /// @return an event; nullptr if there are not so many
        const Event* LookAt(std::size_t distance) const
        {
            return distance < GetSize() ? m_front + distance : nullptr;
        }

        /// @param block a block of events to drain from now on; it stays, and so do they
        /// @param fill number of its events
        void Set(Block& block, uint32_t fill)
        {
            m_start = m_front = block.events;
            m_back = m_front + fill;
            m_limit = m_front + Block::CAPACITY;
        }

        /// @param count number of events to drain from now on, to be written from begin() on
        void Resize(std::size_t count)
        {
            if (m_memory.size() < count)
            {
                m_memory.resize(2 * count);
            }
            m_start = m_front = m_memory.data();
            m_back = m_front + count;
            m_limit = m_front + m_memory.size();
        }

        /// @param place a place to insert at, from begin() to end()
        /// @param event the event to insert
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
            const auto left = static_cast<std::ptrdiff_t>(GetSize());
            if (m_start == m_memory.data())
            {
                const auto taken = m_front - m_start;
                m_memory.resize(2 * m_memory.size());
                m_front = m_memory.data() + taken;
            }
            else
            {
                m_front = std::copy(m_front, m_back, m_memory.data()) - left;
            }
            m_start = m_memory.data();
            m_back = m_front + left;
            m_limit = m_start + m_memory.size();
        }

        Event* m_start{nullptr}; ///< the first event that there was
        Event* m_front{nullptr}; ///< the first event left
        Event* m_back{nullptr};  ///< behind the last one
        Event* m_limit{nullptr}; ///< end of the memory
        std::vector<Event> m_memory = std::vector<Event>(8 * Block::CAPACITY); ///< of more events
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

    /// @return true if the drained bucket's front is the next event, without a look at what was
    /// removed or is in the heap. The drained bucket is filled again for it
    bool IsCurrentNext()
    {
        if (m_current.IsEmpty())
        {
            Refill();
        }
        return !m_current.IsEmpty() && m_current.GetFront().time < m_otherTime;
    }

    /// @return true if the heap's front comes before the drained bucket's front
    bool IsHeapNext() const
    {
        return m_current.IsEmpty() ||
               (!m_heap.empty() && IsBefore(m_heap.front(), m_current.GetFront()));
    }

    /**
     * Put an event that is younger than all in the wheel where it belongs.
     * @param event the event
     */
    void Place(Event event)
    {
        const uint64_t bucket = event.time >> m_shift;
        const uint64_t ahead = bucket - m_bucket;
        if (ahead - 1 >= BUCKETS - 1) [[unlikely]]
        {
            InsertOutOfRange(event.time, event.uid, event.context, event.payload);
            return;
        }
        m_distant += ahead / (BUCKETS / 2);
        const uint32_t slot = bucket % BUCKETS;
        const uint32_t fill = m_fill[slot];
        if (fill == Block::CAPACITY) [[unlikely]]
        {
            InsertIntoFull(slot, event.time, event.uid, event.context, event.payload);
            return;
        }
        // Without asking whether it is known: nobody could predict the answer.
        m_occupied[slot / 64] |= 1ULL << slot % 64;
        m_summary |= 1ULL << slot / 64;
        m_fill[slot] = static_cast<uint8_t>(fill + 1);
        m_buckets[slot].events[fill] = event;
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
    [[gnu::noinline]] void InsertOutOfRange(uint64_t time,
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
     * Insert into a bucket whose block is full: that goes to the others.
     * @param slot the bucket's place
     * @param time as in Event
     * @param uid as in Event
     * @param context as in Event
     * @param payload as in Event
     */
    [[gnu::noinline]] void InsertIntoFull(uint32_t slot,
                                          uint64_t time,
                                          uint32_t uid,
                                          uint32_t context,
                                          uintptr_t payload)
    {
        if (m_free == NIL) [[unlikely]]
        {
            m_free = static_cast<uint32_t>(m_blocks.size());
            m_blocks.emplace_back();
            m_ahead = nullptr; // blocks may have moved
        }
        const uint32_t place = std::exchange(m_free, m_blocks[m_free].next);
        Block& block = m_buckets[slot];
        m_blocks[place] = block;
        block.next = place;
        m_fill[slot] = 1;
        block.events[0] = {time, uid, context, payload};
    }

    /**
     * Insert what is older than another one that was inserted.
     * @param event the event
     */
    [[gnu::noinline]] void InsertOld(Event event)
    {
        if (m_size == 0 && m_heap.empty() && m_removed.empty())
        {
            InsertNewest(event); // ages count anew
            return;
        }
        ++m_size;
        PushHeap(event);
    }

    /**
     * Insert into the bucket that is being drained, unless that would move too many entries.
     * @param event the event
     */
    void InsertCurrent(Event event)
    {
        const auto stop = m_current.end() - std::min(m_current.GetSize(), MAX_SHIFTED);
        auto place = m_current.end();
        while (place > stop && event.time < place[-1].time)
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
        m_otherTime = std::min(m_otherTime, event.time);
    }

    /// @return the next entry, taken from where it is kept
    const Event& TakeNext()
    {
        return IsHeapNext() ? PopHeap() : m_current.TakeFront();
    }

    /// @return the heap's earliest entry, taken out
    const Event& PopHeap()
    {
        m_popped = m_heap.front();
        DropFront(m_heap);
        return m_popped;
    }

    /// @return Pop(), where it may be that the drained bucket's front is not the next event
    [[gnu::noinline]] const Event& PopEarliest()
    {
        SkipRemoved();
        --m_size;
        return TakeNext();
    }

    /// @param heap a heap with an entry; the earliest one goes
    void DropFront(std::vector<Event>& heap)
    {
        std::pop_heap(heap.begin(), heap.end(), Later{m_newestUid});
        heap.pop_back();
        m_otherTime = std::min(GetFirstTime(m_heap), GetFirstTime(m_removed));
    }

    /// @param heap a heap
    /// @return the time of its earliest entry
    static uint64_t GetFirstTime(const std::vector<Event>& heap)
    {
        return heap.empty() ? NEVER : heap.front().time;
    }

    /// Drop entries that were removed from the front. The removed are kept in the same order, so
    /// the next entry was removed if and only if it is the first of them.
    void SkipRemoved()
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
        for (uint32_t slot = 0; slot < BUCKETS; ++slot)
        {
            const Block& bucket = m_buckets[slot];
            all.insert(all.end(), bucket.events, bucket.events + m_fill[slot]);
            for (const Block* block = GetBlock(bucket.next); block; block = GetBlock(block->next))
            {
                all.insert(all.end(), block->events, block->events + Block::CAPACITY);
            }
        }
        all.insert(all.end(), m_heap.begin(), m_heap.end());
        const auto isOlder = [this](const Event& a, const Event& b) {
            return m_newestUid - a.uid > m_newestUid - b.uid;
        };
        std::sort(all.begin(), all.end(), isOlder);
        std::sort(m_removed.begin(), m_removed.end(), isOlder);
        TimingWheel wheel;
        wheel.m_shift = shift;
        wheel.m_bucket = m_bucket << m_shift >> shift;
        wheel.m_newestUid = m_newestUid;
        wheel.m_size = m_size;
        auto removed = m_removed.begin();
        for (const Event& event : all)
        {
            if (removed != m_removed.end() && removed->uid == event.uid)
            {
                ++removed; // both are in the same order
            }
            else
            {
                wheel.Place(event);
            }
        }
        *this = std::move(wheel);
    }

    /**
     * @param place of a block in m_blocks, or NIL
     * @return the block, or nullptr
     */
    const Block* GetBlock(uint32_t place) const
    {
        return place == NIL ? nullptr : &m_blocks[place];
    }

    /// @param block to bring into the cache, if any
    static void PrefetchBlock(const Block* block)
    {
        __builtin_prefetch(block);
        __builtin_prefetch(reinterpret_cast<const std::byte*>(block) + sizeof(Block) / 2);
    }

    /// Begin with LookIntoNextBucket().
    [[gnu::noinline]] void StartLooking()
    {
        m_looking = true;
        m_ahead = m_summary ? &m_buckets[FindOccupied() % BUCKETS] : nullptr;
        PrefetchBlock(m_ahead);
    }

    /// Go on to the next bucket that has an entry, in the wheel or in the heap, and sort it.
    [[gnu::noinline]] void Refill()
    {
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
            bucket = std::min(bucket, m_heap.front().time >> m_shift);
        }
        if (bucket <= m_bucket || bucket == std::numeric_limits<uint64_t>::max())
        {
            return;
        }
        m_bucket = bucket;
        m_looking = false;
        const uint32_t slot = bucket % BUCKETS;
        if (m_fill[slot] > 0)
        {
            Unload(slot);
            m_loaded += m_current.GetSize();
            m_times += CountTimes();
            ++m_loads;
        }
        else
        {
            m_current.Resize(0); // what is inserted now must not go into the block left
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
     * Drain a bucket.
     * @param slot the bucket's place, which has entries
     */
    void Unload(uint32_t slot)
    {
        Block& block = m_buckets[slot];
        if (block.next == NIL) [[likely]]
        {
            m_current.Set(block, m_fill[slot]);
        }
        else
        {
            Gather(block, m_fill[slot]);
        }
        m_fill[slot] = 0;
        m_occupied[slot / 64] &= ~(1ULL << slot % 64);
        if (m_occupied[slot / 64] == 0)
        {
            m_summary &= ~(1ULL << slot / 64);
        }
        SortCurrent();
    }

    /**
     * Copy the events of several blocks into the array, in the order of their uids.
     * @param newest the bucket's own block; the others are free then
     * @param fill events in it
     */
    [[gnu::noinline]] void Gather(Block& newest, uint32_t fill)
    {
        std::size_t count = fill;
        for (uint32_t place = newest.next; place != NIL; place = m_blocks[place].next)
        {
            count += Block::CAPACITY;
        }
        m_current.Resize(count);
        Event* end = std::copy_n(newest.events, fill, m_current.end() - fill);
        end -= fill;
        uint32_t oldest = NIL;
        for (uint32_t place = newest.next; place != NIL; place = m_blocks[place].next)
        {
            end -= Block::CAPACITY;
            std::copy_n(m_blocks[place].events, Block::CAPACITY, end);
            oldest = place;
        }
        m_blocks[oldest].next = m_free;
        m_free = std::exchange(newest.next, NIL);
    }

    /// Sort the drained bucket, which is in the order of uids; few entries, or many of equal time,
    /// are the common cases. Branches guess the order and are often right: what follows need not
    /// wait for comparisons, as it would for a sort without branches.
    void SortCurrent()
    {
        if (m_current.GetSize() > MAX_SHIFTED)
        {
            const auto before = [this](const Event& a, const Event& b) { return IsBefore(a, b); };
            if (!std::is_sorted(m_current.begin(), m_current.end(), before))
            {
                std::sort(m_current.begin(), m_current.end(), before);
            }
            return;
        }
        for (Event* event = m_current.begin() + 1; event < m_current.end(); ++event)
        {
            if (event->time < event[-1].time)
            {
                MoveToPlace(event);
            }
        }
    }

    /**
     * Move an event of the drained bucket to its place among those before it, which are sorted.
     * @param event its place; it comes before the one in front of it
     */
    void MoveToPlace(Event* event)
    {
        const Event moved = *event;
        do
        {
            *event = event[-1];
            --event;
        } while (event > m_current.begin() && moved.time < event[-1].time);
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
    uint64_t m_otherTime{NEVER};  ///< of what is in the heap or was removed, the first
    Drained m_current;            ///< the bucket being drained, sorted
    std::vector<Event> m_removed; ///< entries to be skipped, a heap
    HugeVector<Block> m_buckets = HugeVector<Block>(BUCKETS); ///< the wheel: newest events of each
    HugeVector<Block> m_blocks;          ///< full ones, of buckets that have more than one block
    uint32_t m_free{NIL};                ///< first unused one of these
    bool m_looking{false};               ///< StartLooking() was called for the drained bucket
    const Block* m_ahead{nullptr};       ///< block to look into, if any
    uint64_t m_summary{0};               ///< by bit: a word of m_occupied is not 0
    uint64_t m_occupied[BUCKETS / 64]{}; ///< by bit: a bucket has entries
    uint8_t m_fill[BUCKETS]{}; ///< events in the newest block of each, all at hand: what is
                               ///< inserted need not wait for its bucket
    std::vector<Event> m_heap; ///< events that are not in the wheel
    Event m_popped{};          ///< the last event taken from the heap
    uint64_t m_far{0};         ///< events put beyond the horizon since the width was looked at
    uint64_t m_loaded{0};      ///< events in the buckets drained since then
    uint64_t m_times{0};       ///< different times in each of those buckets
    uint64_t m_loads{0};       ///< those buckets
};

} // namespace ns3

#endif /* TIMING_WHEEL_H */
