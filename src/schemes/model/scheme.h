/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEME_H
#define SCHEME_H

#include "ns3/fabric-queue-disc.h"
#include "ns3/host-model.h"
#include "ns3/object-spec.h"
#include "ns3/object.h"
#include "ns3/pair-edge.h"
#include "ns3/port-stage.h"
#include "ns3/queue-limit.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/shared-buffer.h"
#include "ns3/transport.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

class Fabric;
class JsonObject;
class Network;
class PacketMaker;
class Results;
class TenantSource;

/**
 * @ingroup schemes
 * @brief A way to run a network: which discipline each port gets, how switches choose paths, what
 * stands at the edge, and how hosts send. Network::Build() calls CreateTransport() first, for each
 * transport, CreateDefaultTenants() if the user says nothing of tenants, then ConfigureFabric()
 * and, when the fabric is built, ConfigureNodes().
 *
 * All parts are attributes, so that most schemes are rows. A class derived from Scheme does what
 * attributes cannot say. Sizes of buffers are those of AFQ's cluster (NSDI 2018, Section 6.2.1);
 * the hosts' own, which the paper leaves open, is large, so that hosts are not where packets are
 * lost.
 *
 * A scheme never knows its scenario and a scenario never names a scheme: a user joins them by
 * `--scheme=NAME`. Rows have names (SchemeRows), and so has any class derived from Scheme that is
 * registered with a TypeId, in the suite or in scratch/: ns3::FooScheme is `foo`.
 */
class Scheme : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Make a scheme.
     * @param spec names a row or a class, with attributes: "dctcp:MarkThreshold=36us"
     * @return the scheme, which knows its name
     * @throws InputError if there is no such scheme, or it cannot be so
     */
    static Ptr<Scheme> Create(const Spec& spec);

    /**
     * @brief The name by which the scheme was made.
     * @return that of a row or class, "dctcp"
     */
    std::string GetName() const;

    /**
     * @brief Say in a line what the scheme is, for `--scheme=help`. Rows say it themselves.
     * @return one line
     */
    virtual std::string GetSummary() const;

    /**
     * @brief Install at each host the edge agents that the attribute Agents names, in its order,
     * behind those that the scheme itself has installed.
     * @param network its fabric is built
     */
    void InstallAgents(Network& network) const;

    /**
     * @brief The transports of the scheme's hosts, unless the user says otherwise.
     * @return their specifications, separated by semicolons (see NameSpecs())
     */
    Spec GetTransportSpecs() const;

    /**
     * @brief Make a transport for the scheme's hosts.
     * @param argument the setting that errors name
     * @param spec specification by the user or GetTransportSpecs() ("ns3", "lean:InitialCwnd=2")
     * @param defaults values where the specification says nothing, by attribute
     * @return the transport, not yet attached; with what the scheme says of such transports
     */
    Ptr<Transport> CreateTransport(const std::string& argument,
                                   const Spec& spec,
                                   const std::map<std::string, std::string>& defaults) const;

    /**
     * @brief Say who rents the network, for schemes that protect tenants from each other.
     * @return makes the tenants, unless the user says otherwise; nullptr: nobody
     */
    Ptr<TenantSource> CreateDefaultTenants() const;

    /**
     * @brief True if the scheme keeps tenants to their limits (Tenant::limit). Limits are refused
     * where it does not.
     * @return false by default
     */
    virtual bool LimitsTenants() const;

    /**
     * @brief Set disciplines and path selection.
     * @param network its transports and its tenants are made, its fabric is wired and not yet built
     * @throws InputError if the scheme cannot work with these transports
     */
    virtual void ConfigureFabric(Network& network);

    /**
     * @brief Install edge agents and what else stands at hosts and switches.
     * @param network its fabric is built, its transports are not yet attached
     */
    virtual void ConfigureNodes(Network& network);

    /**
     * @brief Say after a run what only the scheme knows. What stands in the network reports itself.
     * @param network has run
     * @param results takes it
     */
    virtual void ReportResults(const Network& network, Results& results) const;

    /**
     * @brief Say for run.json, typed, what an attribute says in a grammar of its own. By default
     * nothing.
     * @param settings takes it, by name
     */
    virtual void ReportSettings(JsonObject& /* settings */) const
    {
    }

    /**
     * @brief Say how the scheme's packets look as bytes: outer headers, headers of transports.
     * @param network the network, built
     * @param packets makes packets of items; knows lean TCP
     */
    virtual void ConfigurePackets(const Network& network, PacketMaker& packets) const;

    /**
     * @brief Assign fixed random variable stream numbers to what belongs to the scheme alone.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

    /**
     * @brief Make a port's discipline where attributes and the host model name none.
     * @param port the port
     * @param buffer most that may wait there
     * @return the discipline; a FIFO, marking above MarkThreshold, unless a subclass says otherwise
     */
    virtual Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                                 QueueSize buffer) const;

    /**
     * @brief Make the discipline that the scheme cannot do without at a host's own port.
     * @param port the port
     * @param buffer most that may wait there
     * @return the discipline; nullptr: any will do. One for VM pairs if there is a Controller
     */
    virtual Ptr<FabricQueueDisc> CreateHostQueueDisc(const FabricPort::Description& port,
                                                     QueueSize buffer) const;

    /**
     * @brief Make the buffer that restores the order of data at a host; its timeout is set
     * afterwards.
     * @return the agent
     */
    virtual Ptr<ResequencingBuffer> CreateResequencingBuffer() const;

    /**
     * @brief Refuse the attribute Paths where the scheme itself says which way every packet goes.
     * @param unless the end of the error: settings that leave it to Paths
     * @throws InputError if the attribute has another value than its default
     */
    void RefusePaths(const std::string& unless) const;

    /**
     * @brief The buffer of a port that marks: by default four thresholds if that is more.
     * @param port the port
     * @param buffer most that may wait there
     * @return most that may wait there
     */
    QueueSize GetMarkingBuffer(const FabricPort::Description& port, QueueSize buffer) const;

    /**
     * @brief The threshold above which ports mark.
     * @return attribute MarkThreshold
     */
    const QueueLimit& GetMarkThreshold() const
    {
        return m_markThreshold;
    }

    /**
     * @brief Refuse memory shared by a switch's ports that leaves none of them room for a full
     * packet, even where nothing else waits.
     * @param fullPacket size of such a packet, in bytes
     * @param what the error calls it
     * @throws InputError if there is such memory and it is too small
     */
    void CheckSharedBuffer(uint32_t fullPacket, const std::string& what) const;

  private:
    /// @brief Refuse attributes that speak of a part which the scheme does not have.
    void CheckParts() const;

    void CheckTransports(const Network& network);
    void SetUpPairs(Network& network);
    void InstallPairs(const Network& network);
    void InstallResequencing(Fabric& fabric) const;
    void InstallStages(Fabric& fabric);

    /**
     * @brief Tell whether the ports of a switch share its memory.
     * @return false: each has a buffer of its own
     */
    bool HasSharedBuffer() const;

    /**
     * @brief Tell whether links have flow control.
     * @return false for none
     */
    bool HasFlowControl() const;

    /**
     * @brief Make a port's discipline: the one that the user asks for, or the scheme's own.
     * @param port the port
     * @return the discipline
     */
    Ptr<FabricQueueDisc> CreatePortQueueDisc(const FabricPort::Description& port) const;

    /**
     * @brief Make the discipline of a host's port that HostQueue, the scheme or the host model
     * asks for.
     * @param port the port
     * @param buffer most that may wait there
     * @return the discipline; nullptr: as at the other ports
     */
    Ptr<FabricQueueDisc> CreateOwnHostQueueDisc(const FabricPort::Description& port,
                                                QueueSize buffer) const;

    /**
     * @brief Make the discipline that the host model asks for.
     * @param port a host's own port
     * @param buffer most that may wait there
     * @return the discipline; nullptr: the host model leaves it to the scheme
     */
    Ptr<FabricQueueDisc> CreateHostModelQueueDisc(const FabricPort::Description& port,
                                                  QueueSize buffer) const;

    /**
     * @brief Note that hosts' ports have their own value of an attribute of the host model.
     * @param attribute of the host model
     * @param value the model's value; empty: none
     */
    void DepartFromHostModel(const std::string& attribute, const Spec& value) const;

    /**
     * @brief The memory that a port of a switch shares with the others.
     * @param port the port
     * @param [in,out] buffers made so far, by switch
     * @return the buffer; nullptr: the port has one of its own
     */
    Ptr<SharedBuffer> GetSharedBuffer(
        const FabricPort::Description& port,
        std::map<const FabricNode*, Ptr<SharedBuffer>>& buffers) const;

    /**
     * @brief The buffer of a port.
     * @param port the port
     * @return most that may wait there
     */
    QueueSize GetBuffer(const FabricPort::Description& port) const;

    /**
     * @brief Tell whether hosts' ports have the buffer that the host model says.
     * @return false: HostBuffer
     */
    bool HasHostModelBuffer() const;

    /**
     * @brief Tell whether the user says nothing of the buffer of a port.
     * @param port the port
     * @return true if its size is the default
     */
    bool HasDefaultBuffer(const FabricPort::Description& port) const;

    /**
     * @brief Make room for a threshold: a default buffer holds four of them.
     * @param argument the setting of the threshold, for the error
     * @param threshold a port marks above it
     * @param port the port
     * @param buffer most that may wait there
     * @return most that may wait there
     * @throws InputError if the queue never exceeds the threshold
     */
    QueueSize FitBuffer(const std::string& argument,
                        const QueueLimit& threshold,
                        const FabricPort::Description& port,
                        QueueSize buffer) const;

    /**
     * @brief Make the discipline that the user asks for.
     * @param attribute the setting that asks for it
     * @param spec its specification
     * @param port the port
     * @param buffer most that may wait there, unless the specification says otherwise
     * @return the discipline
     * @throws InputError if the specification cannot be used
     */
    Ptr<FabricQueueDisc> CreateRequestedQueueDisc(const std::string& attribute,
                                                  const Spec& spec,
                                                  const FabricPort::Description& port,
                                                  QueueSize buffer) const;

    /**
     * @brief Refuse a buffer that no full packet of the hosts fits into: what happens then would
     * differ from discipline to discipline.
     * @param attribute the attribute that says how large it is
     * @param limit its size
     * @param rate of the link
     * @return the buffer in bytes or packets
     * @throws InputError if it is too small
     */
    QueueSize CheckBuffer(const std::string& attribute,
                          const QueueLimit& limit,
                          DataRate rate) const;

    std::string m_name;                   //!< by which it was made
    Spec m_transport;                     //!< attribute Transport
    std::string m_congestionOps;          //!< attribute CongestionOps
    Time m_resequencing;                  //!< attribute ResequencingTimeout
    Spec m_paths;                         //!< attribute Paths
    Spec m_queue;                         //!< attribute Queue
    Spec m_hostQueue;                     //!< attribute HostQueue
    Spec m_flowControl;                   //!< attribute FlowControl
    QueueLimit m_markThreshold;           //!< attribute MarkThreshold
    QueueLimit m_hostBuffer;              //!< attribute HostBuffer
    QueueLimit m_edgeBuffer;              //!< attribute EdgeBuffer
    QueueLimit m_coreBuffer;              //!< attribute CoreBuffer
    QueueLimit m_sharedBuffer;            //!< attribute SharedBuffer
    double m_sharedAlpha;                 //!< attribute SharedBufferAlpha
    Spec m_stageSpecs;                    //!< attribute Stages
    std::string m_stagesExcept;           //!< attribute StagesExcept
    Spec m_agents;                        //!< attribute Agents
    Spec m_controller;                    //!< attribute Controller
    Spec m_defaultTenants;                //!< attribute DefaultTenants
    PairEdge::Answers m_answers;          //!< attribute Answers
    uint32_t m_fullPacket{0};             //!< of the hosts, in bytes
    Ptr<HostModel> m_hosts;               //!< parts of a host between applications and links
    Ptr<PairEdge> m_edge;                 //!< of VM pairs; nullptr: there is no Controller
    std::vector<Ptr<PortStage>> m_stages; //!< made by Stages
};

/**
 * @ingroup schemes
 * @brief Schemes that only name parts and constants.
 *
 * A row has a name, a specification of the scheme that it is based on, and a summary:
 * `{"afq-tcp", "tcp:Queue=afq", "TCP, approximate fair queueing, flow ECMP"}`. Where something is
 * done that attributes cannot say, a class derived from Scheme does it.
 */
class SchemeRows : public SpecRows
{
  public:
    /**
     * @brief Add rows.
     * @param rows the rows
     */
    SchemeRows(std::initializer_list<SpecRow> rows)
        : SpecRows(&Scheme::GetTypeId, rows)
    {
    }
};

} // namespace ns3

#endif /* SCHEME_H */
