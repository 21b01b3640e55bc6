/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRACE_WORKLOAD_H
#define TRACE_WORKLOAD_H

#include "workload.h"

#include <functional>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Flows from a CSV file with the columns `start,source,destination,bytes,group`.
 *
 * A start is a time with unit (`12.5us`) or a number of seconds, counted from the attribute Start.
 * Hosts count from 0. The column group may be absent. Rows may stand in any order.
 */
class TraceWorkload : public Workload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

    /// @brief The first and the last start in a trace.
    struct Span
    {
        Time first; //!< simulation time of the first
        Time last;  //!< of the last
    };

    /**
     * @brief Read when the flows of the trace start.
     * @param hosts number of hosts
     * @return of those that may start, before attribute Stop; nothing if there are none
     * @throws InputError if the trace cannot be used
     */
    std::optional<Span> ReadSpan(uint32_t hosts) const;

  private:
    void DoPrepare() override;
    void DoStart() override;

    /**
     * @brief Read the trace.
     * @param hosts number of hosts
     * @param take called with each flow, in the order of the rows
     */
    void Read(uint32_t hosts, const std::function<void(const FlowArrival&)>& take) const;

    std::string m_file; //!< path of the trace
};

} // namespace ns3

#endif /* TRACE_WORKLOAD_H */
