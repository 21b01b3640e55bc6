/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEME_H
#define SCHEME_H

#include "ns3/fabric.h"
#include "ns3/object.h"
#include "ns3/transport.h"

#include <string>

namespace ns3
{

class Results;

/**
 * @ingroup schemes
 * @brief A way to run a network: which discipline each port gets, how switches choose paths, what
 * stands at the edge, and how hosts send. CreateTransport() is called first, then ConfigureFabric()
 * and, when the fabric is built, ConfigureNodes().
 *
 * A scheme never knows its scenario and a scenario never names a scheme: a user joins them by
 * `--scheme=NAME`. Any class derived from Scheme that is registered with a TypeId, in the suite or
 * in scratch/, has a name: ns3::FooScheme is `foo`.
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
     * @brief What the scheme is, for `--scheme=help`.
     * @return one line
     */
    virtual std::string GetSummary() const = 0;

    /**
     * @brief Set disciplines and path selection.
     * @param fabric has its nodes and links and is not yet built
     */
    virtual void ConfigureFabric(Fabric& fabric) = 0;

    /**
     * @brief Install edge agents and what else stands at hosts and switches.
     * @param fabric is built
     */
    virtual void ConfigureNodes(Fabric& fabric);

    /**
     * @brief Make the transport that the scheme's hosts use.
     * @param spec what the user asked for ("ns3", "lean:InitialCwnd=2"); empty: the scheme's own
     *        choice
     * @return the transport, not yet attached
     * @throws InputError if the scheme cannot work with that transport
     */
    virtual Ptr<Transport> CreateTransport(const std::string& spec) = 0;

    /**
     * @brief Say after a run what only the scheme knows. What stands in the fabric reports itself.
     * @param fabric has run
     * @param results takes it
     */
    virtual void ReportResults(const Fabric& fabric, Results& results) const;

    /**
     * @brief Assign fixed random variable stream numbers to what belongs to the scheme alone.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3

#endif /* SCHEME_H */
