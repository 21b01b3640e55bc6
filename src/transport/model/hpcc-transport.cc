/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hpcc-transport.h"

#include "reliable-flow.h"

#include "ns3/direct-event.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fabric-port.h"
#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/port-stage.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HpccTransport);

namespace
{

/**
 * @brief Rate of a port.
 * @param port the port
 * @return bytes per time step
 */
double
GetBytesPerStep(const FabricPort& port)
{
    return static_cast<double>(port.GetDescription().rate.GetBitRate()) / 8 *
           TimeStep(1).GetSeconds();
}

/**
 * @brief Make the error of a path over more switches than a packet has room for.
 * @param switches number of switches, in words
 * @param source sending host
 * @param destination receiving host
 * @return to be thrown
 */
InputError
MakeTooLongError(const std::string& switches, uint32_t source, uint32_t destination)
{
    return InputError("--topology",
                      switches + " switches from host " + std::to_string(source) + " to host " +
                          std::to_string(destination),
                      "at most " + std::to_string(HpccPath::MOST) +
                          ", for which a packet of HPCC has room");
}

/// @brief At a port of a switch: counts what leaves, and tells HPCC's data of it.
class HpccStage : public PortStage
{
  public:
    void Depart(FabricItem* item, const FabricPort& port) override
    {
        m_sentBytes += item->size;
        if (!item->extension || item->GetClass() != FabricItem::DATA) [[likely]]
        {
            return;
        }
        if (auto* telemetry = dynamic_cast<HpccTelemetry*>(item->extension))
        {
            Write(telemetry->path, *item, port);
        }
    }

  private:
    void Write(HpccPath& path, const FabricItem& item, const FabricPort& port) const
    {
        if (path.hops == HpccPath::MOST) // after a failure
        {
            const std::string more = "more than " + std::to_string(HpccPath::MOST);
            throw MakeTooLongError(more, item.source, item.destination);
        }
        path.links[path.hops++] = {&port,
                                   m_sentBytes,
                                   DirectEvent::Now(),
                                   static_cast<double>(port.GetWaitingBytes()),
                                   GetBytesPerStep(port)};
    }

    uint64_t m_sentBytes{0}; //!< so far
};

} // namespace

/// @brief A flow with its window.
class HpccTransport::Flow : public ReliableFlow
{
  public:
    Flow(HpccTransport& transport, const FlowRecord& record)
        : ReliableFlow(transport, record),
          m_window(MakeParameters(transport))
    {
    }

    FlowState GetState() const override
    {
        FlowState state = ReliableFlow::GetState();
        state.window = m_window.GetWindow();
        state.rate = 8 * m_window.GetRate() * static_cast<double>(Seconds(1).GetTimeStep());
        return state;
    }

  protected:
    int64_t GetReleaseTime(int64_t /* now */) override
    {
        const double inFlight = static_cast<double>(GetInFlight()) * GetFullPacketSize();
        return inFlight < m_window.GetWindow() ? m_next : NEVER;
    }

    void OnSent(uint32_t size, int64_t now) override
    {
        ++m_sent;
        m_next = std::max(m_next, now) + static_cast<int64_t>(std::ceil(size / m_window.GetRate()));
    }

    void AttachExtension(FabricItem& item) override
    {
        item.extension = new HpccTelemetry;
    }

    void OnExtension(const ItemExtension& carried) override
    {
        m_carried = dynamic_cast<const HpccTelemetry&>(carried).path;
    }

    void OnAnswer(const ReliableHeader& header, uint64_t acknowledged, int64_t /* now */) override
    {
        const bool isNewRound = header.serial >= m_nextRound;
        if (acknowledged > 0)
        {
            m_window.HandleAcknowledged(m_carried, isNewRound);
        }
        if (isNewRound)
        {
            m_nextRound = m_sent; // what is sent from now on
        }
    }

  private:
    HpccWindow::Parameters MakeParameters(const HpccTransport& transport)
    {
        const Time rtt = transport.m_baseRtt.IsZero() ? GetBaseRtt() : transport.m_baseRtt;
        const auto steps = static_cast<double>(rtt.GetTimeStep());
        const double bdp = GetBytesPerStep(GetPort()) * steps;
        const double addition = bdp * (1 - transport.m_utilization) / transport.m_flows;
        return {transport.m_utilization, transport.m_mostAdding, addition, steps, bdp, addition};
    }

    HpccWindow m_window;     //!< W
    HpccPath m_carried;      //!< telemetry that the last answer brought
    int64_t m_next{0};       //!< earliest time of the next packet, by the pace
    uint64_t m_sent{0};      //!< packets, each as often as it was sent
    uint64_t m_nextRound{0}; //!< serial from which on the reference is updated
};

TypeId
HpccTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HpccTransport")
            .SetParent<ReliableTransport>()
            .SetGroupName("Transport")
            .AddConstructor<HpccTransport>()
            .AddAttribute("Utilization",
                          "eta: what links are to be used to (HPCC, SIGCOMM 2019, Section 5.1: "
                          "0.95)",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&HpccTransport::m_utilization),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MostAdding",
                          "maxStage: rounds of addition after which the window is multiplied "
                          "(Section 5.1: 5)",
                          UintegerValue(5),
                          MakeUintegerAccessor(&HpccTransport::m_mostAdding),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ConcurrentFlows",
                          "N: flows that a link may have at a time, for W_AI = W (1 - eta) / N "
                          "(Section 3.3; a choice)",
                          DoubleValue(100),
                          MakeDoubleAccessor(&HpccTransport::m_flows),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("BaseRtt",
                          "T; 0: round-trip time of the flow's own path without load. The paper "
                          "has one for all, a little more than the largest",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HpccTransport::m_baseRtt),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PayloadSize",
                          "Payload of a full packet in bytes. The paper: 1 KB; as lean TCP's less "
                          "what switches write",
                          UintegerValue(1418),
                          MakeUintegerAccessor(&HpccTransport::m_payload),
                          MakeUintegerChecker<uint32_t>(1, 65000))
            .AddAttribute("AcknowledgmentSize",
                          "IP datagram of an acknowledgment in bytes, with the same",
                          UintegerValue(82),
                          MakeUintegerAccessor(&HpccTransport::m_acknowledgment),
                          MakeUintegerChecker<uint32_t>(20, 1500))
            .AddAttribute("Recovery",
                          "What is sent again after a loss: what is missing (Selective), or all "
                          "from there (GoBackN)",
                          EnumValue(LossRecovery::SELECTIVE),
                          MakeEnumAccessor<LossRecovery::Kind>(&HpccTransport::m_recovery),
                          MakeEnumChecker(LossRecovery::GO_BACK_N,
                                          "GoBackN",
                                          LossRecovery::SELECTIVE,
                                          "Selective"))
            .AddAttribute("MinTimeout",
                          "Least time without an acknowledgment after which what is under way is "
                          "sent again; doubled at each timeout. A choice, as Swift's",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&HpccTransport::m_minTimeout),
                          MakeTimeChecker(TimeStep(1)));
    return tid;
}

HpccTransport::HpccTransport()
{
    // 40 bytes of headers and 42 of what switches write (Section 4.1).
    m_header = 82;
}

std::string
HpccTransport::GetSummary() const
{
    return "HPCC: windows by what switches write into packets";
}

void
HpccTransport::DoAttach()
{
    ReliableTransport::DoAttach();
    CheckPaths();
    GetFabric().ForEachPort([](FabricPort& port) {
        if (port.GetDescription().tier > 0)
        {
            port.AddStage(CreateObject<HpccStage>());
        }
    });
}

void
HpccTransport::CheckPaths() const
{
    // All hosts of a rack take the same ways, and those back are as long.
    std::map<uint16_t, uint32_t> hosts; // one of each rack
    for (uint32_t host = 0; host < GetFabric().GetNHosts(); ++host)
    {
        hosts.emplace(GetFabric().GetLocation(host).rack, host);
    }
    for (auto from = hosts.begin(); from != hosts.end(); ++from)
    {
        for (auto to = std::next(from); to != hosts.end(); ++to)
        {
            const auto path = GetFabric().GetPath(from->second, to->second); // with the host's port
            if (path.size() > HpccPath::MOST + 1)
            {
                throw MakeTooLongError(std::to_string(path.size() - 1), from->second, to->second);
            }
        }
    }
}

std::unique_ptr<ReliableFlow>
HpccTransport::CreateFlow(const FlowRecord& record)
{
    return std::make_unique<Flow>(*this, record);
}

} // namespace ns3
