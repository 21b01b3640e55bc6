/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_ITEM_H
#define FABRIC_ITEM_H

#include "ns3/huge-pages.h"
#include "ns3/packet.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>

namespace ns3
{

class FabricNode;

/**
 * @ingroup fabric
 * @brief Data of an item beyond its fixed fields (a telemetry stack, an inner header, ...).
 *
 * Owned by the item and deleted with it; a class with many instances gives itself a pooled
 * operator new.
 */
class ItemExtension
{
  public:
    virtual ~ItemExtension() = default;
};

/**
 * @ingroup fabric
 * @brief A packet in the fabric: its headers, parsed once on entry.
 *
 * As in a programmable switch, a fixed struct travels from port to port and bytes exist only where
 * something looks at bytes. The first cache line holds all that a switch looks at, the second
 * belongs to the transport and is touched at the ends only. Items come from a pool and have exactly
 * one owner at a time: the list they wait in, the link they are on, or the code that holds them.
 */
struct alignas(64) FabricItem
{
    /// @brief Bit 0 of #kind: the item is for the endpoint that sends the flow's data.
    static constexpr uint8_t TOWARDS_SENDER = 1;

    /// @brief Value of #priority in a stock ns-3 program if no packet filter matches.
    static constexpr uint8_t NO_PRIORITY = UINT8_MAX;

    /// @brief The purpose of an item; bits 1 and 2 of #kind.
    enum Class : uint8_t
    {
        DATA = 0,    //!< from a flow's sender: payload, and what opens the connection for it
        ANSWER = 1,  //!< to a flow's sender: an acknowledgment, feedback
        CONTROL = 2, //!< of the network itself: a hello, a link state, a probe, a report
    };

    /// @brief Explicit Congestion Notification codepoints (RFC 3168): the low two bits of #tos.
    enum Ecn : uint8_t
    {
        NOT_ECT = 0, //!< not ECN-capable
        ECT1 = 1,    //!< ECN-capable, codepoint 1
        ECT0 = 2,    //!< ECN-capable, codepoint 0
        CE = 3,      //!< congestion experienced
    };

    // A source route is the number of its hops, then the output port at each of so many switches. A
    // switch behind the last of them sends the item to a host of its own. See PathTable.

    union {
        FabricItem* next;    //!< while waiting in a list: the item behind
        FabricNode* arrival; //!< while on a link: the node at its end
    };

    Packet* packet;           //!< bytes, or nullptr: most items have none; holds one reference
    ItemExtension* extension; //!< variable part, or nullptr; owned
    const uint16_t* route;    //!< source route or nullptr, see below; not owned
    int64_t time;             //!< for the discipline that holds the item, in time steps
    uint32_t hash;            //!< of the 5-tuple
    uint32_t flow; //!< endpoints within the fabric (Fabric::AddEndpoints); 0: the host's NetDevice
    uint32_t source;      //!< sending host
    uint32_t destination; //!< receiving host
    uint16_t size;        //!< IP datagram in bytes
    uint8_t tos;          //!< DSCP (high six bits) and ECN (low two)
    uint8_t hops;         //!< switches passed, this one included
    uint8_t kind;         //!< bit 0: TOWARDS_SENDER; bits 1, 2: Class; others: free
    uint8_t priority; //!< class, 0 the most urgent; set at the fabric's edge or by packet filters
    uint16_t inPort;  //!< port it came in by

    alignas(64) std::byte transport[64]; //!< the transport's header, see As()

    /**
     * @brief Take an item from the pool.
     * @return an item whose first line is all zero; transport is uninitialised
     */
    static FabricItem* Create();

    /// @brief Give the item back to the pool, with its packet reference and extension.
    void Release();

    /**
     * @brief The transport's header as the transport's own type.
     * @tparam T a trivial type of at most 64 bytes
     * @return the header; the caller knows what stands there
     */
    template <typename T>
    T& As()
    {
        static_assert(sizeof(T) <= sizeof(transport) && std::is_trivially_destructible_v<T>);
        return *std::launder(reinterpret_cast<T*>(transport));
    }

    /// @brief ECN codepoint.
    Ecn GetEcn() const
    {
        return static_cast<Ecn>(tos & 3);
    }

    /**
     * @brief Set the ECN codepoint.
     * @param ecn the codepoint
     */
    void SetEcn(Ecn ecn)
    {
        tos = static_cast<uint8_t>((tos & ~3) | ecn);
    }

    /**
     * @brief The purpose of the item.
     * @return its class; DATA unless SetClass() said otherwise
     */
    Class GetClass() const
    {
        return static_cast<Class>(kind >> CLASS_SHIFT & CLASS_MASK);
    }

    /**
     * @brief Say what the item is for.
     * @param itemClass its class
     */
    void SetClass(Class itemClass)
    {
        kind =
            static_cast<uint8_t>((kind & ~(CLASS_MASK << CLASS_SHIFT)) | itemClass << CLASS_SHIFT);
    }

    /// @brief Items taken from the pool and not yet given back, for tests of conservation.
    static uint64_t GetLiveCount();

  private:
    static constexpr uint8_t CLASS_SHIFT = 1; //!< place of the class in #kind
    static constexpr uint8_t CLASS_MASK = 3;  //!< its bits
};

static_assert(sizeof(FabricItem) == 128 && offsetof(FabricItem, transport) == 64);

/**
 * @ingroup fabric
 * @brief First-in first-out list of items, linked through the items themselves.
 */
class ItemList
{
  public:
    /**
     * @brief Append.
     * @param item the item; the list owns it now
     */
    void Push(FabricItem* item)
    {
        item->next = nullptr;
        (m_head ? m_tail->next : m_head) = item;
        m_tail = item;
    }

    /// @brief Take the first item; nullptr if the list is empty.
    FabricItem* Pop()
    {
        FabricItem* item = m_head;
        if (item)
        {
            m_head = item->next;
            // The next to leave, maybe untouched since it came; there is no page at the null
            // pointer, and it takes the processor long to find that out.
            __builtin_prefetch(m_head ? m_head : item);
        }
        return item;
    }

    /// @brief Look at the first item; nullptr if the list is empty.
    FabricItem* Front() const
    {
        return m_head;
    }

    /**
     * @brief Call a function for each item, the first one first.
     * @param visit takes a const FabricItem&
     */
    template <class Visit>
    void ForEach(const Visit& visit) const
    {
        for (const FabricItem* item = m_head; item; item = item->next)
        {
            visit(*item);
        }
    }

    /**
     * @brief True if nothing waits.
     * @return true if the list is empty
     */
    bool IsEmpty() const
    {
        return m_head == nullptr;
    }

  private:
    FabricItem* m_head{nullptr}; //!< next to leave
    FabricItem* m_tail{nullptr}; //!< last to come; stale when the list is empty
};

/**
 * @ingroup fabric
 * @brief First-in first-out list of items that knows how much waits in it.
 */
class ItemFifo : private ItemList
{
  public:
    using ItemList::ForEach;
    using ItemList::Front;
    using ItemList::IsEmpty;

    /**
     * @brief Append.
     * @param item the item; the list owns it now
     */
    void Push(FabricItem* item)
    {
        ItemList::Push(item);
        m_bytes += item->size;
        ++m_packets;
    }

    /// @brief Take the first item; nullptr if the list is empty.
    FabricItem* Pop()
    {
        FabricItem* item = ItemList::Pop();
        if (item)
        {
            m_bytes -= item->size;
            --m_packets;
        }
        return item;
    }

    /**
     * @brief Bytes waiting.
     * @return sum of sizes in bytes
     */
    uint32_t GetBytes() const
    {
        return m_bytes;
    }

    /// @brief Items waiting.
    uint32_t GetPackets() const
    {
        return m_packets;
    }

  private:
    uint32_t m_bytes{0};   //!< sum of sizes
    uint32_t m_packets{0}; //!< number of items
};

/**
 * @ingroup fabric
 * @brief A destination of items: a transport's endpoint, a network device.
 */
class ItemSink
{
  public:
    /// @brief The place of an item's payload.
    struct Payload
    {
        uint64_t begin;     //!< first byte of an ordered stream; maybe its low 32 bits only
        uint32_t length;    //!< bytes
        bool opens{false};  //!< the item opens a connection and #begin is its first byte
        bool ordered{true}; //!< true if the payload has a place in a stream; a datagram has none
    };

    virtual ~ItemSink() = default;

    /**
     * @brief An item arrived.
     * @param item the item; the sink owns it now
     */
    virtual void ReceiveItem(FabricItem* item) = 0;

    /**
     * @brief Read an item's place in its flow, for agents that restore order or balance bytes.
     * @param item is on its way to this sink
     * @return the place; nothing for an item without payload, such as an acknowledgment
     */
    virtual std::optional<Payload> GetPayload(FabricItem& item) const
    {
        (void)item;
        return std::nullopt;
    }

    /**
     * @brief An item that this endpoint sent leaves its host's port.
     * Only where FabricHost::TrackDepartures() was called. The port is at work: what is to be
     * sent now is sent by an event of its own.
     * @param item the item, not the sink's
     */
    virtual void OnDeparture(FabricItem& item)
    {
        (void)item;
    }

    /**
     * @brief An item that this endpoint sent was dropped in its own host, maybe while it was handed
     * over. To most senders this is a departure.
     * @param item the item, not the sink's
     */
    virtual void OnHostDrop(FabricItem& item)
    {
        OnDeparture(item);
    }
};

} // namespace ns3

#endif /* FABRIC_ITEM_H */
