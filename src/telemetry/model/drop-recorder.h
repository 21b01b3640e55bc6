/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DROP_RECORDER_H
#define DROP_RECORDER_H

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace ns3
{

class Results;

/**
 * @ingroup telemetry
 * @brief Drops and ECN marks by port and reason.
 *
 * Add() looks names up: ports count by themselves while the run goes on and add their counts at its
 * end.
 */
class DropRecorder
{
  public:
    /// What happened to a packet.
    enum class Kind
    {
        DROP, //!< it was discarded
        MARK, //!< its ECN field was set to Congestion Experienced
    };

    /// How many.
    struct Count
    {
        uint64_t packets{0}; //!< packets
        uint64_t bytes{0};   //!< their bytes
    };

    /**
     * @brief Adds to the count of a port and reason. Nothing at all leaves no row.
     * @param port name of the port
     * @param kind what happened
     * @param reason why, as the discipline calls it
     * @param packets how many packets
     * @param bytes their bytes
     */
    void Add(const std::string& port,
             Kind kind,
             const std::string& reason,
             uint64_t packets,
             uint64_t bytes);

    /**
     * @param kind drops or marks
     * @return their number over all ports and reasons
     */
    Count GetTotal(Kind kind) const;

    /**
     * @param kind drops or marks
     * @param reason a reason
     * @return their number over all ports
     */
    Count GetTotal(Kind kind, const std::string& reason) const;

    /**
     * @brief Writes `port,kind,reason,packets,bytes`, sorted by the first three; kind is drop or
     * mark.
     * @param path the file
     * @throws InputError naming --out if the file cannot be written
     */
    void Write(const std::string& path) const;

    /**
     * @brief Adds the totals of drops and marks to a run's results.
     * @param results takes it
     */
    void ReportResults(Results& results) const;

  private:
    std::map<std::tuple<std::string, Kind, std::string>, Count> m_counts; //!< port, kind, reason
};

} // namespace ns3

#endif /* DROP_RECORDER_H */
