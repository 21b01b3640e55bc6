/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include "fabric.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief The hosts, switches and links of a fabric.
 *
 * A subclass is known to users by its name in kebab-case and its attributes:
 * `leaf-spine:Leaves=9,Spines=4` (see CreateFromSpec()).
 */
class Topology : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Name the tiers and add the nodes and links to an empty fabric, not yet built.
     * @param fabric the fabric
     * @throws InputError if attributes contradict each other or a rate is zero
     */
    virtual void AddTo(Fabric& fabric) const = 0;

    /// @brief The topology in one line, such as "9 leaves x 32 hosts at 10 Gbps, ...".
    virtual std::string GetSummary() const = 0;

    /**
     * @brief Use fixed random streams, if there is anything random. Before AddTo().
     * @param stream first stream
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * @brief Let a random set of links between switches fail, all at once and now.
     * @param fabric the fabric, built
     * @param count number of links that fail
     * @param stream the ns-3 random stream that draws them
     * @param argument the setting that the error names
     * @return numbers of the failed links, in rising order
     * @throws InputError if fewer than count links between switches work
     */
    static std::vector<uint32_t> FailLinks(Fabric& fabric,
                                           uint32_t count,
                                           int64_t stream,
                                           const std::string& argument = "failed links");

  protected:
    /**
     * @brief Refuse a link without capacity.
     * @param argument the setting that the error names, such as "leaf-spine:HostRate"
     * @param rate the rate
     * @throws InputError if the rate is zero
     */
    static void CheckRate(const std::string& argument, DataRate rate);

    /**
     * @brief A rate for people to read.
     * @param rate the rate
     * @return such as "10 Gbps"
     */
    static std::string Text(DataRate rate);

    /**
     * @brief A delay for people to read.
     * @param delay the delay
     * @return such as "0.86 us"
     */
    static std::string Text(Time delay);
};

} // namespace ns3

#endif /* TOPOLOGY_H */
