/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pair-controller.h"

#include "pair-edge.h"

#include "ns3/enum.h"
#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/packet-maker.h"

#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PairController);

namespace
{

constexpr uint32_t FULL_PACKET = 1500; //!< in bytes

} // namespace

TypeId
PairController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PairController")
            .SetParent<Object>()
            .SetGroupName("Edge")
            .AddAttribute(
                "ChannelSize",
                "Most that may wait in a queue of a channel, in bytes, packets or time at "
                "the link's rate "
                "(Trinity's prototype: 256 packets)",
                QueueLimitValue(QueueLimit("256p")),
                MakeQueueLimitAccessor(&PairController::m_limit),
                MakeQueueLimitChecker())
            .AddAttribute(
                "FlowOrder",
                "Who goes next in a channel: its flows in turn, one packet each, from queues of "
                "their own, as uFAB has it (Section 4.1: one packet at a time, not bytes), or who "
                "came first, from one queue, as in Trinity's prototype. One for all that are "
                "compared: edges do not differ where the papers do not say so",
                EnumValue(FlowQueues::ROUND_ROBIN),
                MakeEnumAccessor<FlowQueues::Order>(&PairController::m_flowOrder),
                MakeEnumChecker(FlowQueues::FIFO, "Fifo", FlowQueues::ROUND_ROBIN, "RoundRobin"));
    return tid;
}

void
PairController::Install(PairEdge& edge, uint32_t host)
{
    const FabricPort& port = edge.GetFabric().GetHost(host).GetNicPort();
    m_limit = m_limit.Resolve("ChannelSize", port.GetDescription().rate);
    if (!m_limit.Admits(0, 0, FULL_PACKET))
    {
        throw InputError("ChannelSize",
                         m_limit.ToString(),
                         "room for a full packet: 1p or 1500B at least");
    }
    m_edge = &edge;
    m_host = host;
    DoInstall();
}

std::unique_ptr<ItemHeaderWriter>
PairController::CreateHeaderWriter() const
{
    return nullptr;
}

void
PairController::DoInstall()
{
}

void
PairController::DoDispose()
{
    m_edge = nullptr;
    Object::DoDispose();
}

TenantTable&
PairController::GetTenants() const
{
    return m_edge->GetTenants();
}

void
PairController::OnBuilt()
{
}

std::optional<uint32_t>
PairController::GetBucketDepth() const
{
    return std::nullopt;
}

std::unique_ptr<PairChannel>
PairController::CreateChannel(uint32_t /* pair */)
{
    return std::make_unique<PairChannel>(GetChannelTerms());
}

void
PairController::OnActivate(PairChannel& /* channel */, int64_t /* now */)
{
}

bool
PairController::HasReceivers() const
{
    return false;
}

std::unique_ptr<PairReceiver>
PairController::CreateReceiver(uint32_t pair)
{
    return std::make_unique<PairReceiver>(pair);
}

void
PairController::OnReceive(PairReceiver& receiver, FabricItem& item, int64_t now)
{
    receiver.OnReceive(item, now);
}

void
PairController::OnReport(PairChannel& channel, const PairReport& report, int64_t now)
{
    channel.OnReport(report, now);
}

void
PairController::OnTermsChanged(uint32_t /* tenant */)
{
}

void
PairController::ReportState(const PairChannel& channel,
                            int64_t now,
                            const PairChannel::StateVisitor& visit) const
{
    channel.ReportState(now, visit);
}

void
PairController::ReportResults(Results& /* results */) const
{
}

int64_t
PairController::AssignStreams(int64_t /* stream */)
{
    return 0;
}

} // namespace ns3
