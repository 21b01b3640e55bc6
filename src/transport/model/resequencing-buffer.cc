/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "resequencing-buffer.h"

#include "ns3/boolean.h"
#include "ns3/direct-event.h"
#include "ns3/fabric.h"
#include "ns3/log.h"
#include "ns3/results.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ResequencingBuffer");

NS_OBJECT_ENSURE_REGISTERED(ResequencingBuffer);

/// @brief The data of one direction of a connection.
class ResequencingBuffer::Flow
{
  public:
    /**
     * @brief Set up.
     * @param buffer the owner
     */
    explicit Flow(ResequencingBuffer* buffer)
        : m_buffer(buffer)
    {
    }

    /**
     * @brief A packet came.
     * @param item the packet
     * @param payload its data
     */
    void Add(FabricItem* item, const ItemSink::Payload& payload)
    {
        const int64_t now = DirectEvent::Now();
        m_last = now;
        // TCP's sequence numbers have 32 bits and wrap.
        const auto ahead = static_cast<int32_t>(static_cast<uint32_t>(payload.begin - m_expected));
        const uint64_t begin = m_known ? m_expected + ahead : payload.begin;
        const uint64_t end = begin + payload.length;
        if (m_known && ahead > 0 && m_buffer->m_waitingDscp != ANY_DSCP &&
            item->tos >> 2 != m_buffer->m_waitingDscp)
        {
            GiveUpGapsBefore(begin);
        }
        if (!m_known || begin <= m_expected)
        {
            m_known = true;
            m_expected = std::max(m_expected, end);
            m_buffer->Deliver(item, now);
            DeliverUpToGap();
            return;
        }
        const auto place = std::ranges::upper_bound(m_held, begin, {}, &Held::begin);
        m_held.insert(place, {begin, end, item, now});
        auto& statistics = m_buffer->m_statistics;
        ++statistics.held;
        statistics.peak = std::max(statistics.peak, ++m_buffer->m_waiting);
        if (m_held.size() == 1)
        {
            m_timer.Set(m_buffer->m_timeout.GetTimeStep());
        }
        if (m_buffer->m_maxPackets && m_held.size() > m_buffer->m_maxPackets)
        {
            GiveUpGap();
        }
    }

    /**
     * @brief A connection opens.
     * @param first its first byte of payload
     */
    void Open(uint64_t first)
    {
        if (!m_held.empty()) // of a connection with the same 5-tuple
        {
            GiveUpGapsBefore(m_held.back().begin);
        }
        m_last = DirectEvent::Now();
        m_known = true;
        m_expected = first;
    }

    /**
     * @brief True if nothing waits, and nothing has come for some time.
     * @param before the last packet came before that, in time steps
     * @return true if the flow may be forgotten
     */
    bool IsIdle(int64_t before) const
    {
        return m_held.empty() && m_last < before;
    }

    /// @brief Drop what waits.
    void Clear()
    {
        for (const Held& held : m_held)
        {
            held.item->Release();
        }
        m_held.clear();
        m_timer.Cancel();
    }

  private:
    /// @brief The time is over, or too much waits.
    void GiveUpGap()
    {
        GiveUpGapsBefore(m_buffer->m_giveUpAll ? m_held.back().begin : m_held.front().begin);
    }

    /**
     * @brief Expect no longer what is missing.
     * @param first first byte that is still expected
     */
    void GiveUpGapsBefore(uint64_t first)
    {
        do
        {
            ++m_buffer->m_statistics.expired;
            m_expected = m_held.empty() ? first : std::min(first, m_held.front().begin);
            DeliverUpToGap();
        } while (m_expected < first);
    }

    /// @brief Deliver what is no longer behind a gap.
    void DeliverUpToGap()
    {
        if (m_held.empty())
        {
            return;
        }
        auto next = m_held.begin();
        for (; next != m_held.end() && next->begin <= m_expected; ++next)
        {
            m_expected = std::max(m_expected, next->end);
            --m_buffer->m_waiting;
            m_buffer->Deliver(next->item, next->arrival);
        }
        if (next == m_held.begin())
        {
            return;
        }
        m_held.erase(m_held.begin(), next);
        if (m_held.empty())
        {
            m_timer.Cancel();
        }
        else
        {
            m_timer.Set(GetTimeLeft());
        }
    }

    /// @return time until the gap that remains is given up, when another was closed
    int64_t GetTimeLeft() const
    {
        const int64_t timeout = m_buffer->m_timeout.GetTimeStep();
        if (!m_buffer->m_giveUpAll)
        {
            return timeout; // anew for each gap
        }
        const auto oldest = std::ranges::min_element(m_held, {}, &Held::arrival);
        return oldest->arrival + timeout - DirectEvent::Now();
    }

    ResequencingBuffer* m_buffer; //!< the owner
    std::vector<Held> m_held;     //!< packets that wait, by first byte
    uint64_t m_expected{0};       //!< first byte that has not passed
    int64_t m_last{0};            //!< arrival of its last packet, in time steps
    bool m_known{false};          //!< true if m_expected is known
    DirectTimer m_timer{DirectEvent::Call<&Flow::GiveUpGap>, this}; //!< for the first gap
};

TypeId
ResequencingBuffer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ResequencingBuffer")
            .SetParent<EdgeAgent>()
            .SetGroupName("Transport")
            .AddConstructor<ResequencingBuffer>()
            .AddAttribute("Timeout",
                          "Time after which a gap is given up (DRB, Section 5: 10 ms)",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&ResequencingBuffer::m_timeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxPackets",
                          "Packets of a flow that may wait; one more, and the first gap is given "
                          "up; 0: any number",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ResequencingBuffer::m_maxPackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("WaitingDscp",
                          "DSCP of the data that waits; other data passes at once, and before it "
                          "what waits and belongs before it (Trinity Section 3.2: guaranteed "
                          "traffic waits). 64: all data waits",
                          UintegerValue(ResequencingBuffer::ANY_DSCP),
                          MakeUintegerAccessor(&ResequencingBuffer::m_waitingDscp),
                          MakeUintegerChecker<uint8_t>(0, 64))
            .AddAttribute("GiveUpAll",
                          "Whether all that waits passes when the time is over, which counts from "
                          "the arrival of what has waited longest (Trinity Section 3.3, Problem "
                          "3); or only what is in front of the next gap, which then has a time of "
                          "its own",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ResequencingBuffer::m_giveUpAll),
                          MakeBooleanChecker())
            .AddAttribute("IdleTimeout",
                          "Time without data after which a flow may be forgotten (a choice: above "
                          "TCP's timeouts); 0: never",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&ResequencingBuffer::m_idleTimeout),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Delay",
                            "A packet with payload is delivered after waiting so long",
                            MakeTraceSourceAccessor(&ResequencingBuffer::m_delayTrace),
                            "ns3::ResequencingBuffer::DelayTracedCallback");
    return tid;
}

ResequencingBuffer::ResequencingBuffer() = default;

ResequencingBuffer::~ResequencingBuffer() = default;

void
ResequencingBuffer::ReportResults(Results& results) const
{
    if (m_statistics.data == 0)
    {
        return;
    }
    const auto data = static_cast<double>(m_statistics.data);
    results.AddRatio("resequencing_held_share", static_cast<double>(m_statistics.held), data);
    results.AddRatio("resequencing_delay_mean_us",
                     TimeStep(m_statistics.delay).ToDouble(Time::US),
                     data);
    results.AddMaximum("resequencing_held_peak_packets", m_statistics.peak);
    results.Add("resequencing_expired_gaps", static_cast<double>(m_statistics.expired));
}

void
ResequencingBuffer::Incoming(FabricItem* item)
{
    const auto payload = GetHost().GetFabric().GetPayload(*item);
    if (!payload || !payload->ordered)
    {
        DeliverOn(item);
        return;
    }
    if (m_flows.size() >= m_forgetAt) [[unlikely]]
    {
        Forget();
    }
    Flow& flow = FindFlow(*item);
    if (payload->opens)
    {
        flow.Open(payload->begin);
        DeliverOn(item);
    }
    else
    {
        flow.Add(item, *payload);
    }
}

ResequencingBuffer::Flow&
ResequencingBuffer::FindFlow(const FabricItem& item)
{
    // Packets of a flow come in a row more often than not, and then need no search.
    const Key key{item.source, item.flow, item.hash};
    if (!m_latest || m_latest->first != key)
    {
        m_latest = &*m_flows.try_emplace(key, this).first;
    }
    return m_latest->second;
}

void
ResequencingBuffer::Forget()
{
    m_latest = nullptr;
    const Fabric& fabric = GetHost().GetFabric();
    const auto isOver = [&fabric](uint32_t flow) {
        FabricItem item{};
        item.flow = flow;
        return flow > 0 && !fabric.GetEndpoint(item);
    };
    const int64_t now = DirectEvent::Now();
    const int64_t idle = m_idleTimeout.IsZero() ? 0 : now - m_idleTimeout.GetTimeStep();
    std::erase_if(m_flows, [&](const auto& entry) {
        return entry.second.IsIdle(isOver(entry.first.flow) ? now : idle);
    });
    m_forgetAt = std::max<size_t>(2 * m_flows.size(), 64);
}

void
ResequencingBuffer::Deliver(FabricItem* item, int64_t arrival)
{
    const int64_t delay = DirectEvent::Now() - arrival;
    ++m_statistics.data;
    m_statistics.delay += delay;
    m_delayTrace(TimeStep(delay));
    DeliverOn(item);
}

void
ResequencingBuffer::DoDispose()
{
    for (auto& [key, flow] : m_flows)
    {
        flow.Clear();
    }
    m_latest = nullptr;
    m_flows.clear();
    EdgeAgent::DoDispose();
}

} // namespace ns3
