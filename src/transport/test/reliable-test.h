/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RELIABLE_TEST_H
#define RELIABLE_TEST_H

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/fabric.h"
#include "ns3/object-spec.h"
#include "ns3/queue-size.h"
#include "ns3/reliable-flow.h"
#include "ns3/reliable-transport.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup transport-tests
 * @brief At a switch: looks at each packet, and drops those that it is told to.
 */
class ItemFilterStage : public IngressStage
{
  public:
    bool Process(FabricItem* item) override
    {
        const bool keep = watch(*item);
        if (!keep)
        {
            item->Release();
        }
        return keep;
    }

    std::function<bool(FabricItem&)> watch{[](FabricItem&) { return true; }}; //!< false: drop it
};

/**
 * @ingroup transport-tests
 * @brief Hosts at a switch, with a reliable transport: 10 Gbps, 1 us per link, no frame overhead.
 */
class ReliableStar : public FlowObserver
{
  public:
    /**
     * @brief Constructor.
     * @param spec of the transport
     * @param hosts number of hosts
     * @param buffer of each port of the switch
     * @param hostBuffer of each port of a host
     */
    explicit ReliableStar(const std::string& spec,
                          uint32_t hosts = 2,
                          const std::string& buffer = "100MB",
                          const std::string& hostBuffer = "8MB")
        : transport(DynamicCast<ReliableTransport>(CreateFromSpec<Transport>("transport", spec)))
    {
        fabric->SetTierNames({"host", "switch"});
        const auto middle = fabric->AddSwitch(1);
        for (uint32_t host = 0; host < hosts; ++host)
        {
            fabric->Connect(fabric->AddHost(), middle, DataRate("10Gbps"), MicroSeconds(1));
        }
        fabric->SetQueueDiscFactory([buffer, hostBuffer](const FabricPort::Description& port) {
            auto queue = CreateObject<DropTailQueueDisc>();
            const QueueSize size(port.tier ? buffer : hostBuffer);
            queue->SetAttribute("MaxSize", QueueSizeValue(size));
            return queue;
        });
        fabric->Build();
        fabric->GetSwitch(0).AddIngressStage(&stage);
        transport->Attach(fabric);
        transport->AddObserver(this);
    }

    ~ReliableStar() override
    {
        transport->Dispose();
        Simulator::Destroy();
        fabric->Dispose();
    }

    ReliableStar(const ReliableStar&) = delete;
    ReliableStar& operator=(const ReliableStar&) = delete;

    /**
     * @brief Start a flow.
     * @param source sending host
     * @param destination receiving host
     * @param bytes payload; 0: until stopped
     * @return the flow
     */
    FlowId Send(uint32_t source, uint32_t destination, uint64_t bytes)
    {
        return transport->StartFlow({source, destination, bytes});
    }

    /**
     * @brief Run on.
     * @param duration for so long, or until nothing happens any more
     */
    static void Run(Time duration)
    {
        Simulator::Stop(duration);
        Simulator::Run();
    }

    /**
     * @brief Lose packets at the switch at random, of either direction.
     * @param probability of a loss
     * @param seed of the losses
     */
    void LoseAtRandom(double probability, uint32_t seed)
    {
        stage.watch = [random = std::mt19937(seed), probability](FabricItem&) mutable {
            return std::uniform_real_distribution<>(0, 1)(random) >= probability;
        };
    }

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        delivered[record.id] += bytes;
    }

    void FlowFinished(const FlowRecord& record) override
    {
        finished.push_back(record);
    }

    Ptr<Fabric> fabric{CreateObject<Fabric>()}; //!< the network
    ItemFilterStage stage;                      //!< at the switch
    Ptr<ReliableTransport> transport;           //!< the hosts
    std::map<FlowId, uint64_t> delivered;       //!< bytes of each flow
    std::vector<FlowRecord> finished;           //!< in the order of finishing
};

/**
 * @ingroup transport-tests
 * @brief Whatever is lost, all bytes are delivered once.
 */
class ReliableLossTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param spec of the transport
     */
    explicit ReliableLossTestCase(const std::string& spec)
        : TestCase("random losses: " + spec),
          m_spec(spec)
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        for (uint32_t seed = 1; seed <= 30; ++seed)
        {
            ReliableStar star(m_spec, 4, seed % 3 ? "100MB" : "20kB");
            star.LoseAtRandom(std::vector{0.0, 0.001, 0.01, 0.1, 0.3}[seed % 5], seed);
            std::map<FlowId, uint64_t> sent;
            for (uint32_t source = 1; source < 4; ++source)
            {
                const uint64_t bytes = 1 + 997 * seed * source * source;
                sent[star.Send(source, 0, bytes)] = bytes;
            }
            star.Run(Seconds(20));
            NS_TEST_ASSERT_MSG_EQ(star.finished.size(), sent.size(), "over, seed " << seed);
            NS_TEST_ASSERT_MSG_EQ((star.delivered == sent), true, "all bytes, once");
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
    }

    std::string m_spec; //!< of the transport
};

/**
 * @ingroup transport-tests
 * @brief Fewer acknowledgments: no flow waits for its timeout, be its window smaller than what one
 * acknowledgment is for.
 */
class ReliableAcknowledgeTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param name of the transport
     */
    explicit ReliableAcknowledgeTestCase(const std::string& name)
        : TestCase("one acknowledgment for many packets: " + name),
          m_name(name)
    {
    }

  private:
    static constexpr uint64_t BYTES = 2'000'000; //!< of each flow

    /// @brief Outcome of flows to one host.
    struct Outcome
    {
        Time end;                    //!< of the last flow
        uint64_t acknowledgments{0}; //!< that passed the switch
    };

    /**
     * @brief Send to one host.
     * @param flows number of flows, each from a host of its own
     * @param every packets for one acknowledgment
     * @return the outcome
     */
    Outcome Send(uint32_t flows, uint32_t every)
    {
        ReliableStar star(m_name + ":AcknowledgeEvery=" + std::to_string(every), flows + 1);
        Outcome outcome;
        star.stage.watch = [&outcome](FabricItem& item) {
            outcome.acknowledgments += item.kind & FabricItem::TOWARDS_SENDER;
            return true;
        };
        for (uint32_t source = 1; source <= flows; ++source)
        {
            star.Send(source, 0, BYTES);
        }
        star.Run(Seconds(20));
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), flows, "over");
        NS_TEST_EXPECT_MSG_EQ(star.transport->GetTimeouts(), 0, "timeouts, every " << every);
        NS_TEST_EXPECT_MSG_EQ(star.transport->CountRetransmissions().value(), 0, "retransmissions");
        outcome.end = star.finished.empty() ? Time::Max() : star.finished.back().acknowledged;
        return outcome;
    }

    void DoRun() override
    {
        for (const uint32_t flows : {1, 2, 12})
        {
            const Outcome each = Send(flows, 1);
            for (const uint32_t every : {2, 16, 1000})
            {
                const Outcome some = Send(flows, every);
                NS_TEST_EXPECT_MSG_LT(some.end, 1.3 * each.end, flows << " flows, every " << every);
                NS_TEST_EXPECT_MSG_LT(some.acknowledgments,
                                      each.acknowledgments,
                                      flows << " flows, every " << every);
            }
        }
    }

    std::string m_name; //!< of the transport
};

/**
 * @ingroup transport-tests
 * @brief A host's port that drops what it has no room for is no faster than its line.
 */
class ReliableHostDropTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param spec of the transport
     */
    explicit ReliableHostDropTestCase(const std::string& spec)
        : TestCase("drops in the sender's own port: " + spec),
          m_spec(spec)
    {
    }

  private:
    void DoRun() override
    {
        ReliableStar star(m_spec, 3, "100MB", "1500B");
        auto& queue = star.fabric->GetHost(0).GetNicPort().GetQueueDisc();
        const auto count = +[](uint64_t* drops, const FabricItem*, const char*) { ++*drops; };
        uint64_t drops = 0;
        queue.TraceConnectWithoutContext("ItemDrop", MakeBoundCallback(count, &drops));
        star.Send(0, 1, 10'000'000);
        star.Send(0, 2, 10'000'000);
        star.Run(MilliSeconds(1));
        const uint64_t line = 10'000'000 / 8 / 1000; // packets of at least 1000 bytes in 1 ms
        NS_TEST_EXPECT_MSG_LT_OR_EQ(drops, 2 * line, "a packet per transmission time and flow");
        NS_TEST_EXPECT_MSG_GT(star.delivered[1] + star.delivered[2], 100'000, "some get through");
    }

    std::string m_spec; //!< of the transport
};

} // namespace ns3

#endif /* RELIABLE_TEST_H */
