/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AFQ_PORTS_H
#define AFQ_PORTS_H

#include "ns3/fabric-queue-disc.h"
#include "ns3/fabric.h"
#include "ns3/queue-size.h"

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
     * @brief Make a port's discipline.
     * @param port the port
     * @param spec the discipline, such as "afq:NumQueues=8"
     * @param hostSpec the discipline of a host's own port; empty: the same
     * @param buffer most that may wait there
     * @return the discipline
     * @throws InputError if the specification is wrong
     */
    static Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                                const std::string& spec,
                                                const std::string& hostSpec,
                                                QueueSize buffer);

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
