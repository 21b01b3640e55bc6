/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-input.h"

#include "input-error.h"
#include "input-file.h"
#include "number-text.h"

#include <algorithm>
#include <boost/json/src.hpp>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <vector>

namespace ns3
{

namespace
{

namespace json = boost::json;

constexpr const char* SPEC_FORM =
    R"(not a text, a number, true, false, {"NAME": {"Attribute": VALUE, ...}} or a list of these)";

/**
 * @param argument the setting that the error names
 * @param source the path of a file, or a JSON object
 * @return the JSON
 */
std::string
ReadSource(const std::string& argument, const std::string& source)
{
    if (source.starts_with('{'))
    {
        return source;
    }
    std::ifstream file = OpenTextFile(argument, source);
    return {std::istreambuf_iterator<char>(file), {}};
}

/**
 * @param argument the setting that the error names
 * @param source origin of the text, for the error
 * @param text JSON
 * @return its value
 */
json::value
Parse(const std::string& argument, const std::string& source, const std::string& text)
{
    json::stream_parser parser;
    boost::system::error_code error;
    std::size_t end = parser.write_some(text, error);
    const auto rest = text.find_first_not_of(" \t\r\n", end);
    if (!error && rest != std::string::npos)
    {
        end = rest;
        error = json::make_error_code(json::error::extra_data);
    }
    if (!error)
    {
        parser.finish(error);
    }
    if (error)
    {
        const auto line = std::count(text.begin(), text.begin() + static_cast<long>(end), '\n') + 1;
        throw InputError(argument,
                         source,
                         "no JSON: line " + std::to_string(line) + ": " + error.message());
    }
    return parser.release();
}

/**
 * @param where the option or attribute, for the error
 * @param text of JSON, which may hold any character
 * @return the text
 * @throws InputError if it has a NUL, which no command line has
 */
std::string
ToPlainText(const std::string& where, std::string_view text)
{
    const auto end = text.find('\0');
    if (end != std::string_view::npos)
    {
        throw InputError(where, std::string(text.substr(0, end)), "a text without a NUL");
    }
    return std::string(text);
}

/**
 * @param where the option or attribute, for the error
 * @param value its value
 * @return the value; what is no object or list as a text
 */
Spec
ToSpec(const std::string& where, const json::value& value)
{
    switch (value.kind())
    {
    case json::kind::string:
        return ToPlainText(where, value.get_string());
    case json::kind::bool_:
        return value.get_bool() ? "true" : "false";
    case json::kind::int64:
        return std::to_string(value.get_int64());
    case json::kind::uint64:
        return std::to_string(value.get_uint64());
    case json::kind::double_:
        return NumberText(value.get_double());
    case json::kind::array: {
        std::vector<Spec> items;
        for (const json::value& item : value.get_array())
        {
            if (item.is_array())
            {
                throw InputError(where, json::serialize(item), "a list within a list");
            }
            items.push_back(ToSpec(where, item));
        }
        return Spec(items);
    }
    case json::kind::object: {
        const json::object& named = value.get_object();
        if (named.size() != 1 ||
            !(named.begin()->value().is_object() || named.begin()->value().is_null()))
        {
            throw InputError(where, json::serialize(value), SPEC_FORM);
        }
        std::vector<Spec::Setting> settings;
        if (const json::object* members = named.begin()->value().if_object())
        {
            for (const auto& [key, member] : *members)
            {
                const std::string attribute = ToPlainText(where, key);
                settings.emplace_back(attribute, ToSpec(where + " " + attribute, member));
            }
        }
        return {ToPlainText(where, named.begin()->key()), settings};
    }
    default:
        throw InputError(where, "null", SPEC_FORM);
    }
}

/**
 * @param source the path of run.json of a run
 * @param run says where files are from there
 */
void
AddInputFiles(const std::string& source, const json::object& run)
{
    const json::value* files = run.if_contains("files");
    if (!files || !files->is_object())
    {
        return;
    }
    for (const auto& [name, path] : files->get_object())
    {
        SetInputFile(name,
                     std::filesystem::path(source).parent_path() /
                         ToSpec("files", path).ToString());
    }
}

} // namespace

Spec
ReadJsonValue(const std::string& argument, const std::string& value)
{
    std::string start; // the first two characters that are no blanks
    std::ranges::copy_if(value, std::back_inserter(start), [&start](char c) {
        return start.size() < 2 && std::string_view(" \t\r\n").find(c) == std::string_view::npos;
    });
    const bool isJson = start == "{\"" || start == "[\"" || start == "[{" || start == "[]";
    return isJson ? ToSpec(argument, Parse(argument, value, value)) : Spec(value);
}

std::vector<std::string>
ReadJsonNames(const std::string& path, const std::string& member)
{
    std::vector<std::string> names;
    std::ifstream file(path);
    boost::system::error_code error;
    const json::value value =
        json::parse(std::string(std::istreambuf_iterator<char>(file), {}), error);
    const json::value* found = value.is_object() ? value.get_object().if_contains(member) : nullptr;
    if (found && found->is_object())
    {
        for (const auto& [name, ignored] : found->get_object())
        {
            names.emplace_back(name);
        }
    }
    return names;
}

InputOptions
ReadJsonInput(const std::string& argument, const std::string& source, const std::string& program)
{
    const json::value value = Parse(argument, source, ReadSource(argument, source));
    if (!value.is_object())
    {
        throw InputError(argument, source, R"(must be a JSON object, such as {"load": 0.7})");
    }
    json::object members = value.get_object();
    const json::value* input = members.if_contains("input");
    const json::value* scenario = members.if_contains("scenario");
    if (input && input->is_object() && scenario)
    {
        if (*scenario != json::value(program))
        {
            throw InputError(argument,
                             source,
                             "is of " + json::serialize(*scenario) + ", not of " + program);
        }
        AddInputFiles(source, members);
        members = json::object(input->get_object());
    }
    InputOptions options;
    for (const auto& [key, member] : members)
    {
        const std::string name = ToPlainText(argument, key);
        options.emplace_back(name, ToSpec(argument + " " + name, member));
    }
    return options;
}

} // namespace ns3
