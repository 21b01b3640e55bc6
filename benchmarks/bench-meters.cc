/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bench-case.h"

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/global-value.h"
#include "ns3/metered-queue-disc.h"
#include "ns3/network.h"
#include "ns3/object-spec.h"
#include "ns3/random-variable-stream.h"
#include "ns3/scheme.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// @brief An item's hash is its class.
class HashClassifier : public ItemClassifier
{
  public:
    uint32_t Classify(const FabricItem& item) const override
    {
        return item.hash;
    }
};

/**
 * @brief Packets come to a discipline and leave it, one of each class in turn.
 * @param disc the discipline
 * @param order of the classes
 * @param packets number of packets
 * @return each packet counts as a hop
 */
Measurement
SendThrough(FabricQueueDisc& disc, const std::vector<uint32_t>& order, uint64_t packets)
{
    constexpr uint32_t BURST = 100; // packets per event, so that events cost little
    FabricItem* item = FabricItem::Create();
    item->size = PAYLOAD + HEADERS;
    uint64_t sent = 0;
    std::function<void()> sendBurst = [&] {
        for (uint32_t i = 0; i < BURST; ++i, ++sent)
        {
            item->hash = order[sent % order.size()];
            disc.EnqueueItem(item);
            item = disc.DequeueItem();
        }
        if (sent < packets)
        {
            Simulator::Schedule(MicroSeconds(12), sendBurst);
        }
    };
    Simulator::Schedule(MicroSeconds(12), sendBurst);
    Measurement measurement;
    RunSimulation(measurement);
    measurement.hops = static_cast<double>(sent);
    item->Release();
    disc.Dispose();
    return measurement;
}

/**
 * @brief The classes of packets in an order without pattern, as their limiters lie in memory.
 * @param classes number of classes
 * @return the classes, counted from 1
 */
std::vector<uint32_t>
MixClasses(uint32_t classes)
{
    std::vector<uint32_t> order(classes);
    std::iota(order.begin(), order.end(), 1);
    auto random = CreateObject<UniformRandomVariable>();
    for (uint32_t i = classes - 1; i > 0; --i)
    {
        std::swap(order[i], order[random->GetInteger(0, i)]);
    }
    return order;
}

/**
 * @brief Only a drop-tail queue.
 * @param classes of the packets, which it does not tell apart
 * @param packets number of packets
 * @return each packet counts as a hop
 */
Measurement
RunWithoutMeters(uint32_t classes, uint64_t packets)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::TimingWheelSimulatorImpl"));
    const auto disc = CreateObject<DropTailQueueDisc>();
    disc->SetPort(nullptr);
    return SendThrough(*disc, MixClasses(classes), packets);
}

/**
 * @brief The same queue behind meters: each class has a limiter of its own.
 * @param classes number of classes
 * @param packets number of packets
 * @return each packet counts as a hop, each class as a port
 */
Measurement
RunMeters(uint32_t classes, uint64_t packets)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::TimingWheelSimulatorImpl"));
    const auto disc = CreateObject<MeteredQueueDisc>();
    disc->SetInner(CreateObject<DropTailQueueDisc>());
    disc->SetClassifier(CreateObject<HashClassifier>());
    disc->SetPort(nullptr);
    const auto order = MixClasses(classes);
    // As on the switch: four significant bits. All packets together stay below the rate.
    const auto meter =
        CreateFromSpec<Meter>("meter", "logical:Rate=200Gbps,YellowBurst=409600,SignificantBits=4");
    const std::size_t before = GetAllocatedBytes();
    for (uint32_t i = classes; i > 0; --i) // the largest first: the table is made once
    {
        disc->SetMeter(i, meter);
    }
    const auto bytes = static_cast<double>(GetAllocatedBytes() - before);
    Measurement measurement = SendThrough(*disc, order, packets);
    measurement.bytesPerPort = bytes / classes;
    return measurement;
}

/// @brief Packets of each class in turn, whatever they are.
class TurnClassifier : public ItemClassifier
{
  public:
    /**
     * @param order of the classes
     */
    explicit TurnClassifier(std::vector<uint32_t> order)
        : m_order(std::move(order))
    {
    }

    uint32_t Classify(const FabricItem& /* item */) const override
    {
        m_next = m_next + 1 < m_order.size() ? m_next + 1 : 0;
        return m_order[m_next];
    }

  private:
    std::vector<uint32_t> m_order; //!< of the classes
    mutable uint32_t m_next{0};    //!< place in it
};

/// @brief A switch whose ports have meters, or none.
class MeteredPortScheme : public Scheme
{
  public:
    /**
     * @param classes with a limiter each at each port; 0: drop-tail ports
     */
    explicit MeteredPortScheme(uint32_t classes)
        : m_classes(classes)
    {
    }

    void ConfigureFabric(Network& network) override
    {
        network.GetFabric()->SetQueueDiscFactory(
            [this](const FabricPort::Description& port) -> Ptr<FabricQueueDisc> {
                const auto queue =
                    CreateObjectWithAttributes<DropTailQueueDisc>("MaxSize", StringValue(BUFFER));
                if (port.tier == 0 || m_classes == 0)
                {
                    return queue;
                }
                const auto metered = CreateObject<MeteredQueueDisc>();
                metered->SetInner(queue);
                metered->SetClassifier(CreateObject<TurnClassifier>(MixClasses(m_classes)));
                return metered;
            });
    }

    void ConfigureNodes(Network& network) override
    {
        const auto meter =
            CreateFromSpec<Meter>("meter",
                                  "logical:Rate=100Gbps,YellowBurst=409600,SignificantBits=4");
        network.GetFabric()->ForEachPort([&](FabricPort& port) {
            auto* metered = dynamic_cast<MeteredQueueDisc*>(&port.GetQueueDisc());
            for (uint32_t number = m_classes; metered && number > 0; --number)
            {
                metered->SetMeter(number, meter);
            }
        });
    }

  private:
    uint32_t m_classes; //!< with a limiter each
};

/**
 * @brief A host sends at the rate of its link to another behind the same switch.
 * @param classes of the packets, each with a limiter; 0: no meters
 * @param packets number of packets
 * @return two hops per packet, one of them with a meter
 */
Measurement
RunPort(uint32_t classes, uint32_t packets)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::TimingWheelSimulatorImpl"));
    auto network = CreateObject<Network>();
    network->SetTopology("single-switch:Hosts=2,HostRate=100Gbps,LinkDelay=1us");
    network->SetScheme(CreateObject<MeteredPortScheme>(classes));
    network->SetTransports("udp:Rate=100Gbps");
    network->Build();
    LastFlow lastFlow(1);
    network->GetTransports()->AddObserver(&lastFlow);
    network->GetTransports()->StartFlow({0, 1, static_cast<uint64_t>(packets) * PAYLOAD});
    Measurement measurement;
    RunSimulation(measurement);
    measurement.hops = 2.0 * packets;
    network->Dispose();
    return measurement;
}

} // namespace

std::vector<Case>
GetMeterCases(const Scale& scale)
{
    const auto alone = [scale](uint32_t classes) {
        return [=] { return RunMeters(classes, scale.Packets(10'000'000)); };
    };
    const auto port = [scale](uint32_t classes) {
        return [=] { return RunPort(classes, scale.Packets(2'000'000)); };
    };
    const std::string bare = "port, drop-tail";
    // A packet of each class in turn. Behind a host, with all else that a packet costs, a port with
    // meters may take twice the time, with more of them than caches hold four times. The
    // disciplines alone show what a meter adds; their bytes per port are bytes per class.
    return {
        {"meters none: drop-tail alone",
         [scale] { return RunWithoutMeters(1'000, scale.Packets(10'000'000)); },
         {}},
        {"meters, 1 class", alone(1), {}, 0, 100},
        {"meters, 10^3 classes", alone(1'000), {}, 0, 100},
        {"meters, 10^5 classes", alone(100'000), {}, 0, 500},
        {bare, port(0), {}},
        {"port, meters, 1 class", port(1), {{bare, 0.5}}},
        {"port, meters, 10^3 classes", port(1'000), {{bare, 0.5}}},
        {"port, meters, 10^5 classes", port(100'000), {{bare, 0.25}}},
    };
}

} // namespace ns3
