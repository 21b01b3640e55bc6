/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_H
#define NETWORK_H

#include "scheme.h"

#include "ns3/fabric.h"
#include "ns3/host-model.h"
#include "ns3/object.h"
#include "ns3/packet-maker.h"
#include "ns3/spec.h"
#include "ns3/tenant-source.h"
#include "ns3/tenant-table.h"
#include "ns3/topology.h"
#include "ns3/transports.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief A topology, a scheme, transports and perhaps tenants, put together: the one place that
 * does so.
 *
 * @code
 *   auto network = CreateObject<Network>();
 *   network->SetTopology("fat-tree:K=4");
 *   network->SetScheme("dctcp");
 *   network->SetTransports("lean;udp:Rate=1Gbps"); // or leave it to the scheme
 *   network->Build();
 *   network->GetTransports()->StartFlow({.source = 0, .destination = 5, .bytes = 100'000});
 * @endcode
 */
class Network : public Object
{
  public:
    /// @brief Fixed random variable streams: the same draws for the same purpose in every scheme.
    enum Stream : int64_t
    {
        WORKLOAD_STREAM = 1,               //!< arrivals, pairs, sizes
        FAILURE_STREAM = 100,              //!< links that fail
        TOPOLOGY_STREAM = 200,             //!< links of a random topology
        FABRIC_STREAM = 1'000,             //!< path selection, edge agents
        SCHEME_STREAM = 1'000'000,         //!< parts of a scheme alone
        TRANSPORT_STREAM = 2'000'000,      //!< parts of transports
        TENANT_STREAM = 3'000'000,         //!< tenants of a random source
        TENANT_WORKLOAD_STREAM = 3'000'010 //!< traffic of tenants
    };

    /// @brief Get the type ID.
    static TypeId GetTypeId();

    Network();

    // ---- Before Build() ----

    /**
     * @brief Set the topology.
     * @param topology hosts, switches and links
     */
    void SetTopology(Ptr<Topology> topology);

    /**
     * @brief Set the topology.
     * @param spec such as "fat-tree:K=4"
     */
    void SetTopology(const Spec& spec);

    /**
     * @brief Set the scheme.
     * @param scheme the scheme
     */
    void SetScheme(Ptr<Scheme> scheme);

    /**
     * @brief Set the scheme.
     * @param spec such as "dctcp:MarkThreshold=36us"
     */
    void SetScheme(const Spec& spec);

    /**
     * @brief Say which transports hosts use; without this call, those of the scheme's choice.
     * @param several specifications, separated by semicolons (see NameSpecs()); empty: as without
     *        this call
     */
    void SetTransports(const Spec& several);

    /**
     * @brief Say what stands between applications and links; without this call, "ideal".
     * @param spec specification of a HostModel, such as "small-queues"
     */
    void SetHostModel(const Spec& spec);

    /**
     * @brief Say who rents the network; without this call, whoever the scheme says, or nobody.
     * @param tenants the tenants, or nullptr
     */
    void SetTenants(Ptr<TenantTable> tenants);

    /**
     * @brief Say who rents the network: Build() makes the tenants and checks that the network can
     * keep their guarantees.
     * @param spec specification of a TenantSource, such as "random:Tenants=8,Vms=4"
     */
    void SetTenants(const Spec& spec);

    /**
     * @brief Put everything together. Topology and scheme were set.
     * @throws InputError if something that the user said cannot be used
     */
    void Build();

    /**
     * @brief Refuse guarantees that the network cannot keep, as Build() does. A table that a
     * program made itself (SetTenants()) is not checked.
     * @param tenants the tenants as they are to be
     * @param argument the setting that errors name
     * @throws InputError naming the link, what is guaranteed over it, and its capacity
     */
    void CheckAdmission(const TenantTable& tenants, const std::string& argument) const;

    /**
     * @brief Refuse a limit of a tenant if the scheme keeps none.
     * @param argument the setting that errors name
     * @param tenant the tenant's name
     * @throws InputError naming the scheme
     */
    void CheckTenantLimits(const std::string& argument, const std::string& tenant) const;

    /**
     * @brief Have fabric, transports and scheme say what they know.
     * @param results takes it
     */
    void ReportResults(Results& results) const;

    /**
     * @brief Make a converter of the network's items to packets with the headers of its
     * transports and its scheme, for whoever wants to see one. After Build().
     * @return one of the caller's own; must not outlive the network
     */
    PacketMaker MakePacketMaker() const;

    // ---- What it is made of ----

    /**
     * @brief The hosts, switches and links.
     * @return the fabric; before Build() empty, its attributes can be set
     */
    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

    /// @brief The topology.
    Ptr<const Topology> GetTopology() const
    {
        return m_topology;
    }

    /// @brief The scheme.
    Ptr<Scheme> GetScheme() const
    {
        return m_scheme;
    }

    /**
     * @brief The hosts: their queues, windows, timeouts and offload.
     * @return the host model
     */
    Ptr<HostModel> GetHostModel() const
    {
        return m_hostModel;
    }

    /**
     * @brief The transports of the hosts.
     * @return the transports; those of the user's or the scheme's choice when the scheme configures
     *         the fabric, attached when Build() is done
     */
    Ptr<Transports> GetTransports() const
    {
        return m_transports;
    }

    /**
     * @brief The tenants of the network.
     * @return the tenants, made when the scheme configures the fabric; nullptr: nobody does
     */
    Ptr<TenantTable> GetTenants() const
    {
        return m_tenants;
    }

  protected:
    void DoDispose() override;

  private:
    void CreateTransports();
    void CreateTenants();

    Ptr<Topology> m_topology;     //!< hosts, switches and links
    Ptr<Scheme> m_scheme;         //!< runs the network
    Spec m_transportSpecs;        //!< the user's choice; empty: none
    Ptr<HostModel> m_hostModel;   //!< parts of a host between applications and links
    Ptr<Transports> m_transports; //!< transports of the hosts
    Ptr<TenantSource> m_source;   //!< makes the tenants; nullptr: they are given, or there are none
    Ptr<TenantTable> m_tenants;   //!< tenants of the network; nullptr: none
    Ptr<Fabric> m_fabric;         //!< the built network
};

} // namespace ns3

#endif /* NETWORK_H */
