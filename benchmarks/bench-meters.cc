/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bench-case.h"

#include "ns3/global-value.h"
#include "ns3/metered-queue-disc.h"
#include "ns3/object-spec.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <functional>
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
 * @brief Only a metered discipline: packets of any class come and leave.
 * @param classes how many there are; each has a limiter of its own
 * @param packets how many come
 * @return each packet counts as a hop
 */
Measurement
RunMeters(uint32_t classes, uint64_t packets)
{
    constexpr uint32_t BURST = 100; // packets per event, so that events cost little
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::TimingWheelSimulatorImpl"));
    const auto disc = CreateObject<MeteredQueueDisc>();
    disc->SetClassifier(CreateObject<HashClassifier>());
    disc->SetPort(nullptr);
    // As on the switch: four significant bits. All packets together stay below the rate.
    const auto meter =
        CreateFromSpec<Meter>("meter", "logical:Rate=200Gbps,YellowBurst=409600,SignificantBits=4");
    std::vector<uint32_t> order(classes);
    for (uint32_t i = 0; i < classes; ++i)
    {
        order[i] = i + 1;
        disc->SetMeter(i + 1, meter);
    }
    auto random = CreateObject<UniformRandomVariable>();
    for (uint32_t i = classes - 1; i > 0; --i)
    {
        std::swap(order[i], order[random->GetInteger(0, i)]);
    }
    FabricItem* item = FabricItem::Create();
    item->size = PAYLOAD + HEADERS;
    uint64_t sent = 0;
    std::function<void()> sendBurst = [&] {
        for (uint32_t i = 0; i < BURST; ++i, ++sent)
        {
            item->hash = order[sent % classes];
            disc->EnqueueItem(item);
            item = disc->DequeueItem();
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
    disc->Dispose();
    return measurement;
}

} // namespace

std::vector<Case>
GetMeterCases(const Scale& scale)
{
    const auto meters = [scale](uint32_t classes) {
        return [=] { return RunMeters(classes, scale.Packets(10'000'000)); };
    };
    // A packet of each class in turn, with its limiter, through a queue.
    return {
        {"meters, 1 class", meters(1), {}, 0, 100},
        {"meters, 10^3 classes", meters(1'000), {}, 0, 100},
        {"meters, 10^5 classes", meters(100'000), {}, 0, 500},
    };
}

} // namespace ns3
