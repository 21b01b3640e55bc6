/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEME_H
#define SCHEME_H

#include "ns3/object-spec.h"
#include "ns3/object.h"
#include "ns3/transport.h"

#include <map>
#include <string>

namespace ns3
{

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
 * A scheme never knows its scenario and a scenario never names a scheme: a user joins them by
 * `--scheme=NAME`. Rows have names (SchemeRows), and so has any class derived from Scheme that is
 * registered with a TypeId, in the suite or in scratch/: ns3::FooScheme is `foo`.
 */
class Scheme : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Make a scheme.
     * @param spec names a row or a class, with attributes: "dctcp:MarkThreshold=36us"
     * @return the scheme, which knows its name
     * @throws InputError if there is no such scheme, or it cannot be so
     */
    static Ptr<Scheme> Create(const std::string& spec);

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
     * @brief Which transports the scheme's hosts use, unless the user says otherwise.
     * @return their specifications, separated by semicolons (see ParseSpecList())
     */
    virtual std::string GetTransportSpecs() const = 0;

    /**
     * @brief Make a transport for the scheme's hosts.
     * @param spec what the user or GetTransportSpecs() asks for ("ns3", "lean:InitialCwnd=2")
     * @param defaults what hosts have where the specification says nothing, by attribute
     * @return the transport, not yet attached; with what the scheme says of such transports
     */
    virtual Ptr<Transport> CreateTransport(
        const std::string& spec,
        const std::map<std::string, std::string>& defaults = {}) const;

    /**
     * @brief Say who rents the network, for schemes that protect tenants from each other.
     * @return makes the tenants, unless the user says otherwise; nullptr: nobody
     */
    virtual Ptr<TenantSource> CreateDefaultTenants() const;

    /**
     * @brief Whether the scheme keeps tenants to their limits (Tenant::limit). Limits are refused
     * where it does not.
     * @return false by default
     */
    virtual bool LimitsTenants() const;

    /**
     * @brief Set disciplines and path selection.
     * @param network its transports and its tenants are made, its fabric is wired and not yet built
     * @throws InputError if the scheme cannot work with these transports
     */
    virtual void ConfigureFabric(Network& network) = 0;

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
     * @brief Say how the scheme's packets look as bytes: outer headers, headers of transports.
     * @param network the network, built
     * @param packets what makes packets of items; knows lean TCP
     */
    virtual void ConfigurePackets(const Network& network, PacketMaker& packets) const;

    /**
     * @brief Assign fixed random variable stream numbers to what belongs to the scheme alone.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  private:
    std::string m_name;   //!< by which it was made
    std::string m_agents; //!< attribute Agents
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
