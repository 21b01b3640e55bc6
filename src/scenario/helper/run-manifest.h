/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_MANIFEST_H
#define RUN_MANIFEST_H

#include "ns3/json-object.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

class OutputFolder;

/**
 * @ingroup scenario
 * @brief The record of a run from which it can be run again, with its results: the file run.json.
 *
 * Made as the run starts (the wall clock starts then), filled as the run goes, written as the last
 * file of the run and before Simulator::Destroy(): a folder with a run.json is a finished run.
 *
 * Beside what the program tells it, the manifest records by itself the seed and run of the random
 * streams, the number of events, the simulated time, the versions, the notices that are held, the
 * value of every GlobalValue, and each attribute whose default was changed since the program
 * started, whether by the command line, the environment or the program.
 */
class RunManifest
{
  public:
    /**
     * @param scenario name of the scenario
     * @param scheme the scheme as the user gave it
     */
    RunManifest(std::string_view scenario, std::string_view scheme);

    /**
     * @brief The suite's version, written into every manifest (the file src/scenario/VERSION).
     * @return such as 1.2.3
     */
    static std::string_view GetSuiteVersion();

    /**
     * @brief Records what the user said, so that it can be said again.
     * @param input options with their values as they were written
     */
    void SetInput(const JsonObject& input)
    {
        m_input = input;
    }

    /**
     * @brief The settings, given or by default, by path (see object-settings.h).
     * @return takes more
     */
    JsonObject& GetSettings()
    {
        return m_settings;
    }

    /**
     * @brief Records where hosts depart from the host model.
     * @param deviations a line each
     */
    void SetHosts(const std::vector<std::string>& deviations);

    /**
     * @brief Records a result.
     * @param name a flat name that ends in its unit, "fct_mean_ns"
     * @param value an integer, a truth value, a number (NaN: it does not exist) or text
     */
    template <typename T>
    void SetResult(std::string_view name, const T& value)
    {
        m_results.Set(name, value);
    }

    /**
     * @brief Writes run.json. The simulation must have ended and not yet been destroyed.
     * @param output takes the file, and has all others
     * @throws InputError naming --out if the file cannot be written
     */
    void Write(const OutputFolder& output) const;

    /// @return wall-clock time since construction in seconds
    double GetWallSeconds() const;

    /// @return the version of ns-3 that the suite was built with; "unknown" if the build could not
    /// tell
    static std::string GetNs3Version();

    /// @return name and version of the compiler
    static std::string GetCompiler();

  private:
    std::string m_scenario;                          //!< name of the scenario
    std::string m_scheme;                            //!< the scheme as given
    JsonObject m_hosts;                              //!< settings of the hosts
    JsonObject m_input;                              //!< options as the user set them
    JsonObject m_settings;                           //!< all settings
    JsonObject m_results;                            //!< results
    std::chrono::steady_clock::time_point m_started; //!< start of the run
};

} // namespace ns3

#endif /* RUN_MANIFEST_H */
