/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_H
#define FLOW_H

#include "ns3/flow-tag.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/// @ingroup transport
/// @brief Names a flow of a network: 1, 2, 3, ... in order of start; 0 names none.
using FlowId = uint32_t;

constexpr uint16_t SERVER_PORT = 5001; //!< that flows of a first transport go to
constexpr uint8_t TCP_PROTOCOL = 6;    //!< in the 5-tuple

/**
 * @ingroup transport
 * @brief A workload's request to a transport: send so many bytes from one host to another.
 */
struct FlowRequest
{
    uint32_t source{0};      //!< sending host, counted from 0 within the fabric
    uint32_t destination{0}; //!< receiving host
    uint64_t bytes{0};       //!< application payload in bytes; 0: send until stopped
    uint32_t group{0};       //!< free for the workload (a tenant, a request); recorders sum by it
    uint32_t pair{0};        //!< number of the VM pair, plus 1; 0: the flow belongs to none
    uint32_t task{0};        //!< the request or job that the flow is part of; 0: none
    uint8_t transport{0};    //!< index of its transport among the network's, from 0
};

/**
 * @ingroup transport
 * @brief A flow's life, as the transport saw it.
 */
struct FlowRecord
{
    FlowId id{0};        //!< the flow
    FlowRequest request; //!< the request
    Time requested;      //!< time of the request
    Time firstSent;      //!< first transmission of payload (after a handshake, if there is one)
    Time delivered;      //!< last byte at the receiver, in order
    Time acknowledged;   //!< last byte's acknowledgment at the sender; for a transport without
                         //!< acknowledgments the same as delivered
    uint64_t deliveredBytes{0}; //!< payload that observers were told of so far

    /**
     * @brief True if a flow that is over has delivered all that was asked.
     * @return false if bytes were lost for good, or it was stopped before; a flow without a size
     *         ends when it is stopped
     */
    bool IsComplete() const
    {
        return deliveredBytes >= request.bytes;
    }

    /// @brief Tag by which the fabric knows the flow.
    FlowTag GetTag() const
    {
        return {request.pair, request.group, id};
    }
};

/**
 * @ingroup transport
 * @brief The state by which the sender of a flow decides; empty where its transport has none.
 *
 * Bytes are counted as the transport counts them: payload by TCP, IP datagrams by all others.
 */
struct FlowState
{
    std::optional<double> window;    //!< congestion window in bytes
    std::optional<double> threshold; //!< slow-start threshold in bytes; empty before it is set
    std::optional<double> rtt;       //!< smoothed round-trip time in s
    std::optional<double> alpha;     //!< estimate of congestion, from 0 to 1
    std::optional<double> rate;      //!< sent at most, in bit/s
    std::optional<double> inFlight;  //!< sent, neither acknowledged nor known to be lost, in bytes
};

/**
 * @ingroup transport
 * @brief Learns what becomes of flows. Called on the way of every packet: do little.
 */
class FlowObserver
{
  public:
    virtual ~FlowObserver() = default;

    /**
     * @brief A flow was asked for; nothing has been sent.
     * @param record id, request and request time are valid
     */
    virtual void FlowStarted(const FlowRecord& record)
    {
        (void)record;
    }

    /**
     * @brief New payload reached the receiving application, in order.
     * @param record id, request and request time are valid
     * @param bytes payload in bytes
     */
    virtual void FlowDelivered(const FlowRecord& record, uint32_t bytes)
    {
        (void)record;
        (void)bytes;
    }

    /**
     * @brief The flow is over: all payload was delivered and acknowledged, or what was not is lost
     * for good, or the flow was stopped. FlowRecord::IsComplete() tells.
     * @param record all fields valid (delivered and acknowledged are the stop time if stopped
     * early)
     */
    virtual void FlowFinished(const FlowRecord& record)
    {
        (void)record;
    }
};

} // namespace ns3

#endif /* FLOW_H */
