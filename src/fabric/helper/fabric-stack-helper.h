/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_STACK_HELPER_H
#define FABRIC_STACK_HELPER_H

#include "ns3/fabric-net-device.h"
#include "ns3/fabric.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Gives every host of a fabric an ns-3 node with a stock IPv4 stack.
 *
 * @code
 *   FabricStackHelper stack;
 *   stack.Install(fabric); // when all hosts were added, best before Fabric::Build()
 *   BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(stack.GetAddress(1), 5001));
 *   bulk.Install(stack.GetNode(0));
 * @endcode
 * Host i has the address 10.0.0.1 + i in the one subnet 10.0.0.0/8, so no ARP and no routing table
 * grows with the fabric. The devices offer no NetDeviceQueueInterface: ns-3 puts no queueing
 * discipline of its own above the one of the host's port.
 */
class FabricStackHelper
{
  public:
    FabricStackHelper();

    /**
     * @brief Set an attribute of the devices, before Install().
     * @param name of an attribute of FabricNetDevice
     * @param value the value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Create nodes, stacks, devices and addresses.
     * @param fabric all its hosts were added. If it is built already, delivery costs an event more
     *        per packet unless the nodes are the first ones of the simulation
     */
    void Install(Ptr<Fabric> fabric);

    /**
     * @brief The node of a host.
     * @param host number of the host
     * @return the node
     */
    Ptr<Node> GetNode(uint32_t host) const;

    /**
     * @brief The nodes of all hosts.
     * @return the nodes, in the order of hosts
     */
    const NodeContainer& GetNodes() const;

    /**
     * @brief The device of a host.
     * @param host number of the host
     * @return the device
     */
    Ptr<FabricNetDevice> GetDevice(uint32_t host) const;

    /**
     * @brief The IPv4 address of a host.
     * @param host number of the host
     * @return the address
     */
    static Ipv4Address GetAddress(uint32_t host);

    /**
     * @brief The host that has an address.
     * @param address an address from GetAddress()
     * @return number of the host
     */
    static uint32_t GetHost(Ipv4Address address);

    /**
     * @brief Assign fixed random variable stream numbers to the stacks.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream) const;

  private:
    ObjectFactory m_deviceFactory;               //!< makes the devices
    NodeContainer m_nodes;                       //!< a node per host
    std::vector<Ptr<FabricNetDevice>> m_devices; //!< a device per host
};

} // namespace ns3

#endif /* FABRIC_STACK_HELPER_H */
