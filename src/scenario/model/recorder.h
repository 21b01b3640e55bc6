/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECORDER_H
#define RECORDER_H

#include "ns3/csv-writer.h"
#include "ns3/direct-timer.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class Fabric;
class Network;
class Results;
class Workload;

/**
 * @ingroup scenario
 * @brief A stretch of simulated time: [from, to).
 */
struct TimeWindow
{
    Time from;            //!< its beginning
    Time to{Time::Max()}; //!< its end

    /**
     * @brief Tell whether a time lies within it.
     * @param time the time
     * @return true if so
     */
    bool Contains(Time time) const
    {
        return time >= from && time < to;
    }

    /// @brief True if something that happens now happens within it.
    bool IsNow() const;
};

/**
 * @ingroup scenario
 * @brief Say a result to a reader.
 * @param os takes the line
 * @param name its name
 * @param value its value; NaN: "none", as it does not exist
 */
void PrintResult(std::ostream& os, const std::string& name, double value);

/**
 * @ingroup scenario
 * @brief Something that is measured in a run, chosen by `--record=NAME:Attribute=Value`.
 *
 * Any class derived from Recorder that is registered with a TypeId has a name: ns3::FooRecorder is
 * `foo`. It is attached to the network before there is traffic, writes its files after the run, and
 * says its results then.
 */
class Recorder : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief A description of the records and their files, for `--record=help`.
     * @return one line
     */
    virtual std::string GetSummary() const = 0;

    /**
     * @brief Look at a network from now on.
     * @param network is built, without traffic; outlives the recorder
     * @param measured the time that the scenario measures
     * @throws InputError if the network lacks what the attributes name
     */
    virtual void Attach(Network& network, const TimeWindow& measured) = 0;

    /**
     * @brief Look at a workload, too. By default nothing.
     * @param workload is about to start
     */
    virtual void Watch(Ptr<Workload> workload);

    /**
     * @brief The simulation is about to run.
     * @param folder folder of the files; empty: none are written
     * @throws InputError naming --out if a file cannot be written
     */
    virtual void Start(const std::string& folder);

    /**
     * @brief Write what was recorded.
     * @param folder folder of the files
     * @throws InputError naming --out if a file cannot be written
     */
    virtual void Write(const std::string& folder);

    /**
     * @brief Say what was recorded, in numbers.
     * @param results takes it
     */
    virtual void ReportResults(Results& results) const;

    /**
     * @brief Say the same to a reader. By default a line per result.
     * @param os takes it
     */
    virtual void Print(std::ostream& os) const;

  protected:
    /**
     * @brief The bytes that each host's link carries within a time, at most.
     * @param fabric the hosts
     * @param width the time
     * @return bytes by host
     */
    static std::vector<double> GetHostLinkBytes(const Fabric& fabric, Time width);
};

/**
 * @ingroup scenario
 * @brief A recorder that looks at a part of the run only.
 */
class WindowRecorder : public Recorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

  protected:
    /**
     * @brief Settle the part of the run to record, as the attributes have it from now on.
     * @param measured the time that the scenario measures
     * @return the part by the attributes, else that
     * @throws InputError if it ends before it begins
     */
    TimeWindow SetWindow(const TimeWindow& measured);

  private:
    Time m_from; //!< attribute From
    Time m_to;   //!< attribute To
};

/**
 * @ingroup scenario
 * @brief A recorder that writes at equal intervals what something tells then.
 *
 * A subclass offers the attribute Interval, with a default of its own.
 */
class SamplingRecorder : public WindowRecorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    void Attach(Network& network, const TimeWindow& measured) override;
    void Start(const std::string& folder) override;
    void Write(const std::string& folder) override;

  protected:
    SamplingRecorder();

    /**
     * @brief Look for what tells something.
     * @param network is built, without traffic; outlives the recorder
     * @return true if there is something to sample
     */
    virtual bool FindSource(Network& network) = 0;

    /**
     * @brief Make the file.
     * @param folder folder of the file
     * @return the file, whose first column is the time
     */
    virtual std::unique_ptr<CsvWriter> CreateFile(const std::string& folder) const = 0;

    /**
     * @brief Write what is told now.
     * @param csv takes the rows
     * @param time the first value of each, in s
     */
    virtual void TakeSample(CsvWriter& csv, const std::string& time) = 0;

    void DoDispose() override;

    Time m_interval; //!< attribute Interval

  private:
    void Sample();

    TimeWindow m_window;              //!< time in which samples are taken
    bool m_hasSource{false};          //!< true if there is something to sample
    DirectTimer m_timer;              //!< takes a sample
    std::unique_ptr<CsvWriter> m_csv; //!< the file; nullptr: none
};

} // namespace ns3

#endif /* RECORDER_H */
