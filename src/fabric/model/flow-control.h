/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_CONTROL_H
#define FLOW_CONTROL_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

class Fabric;
class Results;

/**
 * @ingroup fabric
 * @brief The flow control of a fabric's links: keeps their receivers from running out of memory.
 *
 * A subclass FooFlowControl is known to users as `foo`: PriorityFlowControl is `priority`.
 */
class FlowControl : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Put all ports of a fabric under flow control. Called by Fabric::Build().
     * @param fabric is wired, without traffic
     * @throws InputError if the attributes do not suit the links
     */
    virtual void Install(const Fabric& fabric) = 0;

    /**
     * @brief Refuse packets that links are not prepared for. By default all sizes suit.
     * @param bytes a packet as an IP datagram
     * @throws InputError if it is too large
     */
    virtual void CheckPacketSize(uint32_t bytes) const;

    /**
     * @brief Say after a run what happened.
     * @param results takes it
     */
    virtual void ReportResults(Results& results) const = 0;
};

} // namespace ns3

#endif /* FLOW_CONTROL_H */
