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
 * @return all rows that there are
 */
std::vector<const SpecRows*>&
AllRows()
{
    static std::vector<const SpecRows*> rows;
    return rows;
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

/// Begins the specification of a row that names a class and not another row.
constexpr std::string_view CLASS = "ns3::";

/**
 * @param spec a specification
 * @return the name at its beginning
 */
std::string
GetName(const std::string& spec)
{
    const std::size_t from = spec.starts_with(CLASS) ? CLASS.size() : 0;
    return spec.substr(0, spec.find(':', from));
}

/**
 * @param spec a specification
 * @return the settings behind its name
 */
std::string
GetSettings(const std::string& spec)
{
    const std::string name = GetName(spec);
    return spec.size() > name.size() ? spec.substr(name.size() + 1) : "";
}

/**
 * @param base a base class
 * @return the classes derived from it that can be created and that no row names, by name
 */
std::map<std::string, TypeId>
FindRegistered(TypeId base)
{
    std::set<std::string> named;
    SpecRows::ForEach(base, [&named](const SpecRow& row, const SpecRows&) {
        named.insert(GetName(row.spec));
    });
    std::map<std::string, TypeId> classes;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid.IsChildOf(base) && tid.HasConstructor() && !named.contains(tid.GetName()))
        {
            classes.emplace(GetRegisteredName(tid, base), tid);
        }
    }
    return classes;
}

std::string MergeSpecs(const std::string& argument,
                       TypeId base,
                       const std::string& below,
                       const std::string& above);

/**
 * @param argument what the user set, for the error
 * @param tid the class that has the attributes
 * @param below settings
 * @param above settings that win, attribute by attribute
 * @return both; those below first, in their order
 */
std::vector<Setting>
MergeSettings(const std::string& argument,
              TypeId tid,
              std::vector<Setting> below,
              const std::vector<Setting>& above)
{
    for (const auto& [name, value] : above)
    {
        const auto same = std::ranges::find(below, name, &Setting::first);
        if (same == below.end())
        {
            below.emplace_back(name, value);
            continue;
        }
        TypeId::AttributeInformation info;
        const bool known = tid.LookupAttributeByName(name, &info);
        const auto form = known ? GetAttributeForm(*info.checker) : AttributeForm{};
        same->second = form.kind == "spec" ? MergeSpecs(argument + " " + name,
                                                        TypeId::LookupByName(form.base),
                                                        same->second,
                                                        value)
                                           : value;
    }
    return below;
}

/**
 * @param argument what the user set, for the error
 * @param base the class that the object's is derived from
 * @param below a specification
 * @param above another one
 * @return the one above, with what the one below says besides if both have the same name
 */
std::string
MergeSpecs(const std::string& argument,
           TypeId base,
           const std::string& below,
           const std::string& above)
{
    const std::string name = GetName(above);
    const std::string settings = GetSettings(above);
    const bool hasPath = !settings.empty() && settings.find('=') == std::string::npos;
    const bool several =
        SplitList(argument, below, ';').size() > 1 || SplitList(argument, above, ';').size() > 1;
    if (name.empty() || name != GetName(below) || hasPath || several)
    {
        return above;
    }
    const auto parse = [&argument](const std::string& text) {
        return text.empty() ? std::vector<Setting>() : ParseSettings(argument, text);
    };
    std::string merged = name;
    char separator = ':';
    for (const auto& [attribute, value] : MergeSettings(argument,
                                                        LookupRegisteredName(argument, name, base),
                                                        parse(GetSettings(below)),
                                                        parse(settings)))
    {
        merged += std::exchange(separator, ',') + attribute + "=" + WrapValue(value);
    }
    return merged;
}

/**
 * @param argument what the user set, for the error
 * @param name the name of a class or row
 * @param base the class it is to be derived from
 * @return what a row sets, what it is based on included; nothing for a class
 */
std::vector<Setting>
GetRowSettings(const std::string& argument, const std::string& name, TypeId base)
{
    const SpecRow* row = SpecRows::Find(base, name);
    if (!row)
    {
        return {};
    }
    const std::string settings = GetSettings(row->spec);
    const auto own = settings.empty() ? std::vector<Setting>() : ParseSettings(argument, settings);
    return MergeSettings(argument,
                         LookupRegisteredName(argument, name, base),
                         GetRowSettings(argument, GetName(row->spec), base),
                         own);
}

} // namespace

SpecRows::SpecRows(TypeId (*base)(), std::initializer_list<SpecRow> rows)
    : m_base(base),
      m_rows(rows)
{
    AllRows().push_back(this);
}

SpecRows::~SpecRows()
{
    std::erase(AllRows(), this);
}

void
SpecRows::ForEach(TypeId base, const std::function<void(const SpecRow&, const SpecRows&)>& visit)
{
    for (const SpecRows* rows : AllRows())
    {
        for (const SpecRow& row : rows->m_rows)
        {
            if (rows->m_base() == base)
            {
                visit(row, *rows);
            }
        }
    }
}

const SpecRow*
SpecRows::Find(TypeId base, const std::string& name, const SpecRows** rows)
{
    const SpecRow* found = nullptr;
    ForEach(base, [&](const SpecRow& row, const SpecRows& where) {
        if (!found && row.name == name)
        {
            found = &row;
            if (rows)
            {
                *rows = &where;
            }
        }
    });
    return found;
}

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
    std::set<std::string> names;
    SpecRows::ForEach(base,
                      [&names](const SpecRow& row, const SpecRows&) { names.insert(row.name); });
    for (const auto& [name, tid] : FindRegistered(base))
    {
        names.insert(name);
    }
    return {names.begin(), names.end()};
}

TypeId
LookupRegisteredName(const std::string& argument, const std::string& name, TypeId base)
{
    if (const SpecRow* row = SpecRows::Find(base, name))
    {
        return LookupRegisteredName(argument, GetName(row->spec), base);
    }
    TypeId named;
    if (name.starts_with(CLASS) && TypeId::LookupByNameFailSafe(name, &named) &&
        (named == base || named.IsChildOf(base)) && named.HasConstructor())
    {
        return named;
    }
    const auto classes = FindRegistered(base);
    const auto found = classes.find(name);
    if (found == classes.end())
    {
        if (const std::string now = TranslateFormerName(name); !now.empty())
        {
            throw InputError(argument, name, "written " + now + " now");
        }
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

std::string
WrapValue(const std::string& value)
{
    if (value.find_first_of(",;=()[]{}\"") == std::string::npos)
    {
        return value;
    }
    return value.find('"') == std::string::npos ? '"' + value + '"' : "(" + value + ")";
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

AttributeValues
MakeAttributeValues(const std::map<std::string, std::string>& texts)
{
    AttributeValues values;
    for (const auto& [attribute, text] : texts)
    {
        values.emplace(attribute, Create<StringValue>(text));
    }
    return values;
}

Ptr<Object>
CreateFromSpec(const std::string& argument,
               const std::string& spec,
               TypeId base,
               const AttributeValues& defaults)
{
    const std::string name = GetName(spec);
    const TypeId tid = LookupRegisteredName(argument, name, base);
    ObjectFactory factory;
    factory.SetTypeId(tid);
    const auto known = ListAttributes(tid);
    for (const auto& [attribute, value] : defaults)
    {
        if (!std::ranges::binary_search(known, attribute))
        {
            throw InputError(argument, spec, "must have the attribute " + attribute);
        }
        factory.Set(attribute, *value);
    }
    std::string settings = GetSettings(spec);
    if (!settings.empty() && settings.find('=') == std::string::npos &&
        std::ranges::binary_search(known, "File"))
    {
        settings = "File=" + settings;
    }
    const bool bare = spec.size() == name.size();
    const auto written = bare ? std::vector<Setting>() : ParseSettings(argument, settings);
    for (const auto& [attribute, text] : written)
    {
        const std::string former = TranslateFormerSetting(name, tid, attribute, text);
        if (!former.empty())
        {
            throw InputError(argument + " " + name + ":" + attribute,
                             text,
                             "written " + former + " now");
        }
        if (!std::ranges::binary_search(known, attribute))
        {
            throw InputError(argument, spec, Explain(attribute, "attribute of " + name, known));
        }
    }
    const auto own = GetRowSettings(argument, name, base);
    for (const auto& [attribute, text] : MergeSettings(argument, tid, own, written))
    {
        TypeId::AttributeInformation info;
        tid.LookupAttributeByName(attribute, &info);
        const auto where = argument + " " + name + ":" + attribute;
        factory.Set(attribute, *ParseAttributeValue(where, *info.checker, text));
    }
    return factory.Create<Object>();
}

} // namespace ns3
