/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FILE_TOPOLOGY_H
#define FILE_TOPOLOGY_H

#include "topology.h"

#include <string>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief A topology from a CSV file with a link per row: `file:links.csv`.
 *
 * The columns are `what,from,to,rate,delay`. Rows `tier,NAME` name the tiers of switches, from the
 * hosts up; rows `link,FROM,TO,RATE,DELAY` lay links. An end is called host or after its tier, with
 * its number there: host12, leaf0. Numbers begin at 0 and rise by 1 from each new end to the next.
 */
class FileTopology : public Topology
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    void AddTo(Fabric& fabric) const override;
    std::string GetSummary() const override;

  private:
    struct Plan;

    /**
     * @brief Read the file.
     * @return the network that it describes
     * @throws InputError that names file and line if it cannot be wired
     */
    Plan Read() const;

    std::string m_file; //!< attribute File
};

} // namespace ns3

#endif /* FILE_TOPOLOGY_H */
