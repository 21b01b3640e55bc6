/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CALCULATION_H
#define CALCULATION_H

#include "ns3/run-manifest.h"
#include "ns3/scenario-options.h"
#include "ns3/spec.h"

#include <functional>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The common part of programs that compute rather than simulate: options, results, run.json.
 * The counterpart of Scenario.
 */
class Calculation
{
  public:
    /**
     * @param name name of the program
     * @param summary description of the computation, one line
     */
    Calculation(std::string name, std::string summary);

    /**
     * @brief Add an option `--name=value`.
     * @param name the option
     * @param help one line, with the unit
     * @param value takes the value; holds the default now
     * @param checker says what it can be; null: whatever its type can hold
     */
    template <typename T>
    void AddOption(const std::string& name,
                   const std::string& help,
                   T& value,
                   Ptr<const AttributeChecker> checker = nullptr)
    {
        m_options.Add(name, help, value, checker);
    }

    /**
     * @brief Add an option whose value is an object's specification (see object-spec.h).
     * @tparam Base the object's class; has GetSummary()
     * @param name the option
     * @param help one line
     * @param spec takes the specification; holds the default now
     */
    template <class Base>
    void AddSpecOption(const std::string& name, const std::string& help, Spec& spec)
    {
        m_options.AddSpec<Base>(name, help, spec);
    }

    /**
     * @brief Run the program.
     * @param argc as given to main()
     * @param argv as given to main()
     * @param body computes; an InputError ends the program with one line
     * @return exit status: 0, or 1 after one line on standard error
     */
    int Main(int argc, char* argv[], const std::function<void()>& body);

    /**
     * @brief State a result: a line on standard output and an entry of run.json.
     * @param name a flat name
     * @param value the value
     */
    void Report(const std::string& name, double value);

    /**
     * @brief The folder of CSV files, until all have their place in the folder of --out. Made here,
     * so that bad input, found before, leaves nothing behind.
     * @return path; empty: no files are written
     * @throws InputError if it cannot be written to
     */
    std::string GetOutputFolder();

  private:
    std::string m_name;                      //!< name of the program
    ScenarioOptions m_options;               //!< options of the program
    std::string m_out;                       //!< option out
    std::unique_ptr<RunManifest> m_manifest; //!< run.json
};

} // namespace ns3

#endif /* CALCULATION_H */
