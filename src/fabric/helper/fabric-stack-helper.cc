/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-stack-helper.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"

namespace ns3
{

namespace
{

constexpr uint32_t MOST_HOSTS = 0x00fffffe; //!< addresses of 10.0.0.0/8 but the first and last

/**
 * @brief A stack with IPv4 only and static routing only.
 * @return the helper
 */
InternetStackHelper
MakeStackHelper()
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    return stack;
}

} // namespace

FabricStackHelper::FabricStackHelper()
    : m_deviceFactory("ns3::FabricNetDevice")
{
}

void
FabricStackHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_deviceFactory.Set(name, value);
}

void
FabricStackHelper::Install(Ptr<Fabric> fabric)
{
    NS_ASSERT_MSG(m_nodes.GetN() == 0, "one helper serves one fabric");
    NS_ASSERT(fabric->GetNHosts() <= MOST_HOSTS);
    m_nodes.Create(fabric->GetNHosts());
    MakeStackHelper().Install(m_nodes);
    for (uint32_t host = 0; host < m_nodes.GetN(); ++host)
    {
        const Ptr<Node> node = m_nodes.Get(host);
        if (!fabric->IsBuilt())
        {
            fabric->SetHostContext(host, node->GetId());
        }
        const auto device = m_deviceFactory.Create<FabricNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        node->AddDevice(device);
        device->Attach(fabric, host);
        m_devices.push_back(device);

        const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
        const uint32_t interface = ipv4->AddInterface(device);
        ipv4->AddAddress(interface, Ipv4InterfaceAddress(GetAddress(host), Ipv4Mask("255.0.0.0")));
        ipv4->SetUp(interface);
    }
}

Ptr<Node>
FabricStackHelper::GetNode(uint32_t host) const
{
    return m_nodes.Get(host);
}

const NodeContainer&
FabricStackHelper::GetNodes() const
{
    return m_nodes;
}

Ptr<FabricNetDevice>
FabricStackHelper::GetDevice(uint32_t host) const
{
    return m_devices.at(host);
}

Ipv4Address
FabricStackHelper::GetAddress(uint32_t host)
{
    return FabricNetDevice::GetHostAddress(host);
}

uint32_t
FabricStackHelper::GetHost(Ipv4Address address)
{
    return address.Get() - GetAddress(0).Get();
}

int64_t
FabricStackHelper::AssignStreams(int64_t stream) const
{
    return MakeStackHelper().AssignStreams(m_nodes, stream);
}

} // namespace ns3
