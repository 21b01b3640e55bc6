/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSPORT_H
#define TRANSPORT_H

#include "flow.h"

#include "ns3/fabric.h"
#include "ns3/object.h"
#include "ns3/queue-limit.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class PacketMaker;

class Results;

/**
 * @ingroup transport
 * @brief Protocol by which hosts send: starts flows and tells observers when they are done.
 *
 * One transport serves all hosts of a fabric. Attach() is called once, after the fabric is built.
 */
class Transport : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    Transport();

    /**
     * @brief Summary of the transport for `--transport=help`.
     * @return one line
     */
    virtual std::string GetSummary() const = 0;

    /**
     * @brief Stand beside other transports of one network, before any flow is started.
     * @param first the network's first transport, whose numbering of flows this one joins
     * @param place number of this one in the network, counted from 0
     */
    void Join(const Transport& first, uint8_t place);

    /**
     * @brief The port that flows are sent to, unless a transport says otherwise: each transport of
     * a network has another, so that no two flows have the same 5-tuple.
     * @return SERVER_PORT for the network's first transport
     */
    uint16_t GetServerPort() const
    {
        return static_cast<uint16_t>(SERVER_PORT + m_portOffset);
    }

    /**
     * @brief Bind to the hosts of a built fabric.
     * @param fabric the fabric; outlives the transport
     */
    void Attach(Ptr<Fabric> fabric);

    /**
     * @brief Start a flow now.
     * @param request the flow
     * @return the flow's name; no other flow of the network has it
     */
    FlowId StartFlow(const FlowRequest& request);

    /**
     * @brief Stop a flow: nothing more is sent; observers see it finished. No effect on a finished
     * flow, or on one of another transport.
     * @param flow the flow
     */
    virtual void StopFlow(FlowId flow) = 0;

    /**
     * @brief Say how the transport's packets look as bytes, where it is the only one.
     * @param packets makes packets of items; knows lean TCP
     */
    virtual void ConfigurePackets(PacketMaker& packets) const;

    /**
     * @brief Tell an observer about every flow from now on.
     * @param observer outlives the simulation
     */
    void AddObserver(FlowObserver* observer);

    /**
     * @brief Time that one flow would need alone in an idle fabric, over all its shortest paths:
     * the same for all schemes. Where there are several a short last packet overtakes full ones,
     * and links between switches that are slower than the hosts' own carry it side by side.
     * @param request the flow; bytes > 0
     * @return from first transmission to the last byte's acknowledgment at the sender, store and
     *         forward at every hop, the window never limiting. Exact where there is one path. Of a
     *         handshake only its last acknowledgment counts, which precedes the first packet
     */
    virtual Time GetIdealCompletionTime(const FlowRequest& request) const;

    /**
     * @brief Largest payload of one packet and the bytes around it, for ideal times and goodput.
     * @return {payload, header, acknowledgment packet} in bytes of IP datagram
     */
    struct PacketSizes
    {
        uint32_t payload;            //!< payload of a full packet in bytes
        uint32_t header;             //!< header bytes of a data packet
        uint32_t acknowledgment;     //!< size of an acknowledgment packet in bytes; 0: none
        bool acknowledgesEach{true}; //!< true if each data packet has one of its own
    };

    /**
     * @brief Packet sizes on the wire.
     * @return the sizes, in bytes of IP datagram
     */
    virtual PacketSizes GetPacketSizes() const = 0;

    /// @brief The flows that a host can send at a time.
    struct HostLimit
    {
        uint32_t flows; //!< most of them
        Time held;      //!< each counts for at least so long
    };

    /// @brief The flows that a host can send at a time, so that a workload that knows of more can
    /// be refused at once; nothing: any number.
    virtual std::optional<HostLimit> GetHostLimit() const
    {
        return std::nullopt;
    }

    /// @brief Data packets sent again so far, by flows that are over, too; nothing if the transport
    /// does not count them.
    virtual std::optional<uint64_t> CountRetransmissions() const
    {
        return std::nullopt;
    }

    /**
     * @brief The state of a flow's sender, for recorders.
     * @param flow the flow
     * @return one state, or one per subflow; nothing if the flow is over or no state is known
     */
    virtual std::vector<FlowState> GetStates(FlowId flow) const;

    /**
     * @brief Say after a run what only the transport knows.
     * @param results takes it
     */
    virtual void ReportResults(Results& results) const;

    /**
     * @brief Assign fixed random variable stream numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    /**
     * @brief Size of the packet that a flow's host sends right before the first one: with a
     * handshake, the last acknowledgment of that. To be asked before the flow starts.
     * @param request the flow
     * @return IP datagram in bytes; 0: nothing
     */
    virtual uint32_t GetLeadingSize(const FlowRequest& request) const
    {
        (void)request;
        return 0;
    }

    /// @brief Called once after Attach() has set the fabric.
    virtual void DoAttach() = 0;

    /**
     * @brief Begin sending. Observers were told already.
     * @param record id, request and request time are set
     */
    virtual void DoStartFlow(const FlowRecord& record) = 0;

    /**
     * @brief Tell observers of payload delivered in order.
     * @param record the flow; counts the bytes
     * @param bytes new payload in bytes
     */
    void NotifyDelivered(FlowRecord& record, uint32_t bytes);

    /**
     * @brief Tell observers that a flow is over.
     * @param record the flow, complete
     */
    void NotifyFinished(const FlowRecord& record);

    /**
     * @brief Refuse a limit of what a flow has in its host's port that no port can have.
     * @param attribute the attribute that says it
     * @param backlog the limit
     * @throws InputError for a time that comes to 4 GiB or more at a host's link
     */
    void CheckBacklog(const std::string& attribute, const QueueLimit& backlog) const;

    void DoDispose() override;

    Ptr<Fabric> m_fabric;     //!< the hosts
    uint32_t m_portOffset{0}; //!< difference of ports to those of the network's first transport

  private:
    /**
     * @brief GetIdealCompletionTime() where several paths carry more than one.
     * @param request the flow
     * @return no scheme can be faster
     */
    Time GetIdealOverAllPaths(const FlowRequest& request) const;

    /**
     * @brief The way back of a flow's last acknowledgment in an idle fabric, where there is one
     * path: it may come up to the one before, if that was for a longer packet.
     * @param request the flow
     * @param before arrival of the last packet but one, in time steps
     * @param last arrival of the last packet, in time steps
     * @return arrival of its acknowledgment, in time steps
     */
    int64_t GetIdealAcknowledgment(const FlowRequest& request, int64_t before, int64_t last) const;

    std::vector<FlowObserver*> m_observers; //!< told of every flow
    std::shared_ptr<FlowId> m_lastFlow;     //!< flows of the network started so far
};

} // namespace ns3

#endif /* TRANSPORT_H */
