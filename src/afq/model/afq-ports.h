/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AFQ_PORTS_H
#define AFQ_PORTS_H

#include "ns3/fabric.h"

#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup afq
 * @brief What all schemes with AFQ at their ports share, whatever the hosts do.
 */
class AfqPorts
{
  public:
    /**
     * @brief State what the sketches of all switch ports got wrong, if their attributes asked for
     * an audit: `misestimated_ROWSxCOLUMNS` (share of the accepted packets, "sketch" for the ports'
     * own), `misestimated_worst_port_...`, `misestimated_bound_...` (what independent hashing
     * allows with the flows counted), `flows_at_port_mean` and `flows_at_port_max`.
     * @param fabric has run
     * @param report takes a name and a value
     */
    static void ReportAudit(const Fabric& fabric,
                            const std::function<void(const std::string&, double)>& report);
};

} // namespace ns3

#endif /* AFQ_PORTS_H */
