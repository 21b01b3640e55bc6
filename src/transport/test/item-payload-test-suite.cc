/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/fabric.h"
#include "ns3/object-spec.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/transport.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t FLOW_BYTES = 100'000; //!< of each flow

/**
 * @ingroup transport-tests
 * @brief Notes what items carry that arrive at a host.
 */
class Reader : public EdgeAgent
{
  public:
    void Incoming(FabricItem* item) override
    {
        const auto payload = GetHost().GetFabric().GetPayload(*item);
        const uint32_t length = payload ? payload->length : 0;
        m_bytes[item->flow] += length;
        m_packets[{length > 0, item->GetClass()}]++;
        if (length > 0)
        {
            m_ordered[item->flow] = payload->ordered;
            m_tags[item->flow] = GetHost().GetFabric().GetFlowTag(*item);
        }
        DeliverOn(item);
    }

    std::map<uint32_t, uint64_t> m_bytes;                        //!< payload, by FabricItem::flow
    std::map<std::pair<bool, FabricItem::Class>, int> m_packets; //!< by payload and class
    std::map<uint32_t, bool> m_ordered;                          //!< by FabricItem::flow
    std::map<uint32_t, FlowTag> m_tags;                          //!< by FabricItem::flow
};

/**
 * @ingroup transport-tests
 * @brief Transports side by side on two hosts with a switch between them.
 */
class Hosts : public FlowObserver
{
  public:
    /**
     * @param specs of the transports; each sends a flow
     */
    explicit Hosts(const std::vector<std::string>& specs)
    {
        m_fabric->SetTierNames({"host", "switch"});
        const auto middle = m_fabric->AddSwitch(1);
        for (uint32_t host = 0; host < 2; ++host)
        {
            m_fabric->Connect(m_fabric->AddHost(), middle, DataRate("10Gbps"), MicroSeconds(1));
        }
        m_fabric->Build();
        for (uint32_t host = 0; host < 2; ++host)
        {
            m_fabric->GetHost(host).AddEdgeAgent(m_readers[host]);
            m_fabric->GetHost(host).AddEdgeAgent(m_buffers[host]);
        }
        for (const std::string& spec : specs)
        {
            m_transports.push_back(CreateFromSpec<Transport>("transport", spec));
            m_transports.back()->Attach(m_fabric);
            m_transports.back()->AddObserver(this);
        }
        for (const auto& transport : m_transports)
        {
            transport->StartFlow({.source = 0, .destination = 1, .bytes = FLOW_BYTES, .group = 7});
        }
    }

    ~Hosts() override
    {
        for (const auto& transport : m_transports)
        {
            transport->Dispose();
        }
        m_fabric->Dispose();
        Simulator::Destroy();
    }

    Hosts(const Hosts&) = delete;
    Hosts& operator=(const Hosts&) = delete;

    void FlowFinished(const FlowRecord& /* record */) override
    {
        ++m_finished;
    }

    Ptr<Fabric> m_fabric{CreateObject<Fabric>()};                             //!< the hosts
    Ptr<Reader> m_readers[2]{CreateObject<Reader>(), CreateObject<Reader>()}; //!< above buffers
    Ptr<ResequencingBuffer> m_buffers[2]{CreateObject<ResequencingBuffer>(),
                                         CreateObject<ResequencingBuffer>()}; //!< at the NIC
    std::vector<Ptr<Transport>> m_transports;                                 //!< side by side
    uint32_t m_finished{0};                                                   //!< flows
};

} // namespace

/**
 * @ingroup transport-tests
 * @brief Endpoints tell the payload of their items, whichever transport sends beside them.
 */
class ItemPayloadTestCase : public TestCase
{
  public:
    ItemPayloadTestCase()
        : TestCase("payload, class and tag of each transport's items")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts({"lean",
                     "udp:Rate=2Gbps",
                     "fixed-window",
                     "mptcp:Subflows=1",
                     "dcqcn",
                     "swift",
                     "ns3"});
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hosts.m_finished, 7, "all flows are over");
        const Reader& receiver = *hosts.m_readers[1];
        uint32_t flows = 0;
        for (const auto& [flow, bytes] : receiver.m_bytes)
        {
            NS_TEST_EXPECT_MSG_EQ(bytes, FLOW_BYTES, "all of a flow's bytes, once");
            ++flows;
        }
        NS_TEST_EXPECT_MSG_EQ(flows, 7, "each flow");
        uint32_t datagrams = 0;
        uint32_t tagged = 0;
        for (const auto& [flow, ordered] : receiver.m_ordered)
        {
            datagrams += ordered ? 0 : 1;
        }
        for (const auto& [flow, tag] : receiver.m_tags)
        {
            tagged += tag.group == 7 && tag.flow == 1 ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(datagrams, 1, "UDP's have no order");
        NS_TEST_EXPECT_MSG_EQ(tagged, 7, "all, those of an ns-3 device too");
        for (const auto& [kind, packets] : receiver.m_packets)
        {
            NS_TEST_EXPECT_MSG_EQ((kind.first && kind.second != FabricItem::DATA),
                                  false,
                                  "what has payload is data");
        }
        const Reader& sender = *hosts.m_readers[0];
        for (const auto& [kind, packets] : sender.m_packets)
        {
            NS_TEST_EXPECT_MSG_EQ(kind.first, false, "answers have no payload");
            NS_TEST_EXPECT_MSG_EQ(kind.second, FabricItem::ANSWER, "and say what they are");
        }
        NS_TEST_EXPECT_MSG_EQ(hosts.m_buffers[1]->GetStatistics().held, 0, "nothing was late");
    }
};

/**
 * @ingroup transport-tests
 * @brief An item's class stands beside its direction.
 */
class ItemClassTestCase : public TestCase
{
  public:
    ItemClassTestCase()
        : TestCase("class and direction")
    {
    }

  private:
    void DoRun() override
    {
        FabricItem* item = FabricItem::Create();
        NS_TEST_EXPECT_MSG_EQ(item->GetClass(), FabricItem::DATA, "by default");
        item->kind = FabricItem::TOWARDS_SENDER | 0xf8;
        for (const auto c : {FabricItem::ANSWER, FabricItem::CONTROL, FabricItem::DATA})
        {
            item->SetClass(c);
            NS_TEST_EXPECT_MSG_EQ(item->GetClass(), c, "as set");
            NS_TEST_EXPECT_MSG_EQ((item->kind & 0xf9), 0xf9, "the other bits stay");
        }
        item->Release();
    }
};

/**
 * @ingroup transport-tests
 * @brief Test suite of what items say of themselves.
 */
class ItemPayloadTestSuite : public TestSuite
{
  public:
    ItemPayloadTestSuite()
        : TestSuite("item-payload", Type::UNIT)
    {
        AddTestCase(new ItemClassTestCase, Duration::QUICK);
        AddTestCase(new ItemPayloadTestCase, Duration::QUICK);
    }
};

/// @ingroup transport-tests
/// Static variable for test initialization.
static ItemPayloadTestSuite g_itemPayloadTestSuite;
