/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "object-spec.h"

#include "former-settings.h"
#include "input-error.h"
#include "near-names.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace ns3
{

namespace
{

/// An attribute and the value it is given, as the user wrote them.
using Setting = std::pair<std::string, std::string>;

/**
 * @param text a class name
 * @return it without its namespace
 */
std::string
StripNamespace(const std::string& text)
{
    const auto colon = text.rfind(':');
    return colon == std::string::npos ? text : text.substr(colon + 1);
}

/**
 * @param camel a name in CamelCase, such as FatTree, Ns3 or ECNMark
 * @return it in kebab-case: fat-tree, ns3, ecn-mark
 */
std::string
ToKebabCase(const std::string& camel)
{
    const auto isUpper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto isLower = [](char c) { return c >= 'a' && c <= 'z'; };
    std::string kebab;
    for (std::size_t i = 0; i < camel.size(); ++i)
    {
        const bool wordEnded = i > 0 && !isUpper(camel[i - 1]);
        const bool wordBegins = i > 0 && i + 1 < camel.size() && isLower(camel[i + 1]);
        if (isUpper(camel[i]) && (wordEnded || wordBegins))
        {
            kebab += '-';
        }
        kebab += isUpper(camel[i]) ? static_cast<char>(camel[i] - 'A' + 'a') : camel[i];
    }
    return kebab;
}

/**
 * @param base a base class
 * @return the classes derived from it that can be created, by name
 */
std::map<std::string, TypeId>
FindRegistered(TypeId base)
{
    std::map<std::string, TypeId> classes;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid.IsChildOf(base) && tid.HasConstructor())
        {
            classes.emplace(GetRegisteredName(tid, base), tid);
        }
    }
    return classes;
}

/**
 * @param word what the user wrote
 * @param kind what it should be the name of
 * @param known the names that exist
 * @return a sentence saying what is allowed, the nearest name first
 */
std::string
Explain(const std::string& word, const std::string& kind, const std::vector<std::string>& known)
{
    if (known.empty())
    {
        return "there is no " + kind + " to choose";
    }
    std::ostringstream text;
    text << "no " << kind << " is called '" << word << "', only";
    const char* separator = " ";
    for (const std::string& name : SortByNearness(word, known))
    {
        text << std::exchange(separator, ", ") << name;
    }
    return text.str();
}

/**
 * @param tid a class
 * @return the names of the attributes that can be set when it is created, also its parents'
 */
std::vector<std::string>
ListAttributes(TypeId tid)
{
    std::vector<std::string> names;
    for (;; tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto info = tid.GetAttribute(i);
            if (IsSettable(info))
            {
                names.push_back(info.name);
            }
        }
        if (!tid.HasParent())
        {
            std::ranges::sort(names);
            return names;
        }
    }
}

/**
 * Cut a list at its separators, but not within brackets or quotes.
 * @param argument what the user set, for the error
 * @param list the list
 * @param separator what stands between items
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
 * @param value a value
 * @return true if parentheses enclose all of it: the first one's partner is at the end
 */
bool
IsParenthesized(const std::string& value)
{
    int open = 0;
    for (std::size_t i = 0; i < value.size(); ++i)
    {
        open += value[i] == '(' ? 1 : value[i] == ')' ? -1 : 0;
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
 * @param argument what the user set, for the error
 * @param list what follows the name in a specification
 * @return the settings in it
 */
std::vector<Setting>
ParseSettings(const std::string& argument, const std::string& list)
{
    std::vector<Setting> settings;
    std::set<std::string> seen;
    for (const std::string& item : SplitList(argument, list, ','))
    {
        const auto equals = item.find('=');
        if (equals == std::string::npos || equals == 0)
        {
            throw InputError(argument, item, "not of the form Attribute=Value");
        }
        std::string name = item.substr(0, equals);
        std::string value = Unwrap(item.substr(equals + 1));
        if (!seen.insert(name).second)
        {
            throw InputError(argument, item, "the attribute is set twice");
        }
        settings.emplace_back(std::move(name), std::move(value));
    }
    return settings;
}

} // namespace

std::string
GetRegisteredName(TypeId tid, TypeId base)
{
    std::string name = StripNamespace(tid.GetName());
    for (TypeId ancestor = base; ancestor.HasParent() && ancestor != Object::GetTypeId();
         ancestor = ancestor.GetParent())
    {
        const std::string suffix = StripNamespace(ancestor.GetName());
        if (name.size() > suffix.size() && name.ends_with(suffix))
        {
            name.resize(name.size() - suffix.size());
            break;
        }
    }
    return ToKebabCase(name);
}

std::vector<std::string>
ListRegisteredNames(TypeId base)
{
    std::vector<std::string> names;
    for (const auto& [name, tid] : FindRegistered(base))
    {
        names.push_back(name);
    }
    return names;
}

TypeId
LookupRegisteredName(const std::string& argument, const std::string& name, TypeId base)
{
    const auto classes = FindRegistered(base);
    const auto found = classes.find(name);
    if (found == classes.end())
    {
        const auto kind = ToKebabCase(StripNamespace(base.GetName()));
        throw InputError(argument, name, Explain(name, kind, ListRegisteredNames(base)));
    }
    return found->second;
}

std::vector<NamedSpec>
ParseSpecList(const std::string& argument, const std::string& list)
{
    std::vector<NamedSpec> specs;
    std::map<std::string, uint32_t> seen; // by name: how often
    for (const std::string& item : SplitList(argument, list, ';'))
    {
        const auto colon = item.find(':');
        const auto equals = item.substr(0, colon).find('=');
        if (equals != std::string::npos)
        {
            specs.push_back({item.substr(0, equals), item.substr(equals + 1)});
            continue;
        }
        const std::string kind = item.substr(0, colon);
        const uint32_t number = ++seen[kind];
        specs.push_back({number > 1 ? kind + "-" + std::to_string(number) : kind, item});
    }
    std::set<std::string> names;
    for (const NamedSpec& named : specs)
    {
        if (named.name.empty() || !names.insert(named.name).second)
        {
            throw InputError(argument, list, "each of several needs a name of its own");
        }
    }
    return specs;
}

bool
SetsAttribute(const std::string& argument, const std::string& spec, const std::string& attribute)
{
    const auto colon = spec.find(':');
    if (colon == std::string::npos || spec.find('=', colon) == std::string::npos)
    {
        return attribute == "File" && colon != std::string::npos;
    }
    const auto settings = ParseSettings(argument, spec.substr(colon + 1));
    return std::ranges::find(settings, attribute, &Setting::first) != settings.end();
}

Ptr<Object>
CreateFromSpec(const std::string& argument,
               const std::string& spec,
               TypeId base,
               const std::map<std::string, std::string>& defaults)
{
    const auto colon = spec.find(':');
    const std::string name = spec.substr(0, colon);
    const TypeId tid = LookupRegisteredName(argument, name, base);
    ObjectFactory factory;
    factory.SetTypeId(tid);
    const auto known = ListAttributes(tid);
    for (const auto& [attribute, text] : defaults)
    {
        if (!std::ranges::binary_search(known, attribute))
        {
            throw InputError(argument, spec, "must have the attribute " + attribute);
        }
        factory.Set(attribute, StringValue(text));
    }
    if (colon == std::string::npos)
    {
        return factory.Create<Object>();
    }
    std::string settings = spec.substr(colon + 1);
    if (settings.find('=') == std::string::npos && std::ranges::binary_search(known, "File"))
    {
        settings = "File=" + settings;
    }
    for (const auto& [attribute, text] : ParseSettings(argument, settings))
    {
        const std::string former = TranslateFormerSetting(tid, attribute, text);
        const auto where = argument + " " + name + ":" + attribute;
        if (!former.empty())
        {
            throw InputError(where, text, "written " + former + " now");
        }
        if (!std::ranges::binary_search(known, attribute))
        {
            throw InputError(argument, spec, Explain(attribute, "attribute of " + name, known));
        }
        TypeId::AttributeInformation info;
        tid.LookupAttributeByName(attribute, &info);
        factory.Set(attribute, *ParseAttributeValue(where, *info.checker, text));
    }
    return factory.Create<Object>();
}

} // namespace ns3
