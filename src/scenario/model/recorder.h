/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECORDER_H
#define RECORDER_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <iosfwd>
#include <string>

namespace ns3
{

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
     * @brief Whether something that happens now happens within it.
     * @return true if so
     */
    bool IsNow() const;
};

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
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief What is recorded and in which files, for `--record=help`.
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
     * @param folder where files go; empty: none are written
     * @throws InputError naming --out if a file cannot be written
     */
    virtual void Start(const std::string& folder);

    /**
     * @brief Write what was recorded.
     * @param folder where files go
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
};

/**
 * @ingroup scenario
 * @brief A recorder that looks at a part of the run only.
 */
class WindowRecorder : public Recorder
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    /**
     * @brief The part that is looked at.
     * @param measured the time that the scenario measures
     * @return what the attributes say, else that
     */
    TimeWindow GetWindow(const TimeWindow& measured) const;

  private:
    Time m_from; //!< attribute From
    Time m_to;   //!< attribute To
};

} // namespace ns3

#endif /* RECORDER_H */
