/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bench-report.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace ns3
{

namespace
{

/**
 * @brief Print what a row requires, and whether it is reached.
 * @param row the row
 */
void
PrintRequirement(const Row& row)
{
    std::cout << std::setprecision(2);
    if (row.requirement)
    {
        std::cout << std::setw(9) << row.ratio << std::setw(12) << row.requirement->ratio;
    }
    else
    {
        std::cout << std::setw(21) << "";
    }
    if (row.IsRequired())
    {
        std::cout << (row.Reaches() ? "  yes" : "  NO ");
    }
    if (row.requirement)
    {
        std::cout << "  of " << row.requirement->baseline;
    }
    if (row.what.memoryLimit > 0)
    {
        std::cout << "  under " << std::setprecision(0) << row.what.memoryLimit << " MB";
    }
    if (row.what.timeLimit > 0)
    {
        std::cout << "  under " << std::setprecision(0) << row.what.timeLimit << " ns";
    }
}

} // namespace

std::vector<Row>
Judge(const Case& what, std::optional<Measurement> result, const std::vector<Row>& others)
{
    std::vector<Row> rows;
    for (const Requirement& requirement : what.requirements)
    {
        const auto baseline = std::find_if(others.begin(), others.end(), [&](const Row& other) {
            return other.result && other.what.name == requirement.baseline;
        });
        if (result && baseline != others.end()) // else it was left out, or failed
        {
            Row row{what, result, requirement};
            row.ratio = row.GetRate() / baseline->GetRate();
            rows.push_back(row);
        }
    }
    if (rows.empty())
    {
        rows.push_back({what, result, std::nullopt});
    }
    return rows;
}

void
PrintJson(const std::vector<Row>& rows)
{
    std::cout << "{\"cases\": [";
    const char* separator = "\n";
    for (const Row& row : rows)
    {
        std::cout << separator << "  {\"name\": \"" << row.what.name << "\"";
        if (row.result)
        {
            std::cout << ", \"hops_per_s\": " << row.GetRate()
                      << ", \"ns_per_hop\": " << 1e9 / row.GetRate()
                      << ", \"events_per_hop\": " << row.result->events / row.result->hops
                      << ", \"bytes_per_port\": " << row.result->bytesPerPort
                      << ", \"peak_memory_mb\": " << row.result->peakMegabytes;
        }
        if (row.requirement)
        {
            std::cout << ", \"baseline\": \"" << row.requirement->baseline
                      << "\", \"ratio\": " << row.ratio
                      << ", \"must_reach\": " << row.requirement->ratio;
        }
        if (row.what.memoryLimit > 0)
        {
            std::cout << ", \"memory_limit_mb\": " << row.what.memoryLimit;
        }
        if (row.what.timeLimit > 0)
        {
            std::cout << ", \"time_limit_ns\": " << row.what.timeLimit;
        }
        if (row.IsRequired())
        {
            std::cout << ", \"reached\": " << (row.Reaches() ? "true" : "false");
        }
        std::cout << "}";
        separator = ",\n";
    }
    std::cout << "\n]}" << std::endl;
}

void
PrintTable(const std::vector<Row>& rows)
{
    std::cout << std::left << std::setw(44) << "case" << std::right << std::setw(10) << "M hops/s"
              << std::setw(9) << "ns/hop" << std::setw(12) << "events/hop" << std::setw(12)
              << "bytes/port" << std::setw(9) << "peak MB" << std::setw(9) << "ratio"
              << std::setw(12) << "must reach" << "\n"
              << std::fixed;
    for (const Row& row : rows)
    {
        std::cout << std::left << std::setw(44) << row.what.name << std::right;
        if (!row.result)
        {
            std::cout << "  failed\n";
            continue;
        }
        std::cout << std::setw(10) << std::setprecision(3) << row.GetRate() / 1e6 << std::setw(9)
                  << std::setprecision(1) << 1e9 / row.GetRate() << std::setw(12)
                  << std::setprecision(2) << row.result->events / row.result->hops << std::setw(12)
                  << std::setprecision(0) << row.result->bytesPerPort << std::setw(9)
                  << std::setprecision(1) << row.result->peakMegabytes;
        PrintRequirement(row);
        std::cout << "\n";
    }
}

} // namespace ns3
