/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_RECORDER_H
#define QUEUE_RECORDER_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class CsvWriter;
class Results;

/**
 * @ingroup telemetry
 * @brief How much a queue holds.
 */
struct QueueLength
{
    uint64_t bytes{0};   //!< in bytes
    uint64_t packets{0}; //!< in packets
};

/**
 * @ingroup telemetry
 * @brief Statistics over the samples of one queue, or of all queues of a role.
 */
struct QueueSummary
{
    uint64_t samples{0};    //!< samples taken, the empty ones too
    uint64_t sumBytes{0};   //!< sum over the samples in bytes
    uint64_t sumPackets{0}; //!< sum over the samples in packets
    QueueLength maximum;    //!< greatest sample of each

    /// @return time average in bytes; NaN without samples
    double GetMeanBytes() const;

    /// @return time average in packets; NaN without samples
    double GetMeanPackets() const;
};

/**
 * @ingroup telemetry
 * @brief Samples queue lengths at regular times.
 *
 * One event samples all queues and writes them at once, so memory does not grow with the run.
 * Averages and maxima are over the samples: a peak between two samples is not seen (a port's own
 * counters see it, PortCounters), and traffic in step with Interval is seen at one phase only.
 */
class QueueRecorder : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    QueueRecorder();
    ~QueueRecorder() override;

    /**
     * @brief Adds a queue to be sampled. Not while samples are taken.
     * @param port name of its port
     * @param role what ports of its kind are called ("leaf-up"); averages are told by role
     * @param probe tells how much is queued
     */
    void AddProbe(const std::string& port,
                  const std::string& role,
                  std::function<QueueLength()> probe);

    /**
     * @brief Samples at `first`, `first` + Interval, ... until `last`, included.
     * @param first first time, now or later
     * @param last no sample is taken after it
     * @param path file for the samples, `time_s,port,bytes,packets`; empty: none is written
     * @throws InputError naming --out if the file cannot be written
     */
    void Start(Time first, Time last, const std::string& path = "");

    /**
     * @brief Ends sampling and gives the file its final name.
     * @throws InputError naming --out if writing failed
     */
    void Close();

    /**
     * @param port name of a port
     * @return statistics of its queue; no samples if there is no such port
     */
    QueueSummary SummarizePort(const std::string& port) const;

    /**
     * @param role a role
     * @return statistics over all queues of this role; no samples if there is none
     */
    QueueSummary SummarizeRole(const std::string& role) const;

    /**
     * @brief Adds mean and maximum of each role to a run's results.
     * @param results takes it
     */
    void ReportResults(Results& results) const;

  protected:
    void DoDispose() override;

  private:
    /// A queue and what was seen of it.
    struct Probe
    {
        std::string port;                    //!< name of its port
        std::string role;                    //!< role of its port
        std::function<QueueLength()> length; //!< tells how much is queued
        QueueSummary summary;                //!< what was seen
    };

    /// Samples all queues and schedules the next time.
    void Sample();

    Time m_interval;    //!< time between samples
    bool m_onlyNonZero; //!< whether samples of empty queues are left out of the file
    Time m_last;        //!< no sample is taken after it
    EventId m_event;    //!< the next sampling

    std::vector<Probe> m_probes;      //!< all queues
    std::unique_ptr<CsvWriter> m_csv; //!< where samples go; null: nowhere
};

} // namespace ns3

#endif /* QUEUE_RECORDER_H */
