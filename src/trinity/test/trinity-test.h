/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRINITY_TEST_H
#define TRINITY_TEST_H

#include "../../fabric/test/item-test-case.h"

#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/trinity-channel.h"
#include "ns3/trinity-colours.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup trinity-tests
 * @brief A Trinity channel by itself, with flows that are short or long as the test says.
 */
class TrinityTestChannel : private ItemSink
{
  public:
    static constexpr uint32_t DEPTH = 30000; //!< of both buckets, 20 full packets

    TrinityTestChannel()
    {
        settings.classification.fabric = PeekPointer(m_fabric);
        settings.classification.threshold = 1; // what has no payload is short
        settings.greenDepth = DEPTH;
        settings.redDepth = DEPTH;
        channel = std::make_unique<TrinityChannel>(settings);
        m_shortFlow = m_fabric->AddEndpoints(this, this);
        for (uint32_t i = 0; i < 4; ++i)
        {
            m_longFlows.push_back(m_fabric->AddEndpoints(this, this));
        }
    }

    ~TrinityTestChannel() override
    {
        channel.reset();
        m_fabric->Dispose();
    }

    TrinityTestChannel(const TrinityTestChannel&) = delete;
    TrinityTestChannel& operator=(const TrinityTestChannel&) = delete;

    /**
     * @brief A packet of a short flow wants to go.
     * @param size in bytes
     * @return true if there was room
     */
    bool AddShort(uint16_t size = 1500)
    {
        return Add(m_shortFlow, size);
    }

    /**
     * @brief A packet of a long flow wants to go.
     * @param size in bytes
     * @param flow index of the flow, one of four
     * @return true if there was room
     */
    bool AddLong(uint16_t size = 1500, uint32_t flow = 0)
    {
        return Add(m_longFlows[flow], size);
    }

    /**
     * @brief Empty both buckets, then put tokens in.
     * @param green bytes
     * @param red bytes
     */
    void SetTokens(uint32_t green, uint32_t red)
    {
        channel->SetRates(0, 0);
        for (uint32_t i = 0; i < 2 * DEPTH / 1500; ++i)
        {
            AddLong(1500, 3);
        }
        Drain();
        Flush();
        channel->SetRates(8e3 * green, 8e3 * red);
        Wait(MilliSeconds(1));
        channel->SetRates(0, 0);
    }

    /// @brief Take out what waits, at no cost.
    void Flush()
    {
        while (FabricItem* item = waiting > 0 ? channel->Flush() : nullptr)
        {
            --waiting;
            item->Release();
        }
    }

    /**
     * @brief Let time pass, and nothing out.
     * @param time duration
     */
    static void Wait(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }

    /**
     * @brief Let out what may go now.
     * @return the colours and kinds in order, such as "sG lG lR" for short green, long green, long
     * red
     */
    std::string Drain()
    {
        std::string out;
        while (waiting > 0 && GetDelay() == 0)
        {
            out += (out.empty() ? "" : " ") + Take();
        }
        return out;
    }

    /**
     * @brief Time until the next packet may go.
     * @return nanoseconds from now; < 0: never
     */
    int64_t GetDelay()
    {
        const int64_t now = Simulator::Now().GetTimeStep();
        const int64_t release = channel->GetReleaseTime(now);
        return release == PairChannel::NEVER ? -1 : TimeStep(release - now).GetNanoSeconds();
    }

    /**
     * @brief Let the next packet out.
     * @return its kind and colour, as for Drain()
     */
    std::string Take()
    {
        --waiting;
        FabricItem* item = channel->Dequeue(Simulator::Now().GetTimeStep());
        const bool green = item->tos >> 2 == GetDscp(TrinityColour::GREEN);
        const std::string text =
            std::string(item->flow == m_shortFlow ? "s" : "l") + (green ? "G" : "R");
        lastEcn = item->GetEcn();
        item->Release();
        return text;
    }

    /**
     * @brief Keep a long flow backlogged for some time.
     * @param time duration
     * @return kinds and colours as they left, with the time in ns
     */
    std::vector<std::pair<int64_t, std::string>> Run(Time time)
    {
        std::vector<std::pair<int64_t, std::string>> log;
        const int64_t begin = Simulator::Now().GetNanoSeconds();
        const int64_t end = begin + time.GetNanoSeconds();
        while (Simulator::Now().GetNanoSeconds() < end)
        {
            while (waiting < 10)
            {
                AddLong();
            }
            const int64_t delay = GetDelay();
            if (delay != 0)
            {
                Wait(NanoSeconds(delay));
            }
            log.emplace_back(Simulator::Now().GetNanoSeconds() - begin, Take());
        }
        return log;
    }

    TrinityChannel::Settings settings;        //!< of the channel
    std::unique_ptr<TrinityChannel> channel;  //!< under test
    uint32_t waiting{0};                      //!< items in it
    FabricItem::Ecn lastEcn{};                //!< of the item that left last
    FabricItem::Ecn ecn{FabricItem::NOT_ECT}; //!< of items to come

  private:
    bool Add(uint32_t flow, uint16_t size)
    {
        FabricItem* item = FabricItem::Create();
        item->flow = flow;
        item->hash = flow;
        item->size = size;
        item->SetEcn(ecn);
        bool kept = false;
        try
        {
            kept = channel->Enqueue(item, Simulator::Now().GetTimeStep());
        }
        catch (const InputError&)
        {
            item->Release();
            throw;
        }
        waiting += kept;
        if (!kept)
        {
            item->Release();
        }
        return kept;
    }

    void ReceiveItem(FabricItem* item) override
    {
        item->Release();
    }

    std::optional<Payload> GetPayload(FabricItem& item) const override
    {
        if (item.flow == m_shortFlow)
        {
            return std::nullopt;
        }
        return Payload{0, item.size - 52U};
    }

    Ptr<Fabric> m_fabric{CreateObject<Fabric>()}; //!< knows the flows
    uint32_t m_shortFlow{0};                      //!< has no payload
    std::vector<uint32_t> m_longFlows;            //!< have
};

/// @ingroup trinity-tests
/// @brief Test cases here leave no item behind.
using TrinityTestCase = ItemTestCase;

} // namespace ns3

#endif /* TRINITY_TEST_H */
