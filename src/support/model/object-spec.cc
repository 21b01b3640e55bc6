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
#include <ranges>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace ns3
{

namespace
{

using Setting = Spec::Setting;

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
 * @param word the name the user wrote
 * @param kind kind of thing that it should name
 * @param known the names that exist
 * @return a sentence saying what is allowed, the nearest name first; not all, if there are many
 */
std::string
Explain(const std::string& word, const std::string& kind, const std::vector<std::string>& known)
{
    if (known.empty())
    {
        return "there is no " + kind + " to choose";
    }
    constexpr std::size_t MOST = 16; // of names, in a line that people read
    std::ostringstream text;
    text << "no " << kind << " is called '" << word << "', only";
    const char* separator = " ";
    for (const std::string& name : SortByNearness(word, known) | std::views::take(MOST))
    {
        text << std::exchange(separator, ", ") << name;
    }
    if (known.size() > MOST)
    {
        text << " and " << known.size() - MOST << " more (help lists all)";
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
 * @param base a base class
 * @return the classes derived from it that can be created and that no row names, by name
 */
std::map<std::string, TypeId>
FindRegistered(TypeId base)
{
    std::set<std::string> named;
    SpecRows::ForEach(base, [&named](const SpecRow& row, const SpecRows&) {
        named.insert(Spec(row.spec).GetName());
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

Spec MergeSpecs(const std::string& argument, TypeId base, const Spec& below, const Spec& above);

/**
 * @param argument the setting that the error names
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
 * @param argument the setting that the error names
 * @param base the class that the object's is derived from
 * @param below a specification
 * @param above another one
 * @return the one above, with what the one below says besides if both have the same name
 */
Spec
MergeSpecs(const std::string& argument, TypeId base, const Spec& below, const Spec& above)
{
    const std::string name = above.GetName();
    const bool several = below.GetItems(argument).size() > 1 || above.GetItems(argument).size() > 1;
    if (name.empty() || name != below.GetName() || above.GetPath() || several)
    {
        return above;
    }
    return {name,
            MergeSettings(argument,
                          LookupRegisteredName(argument, name, base),
                          below.GetSettings(argument),
                          above.GetSettings(argument))};
}

/**
 * @param argument the setting that the error names
 * @param name the name of a class or row
 * @param base the class it is to be derived from
 * @return the settings of a row, with those of the row it is based on; none for a class
 */
std::vector<Setting>
GetRowSettings(const std::string& argument, const std::string& name, TypeId base)
{
    const SpecRow* row = SpecRows::Find(base, name);
    if (!row)
    {
        return {};
    }
    const Spec spec = row->spec;
    return MergeSettings(argument,
                         LookupRegisteredName(argument, name, base),
                         GetRowSettings(argument, spec.GetName(), base),
                         spec.GetSettings(argument));
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
        return LookupRegisteredName(argument, Spec(row->spec).GetName(), base);
    }
    TypeId named;
    if (name.starts_with("ns3::") && TypeId::LookupByNameFailSafe(name, &named) &&
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
               const Spec& spec,
               TypeId base,
               const AttributeValues& defaults)
{
    const std::string name = spec.GetName();
    const TypeId tid = LookupRegisteredName(argument, name, base);
    ObjectFactory factory;
    factory.SetTypeId(tid);
    const auto known = ListAttributes(tid);
    for (const auto& [attribute, value] : defaults)
    {
        if (!std::ranges::binary_search(known, attribute))
        {
            throw InputError(argument, spec.ToString(), "must have the attribute " + attribute);
        }
        factory.Set(attribute, *value);
    }
    const auto path = spec.GetPath();
    const auto takesPath = std::ranges::find_if(known, [](const std::string& attribute) {
        return attribute == "File" || attribute == "Path";
    });
    const auto written = path && takesPath != known.end()
                             ? std::vector<Setting>{{*takesPath, *path}}
                             : spec.GetSettings(argument);
    for (const auto& [attribute, value] : written)
    {
        const std::string former = TranslateFormerSetting(name, tid, attribute, value.ToString());
        if (!former.empty())
        {
            throw InputError(argument + " " + name + ":" + attribute,
                             value.ToString(),
                             "written " + former + " now");
        }
        if (!std::ranges::binary_search(known, attribute))
        {
            throw InputError(argument,
                             spec.ToString(),
                             Explain(attribute, "attribute of " + name, known));
        }
    }
    const auto own = GetRowSettings(argument, name, base);
    for (const auto& [attribute, value] : MergeSettings(argument, tid, own, written))
    {
        TypeId::AttributeInformation info;
        tid.LookupAttributeByName(attribute, &info);
        const auto where = argument + " " + name + ":" + attribute;
        factory.Set(attribute, *ParseAttributeValue(where, *info.checker, value));
    }
    return factory.Create<Object>();
}

} // namespace ns3
