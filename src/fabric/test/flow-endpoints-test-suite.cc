/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/logged-item.h"
#include "ns3/test.h"

#include <malloc.h>
#include <sstream>

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief Endpoints and tags of many flows: found while they are there, given back long after.
 */
class FlowEndpointsTestCase : public TestCase
{
  public:
    FlowEndpointsTestCase()
        : TestCase("endpoints of flows")
    {
    }

  private:
    /// @return bytes that are allocated now
    static std::size_t GetAllocated()
    {
        const auto info = mallinfo2();
        return info.uordblks + info.hblkhd;
    }

    void DoRun() override
    {
        TestNetwork network("single-switch:Hosts=2");
        network.Build();
        Fabric& fabric = *network.fabric;
        ArrivalRecorder receiver;
        ArrivalRecorder sender;
        FabricItem item;
        const auto expect = [&](uint32_t flow, const FlowTag& tag, bool isThere) {
            item.flow = flow;
            item.kind = 0;
            const ItemSink* there = isThere ? &receiver : nullptr;
            const ItemSink* back = isThere ? &sender : nullptr;
            NS_TEST_EXPECT_MSG_EQ(fabric.GetEndpoint(item), there, "receiver of " << flow);
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSendingEndpoint(item), back, "sender of " << flow);
            NS_TEST_EXPECT_MSG_EQ(fabric.GetFlowTag(item).flow, tag.flow, "tag of " << flow);
            NS_TEST_EXPECT_MSG_EQ(fabric.IsOver(flow), (flow > 0 && !isThere), "over " << flow);
        };
        const uint32_t lasting = fabric.AddEndpoints(&receiver, &sender, {1, 2, 3});
        const uint32_t first = fabric.AddEndpoints(&receiver, &sender, {1, 2, 4});
        fabric.SetFlowTag(first, {1, 2, 5});
        expect(first, {1, 2, 5}, true);
        fabric.RemoveEndpoints(first);
        fabric.RemoveEndpoints(first); // again: nothing happens
        expect(first, {1, 2, 5}, false);
        expect(0, {}, false); // what hosts' devices send

        const auto add = [&](uint32_t flows) {
            for (uint32_t i = 0; i < flows; ++i)
            {
                const uint32_t flow = fabric.AddEndpoints(&receiver, &sender, {1, 2, 6 + i});
                NS_TEST_ASSERT_MSG_EQ(flow, first + 1 + m_added++, "one after the other");
                fabric.RemoveEndpoints(flow);
            }
        };
        add(60'000);
        expect(first + 1, {1, 2, 6}, false); // a late item still finds its tag
        add(100'000);
        const std::size_t before = GetAllocated();
        add(1'000'000);
        NS_TEST_EXPECT_MSG_LT(GetAllocated(), before + 500'000, "half a byte a flow");
        expect(first + 1000, {}, false);
        expect(lasting, {1, 2, 3}, true);
        fabric.RemoveEndpoints(lasting);
        expect(lasting, {1, 2, 3}, false);
    }

    uint32_t m_added{0}; //!< flows after the first two
};

/**
 * @ingroup fabric-tests
 * @brief Names of items in the log: flow, hosts, place in the flow, port.
 */
class LoggedItemTestCase : public TestCase
{
  public:
    LoggedItemTestCase()
        : TestCase("names in the log")
    {
    }

  private:
    /// @brief Knows the place of payload.
    class Receiver : public ArrivalRecorder
    {
      public:
        std::optional<Payload> GetPayload(FabricItem& /* item */) const override
        {
            return payload;
        }

        std::optional<Payload> payload; //!< place that it tells
    };

    template <class... Arguments>
    static std::string Name(const Arguments&... arguments)
    {
        std::ostringstream os;
        os << LoggedItem(arguments...);
        return os.str();
    }

    void DoRun() override
    {
        TestNetwork network("single-switch:Hosts=2");
        network.Build();
        Fabric& fabric = *network.fabric;
        Receiver receiver;
        FabricItem* item = FabricItem::Create();
        item->destination = 1;
        item->flow = fabric.AddEndpoints(&receiver, &receiver, {0, 0, 17});
        const FabricPort* port = &fabric.GetSwitch(0).GetPort(1);
        const auto expect = [this](const std::string& name, const std::string& expected) {
            NS_TEST_EXPECT_MSG_EQ(name, expected, "name");
        };
        expect(Name(*item, port), "switch0:1: flow 17, data from host 0 to host 1");
        receiver.payload = {0, 0, true};
        expect(Name(*item, port), "switch0:1: flow 17, opening from host 0 to host 1");
        receiver.payload = {43800, 1460};
        expect(Name(*item, fabric), "flow 17, data 43800+1460 from host 0 to host 1");
        item->SetClass(FabricItem::ANSWER);
        fabric.SetFlowTag(item->flow, {4, 0, 18}); // pairs count from 1 there
        expect(Name(*item, fabric), "flow 18 of pair 3, answer from host 0 to host 1");
        item->hash = 99;
        item->size = 1500;
        const FabricPort* none = nullptr;
        expect(Name(*item, none), "flow of hash 99, 1500 bytes");
        item->Release();
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of what a fabric knows of flows.
 */
class FlowEndpointsTestSuite : public TestSuite
{
  public:
    FlowEndpointsTestSuite()
        : TestSuite("flow-endpoints", Type::UNIT)
    {
        AddTestCase(new FlowEndpointsTestCase);
        AddTestCase(new LoggedItemTestCase);
    }
};

static FlowEndpointsTestSuite g_flowEndpointsTestSuite; //!< registers the suite
