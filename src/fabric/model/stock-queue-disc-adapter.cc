/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stock-queue-disc-adapter.h"

#include "fabric-queue-disc-item.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/object-spec.h"
#include "ns3/pointer.h"
#include "ns3/queue.h"
#include "ns3/simple-net-device.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <set>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @brief Find out whether a queue disc can be initialized. ns-3's end the program where attributes
 * do not go together (RedQueueDisc: MinTh above MaxTh), so a child process tries it.
 * @param disc a queue disc that feeds a device queue
 * @return the error of the child process; empty: the queue disc can be initialized
 */
std::string
TryInitialize(QueueDisc& disc)
{
    std::array<int, 2> ends{};
    const pid_t child = pipe(ends.data()) == 0 ? fork() : -1;
    if (child < 0)
    {
        return {}; // then it is found out here
    }
    if (child == 0)
    {
        dup2(ends[1], STDERR_FILENO);
        disc.Initialize();
        _exit(0);
    }
    close(ends[1]);
    std::string said;
    std::array<char, 512> part{};
    for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;)
    {
        said.append(part.data(), static_cast<std::size_t>(n));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    {
        return {};
    }
    return said.empty() ? "nothing"
                        : said.substr(0, std::min(said.find(", file="), said.find('\n')));
}

} // namespace

NS_LOG_COMPONENT_DEFINE("StockQueueDiscAdapter");
NS_OBJECT_ENSURE_REGISTERED(StockQueueDiscAdapter);

/**
 * @brief The device queue that the queue disc believes to feed.
 *
 * A fabric port takes packets out by itself, so this queue is always stopped. A queue disc that
 * holds packets back (TbfQueueDisc) calls QueueDisc::Run() when their time has come, and that asks
 * first whether the device queue is stopped: the question is our wake-up call.
 */
class StockQueueDiscAdapter::DeviceQueue : public NetDeviceQueue
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::StockQueueDiscAdapter::DeviceQueue")
                                .SetParent<NetDeviceQueue>()
                                .SetGroupName("Fabric")
                                .AddConstructor<DeviceQueue>();
        return tid;
    }

    bool IsStopped() const override
    {
        if (adapter)
        {
            adapter->WakePort();
        }
        return true;
    }

    StockQueueDiscAdapter* adapter{nullptr}; //!< to wake up
};

TypeId
StockQueueDiscAdapter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::StockQueueDiscAdapter")
            .SetParent<FabricQueueDisc>()
            .SetGroupName("Fabric")
            .AddConstructor<StockQueueDiscAdapter>()
            .AddAttribute("QueueDisc",
                          "The ns-3 queue disc, as an object specification such as "
                          "'red:MinTh=20,MaxTh=20'",
                          SpecValue("fifo"),
                          MakeSpecAccessor(&StockQueueDiscAdapter::m_spec),
                          MakeSpecChecker<QueueDisc>())
            .AddAttribute("StockQueueDisc",
                          "The ns-3 queue disc itself",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&StockQueueDiscAdapter::m_disc),
                          MakePointerChecker<QueueDisc>())
            .AddAttribute("Mtu",
                          "MTU in bytes of the device that the queue disc believes to feed; "
                          "FqCoDelQueueDisc takes its quantum from there",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&StockQueueDiscAdapter::m_mtu),
                          MakeUintegerChecker<uint16_t>(1));
    return tid;
}

StockQueueDiscAdapter::StockQueueDiscAdapter() = default;
StockQueueDiscAdapter::~StockQueueDiscAdapter() = default;

void
StockQueueDiscAdapter::SetStockQueueDisc(Ptr<QueueDisc> disc)
{
    m_disc = disc;
}

Ptr<QueueDisc>
StockQueueDiscAdapter::GetStockQueueDisc() const
{
    return m_disc;
}

bool
StockQueueDiscAdapter::CheckConfig()
{
    throw InputError("queue disc",
                     GetTypeId().GetName(),
                     "the stock queue disc itself: the adapter is for ports of the fabric");
}

void
StockQueueDiscAdapter::DoInstall()
{
    const bool own = !m_disc;
    if (own)
    {
        m_disc = CreateFromSpec<QueueDisc>(GetTypeId().GetName() + "::QueueDisc", m_spec);
    }
    if (DynamicCast<FabricQueueDisc>(m_disc) || m_disc->GetWakeMode() == WAKE_CHILD)
    {
        const std::string type = m_disc->GetInstanceTypeId().GetName();
        m_disc = nullptr;
        throw InputError(GetTypeId().GetName() + "::QueueDisc",
                         type,
                         "a queue disc of ns-3's own that is the root of one device queue");
    }
    ConnectStockQueueDisc();
    if (own)
    {
        CheckStockQueueDisc();
    }
    m_disc->Initialize();
}

void
StockQueueDiscAdapter::CheckStockQueueDisc()
{
    static std::set<std::pair<std::string, uint32_t>> good; // once, not at every port
    if (!good.insert({m_spec.ToString(), m_mtu}).second)
    {
        return;
    }
    if (const std::string said = TryInitialize(*m_disc); !said.empty())
    {
        good.erase({m_spec.ToString(), m_mtu});
        DisposeStockQueueDisc();
        throw InputError(GetTypeId().GetName() + "::QueueDisc",
                         m_spec.ToString(),
                         "attributes that go together; ns-3 gives up on these with: " + said);
    }
}

void
StockQueueDiscAdapter::ConnectStockQueueDisc()
{
    auto interface =
        CreateObjectWithAttributes<NetDeviceQueueInterface>("TxQueuesType",
                                                            TypeIdValue(DeviceQueue::GetTypeId()));
    auto device = CreateObject<SimpleNetDevice>(); // nothing but the bearer of an MTU
    device->SetMtu(static_cast<uint16_t>(m_mtu));
    device->AggregateObject(interface);
    StaticCast<DeviceQueue>(interface->GetTxQueue(0))->adapter = this;
    m_disc->SetNetDeviceQueueInterface(interface);
    for (const char* source : {"DropBeforeEnqueue", "DropAfterDequeue"})
    {
        m_disc->TraceConnectWithoutContext(source,
                                           MakeCallback(&StockQueueDiscAdapter::StockDrop, this));
    }
    m_disc->TraceConnectWithoutContext("Mark",
                                       MakeCallback(&StockQueueDiscAdapter::StockMark, this));
}

bool
StockQueueDiscAdapter::DoEnqueueItem(FabricItem* item)
{
    m_arriving = item;
    m_disc->Enqueue(Create<FabricQueueDiscItem>(item));
    return std::exchange(m_arriving, nullptr) == item;
}

FabricItem*
StockQueueDiscAdapter::DoDequeueItem()
{
    const Ptr<QueueDiscItem> stockItem = m_disc->Dequeue();
    return stockItem ? static_cast<FabricQueueDiscItem&>(*stockItem).TakeItem() : nullptr;
}

namespace
{

/**
 * @brief Take a packet out of a queue disc or of what it is made of, ready or not.
 * @param disc the queue disc
 * @return the packet, nullptr if there is none
 */
Ptr<QueueDiscItem>
TakeAny(QueueDisc& disc)
{
    Ptr<QueueDiscItem> item = disc.Dequeue();
    for (std::size_t i = 0; !item && i < disc.GetNQueueDiscClasses(); ++i)
    {
        item = TakeAny(*disc.GetQueueDiscClass(i)->GetQueueDisc());
    }
    for (std::size_t i = 0; !item && i < disc.GetNInternalQueues(); ++i)
    {
        item = disc.GetInternalQueue(i)->Dequeue();
    }
    return item;
}

} // namespace

FabricItem*
StockQueueDiscAdapter::DoFlushItem()
{
    const Ptr<QueueDiscItem> stockItem = m_disc ? TakeAny(*m_disc) : nullptr;
    return stockItem ? static_cast<FabricQueueDiscItem&>(*stockItem).TakeItem() : nullptr;
}

void
StockQueueDiscAdapter::StockDrop(Ptr<const QueueDiscItem> stockItem, const char* reason)
{
    auto wrapper =
        static_cast<FabricQueueDiscItem*>(const_cast<QueueDiscItem*>(PeekPointer(stockItem)));
    FabricItem* item = wrapper->TakeItem();
    if (item == m_arriving)
    {
        m_arriving = nullptr;
        Drop(item, KeepReason(reason));
    }
    else
    {
        DropWaiting(item, KeepReason(reason));
    }
}

void
StockQueueDiscAdapter::StockMark(Ptr<const QueueDiscItem> stockItem, const char* reason)
{
    MarkItem(static_cast<const FabricQueueDiscItem&>(*stockItem).GetItem(), KeepReason(reason));
}

const char*
StockQueueDiscAdapter::KeepReason(const char* reason)
{
    for (const std::string& known : m_reasons)
    {
        if (known == reason)
        {
            return known.c_str();
        }
    }
    m_reasons.emplace_back(reason);
    return m_reasons.back().c_str();
}

void
StockQueueDiscAdapter::DoDispose()
{
    FabricQueueDisc::DoDispose(); // empties the queue disc
    if (m_disc)
    {
        DisposeStockQueueDisc();
    }
}

void
StockQueueDiscAdapter::DisposeStockQueueDisc()
{
    if (const auto interface = m_disc->GetNetDeviceQueueInterface())
    {
        interface->Dispose(); // its queues and its device hold each other
    }
    m_disc->Dispose();
    m_disc = nullptr;
}

} // namespace ns3
