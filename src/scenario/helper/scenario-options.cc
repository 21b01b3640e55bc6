/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-options.h"

#include "ns3/boolean.h"
#include "ns3/cdf-flow-size-distribution.h"
#include "ns3/class-description.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/former-settings.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/json-input.h"
#include "ns3/near-names.h"
#include "ns3/notice.h"
#include "ns3/number-text.h"
#include "ns3/object-settings.h"
#include "ns3/pointer.h"
#include "ns3/scheduler.h"
#include "ns3/simulator-impl.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <new>
#include <set>
#include <sstream>
#include <string_view>
#include <type_traits>

namespace ns3
{

namespace
{

/**
 * @brief A value as a user would write it.
 * @param value pointer to the value
 * @return the text
 */
std::string
ToText(const ScenarioOptions::Value& value)
{
    std::ostringstream text;
    text << std::setprecision(15);
    std::visit(
        [&text](auto* v) {
            using Type = std::remove_pointer_t<decltype(v)>;
            if constexpr (std::is_same_v<Type, bool>)
            {
                text << (*v ? "true" : "false");
            }
            else if constexpr (std::is_same_v<Type, Time>)
            {
                text << TimeText(*v);
            }
            else
            {
                text << *v;
            }
        },
        value);
    return text.str();
}

/**
 * @brief Say in a line of help which values are allowed.
 * @param checker checks it
 * @return the line; empty if any text will do, or what it names is listed elsewhere
 */
std::string
ToHelp(const AttributeChecker& checker)
{
    const AttributeForm form = GetAttributeForm(checker);
    const bool isText = form.kind == "text" || form.kind == "spec" || form.kind == "class";
    return isText ? "" : "\n      allowed: " + form.allowed;
}

/**
 * @brief ns-3 ends the program if it has no class of a name.
 * @param argument such as --PrintAttributes=ns3::Foo
 */
void
CheckPrintable(const std::string& argument)
{
    const auto equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    const bool isRequest = name == "--PrintAttributes" || name == "--PrintGroup";
    TypeId unused;
    if (name == "--PrintAttributes" && !TypeId::LookupByNameFailSafe(value, &unused))
    {
        throw InputError(name, value, "no class of ns-3 or the suite has that name");
    }
    const std::set<std::string> others{"--PrintGlobals",
                                       "--PrintGroups",
                                       "--PrintTypeIds",
                                       "--PrintVersion"};
    if (!isRequest && !others.contains(argument))
    {
        throw InputError("option",
                         argument,
                         "known are --PrintAttributes=CLASS, --PrintGlobals, --PrintGroup=GROUP, "
                         "--PrintGroups, --PrintTypeIds and --PrintVersion");
    }
}

/// @brief Flush standard output, or a user who sent it to a file would miss a failure.
void
CheckStandardOutput()
{
    if (!std::cout.flush())
    {
        throw InputError("standard output", "what it is sent to", "cannot be written to");
    }
}

/**
 * @brief The attribute value that holds what an option may set.
 * @tparam T type of the option
 */
template <class T>
using ValueOf = std::conditional_t<
    std::is_same_v<T, std::string>,
    StringValue,
    std::conditional_t<
        std::is_same_v<T, bool>,
        BooleanValue,
        std::conditional_t<
            std::is_same_v<T, double>,
            DoubleValue,
            std::conditional_t<
                std::is_integral_v<T>,
                UintegerValue,
                std::conditional_t<
                    std::is_same_v<T, Time>,
                    TimeValue,
                    std::conditional_t<std::is_same_v<T, Spec>, SpecValue, DataRateValue>>>>>>;

/**
 * @brief Take a value out of its attribute value.
 * @param value was made for a target of this type
 * @param target takes it
 */
template <class T>
void
Assign(const AttributeValue& value, T& target)
{
    target = static_cast<T>(dynamic_cast<const ValueOf<T>&>(value).Get());
}

/**
 * @brief Print the attributes that a specification may set.
 * @param object an object made by a name alone
 */
void
PrintAttributes(const Object& object)
{
    for (TypeId tid = object.GetInstanceTypeId(); tid != Object::GetTypeId(); tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto attribute = tid.GetAttribute(i);
            Ptr<AttributeValue> value = attribute.checker->Create();
            if (DynamicCast<PointerValue>(value) || !attribute.accessor->HasGetter() ||
                !attribute.accessor->Get(&object, *value))
            {
                value = attribute.initialValue->Copy();
            }
            std::cout << "  " << attribute.name << "="
                      << WriteAttributeValue(*value, attribute.checker) << "\n      "
                      << attribute.help << ToHelp(*attribute.checker) << "\n";
        }
    }
}

/**
 * @brief Look up an attribute whose default a user sets.
 * @param argument the option, with dashes
 * @param name class and attribute, such as ns3::TcpSocket::SegmentSize
 * @return the attribute's checker
 */
Ptr<const AttributeChecker>
FindChecker(const std::string& argument, const std::string& name)
{
    const auto colons = name.rfind("::");
    TypeId tid;
    TypeId::AttributeInformation attribute;
    if (!TypeId::LookupByNameFailSafe(name.substr(0, colons), &tid))
    {
        const std::string now = TranslateFormerName(name.substr(0, colons));
        throw InputError("option",
                         argument,
                         now.empty() ? "no class of ns-3 or the suite has that name"
                                     : "written --" + now + name.substr(colons) + " now");
    }
    if (!tid.LookupAttributeByName(name.substr(colons + 2), &attribute))
    {
        throw InputError("option",
                         argument,
                         "no such attribute; --PrintAttributes=" + tid.GetName() + " lists them");
    }
    return attribute.checker;
}

/**
 * @brief ns-3 ends the program if its kernel is of a wrong class or its seed out of range.
 * @param name a global value
 * @param value its new value
 */
void
CheckGlobal(const std::string& name, const std::string& value)
{
    constexpr uint64_t MAX_SEED = 4294944442; // the second modulus of MRG32k3a, less 1
    const auto check = [&](TypeId base, const std::string& example) {
        TypeId tid;
        if (!TypeId::LookupByNameFailSafe(value, &tid) || !tid.IsChildOf(base))
        {
            throw InputError("--" + name, value, "must name a class such as " + example);
        }
    };
    if (name == "SimulatorImplementationType")
    {
        check(SimulatorImpl::GetTypeId(), "ns3::DefaultSimulatorImpl");
    }
    else if (name == "SchedulerType")
    {
        check(ns3::Scheduler::GetTypeId(), "ns3::MapScheduler");
    }
    else if (name == "RngSeed" && (ParseCount("--" + name, value) - 1) >= MAX_SEED)
    {
        throw InputError("--" + name, value, "must be from 1 to " + std::to_string(MAX_SEED));
    }
}

/**
 * @brief The names of flow sizes (CreateFlowSizes()): laws, published distributions and files.
 * @return object: the class of each name; a name with a star stands for all such
 */
JsonObject
DescribeFlowSizes()
{
    JsonObject names = DescribeRegisteredNames(FlowSizeDistribution::GetTypeId());
    JsonObject cdf;
    cdf.Set("class", CdfFlowSizeDistribution::GetTypeId().GetName());
    for (const std::string& published : CdfFlowSizeDistribution::ListPublished())
    {
        names.Set(published, cdf);
    }
    names.Set("*.csv", cdf);
    return names;
}

/// @brief Begins the option that names a file of options.
constexpr std::string_view FROM = "--from=";

/**
 * @brief Add what the environment says for ns-3, unless it was said on the command line.
 * @param variable has settings NAME=VALUE with semicolons between them
 * @param [in,out] said by name
 */
void
AddEnvironment(const char* variable, std::map<std::string, std::string>& said)
{
    const char* text = std::getenv(variable);
    std::istringstream settings(text ? text : "");
    for (std::string setting; std::getline(settings, setting, ';');)
    {
        if (const auto equals = setting.find('='); equals != std::string::npos)
        {
            said.emplace(setting.substr(0, equals), setting.substr(equals + 1));
        }
    }
}

/// @brief Leaves the body of a program whose input was only to be checked.
struct CheckEnded
{
};

} // namespace

ScenarioOptions::ScenarioOptions(std::string name, std::string summary)
    : m_name(std::move(name)),
      m_summary(std::move(summary))
{
}

int
ScenarioOptions::Run(int argc, char* argv[], const std::function<void()>& body)
{
    HoldNotices();
    try
    {
        Parse(argc, argv);
        if (!PrintRequestedList())
        {
            body();
        }
        CheckStandardOutput();
        PrintHeldNotices();
        return 0;
    }
    catch (const CheckEnded&)
    {
        PrintHeldNotices();
        return 0;
    }
    catch (const InputError& error)
    {
        std::cerr << m_name << ": " << error.what() << std::endl;
    }
    catch (const std::bad_alloc&)
    {
        std::cerr << m_name << ": the network or the workload does not fit into memory"
                  << std::endl;
    }
    m_output.reset();
    return 1;
}

void
ScenarioOptions::EndCheck() const
{
    if (m_onlyCheck)
    {
        throw CheckEnded();
    }
}

std::string
ScenarioOptions::PrepareOutput(const std::string& path)
{
    if (!path.empty() && !m_output)
    {
        m_output.emplace("--out", path);
    }
    return m_output ? m_output->GetPath() : "";
}

void
ScenarioOptions::FinishOutput(const RunManifest& manifest)
{
    if (m_output)
    {
        manifest.Write(*m_output);
        m_output->Finish();
        m_output.reset();
    }
}

void
ScenarioOptions::Parse(int argc, char* argv[])
{
    if (std::find(argv, argv + argc, std::string("--describe")) != argv + argc)
    {
        PrintDescription();
        CheckStandardOutput();
        std::exit(0);
    }
    ParseFrom(argc, argv);
    std::vector<std::string> ns3Arguments{argv[0]}; // handled by ns-3's CommandLine
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        if (argument.starts_with("--Print"))
        {
            CheckPrintable(argument);
            ns3Arguments.push_back(argument);
        }
        else if (!argument.starts_with(FROM))
        {
            ParseArgument(argument);
        }
    }
    if (ns3Arguments.size() > 1)
    {
        CommandLine commandLine(m_name);
        commandLine.Parse(ns3Arguments); // such as --PrintTypeIds; ends the program
    }
}

void
ScenarioOptions::ParseFrom(int argc, char* argv[])
{
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        if (argument.starts_with(FROM))
        {
            const std::string source = argument.substr(FROM.size());
            for (const auto& [name, value] : ReadJsonInput("--from", source, m_name))
            {
                if (name == "out")
                {
                    throw InputError("--from out",
                                     value.ToString(),
                                     "stands on the command line only");
                }
                ParseSetting(name, value, true);
            }
        }
    }
}

void
ScenarioOptions::ParseArgument(const std::string& argument)
{
    if (argument == "--help" || argument == "-h")
    {
        PrintHelp();
        CheckStandardOutput();
        std::exit(0);
    }
    if (argument == "--check")
    {
        m_onlyCheck = true;
        return;
    }
    if (!argument.starts_with("--"))
    {
        throw InputError("argument",
                         argument,
                         "options are written --NAME=VALUE; --help lists them");
    }
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    const bool hasValue = equals != std::string::npos;
    const std::string text = hasValue ? argument.substr(equals + 1) : "";
    ParseSetting(name, ReadJsonValue("--" + name, text), hasValue);
}

void
ScenarioOptions::ParseSetting(const std::string& name, const Spec& value, bool hasValue)
{
    if (!ParseOption(name, value, hasValue))
    {
        ParseNs3Argument(name, value, hasValue);
    }
}

bool
ScenarioOptions::ParseOption(const std::string& name, const Spec& value, bool hasValue)
{
    const auto option = std::find_if(m_options.begin(), m_options.end(), [&](const Option& o) {
        return o.name == name;
    });
    if (option == m_options.end())
    {
        return false;
    }
    const std::string argument = "--" + name;
    if (!hasValue && !std::holds_alternative<bool*>(option->value))
    {
        throw InputError(argument, "", "needs a value: " + argument + "=VALUE");
    }
    const Spec said = hasValue ? value : "true";
    m_given[name] = said.ToString();
    const auto parsed = ParseAttributeValue(argument, *MakeChecker(*option), said);
    std::visit([&parsed](auto* target) { Assign(*parsed, *target); }, option->value);
    return true;
}

void
ScenarioOptions::ParseNs3Argument(const std::string& name, const Spec& value, bool hasValue)
{
    const std::string argument = "--" + name;
    const auto global =
        std::find_if(GlobalValue::Begin(), GlobalValue::End(), [&name](const GlobalValue* g) {
            return g->GetName() == name;
        });
    const bool isGlobal = global != GlobalValue::End();
    if (!isGlobal && !name.starts_with("ns3::"))
    {
        throw InputError("option",
                         argument,
                         "known options are " + GetAllowedOptions() +
                             SuggestName(argument, GetOptionNames()));
    }
    const auto checker = isGlobal ? (*global)->GetChecker() : FindChecker(argument, name);
    if (!hasValue)
    {
        throw InputError(argument, "", "needs a value: " + argument + "=VALUE");
    }
    const auto parsed = ParseAttributeValue(argument, *checker, value);
    m_given[name] = value.ToString();
    if (isGlobal)
    {
        CheckGlobal(name, m_given[name]);
        GlobalValue::Bind(name, *parsed);
    }
    else
    {
        Config::SetDefault(name, *parsed);
    }
}

std::string
ScenarioOptions::GetAllowedOptions() const
{
    std::string list;
    for (const std::string& name : GetOptionNames())
    {
        list += name + ", ";
    }
    return list + "ns-3's global values and --ns3::CLASS::ATTRIBUTE";
}

std::vector<std::string>
ScenarioOptions::GetOptionNames() const
{
    std::vector<std::string> names;
    for (const Option& option : m_options)
    {
        names.push_back("--" + option.name);
    }
    names.insert(names.end(), {"--from", "--help", "--check", "--describe"});
    return names;
}

void
ScenarioOptions::PrintHelp() const
{
    std::cout << m_name << ": " << m_summary << "\n\nOptions, with their defaults:\n";
    for (const Option& option : m_options)
    {
        std::cout << "  --" << option.name << "=" << ToText(option.value) << "\n      "
                  << option.help << ToHelp(*MakeChecker(option)) << "\n";
    }
    std::cout
        << "  --from=FILE\n"
           "      options as a JSON object, or run.json of an earlier run: what it was given;\n"
           "      what else stands on the command line goes before\n"
           "  --check\n"
           "      read everything and build the network, as if to run, but do not run\n"
           "  --describe\n"
           "      all options, classes and attributes as JSON\n"
           "\nns-3's own:\n"
           "  --RngRun=1  --RngSeed=1\n"
           "      seed of all random streams: the same seed gives the same output\n"
           "  --SimulatorImplementationType=ns3::TimingWheelSimulatorImpl\n"
           "  --SchedulerType=ns3::MapScheduler\n"
           "      the kernel; results do not depend on it\n"
           "  --ns3::CLASS::ATTRIBUTE=VALUE\n"
           "      default of an attribute; --PrintAttributes=ns3::CLASS lists them\n";
}

bool
ScenarioOptions::PrintSpecHelp(const Option& option)
{
    const std::string argument = "--" + option.name;
    const std::string spec = ToText(option.value);
    if (spec == "help")
    {
        std::cout << "What " << argument << " can name (" << argument
                  << "=NAME:help shows its attributes):\n";
        const auto known = ListRegisteredNames(*option.base);
        std::size_t width = 0;
        for (const std::string& name : known)
        {
            width = std::max(width, name.size());
        }
        for (const std::string& name : known)
        {
            std::cout << "  " << std::left << std::setw(static_cast<int>(width) + 2) << name
                      << option.summarize(name) << "\n";
        }
        return true;
    }
    if (spec.ends_with(":help"))
    {
        const std::string name = Spec(spec).GetName();
        const auto object = CreateFromSpec(argument, name, *option.base);
        if (const SpecRow* row = SpecRows::Find(*option.base, name))
        {
            std::cout << name << " is " << row->spec << "\n";
        }
        std::cout << "Attributes of " << name << ", as in " << argument << "=" << name
                  << ":ATTRIBUTE=VALUE,ATTRIBUTE=VALUE\n";
        PrintAttributes(*object);
        return true;
    }
    return false;
}

void
ScenarioOptions::AddSizes(const std::string& name, const std::string& help, Spec& spec)
{
    Add(name, help, spec, MakeSpecChecker<FlowSizeDistribution>());
    m_options.back().base = FlowSizeDistribution::GetTypeId();
}

bool
ScenarioOptions::PrintRequestedList() const
{
    return std::ranges::any_of(m_options, [](const Option& option) {
        return option.summarize && PrintSpecHelp(option);
    });
}

Ptr<const AttributeChecker>
ScenarioOptions::MakeChecker(const Option& option)
{
    if (option.checker)
    {
        return option.checker;
    }
    return std::visit(
        [](auto* target) {
            using Type = std::remove_pointer_t<decltype(target)>;
            if constexpr (std::is_same_v<Type, std::string>)
            {
                return MakeStringChecker();
            }
            else if constexpr (std::is_same_v<Type, bool>)
            {
                return MakeBooleanChecker();
            }
            else if constexpr (std::is_same_v<Type, double>)
            {
                return MakeDoubleChecker<double>();
            }
            else if constexpr (std::is_integral_v<Type>)
            {
                return MakeUintegerChecker<Type>();
            }
            else if constexpr (std::is_same_v<Type, Time>)
            {
                return MakeTimeChecker(Time(0)); // options take no negative ones
            }
            else
            {
                return MakePositiveRateChecker();
            }
        },
        option.value);
}

void
ScenarioOptions::PrintDescription() const
{
    JsonObject options;
    JsonObject names;
    for (const TypeId& base : ListSpecBases())
    {
        names.Set(base.GetName(), DescribeRegisteredNames(base));
    }
    for (const Option& option : m_options)
    {
        JsonObject form = DescribeValue(*MakeChecker(option), option.help, ToText(option.value));
        if (option.base && std::holds_alternative<std::string*>(option.value))
        {
            form.Set("kind", "timeline");
            form.Set("base", option.base->GetName());
        }
        options.Set(option.name, form);
        if (option.summarize)
        {
            names.Set(option.base->GetName(),
                      DescribeRegisteredNames(*option.base, option.summarize));
        }
    }
    names.Set(FlowSizeDistribution::GetTypeId().GetName(), DescribeFlowSizes());
    JsonObject globals;
    for (auto i = GlobalValue::Begin(); i != GlobalValue::End(); ++i)
    {
        StringValue value;
        (*i)->GetValue(value);
        globals.Set((*i)->GetName(),
                    DescribeValue(*(*i)->GetChecker(), (*i)->GetHelp(), value.Get()));
    }
    JsonObject description;
    description.Set("program", m_name);
    description.Set("summary", m_summary);
    description.Set("options", options);
    description.Set("globals", globals);
    description.Set("names", names);
    description.Set("classes", DescribeClasses());
    std::cout << description.GetText() << "\n";
}

void
ScenarioOptions::Record(RunManifest& manifest) const
{
    auto said = m_given;
    AddEnvironment("NS_GLOBAL_VALUE", said);
    AddEnvironment("NS_ATTRIBUTE_DEFAULT", said);
    JsonObject input;
    for (const auto& [name, text] : said)
    {
        if (name != "out")
        {
            input.Set(name, text);
        }
    }
    manifest.SetInput(input);
    for (const Option& option : m_options)
    {
        if (option.name != "out")
        {
            std::visit(
                [&](auto* value) {
                    const ValueOf<std::remove_pointer_t<decltype(value)>> attribute(*value);
                    AddSetting(manifest.GetSettings(), option.name, attribute, MakeChecker(option));
                },
                option.value);
        }
    }
}

} // namespace ns3
