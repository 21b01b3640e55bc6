/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench-case.h"

#include <optional>
#include <vector>

namespace ns3
{

/// @brief A case and its result, held against one of its requirements.
struct Row
{
    Case what;                              //!< the case
    std::optional<Measurement> result;      //!< nothing: it failed
    std::optional<Requirement> requirement; //!< nothing: a baseline, or its own was not measured
    double ratio{0};                        //!< of its rate to the baseline's

    double GetRate() const
    {
        return result ? result->hops / result->seconds : 0;
    }

    bool Reaches() const
    {
        return result && (!requirement || ratio >= requirement->ratio) &&
               (what.memoryLimit == 0 || result->peakMegabytes < what.memoryLimit) &&
               (what.timeLimit == 0 || 1e9 / GetRate() < what.timeLimit);
    }

    /// @return true if anything is required of the case
    bool IsRequired() const
    {
        return requirement || what.memoryLimit > 0 || what.timeLimit > 0;
    }
};

/**
 * @brief Hold a result against what is required.
 * @param what the case
 * @param result its result
 * @param others results of the cases before
 * @return a row per requirement whose baseline was measured, or one without
 */
std::vector<Row> Judge(const Case& what,
                       std::optional<Measurement> result,
                       const std::vector<Row>& others);

/**
 * @brief Print rows for programs.
 * @param rows the rows
 */
void PrintJson(const std::vector<Row>& rows);

/**
 * @brief Print rows for people.
 * @param rows the rows
 */
void PrintTable(const std::vector<Row>& rows);

} // namespace ns3

#endif /* BENCH_REPORT_H */
