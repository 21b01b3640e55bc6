/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_OPTIONS_H
#define SCENARIO_OPTIONS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object-spec.h"
#include "ns3/output-file.h"
#include "ns3/run-manifest.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The command line of a scenario program: its own options `--name=value`, ns-3's global
 * values and defaults of attributes.
 *
 * ns-3's CommandLine answers --PrintTypeIds and the like. It does not do the rest, because it ends
 * the program where a value cannot be read, and takes some that make no sense.
 */
class ScenarioOptions
{
  public:
    /// @brief A variable that an option sets. A Time and a DataRate need a unit.
    using Value =
        std::variant<std::string*, Spec*, double*, uint32_t*, uint64_t*, bool*, Time*, DataRate*>;

    /**
     * @param name name of the program
     * @param summary description of the simulation, one line
     */
    ScenarioOptions(std::string name, std::string summary);

    /**
     * @brief Add an option.
     * @param name the option, without dashes
     * @param help one line, with the unit
     * @param value takes the value; holds the default now
     * @param checker says what it can be, as of an attribute; null: whatever its type can hold, a
     * Time not below 0, a DataRate above
     */
    template <typename T>
    void Add(const std::string& name,
             const std::string& help,
             T& value,
             Ptr<const AttributeChecker> checker = nullptr)
    {
        m_options.push_back({name, help, Value(&value), checker});
    }

    /**
     * @brief Add an option whose value is an object's specification (see object-spec.h).
     * @tparam Base the object's class; has GetSummary()
     * @param name the option, without dashes
     * @param help one line
     * @param spec takes the specification; holds the default now
     */
    template <class Base>
    void AddSpec(const std::string& name, const std::string& help, Spec& spec)
    {
        AddNaming<Base>(name, help, "NAME[:Attribute=Value,...]", spec);
        m_options.back().checker = MakeSpecChecker<Base>();
    }

    /**
     * @brief Add an option whose value is any number of specifications.
     * @tparam Base the objects' class; has GetSummary()
     * @param name the option, without dashes
     * @param help one line
     * @param specs takes them, with semicolons between them; holds the default now
     */
    template <class Base>
    void AddSpecs(const std::string& name, const std::string& help, Spec& specs)
    {
        AddNaming<Base>(name, help, "NAME[:Attribute=Value,...][;NAME...]", specs);
        m_options.back().checker = MakeSpecChecker<Base>(true);
    }

    /**
     * @brief Add an option whose value names objects in a grammar of its own.
     * @tparam Base the objects' class; has GetSummary()
     * @param name the option, without dashes
     * @param help one line
     * @param form the form of the value
     * @param value takes the value, a text or a Spec; holds the default now
     */
    template <class Base, class T>
    void AddNaming(const std::string& name,
                   const std::string& help,
                   const std::string& form,
                   T& value)
    {
        Add(name, help + ", " + form + "; help lists", value);
        m_options.back().base = Base::GetTypeId();
        m_options.back().summarize = [](const std::string& known) {
            const SpecRow* row = SpecRows::Find(Base::GetTypeId(), known);
            return row ? row->summary : CreateFromSpec<Base>("name", known)->GetSummary();
        };
    }

    /**
     * @brief Add an option whose value says how large flows are (CreateFlowSizes()).
     * @param name the option, without dashes
     * @param help one line
     * @param spec takes the specification; holds the default now
     */
    void AddSizes(const std::string& name, const std::string& help, Spec& spec);

    /**
     * @brief Run a program: read the command line, then answer `help` or do what it is for.
     * @param argc as given to main()
     * @param argv as given to main()
     * @param body the program's work; an InputError ends it with one line on standard error
     * @return exit status: 0, or 1 after that line
     */
    int Run(int argc, char* argv[], const std::function<void()>& body);

    /**
     * @brief All input has been read, and nothing of it was refused: with --check, that is all that
     * was asked for. Run() returns 0 then.
     */
    void EndCheck() const;

    /**
     * @brief Read the command line. Ends the program after --help, --describe and --PrintTypeIds.
     * @param argc as given to main()
     * @param argv as given to main()
     * @throws InputError if an option is not known or its value cannot be used
     */
    void Parse(int argc, char* argv[]);

    /**
     * @brief List what a specification can name, if `help` or `NAME:help` stands in its place.
     * @return true if anything was listed
     */
    bool PrintRequestedList() const;

    /**
     * @brief Make the folder for output ready, once nothing is left to be refused. If Run() ends in
     * an error all the same, what was made is removed.
     * @param path the folder, as option --out says; empty: none is wanted
     * @return the folder of files until FinishOutput(); empty: none
     * @throws InputError if it cannot be written
     */
    std::string PrepareOutput(const std::string& path);

    /**
     * @brief Write run.json and put all files in their place, if a folder was made ready.
     * @param manifest is complete
     * @throws InputError if a file cannot be written
     */
    void FinishOutput(const RunManifest& manifest);

    /**
     * @brief True if the user set an option or a default.
     * @param name an option, without dashes, or the default of an attribute,
     * "ns3::CLASS::ATTRIBUTE"
     * @return true if it was on the command line
     */
    bool IsGiven(const std::string& name) const
    {
        return m_given.contains(name);
    }

    /**
     * @brief Note what the user said, and all options as they are now. Not --out: where results go
     * is not what they depend on.
     * @param manifest takes them
     */
    void Record(RunManifest& manifest) const;

  private:
    /// @brief An option of the program.
    struct Option
    {
        std::string name;                      //!< without dashes
        std::string help;                      //!< one line
        Value value;                           //!< takes the value
        Ptr<const AttributeChecker> checker{}; //!< says what it can be; null: as its type says
        std::optional<TypeId> base{};          //!< the class of what a specification names
        std::function<std::string(const std::string&)> summarize{}; //!< describes a class by name
    };

    /**
     * @brief Answer `help` and `NAME:help` in place of a specification.
     * @param option has a base
     * @return true if that was a request for help
     */
    static bool PrintSpecHelp(const Option& option);

    /**
     * @param option an option
     * @return says what it can be set to
     */
    static Ptr<const AttributeChecker> MakeChecker(const Option& option);

    void ParseArgument(const std::string& argument);
    void ParseSetting(const std::string& name, const Spec& value, bool hasValue);
    bool ParseOption(const std::string& name, const Spec& value, bool hasValue);
    void ParseNs3Argument(const std::string& name, const Spec& value, bool hasValue);

    /**
     * @brief Read what --from names, in its place before the rest of the command line.
     * @param argc as given to main()
     * @param argv as given to main()
     */
    void ParseFrom(int argc, char* argv[]);
    std::string GetAllowedOptions() const;
    std::vector<std::string> GetOptionNames() const;
    void PrintHelp() const;
    void PrintDescription() const;

    std::string m_name;                         //!< name of the program
    std::string m_summary;                      //!< description of the simulation
    std::vector<Option> m_options;              //!< in the order of being added
    std::map<std::string, std::string> m_given; //!< options as the user set them
    bool m_onlyCheck{false};                    //!< --check was given
    std::optional<OutputFolder> m_output; //!< --out, once it is ready and until it is finished
};

} // namespace ns3

#endif /* SCENARIO_OPTIONS_H */
