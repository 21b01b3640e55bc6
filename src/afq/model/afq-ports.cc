/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-ports.h"

#include "afq-queue-disc.h"

#include <algorithm>
#include <map>

namespace ns3
{

void
AfqPorts::ReportAudit(const Fabric& fabric,
                      const std::function<void(const std::string&, double)>& report)
{
    struct Total
    {
        double misestimated{0};
        double bound{0};
        double worst{0};
    };

    std::map<std::string, Total> totals;
    double accepted = 0;
    double flows = 0;
    uint32_t mostFlows = 0;
    fabric.ForEachPort([&](FabricPort& port) {
        const auto* queue = dynamic_cast<const AfqQueueDisc*>(&port.GetQueueDisc());
        if (port.GetDescription().tier == 0 || !queue || !queue->GetAudit() ||
            queue->GetAudit()->GetAccepted() == 0)
        {
            return;
        }
        const BidAudit& audit = *queue->GetAudit();
        const auto packets = static_cast<double>(audit.GetAccepted());
        accepted += packets;
        flows += static_cast<double>(audit.GetSumOfFlows());
        mostFlows = std::max(mostFlows, audit.GetMostFlows());
        for (const BidAudit::Errors& errors : audit.GetErrors())
        {
            const std::string name = errors.rows == 0 ? "sketch"
                                                      : std::to_string(errors.rows) + "x" +
                                                            std::to_string(errors.columns);
            Total& total = totals[name];
            const auto wrong = static_cast<double>(errors.misestimated);
            total.misestimated += wrong;
            total.bound += errors.expectedAtMost;
            total.worst = std::max(total.worst, wrong / packets);
        }
    });
    if (accepted == 0)
    {
        return;
    }
    for (const auto& [name, total] : totals)
    {
        report("misestimated_" + name, total.misestimated / accepted);
        report("misestimated_worst_port_" + name, total.worst);
        if (name != "sketch")
        {
            report("misestimated_bound_" + name, total.bound / accepted);
        }
    }
    report("flows_at_port_mean", flows / accepted);
    report("flows_at_port_max", mostFlows);
}

} // namespace ns3
