/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spec.h"

#include "input-error.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <string_view>

namespace ns3
{

namespace
{

/// Begins the specification of a row that names a class and not another row.
constexpr std::string_view CLASS = "ns3::";

/**
 * Cut a list at its separators, but not within brackets or quotes.
 * @param argument the setting that the error names
 * @param list the list
 * @param separator character between items
 * @return its items
 */
std::vector<std::string>
SplitList(const std::string& argument, const std::string& list, char separator)
{
    std::vector<std::string> items(1);
    std::string closing; // what is still open, by what closes it
    for (const char c : list)
    {
        static constexpr std::string_view opens = "[{(\"";
        static constexpr std::string_view closes = "]})\"";
        if (c == separator && closing.empty())
        {
            items.emplace_back();
            continue;
        }
        items.back() += c;
        const bool quoted = closing.ends_with('"');
        if (!closing.empty() && c == closing.back())
        {
            closing.pop_back();
        }
        else if (const auto i = opens.find(c); i != std::string_view::npos && !quoted)
        {
            closing += closes[i];
        }
    }
    if (!closing.empty())
    {
        throw InputError(argument,
                         list,
                         std::string("a closing ") + closing.back() + " is missing");
    }
    return items;
}

/**
 * @param text a text
 * @return it without the blanks and line breaks around it
 */
std::string
Trim(const std::string& text)
{
    constexpr const char* blanks = " \t\r\n"; // a list may stand on several lines of a file
    const auto first = text.find_first_not_of(blanks);
    return first == std::string::npos
               ? ""
               : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/**
 * @param value a value
 * @return true if parentheses enclose all of it: the first one's partner is at the end
 */
bool
IsParenthesized(const std::string& value)
{
    int open = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < value.size(); ++i)
    {
        quoted ^= value[i] == '"';
        open += quoted ? 0 : value[i] == '(' ? 1 : value[i] == ')' ? -1 : 0;
        if (open == 0)
        {
            return i > 0 && i + 1 == value.size();
        }
    }
    return false;
}

/**
 * @param value a value
 * @return it without the quotes or parentheses around it, which keep its commas together
 */
std::string
Unwrap(const std::string& value)
{
    const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
    return quoted || IsParenthesized(value) ? value.substr(1, value.size() - 2) : value;
}

/**
 * @param value the value of an attribute
 * @return it as it stands in a specification: within quotes or parentheses if it has commas,
 *         semicolons or brackets of its own
 */
std::string
Wrap(const std::string& value)
{
    if (value.find_first_of(",;=()[]{}\"") == std::string::npos)
    {
        return value;
    }
    return value.find('"') == std::string::npos ? '"' + value + '"' : "(" + value + ")";
}

/**
 * @param argument the setting that the error names
 * @param list the text after the name in a specification
 * @return the settings in it
 */
std::vector<Spec::Setting>
ParseSettings(const std::string& argument, const std::string& list)
{
    std::vector<Spec::Setting> settings;
    std::set<std::string> seen;
    for (const std::string& item : SplitList(argument, list, ','))
    {
        const auto equals = item.find('=');
        if (equals == std::string::npos || equals == 0)
        {
            throw InputError(
                argument,
                item,
                "not of the form Attribute=Value; a value with commas stands in quotes");
        }
        const std::string name = item.substr(0, equals);
        if (!seen.insert(name).second)
        {
            throw InputError(argument, item, "the attribute is set twice");
        }
        settings.emplace_back(name, Unwrap(item.substr(equals + 1)));
    }
    return settings;
}

} // namespace

Spec::Spec(std::string text)
    : m_text(std::move(text))
{
}

Spec::Spec(const char* text)
    : m_text(text)
{
}

Spec::Spec(std::string name, std::vector<Setting> settings)
    : m_text(std::move(name)),
      m_settings(std::move(settings))
{
}

Spec::Spec(std::vector<Spec> several)
    : m_items(std::move(several))
{
}

bool
Spec::IsEmpty() const
{
    return m_text.empty() && m_items.empty();
}

std::string
Spec::GetName() const
{
    if (!m_items.empty())
    {
        return m_items.size() == 1 ? m_items.front().GetName() : ToString();
    }
    const std::size_t from = m_text.starts_with(CLASS) ? CLASS.size() : 0;
    return m_settings ? m_text : m_text.substr(0, m_text.find(':', from));
}

std::optional<std::string>
Spec::GetPath() const
{
    if (m_items.size() == 1)
    {
        return m_items.front().GetPath();
    }
    const std::size_t end = GetName().size();
    return m_settings || end + 1 >= m_text.size() || m_text.find('=', end) != std::string::npos
               ? std::nullopt
               : std::optional(m_text.substr(end + 1));
}

std::vector<Spec::Setting>
Spec::GetSettings(const std::string& argument) const
{
    if (m_settings)
    {
        return *m_settings;
    }
    if (m_items.size() == 1)
    {
        return m_items.front().GetSettings(argument);
    }
    const std::size_t end = GetName().size();
    return end == m_text.size() ? std::vector<Setting>()
                                : ParseSettings(argument, m_text.substr(end + 1));
}

std::vector<Spec>
Spec::GetItems(const std::string& argument) const
{
    if (m_settings)
    {
        return {*this};
    }
    std::vector<Spec> items;
    for (const Spec& item : m_items)
    {
        std::ranges::copy(item.IsEmpty() ? std::vector{item} : item.GetItems(argument),
                          std::back_inserter(items));
    }
    if (!m_text.empty())
    {
        for (const std::string& text : SplitList(argument, m_text, ';'))
        {
            items.emplace_back(Trim(text));
        }
    }
    return items;
}

std::string
Spec::ToString() const
{
    std::string text = m_text;
    for (const Spec& item : m_items)
    {
        text += text.empty() ? "" : ";";
        text += item.ToString();
    }
    char separator = ':';
    for (const auto& [attribute, value] : m_settings.value_or(std::vector<Setting>()))
    {
        text += std::exchange(separator, ',') + attribute + "=" + Wrap(value.ToString());
    }
    return text;
}

bool
Spec::operator==(const Spec& other) const
{
    return ToString() == other.ToString();
}

std::ostream&
operator<<(std::ostream& stream, const Spec& spec)
{
    return stream << spec.ToString();
}

SpecValue::SpecValue(const Spec& spec)
    : m_value(spec)
{
}

void
SpecValue::Set(const Spec& spec)
{
    m_value = spec;
}

Spec
SpecValue::Get() const
{
    return m_value;
}

Ptr<AttributeValue>
SpecValue::Copy() const
{
    return Create<SpecValue>(*this);
}

std::string
SpecValue::SerializeToString(Ptr<const AttributeChecker> /* checker */) const
{
    return m_value.ToString();
}

bool
SpecValue::DeserializeFromString(std::string value, Ptr<const AttributeChecker> /* checker */)
{
    m_value = Spec(value);
    return true;
}

std::vector<NamedSpec>
NameSpecs(const std::string& argument, const Spec& several)
{
    std::vector<NamedSpec> specs;
    std::map<std::string, uint32_t> seen; // by name: how often
    for (const Spec& item : several.GetItems(argument))
    {
        const std::string kind = item.GetName();
        const auto equals = kind.find('=');
        if (equals != std::string::npos)
        {
            const std::string named = kind.substr(equals + 1);
            if (kind.find_first_of(":;\"()[]{}") < equals) // of JSON, which has no other separators
            {
                throw InputError(argument, kind, "a name in front has none of :;\"()[]{}");
            }
            const auto path = item.GetPath();
            specs.push_back(
                {kind.substr(0, equals),
                 path ? Spec(named + ":" + *path) : Spec(named, item.GetSettings(argument))});
            continue;
        }
        const uint32_t number = ++seen[kind];
        specs.push_back({number > 1 ? kind + "-" + std::to_string(number) : kind, item});
    }
    std::set<std::string> names;
    for (const NamedSpec& named : specs)
    {
        if (named.name.empty() || !names.insert(named.name).second)
        {
            throw InputError(argument,
                             several.ToString(),
                             "each of several needs a name of its own");
        }
    }
    return specs;
}

bool
SetsAttribute(const std::string& argument, const Spec& spec, const std::string& attribute)
{
    if (spec.GetPath())
    {
        return attribute == "File";
    }
    const auto settings = spec.GetSettings(argument);
    return std::ranges::find(settings, attribute, &Spec::Setting::first) != settings.end();
}

} // namespace ns3
