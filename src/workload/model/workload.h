/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "task-runner.h"
#include "tenant-table.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/transports.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup workload
/// @brief Largest number of a group of flows: recorders keep something for each group below.
constexpr uint32_t MAX_GROUP = 1'000'000;

/**
 * @ingroup workload
 * @brief A flow to be started at a time.
 */
struct FlowArrival
{
    Time at;             //!< start of the flow
    FlowRequest request; //!< sender, receiver and size
    Time lifetime;       //!< stop it after so long; 0: it ends when all its bytes are delivered
};

/**
 * @ingroup workload
 * @brief Flows that were asked for and have not started.
 */
struct UnstartedFlows
{
    uint64_t flows{0};       //!< their number
    Time first{Time::Max()}; //!< time at which the first of them is due
};

/**
 * @ingroup workload
 * @brief A source of traffic: flows with their senders, receivers, sizes and times.
 *
 * A workload is a source of flow arrivals in time order, drawn one at a time: a run holds one
 * pending event, however many flows it will have. A kind of workload says in DoPrepare() what it
 * plans beforehand, or draws in DoNext(). It counts hosts and time from 0; Next() adds the rest.
 *
 * The hosts of a workload may be the VMs of a tenant. Then its flows carry the number of their VM
 * pair, the tenant is their group, and no flow is drawn between two VMs of one host.
 */
class Workload : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();
    Workload();

    /**
     * @brief A description of the workload, for `--workload=help`.
     * @return one line
     */
    virtual std::string GetSummary() const = 0;

    /**
     * @brief Begin, so that Next() can be called; Start() does it by itself.
     * @param hosts the hosts to use, at least two
     * @throw InputError if the attributes do not make a workload for these hosts
     */
    void Prepare(const std::vector<uint32_t>& hosts);

    /**
     * @brief Begin with the VMs of a tenant as hosts.
     * @param tenants has the tenant; learns of VM pairs
     * @param tenant the tenant; its VMs are on at least two hosts
     * @param transport number of the transport that carries its flows
     * @throw InputError if the attributes do not make a workload for these VMs
     */
    void Prepare(Ptr<TenantTable> tenants, TenantId tenant, uint8_t transport = 0);

    /**
     * @brief Draw the next arrival.
     * @return the arrival, in simulation time and host numbers, not before the last one; nothing if
     *         there is none
     */
    std::optional<FlowArrival> Next();

    /**
     * @brief Let the simulation start the flows.
     * @param transports start them
     * @param hosts the hosts to use, at least two
     * @throw InputError if the attributes do not make a workload for these hosts and transports
     */
    void Start(Ptr<Transports> transports, const std::vector<uint32_t>& hosts);

    /**
     * @brief Let the simulation start the flows between the VMs of a tenant.
     * @param transports start them
     * @param tenants has the tenant; learns of VM pairs
     * @param tenant the tenant; its VMs are on at least two hosts
     * @param number of the transport that carries its flows
     * @throw InputError if the attributes do not make a workload for these VMs
     */
    void Start(Ptr<Transports> transports,
               Ptr<TenantTable> tenants,
               TenantId tenant,
               uint8_t number = 0);

    /**
     * @brief Refuse a transport that the network does not have.
     * @param transports those of the network
     * @throw InputError if attribute Transport names another
     */
    void CheckTransport(const Transports& transports) const;

    /**
     * @brief Let the simulation start the flows of a workload that is prepared, its times counted
     * from now on.
     * @param transports start them
     */
    void StartPrepared(Ptr<Transports> transports);

    /// @brief Start no flow from now on; tasks under way are given up.
    virtual void Halt();

    /**
     * @brief Number tasks together with other workloads.
     * @param numbers number of the last task of them all
     */
    virtual void ShareTaskNumbers(std::shared_ptr<uint32_t> numbers);

    /**
     * @brief True if this workload has started its last flow.
     * @return true if it has; false for ever if it has no end
     */
    virtual bool IsOver() const;

    /**
     * @brief Flows started so far.
     * @return their number
     */
    virtual uint64_t GetStarted() const;

    /**
     * @brief Flows that are planned and have not started: they are due later, or from Stop on. A
     * workload that draws its arrivals as they come has none.
     * @return the flows; none after Halt()
     */
    virtual UnstartedFlows GetUnstarted() const;

    /**
     * @brief Assign fixed random variable stream numbers, once all attributes are set.
     *
     * The order is the same for every kind: arrivals, pairs, sizes, jitter. So two schemes, or two
     * kinds that share a source of chance, see the same draws.
     *
     * @param stream first stream to use
     * @return number of streams used: 4
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * @brief Signature of the trace source TaskFinished.
     * @param record the task, or one of its steps
     */
    typedef void (*TaskTracedCallback)(const TaskRecord& record);

  protected:
    void DoDispose() override;

    /// @brief Check the attributes, forget earlier arrivals, and plan() what can be planned.
    virtual void DoPrepare() = 0;

    /**
     * @brief The next arrival, in time order; by default the next planned.
     * @return the arrival: time since Start, hosts by their index, group counted from 0
     */
    virtual std::optional<FlowArrival> DoNext();

    /// @brief Called once when the simulation is about to start flows.
    virtual void DoStart();

    /**
     * @brief Do what an arrival is for: by default, start its flow.
     * @param arrival as DoNext() returned it
     */
    virtual void Launch(const FlowArrival& arrival);

    /**
     * @brief Be ready to run tasks; called in DoStart().
     * @param steps names of their steps
     * @param parallel flows of a task that a host receives at a time; 0: any number
     */
    void UseTasks(const std::vector<std::string>& steps, uint32_t parallel = 0);

    /**
     * @brief Run a task from now on.
     * @param plan the task: hosts by their index
     */
    void RunTask(TaskPlan plan);

    /**
     * @brief Tasks that are not over.
     * @return their number
     */
    std::size_t CountRunningTasks() const;

    /**
     * @brief A task is over.
     * @param starter index of the host whose task it was
     */
    virtual void DoTaskFinished(uint32_t starter);

    /**
     * @brief Tell who listens of a task, or a step of it, that is over.
     * @param record the task or step
     */
    void NotifyTask(const TaskRecord& record);

    /**
     * @brief A flow was started.
     * @param flow the flow
     * @param request as it was asked for, hosts by their index
     */
    virtual void DoStarted(FlowId flow, const FlowRequest& request);

    /**
     * @brief Add to what DoNext() returns by default.
     * @param arrival as DoNext() returns it; arrivals may be planned in any order, ties keep theirs
     */
    void Plan(const FlowArrival& arrival);

    /**
     * @brief Start a flow now.
     * @param request the flow: hosts by their index, group counted from 0
     * @param lifetime stop it after so long; 0: it ends when all its bytes are delivered
     * @return the flow
     */
    FlowId StartFlow(const FlowRequest& request, Time lifetime = Time());

    /**
     * @brief Refuse planned flows of which a host would have more at a time than the transport can
     * carry. Called in DoStart().
     * @throws InputError naming the host and when
     */
    void CheckHostLimit() const;

    /**
     * @brief True if a flow may start at a time.
     * @param at simulation time
     * @return false from Stop on
     */
    bool MayStart(Time at) const;

    /// @return true once Halt() was called
    bool IsHalted() const
    {
        return m_halted;
    }

    /**
     * @brief Time of the workload's 0.
     * @return simulation time
     */
    Time GetStartTime() const;

    /**
     * @brief Hosts in use.
     * @return their number
     */
    uint32_t HostCount() const;

    /**
     * @brief True if two VMs are on one host, so that nothing between them crosses the network.
     * @param a index of a VM
     * @param b index of another or the same
     * @return true if they are; of hosts, true for a host and itself
     */
    bool IsLocal(uint32_t a, uint32_t b) const;

    /// @brief The tenants, one of which has the hosts as its VMs; nullptr: hosts are hosts.
    const TenantTable* GetTenants() const
    {
        return PeekPointer(m_tenants);
    }

    /// @return the tenant whose VMs the hosts are
    TenantId GetTenant() const
    {
        return m_tenant;
    }

    /**
     * @brief Draw a host.
     * @return its index
     */
    uint32_t RandomHost();

    /**
     * @brief Draw one of some hosts.
     * @param first index of the first of them
     * @param last index of the last of them
     * @return the index drawn
     */
    uint32_t RandomHostFrom(uint32_t first, uint32_t last);

    /**
     * @brief Draw a host other than a given one, all equally likely; a VM on another host.
     * @param host index of the other
     * @return index of the host drawn
     */
    uint32_t RandomHostBut(uint32_t host);

    /**
     * @brief Draw a delay.
     * @param most the largest delay
     * @return uniform from 0 to most
     */
    Time RandomDelay(Time most);

    /**
     * @brief Draw some of several hosts.
     * @param candidates the hosts
     * @param count number of hosts to draw
     * @return so many of them, all choices and orders equally likely
     */
    std::vector<uint32_t> RandomSample(std::vector<uint32_t> candidates, uint32_t count);

    /**
     * @brief The counter of tasks.
     * @return number of the last task of all workloads that share it
     */
    const std::shared_ptr<uint32_t>& GetTaskNumbers() const
    {
        return m_taskNumbers;
    }

    Ptr<Transports> m_transports;               //!< start flows; null until Start()
    Ptr<ExponentialRandomVariable> m_intervals; //!< mean 1: times between arrivals
    Ptr<UniformRandomVariable> m_pairs;         //!< draws senders and receivers
    Ptr<UniformRandomVariable> m_jitter;        //!< small delays against lock-step

  private:
    /// @brief A FlowArrival in time steps: ns-3 keeps a record of every Time made before a run.
    struct PlannedFlow
    {
        int64_t at;          //!< start of the flow
        FlowRequest request; //!< sender, receiver and size
        int64_t lifetime;    //!< stop it after so long
    };

    /// @brief Begin to start flows; all is prepared.
    void Begin();

    /// @brief Draw the next arrival and wait for it.
    void Await();

    /// @brief The awaited arrival is due.
    void Arrive();

    /**
     * @brief Translate indices to host numbers, add the group, name the transport.
     * @param request the flow: hosts by their index, group counted from 0
     * @return the flow as transports want it
     */
    FlowRequest Address(FlowRequest request) const;

    Time m_start;                       //!< simulation time of the workload's 0
    Time m_stop;                        //!< no flow starts from here on; 0: no end
    uint32_t m_group;                   //!< group of the flows
    std::string m_transportName;        //!< of the transport that carries flows; empty: the first
    uint8_t m_transport{0};             //!< its place among the network's
    std::vector<uint32_t> m_hosts;      //!< host numbers by index
    std::vector<PlannedFlow> m_planned; //!< those from m_taken on are still to come
    std::size_t m_taken{0};             //!< number of these that are done
    uint64_t m_plans{0};                //!< flows planned since Prepare()
    uint64_t m_arrivals{0};             //!< flows that came since then
    bool m_sorted{true};                //!< true if those to come are sorted by time
    FlowArrival m_awaited;              //!< the next that is due, as DoNext() returned it
    EventId m_event;                    //!< the one pending event
    uint64_t m_started{0};              //!< flows started
    bool m_halted{false};               //!< Halt() was called

    Ptr<TenantTable> m_tenants;                       //!< has the tenant; null: hosts are hosts
    TenantId m_tenant{0};                             //!< tenant whose VMs the hosts are
    uint8_t m_carrier{0};                             //!< number of the tenant's transport
    std::unique_ptr<TaskRunner> m_tasks;              //!< runs tasks; null: there are none
    std::shared_ptr<uint32_t> m_taskNumbers;          //!< of the last task
    TracedCallback<const TaskRecord&> m_taskFinished; //!< a task or a step is over
};

/**
 * @ingroup workload
 * @brief All hosts of a fabric.
 * @param count their number
 * @return 0, 1, ..., count - 1
 */
std::vector<uint32_t> AllHosts(uint32_t count);

} // namespace ns3

#endif /* WORKLOAD_H */
