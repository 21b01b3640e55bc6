/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-queue-disc.h"

#include "fabric-port.h"
#include "item-classifier.h"
#include "logged-item.h"
#include "shared-buffer.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/packet-filter.h"
#include "ns3/queue.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(FabricQueueDisc);

/**
 * @brief The internal queue that ns-3's QueueDisc takes its statistics from.
 *
 * QueueDisc learns of its packets from an internal queue only. The discipline decides the order, so
 * this queue lets any of its items go, not just the first.
 */
class FabricQueueDisc::Ledger : public Queue<QueueDiscItem>
{
  public:
    void Add(StockItem& stock)
    {
        Container::iterator place;
        DoEnqueue(GetContainer().end(), Ptr<QueueDiscItem>(stock.item), place);
        stock.place = new Container::iterator(place);
    }

    void Take(StockItem& stock)
    {
        auto place = static_cast<Container::iterator*>(stock.place);
        DoDequeue(*place);
        delete place;
        stock.place = nullptr;
    }

    bool Enqueue(Ptr<QueueDiscItem> item) override
    {
        return DoEnqueue(GetContainer().end(), item);
    }

    Ptr<QueueDiscItem> Dequeue() override
    {
        return DoDequeue(GetContainer().begin());
    }

    Ptr<QueueDiscItem> Remove() override
    {
        return DoRemove(GetContainer().begin());
    }

    Ptr<const QueueDiscItem> Peek() const override
    {
        return DoPeek(GetContainer().begin());
    }

  private:
    using Container = std::list<Ptr<QueueDiscItem>>;
};

TypeId
FabricQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FabricQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Fabric")
            .AddAttribute("LinkRate",
                          "Rate of the link that the discipline feeds, for lengths written as a "
                          "time and for virtual time; 0: that of the fabric port",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&FabricQueueDisc::m_linkRate),
                          MakeDataRateChecker())
            .AddTraceSource("ItemDrop",
                            "An item is dropped, with the reason",
                            MakeTraceSourceAccessor(&FabricQueueDisc::m_dropTrace),
                            "ns3::FabricQueueDisc::ItemTracedCallback")
            .AddTraceSource("ItemMark",
                            "An item was marked with Congestion Experienced, with the reason",
                            MakeTraceSourceAccessor(&FabricQueueDisc::m_markTrace),
                            "ns3::FabricQueueDisc::ItemTracedCallback");
    return tid;
}

FabricQueueDisc::FabricQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::NO_LIMITS)
{
}

FabricQueueDisc::~FabricQueueDisc() = default;

void
FabricQueueDisc::DoDispose()
{
    // A discipline that could not be installed has no queues to ask.
    while (FabricItem* item = m_waitingPackets > 0 ? FlushItem() : nullptr)
    {
        if (m_stock)
        {
            auto& stock = item->As<StockItem>();
            m_ledger->Take(stock);
            stock.item->Unref();
        }
        item->Release();
    }
    m_ledger = nullptr;
    m_sharedBuffer = nullptr;
    QueueDisc::DoDispose();
}

void
FabricQueueDisc::Flush(const char* reason)
{
    while (FabricItem* item = DoFlushItem())
    {
        DropWaiting(item, reason);
    }
}

void
FabricQueueDisc::ReportResults(Results& /* results */) const
{
}

void
FabricQueueDisc::ForEachWaiting(const std::function<void(const FabricItem&)>& /* visit */) const
{
    throw InputError("queue snapshot",
                     GetInstanceTypeId().GetName(),
                     "a discipline that implements ForEachWaiting()");
}

void
FabricQueueDisc::SetSharedBuffer(Ptr<SharedBuffer> buffer)
{
    NS_ASSERT_MSG(!m_port && m_waitingPackets == 0, "the buffer is set before the port");
    m_sharedBuffer = buffer;
}

void
FabricQueueDisc::SetPort(FabricPort* port)
{
    m_port = port;
    Install();
}

void
FabricQueueDisc::SetOuter(FabricQueueDisc* outer)
{
    constexpr int MOST = 8; // a default that names its own class would never end
    int around = 0;
    for (const FabricQueueDisc* one = outer; one; one = one->m_outer)
    {
        ++around;
    }
    if (around > MOST)
    {
        throw InputError(GetInstanceTypeId().GetName(),
                         std::to_string(around) + " disciplines within each other",
                         "at most " + std::to_string(MOST) +
                             "; the default of Inner must not be its own class");
    }
    m_outer = outer;
    Install();
}

FabricItem*
FabricQueueDisc::FlushItem()
{
    FabricItem* item = DoFlushItem();
    if (item)
    {
        Leave(item);
    }
    return item;
}

DataRate
FabricQueueDisc::GetLinkRate() const
{
    if (m_linkRate.GetBitRate() > 0)
    {
        return m_linkRate;
    }
    if (m_outer)
    {
        return m_outer->GetLinkRate();
    }
    return m_port ? m_port->GetDescription().rate : DataRate(0);
}

void
FabricQueueDisc::ResolveLimit(const std::string& attribute, QueueLimit& limit) const
{
    limit = limit.Resolve(NameAttribute(attribute), GetLinkRate());
}

void
FabricQueueDisc::ResolveBuffer(const std::string& attribute, QueueLimit& buffer) const
{
    ResolveLimit(attribute, buffer);
    if (!buffer.Admits(0, 0, 1))
    {
        throw InputError(NameAttribute(attribute), buffer.ToString(), "room for a packet");
    }
}

void
FabricQueueDisc::ResolveThreshold(const std::string& attribute,
                                  QueueLimit& threshold,
                                  const QueueLimit& buffer) const
{
    ResolveLimit(attribute, threshold);
    if (!threshold.IsNever() && !threshold.IsWithin(buffer))
    {
        throw InputError(NameAttribute(attribute),
                         threshold.ToString(),
                         "below the buffer of " + buffer.ToString() + ", or never");
    }
}

std::string
FabricQueueDisc::NameAttribute(const std::string& attribute) const
{
    return GetInstanceTypeId().GetName() + "::" + attribute;
}

const Fabric*
FabricQueueDisc::GetFabric() const
{
    const FabricPort* port = GetOuterPort();
    return port ? port->GetDescription().fabric : nullptr;
}

Ptr<QueueDiscItem>
FabricQueueDisc::GetStockItem(const FabricItem& item) const
{
    // As() is for whoever may write there; here it is only read.
    auto& parsed = const_cast<FabricItem&>(item);
    return HasStockHome() ? Ptr<QueueDiscItem>(parsed.As<StockItem>().item) : nullptr;
}

void
FabricQueueDisc::CheckClasses(const ItemClassifier& classifier,
                              const FabricQueueDisc* inner,
                              const std::string& attribute,
                              uint32_t listed) const
{
    if (HasPacketFilters() && !classifier.UsesPriority() && !(inner && inner->UsesPriority()))
    {
        throw InputError(NameAttribute("Classifier"),
                         classifier.GetInstanceTypeId().GetName(),
                         "one that heeds what packet filters say, such as table:Key=Priority, or "
                         "no filters");
    }
    if (listed > 0 && classifier.GetLastClass() > listed)
    {
        throw InputError(NameAttribute(attribute),
                         std::to_string(listed) + " of them",
                         "one for each class, up to " + std::to_string(classifier.GetLastClass()));
    }
}

bool
FabricQueueDisc::AdmitToSharedBuffer(FabricItem* item)
{
    if (m_sharedBuffer->Reserve(item->size, m_waitingBytes))
    {
        return true;
    }
    return Drop(item, BUFFER_DROP);
}

void
FabricQueueDisc::LeaveSharedBuffer(uint32_t size)
{
    m_sharedBuffer->Free(size);
}

void
FabricQueueDisc::CountIn(std::vector<Count>& counts, const FabricItem* item, const char* reason)
{
    auto count = std::find_if(counts.begin(), counts.end(), [reason](const Count& c) {
        return c.reason == reason;
    });
    if (count == counts.end())
    {
        count = counts.insert(count, Count{reason});
    }
    ++count->packets;
    count->bytes += item->size;
}

void
FabricQueueDisc::TraceDrop(const FabricItem* item, const char* reason)
{
    NS_LOG_LOGIC(LoggedItem(*item, m_port)
                 << ": dropped, " << reason << ", behind " << GetWaitingBytes() << " bytes");
    CountIn(m_drops, item, reason);
    m_dropTrace(item, reason);
}

bool
FabricQueueDisc::Drop(FabricItem* item, const char* reason)
{
    if (m_outer)
    {
        return m_outer->Drop(item, reason);
    }
    TraceDrop(item, reason);
    if (m_stock)
    {
        auto& stock = item->As<StockItem>();
        DropBeforeEnqueue(Ptr<QueueDiscItem>(stock.item, false), reason);
    }
    item->Release();
    return false;
}

void
FabricQueueDisc::DropWaiting(FabricItem* item, const char* reason)
{
    Leave(item);
    if (m_outer)
    {
        m_outer->DropWaiting(item, reason);
        return;
    }
    TraceDrop(item, reason);
    if (m_stock)
    {
        auto& stock = item->As<StockItem>();
        m_ledger->Take(stock);
        DropAfterDequeue(Ptr<QueueDiscItem>(stock.item, false), reason);
    }
    item->Release();
}

bool
FabricQueueDisc::MarkItem(FabricItem* item, const char* reason)
{
    if (m_outer)
    {
        return m_outer->MarkItem(item, reason);
    }
    if (item->GetEcn() == FabricItem::NOT_ECT)
    {
        return false;
    }
    NS_LOG_LOGIC(LoggedItem(*item, m_port) << ": marked, " << reason);
    item->SetEcn(FabricItem::CE);
    CountIn(m_marks, item, reason);
    if (m_stock)
    {
        Mark(Ptr<QueueDiscItem>(item->As<StockItem>().item), reason);
    }
    m_markTrace(item, reason);
    return true;
}

void
FabricQueueDisc::WakePort()
{
    if (m_outer)
    {
        m_outer->WakePort();
    }
    else if (m_port)
    {
        m_port->Wake();
    }
    else if (m_stock)
    {
        Run();
    }
}

bool
FabricQueueDisc::DoEnqueue(Ptr<QueueDiscItem> stockItem)
{
    const uint8_t priority = GetNPacketFilters() > 0 ? FindFilteredPriority(stockItem) : 0;
    FabricItem* item = FabricItem::Create();
    item->size = static_cast<uint16_t>(stockItem->GetSize());
    item->hash = stockItem->Hash(0);
    stockItem->GetUint8Value(QueueItem::IP_DSFIELD, item->tos);
    item->priority = priority;
    stockItem->Ref();
    item->As<StockItem>() = StockItem{PeekPointer(stockItem), nullptr};
    if (!EnqueueItem(item))
    {
        return false;
    }
    m_ledger->Add(item->As<StockItem>());
    return true;
}

uint8_t
FabricQueueDisc::FindFilteredPriority(Ptr<QueueDiscItem> item)
{
    const int32_t found = Classify(item);
    if (found == PacketFilter::PF_NO_MATCH)
    {
        return FabricItem::NO_PRIORITY;
    }
    if (found < 0 || found >= FabricItem::NO_PRIORITY)
    {
        throw InputError("packet filter of " + GetInstanceTypeId().GetName(),
                         std::to_string(found),
                         "the number of a class or queue, at most 254");
    }
    return static_cast<uint8_t>(found);
}

Ptr<QueueDiscItem>
FabricQueueDisc::DoDequeue()
{
    FabricItem* item = DequeueItem();
    if (!item)
    {
        return nullptr;
    }
    auto& stock = item->As<StockItem>();
    m_ledger->Take(stock);
    Ptr<QueueDiscItem> stockItem(stock.item, false); // hands our reference on
    item->Release();
    return stockItem;
}

bool
FabricQueueDisc::CheckConfig()
{
    const auto refuse = [this](const std::string& part, size_t count, const char* why) {
        if (count > 0)
        {
            throw InputError(part + " of " + GetInstanceTypeId().GetName(),
                             std::to_string(count),
                             std::string("none: ") + why);
        }
    };
    const char* own = "the discipline keeps its own queues";
    refuse("queue disc classes", GetNQueueDiscClasses(), own);
    refuse("internal queues", GetNInternalQueues(), own);
    refuse("packet filters",
           UsesPriority() ? 0 : GetNPacketFilters(),
           "the discipline has no classes, or Classify is not Priority");
    m_stock = true;
    m_ledger = CreateObject<Ledger>();
    m_ledger->SetMaxSize(
        QueueSize(QueueSizeUnit::PACKETS, UINT32_MAX)); // limits are the discipline's
    AddInternalQueue(m_ledger);
    return true;
}

void
FabricQueueDisc::InitializeParams()
{
    Install();
}

void
FabricQueueDisc::Install()
{
    NS_ASSERT_MSG(!m_installed, "a discipline is installed once");
    m_installed = true;
    DoInstall();
}

} // namespace ns3
