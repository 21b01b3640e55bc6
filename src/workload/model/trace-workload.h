/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRACE_WORKLOAD_H
#define TRACE_WORKLOAD_H

#include "workload.h"

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
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    void DoPrepare() override;
    void DoStart() override;

    std::string m_file; //!< path of the trace
};

} // namespace ns3

#endif /* TRACE_WORKLOAD_H */
