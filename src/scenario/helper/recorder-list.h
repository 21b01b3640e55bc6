/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECORDER_LIST_H
#define RECORDER_LIST_H

#include "ns3/json-object.h"
#include "ns3/recorder.h"
#include "ns3/spec.h"

#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The recorders of a run: those that its program needs and those that the user asks for.
 */
class RecorderList
{
  public:
    /// @brief Values of attributes, by name, as text.
    using Settings = std::map<std::string, std::string>;

    /**
     * @brief Note what the user asks for.
     * @param argument the setting that errors name
     * @param specs specifications (see object-spec.h) with semicolons between them
     * @throws InputError if one stands there twice
     */
    void Request(const std::string& argument, const Spec& specs);

    /**
     * @brief True if the user has asked for a recorder.
     * @param name the recorder's name
     * @return true if Request() has named it
     */
    bool IsRequested(const std::string& name) const;

    /**
     * @brief Have something recorded, whether the user asks for it or not.
     * @param name the recorder, such as "flows"
     * @param defaults attributes that the user's specification does not set
     * @return the recorder
     * @throws InputError if the user's specification cannot be used
     */
    Ptr<Recorder> Add(const std::string& name, const Settings& defaults = {});

    /**
     * @brief The recorders as settings.
     * @return the name and the settings of each
     */
    std::vector<JsonObject> GetSettings() const;

    /**
     * @brief Make the others that the user asks for, and attach all.
     * @param network is built, without traffic
     * @param measured the time that the scenario measures
     * @throws InputError if a specification cannot be used
     */
    void Attach(Network& network, const TimeWindow& measured);

    /**
     * @brief Have all look at a workload.
     * @param workload is about to start
     */
    void Watch(Ptr<Workload> workload) const;

    /**
     * @brief The simulation is about to run.
     * @param folder folder of the files; empty: none are written
     */
    void Start(const std::string& folder) const;

    /**
     * @brief Write all files.
     * @param folder folder of the files
     */
    void Write(const std::string& folder) const;

    /**
     * @brief Collect the results of all.
     * @param results takes them, from sources of the kind "recorder"
     */
    void ReportResults(Results& results) const;

    /**
     * @brief Say the same to a reader.
     * @param os takes it
     */
    void Print(std::ostream& os) const;

    /// @brief Let go of the network.
    void Dispose();

  private:
    std::string m_argument;                                         //!< for errors
    std::vector<Spec> m_requested;                                  //!< specifications
    std::vector<std::pair<std::string, Ptr<Recorder>>> m_recorders; //!< by name, as they were made
};

} // namespace ns3

#endif /* RECORDER_LIST_H */
