/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_QUEUE_DISC_H
#define FABRIC_QUEUE_DISC_H

#include "fabric-item.h"

#include "ns3/data-rate.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-limit.h"
#include "ns3/traced-callback.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <typeinfo>
#include <vector>

namespace ns3
{

class Fabric;
class FabricPort;
class ItemClassifier;
class Results;
class SharedBuffer;

/**
 * @ingroup fabric
 * @brief A queueing discipline, written once for two homes.
 *
 * A subclass says in DoEnqueueItem() and DoDequeueItem() what the discipline does, in the words of
 * its paper. A fabric port calls it directly (EnqueueItem(), DequeueItem()). The same object is an
 * ns-3 QueueDisc with a TypeId, so any stock ns-3 program can install it on a net device: there the
 * headers of each QueueDiscItem are parsed into a FabricItem once, on entry, and what ns-3's packet
 * filters say of it is its priority (UsesPriority()). A discipline may also be part of another one
 * (MeteredQueueDisc), in either home.
 */
class FabricQueueDisc : public QueueDisc, public InHugePages
{
  public:
    /// @brief Packets and bytes that met one fate for one reason.
    struct Count
    {
        const char* reason;  //!< a string constant; compared by address
        uint64_t packets{0}; //!< number of packets
        uint64_t bytes{0};   //!< sum of sizes in bytes
    };

    /**
     * @brief Signature of the item trace sources.
     * @param item the item, still valid
     * @param reason reason of the event
     */
    typedef void (*ItemTracedCallback)(const FabricItem* item, const char* reason);

    /// @brief Get the type ID.
    static TypeId GetTypeId();

    FabricQueueDisc();
    ~FabricQueueDisc() override;

    static constexpr const char* LIMIT_EXCEEDED_DROP =
        "Queue limit exceeded";                                           //!< no room in this queue
    static constexpr const char* BUFFER_DROP = "Shared buffer exhausted"; //!< no room in the switch
    static constexpr const char* LINK_DOWN_DROP = "Link down"; //!< waited for a link that failed
    static constexpr const char* THRESHOLD_MARK = "Threshold exceeded"; //!< the queue was long

    /**
     * @brief Take an item in.
     * @param item the item; owned by the discipline from now on, even if it is dropped
     * @return false if it was dropped
     */
    bool EnqueueItem(FabricItem* item)
    {
        const uint32_t size = item->size;
        if (m_sharedBuffer && !AdmitToSharedBuffer(item))
        {
            return false;
        }
        if (!DoEnqueueItem(item))
        {
            if (m_sharedBuffer)
            {
                LeaveSharedBuffer(size);
            }
            return false;
        }
        Join(size);
        return true;
    }

    /**
     * @brief Let the next item out.
     * @return the item, now the caller's; nullptr if none may leave now
     */
    FabricItem* DequeueItem()
    {
        FabricItem* item = DoDequeueItem();
        if (item)
        {
            Leave(item);
        }
        return item;
    }

    /// @brief Packets waiting.
    uint32_t GetWaitingPackets() const
    {
        return m_waitingPackets;
    }

    /**
     * @brief Bytes waiting.
     * @return sum of sizes in bytes
     */
    uint32_t GetWaitingBytes() const
    {
        return m_waitingBytes;
    }

    /// @brief Most bytes that ever waited at once.
    uint32_t GetPeakBytes() const
    {
        return m_peakBytes;
    }

    /// @brief Most packets that ever waited at once.
    uint32_t GetPeakPackets() const
    {
        return m_peakPackets;
    }

    /**
     * @brief Drops so far.
     * @return a row per reason
     */
    const std::vector<Count>& GetDropCounts() const
    {
        return m_drops;
    }

    /**
     * @brief ECN marks so far.
     * @return a row per reason
     */
    const std::vector<Count>& GetMarkCounts() const
    {
        return m_marks;
    }

    /**
     * @brief Drop all that waits.
     * @param reason a string constant
     */
    void Flush(const char* reason);

    /**
     * @brief Look at each item that waits, for a snapshot: not for the way of every item.
     * @param visit called for each, in an order of the discipline's own
     * @throws InputError if the discipline cannot tell what waits in it
     */
    virtual void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const;

    /// @brief Fetch the memory of the item that leaves next (DirectEvent::Hooks). Never needed.
    virtual void Touch() const
    {
    }

    /**
     * @brief Say after a run what only the discipline knows. Drops, marks and peaks are known.
     * @param results takes it
     */
    virtual void ReportResults(Results& results) const;

    /**
     * @brief Share a buffer with other ports. All that waits at this port counts as one queue
     * there.
     * @param buffer the buffer, or nullptr for none; set before the discipline is installed
     */
    void SetSharedBuffer(Ptr<SharedBuffer> buffer);

    /**
     * @brief Install the discipline on a port.
     * @param port the port; nullptr if the caller takes items out by itself
     * @throws InputError if the attributes do not fit together
     */
    void SetPort(FabricPort* port);

    /**
     * @brief Install the discipline within another one, which lets items in and out. What is
     * dropped or marked here, or may leave from here, the other one counts and tells as its own.
     * @param outer the other discipline; outlives this one
     * @throws InputError if the attributes do not fit together
     */
    void SetOuter(FabricQueueDisc* outer);

    /**
     * @brief Let the next item out whether or not its time has come, for a port that fails.
     * @return the item, now the caller's; nullptr if none waits
     */
    FabricItem* FlushItem();

    /**
     * @brief Use random numbers of a fixed stream, if the discipline uses any.
     * @param stream number of the first stream
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream)
    {
        (void)stream;
        return 0;
    }

    /**
     * @brief The link's other end has paused priorities (PriorityFlowControl): do not let them go.
     * A discipline that ignores it works as well: the port keeps back what it must not send, and
     * what is behind it waits.
     * @param priorities bit i: priority i; those that were paused before and are not now may go
     */
    virtual void SetPausedPriorities(uint8_t priorities)
    {
        (void)priorities;
    }

    /**
     * @brief The packet of a stock ns-3 program that an item stands for, for users of the trace
     * sources: PacketMaker knows the packets of the fabric only.
     * @param item an item that the discipline holds
     * @return the packet; nullptr in the fabric
     */
    Ptr<QueueDiscItem> GetStockItem(const FabricItem& item) const;

    /**
     * @brief Tell whether the discipline, or one within it, may heed FabricItem::priority. One
     * that does not refuses packet filters of a stock ns-3 program.
     * @return false unless a subclass says so
     */
    virtual bool UsesPriority() const
    {
        return false;
    }

  protected:
    /**
     * @brief The discipline's rule on arrival: keep the item, or return Drop(item, reason).
     * @param item the item; the discipline's from now on. It does not count as waiting yet.
     * @return true if it was kept
     */
    virtual bool DoEnqueueItem(FabricItem* item) = 0;

    /**
     * @brief The discipline's rule on departure.
     * @return the item to send, which still counts as waiting; nullptr if none may leave now (then
     * call WakePort() when one may)
     */
    virtual FabricItem* DoDequeueItem() = 0;

    /**
     * @brief Called once the attributes are set and the home is known: build the queues.
     * @throws InputError if the attributes do not fit together
     */
    virtual void DoInstall()
    {
    }

    /**
     * @brief Let the port send an item past the discipline while nothing waits and the link is
     * idle, because to keep it and let it go at once would change nothing. For DoInstall().
     * @tparam Disc the class of which this is true; one derived from it asks for itself
     */
    template <class Disc>
    void LetPassWhenIdle()
    {
        m_passesWhenIdle |= typeid(*this) == typeid(Disc);
    }

    /**
     * @brief The link that the discipline feeds.
     * @return attribute LinkRate, else the rate of the fabric port; 0 bit/s if neither is known
     */
    DataRate GetLinkRate() const;

    /**
     * @brief Turn a length that was written as a time into bytes at the rate of the link.
     * @param attribute by which it was set, for the error
     * @param [in,out] limit the length
     * @throws InputError if the rate is not known
     */
    void ResolveLimit(const std::string& attribute, QueueLimit& limit) const;

    /**
     * @brief The same with a buffer, which must have room.
     * @param attribute by which it was set, for the error
     * @param [in,out] buffer most that may wait
     * @throws InputError if the rate is not known, or nothing may wait
     */
    void ResolveBuffer(const std::string& attribute, QueueLimit& buffer) const;

    /**
     * @brief The same with a threshold, which must be within its buffer, or never.
     * @param attribute by which it was set, for the error
     * @param [in,out] threshold the threshold
     * @param buffer most that may wait, resolved
     * @throws InputError if the rate is not known, or no queue ever reaches the threshold
     */
    void ResolveThreshold(const std::string& attribute,
                          QueueLimit& threshold,
                          const QueueLimit& buffer) const;

    /**
     * @brief Name one of the discipline's attributes in an error.
     * @param attribute an attribute
     * @return with the class, as ns-3 writes it
     */
    std::string NameAttribute(const std::string& attribute) const;

    /// @brief The port that the discipline stands at, by itself or within another one; nullptr in a
    /// stock ns-3 program.
    const FabricPort* GetOuterPort() const
    {
        return m_outer ? m_outer->GetOuterPort() : m_port;
    }

    /// @brief The fabric that the discipline's port belongs to; nullptr if there is none, as in a
    /// stock ns-3 program.
    const Fabric* GetFabric() const;

    /**
     * @brief The port at which the discipline is installed.
     * @return the fabric port; nullptr if the discipline does not stand at one
     */
    FabricPort* GetPort() const
    {
        return m_port;
    }

    /**
     * @brief True if a stock ns-3 program is the discipline's home, from DoInstall() on.
     * @return true on a net device of a stock ns-3 program, false on a fabric port
     */
    bool HasStockHome() const
    {
        return m_outer ? m_outer->HasStockHome() : m_stock;
    }

    /**
     * @brief Tell whether packet filters say FabricItem::priority in a stock ns-3 program.
     * @return true if the root queue disc of the device has any
     */
    bool HasPacketFilters() const
    {
        return m_outer ? m_outer->HasPacketFilters() : GetNPacketFilters() > 0;
    }

    /**
     * @brief Refuse packet filters that a classifier does not heed, and classes that there are no
     * meters or rates for. Once the classifier is installed.
     * @param classifier says the class of a packet
     * @param inner discipline within this one, which may heed filters; nullptr: none
     * @param attribute lists what each class has
     * @param listed length of the list; 0: it comes later
     * @throws InputError for such
     */
    void CheckClasses(const ItemClassifier& classifier,
                      const FabricQueueDisc* inner,
                      const std::string& attribute,
                      uint32_t listed) const;

    /**
     * @brief Drop an arriving item.
     * @param item the item; gone afterwards
     * @param reason a string constant
     * @return false, so that a discipline can `return Drop(...)`
     */
    bool Drop(FabricItem* item, const char* reason);

    /**
     * @brief Drop an item that was kept before (not the one that is arriving: that is Drop()'s).
     * Its list has let go of it already.
     * @param item the item; gone afterwards
     * @param reason a string constant
     */
    void DropWaiting(FabricItem* item, const char* reason);

    /**
     * @brief Mark an item with Congestion Experienced, if it is ECN-capable.
     * @param item the item
     * @param reason a string constant
     * @return false if the item is not ECN-capable and thus unchanged
     */
    bool MarkItem(FabricItem* item, const char* reason);

    /// @brief Tell the port (or net device) that an item may leave although none came.
    void WakePort();

    /**
     * @brief Let the next item out whether or not its time has come, for a port that fails.
     * @return the item, nullptr if none waits
     */
    virtual FabricItem* DoFlushItem()
    {
        return DoDequeueItem();
    }

    // Inherited from QueueDisc: the stock ns-3 side.
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;
    void DoDispose() override;

  private:
    friend class FabricPort; // drops what its link cannot take

    /// @brief The stock QueueDiscItem that a FabricItem stands for.
    struct StockItem
    {
        QueueDiscItem* item; //!< holds one reference
        void* place;         //!< its place in the ledger, nullptr before it has one
    };

    class Ledger;

    void Install();
    uint8_t FindFilteredPriority(Ptr<QueueDiscItem> item);
    bool AdmitToSharedBuffer(FabricItem* item);
    void LeaveSharedBuffer(uint32_t size);

    /**
     * @brief An item starts waiting.
     * @param size the item in bytes
     */
    void Join(uint32_t size)
    {
        m_waitingBytes += size;
        m_peakBytes = std::max(m_peakBytes, m_waitingBytes);
        ++m_waitingPackets;
        m_peakPackets = std::max(m_peakPackets, m_waitingPackets);
    }

    /**
     * @brief An item stops waiting.
     * @param item the item
     */
    void Leave(const FabricItem* item)
    {
        m_waitingBytes -= item->size;
        --m_waitingPackets;
        if (m_sharedBuffer)
        {
            LeaveSharedBuffer(item->size);
        }
    }

    void TraceDrop(const FabricItem* item, const char* reason);
    void CountIn(std::vector<Count>& counts, const FabricItem* item, const char* reason);

    DataRate m_linkRate;               //!< attribute LinkRate
    FabricQueueDisc* m_outer{nullptr}; //!< the discipline that this one is part of, if any
    bool m_stock{false};               //!< true if a stock ns-3 program is the home
    bool m_installed{false};           //!< true once DoInstall() was called
    bool m_passesWhenIdle{false};      //!< true if an idle link needs no discipline
    std::vector<Count> m_drops;        //!< drops by reason
    std::vector<Count> m_marks;        //!< marks by reason
    Ptr<Ledger> m_ledger; //!< gives ns-3's QueueDisc statistics their due (stock home only)
    TracedCallback<const FabricItem*, const char*> m_dropTrace; //!< fired before an item is dropped
    TracedCallback<const FabricItem*, const char*> m_markTrace; //!< fired after an item is marked

    FabricPort* m_port{nullptr};      //!< the port served; nullptr in a stock ns-3 program
    Ptr<SharedBuffer> m_sharedBuffer; //!< memory shared with other ports, if any
    uint32_t m_waitingBytes{0};       //!< bytes waiting
    uint32_t m_waitingPackets{0};     //!< packets waiting
    uint32_t m_peakBytes{0};          //!< most bytes that ever waited
    uint32_t m_peakPackets{0};        //!< most packets that ever waited
};

} // namespace ns3

#endif /* FABRIC_QUEUE_DISC_H */
