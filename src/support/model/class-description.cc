/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "class-description.h"

#include "attribute-form.h"
#include "object-spec.h"

#include "ns3/object-factory.h"

#include <algorithm>
#include <dlfcn.h>
#include <map>

namespace ns3
{

namespace
{

/**
 * @param tid a class
 * @return its own trace sources by name, each with what it tells of and the signature of callbacks
 */
JsonObject
DescribeTraceSources(TypeId tid)
{
    JsonObject sources;
    for (std::size_t i = 0; i < tid.GetTraceSourceN(); ++i)
    {
        const auto info = tid.GetTraceSource(i);
        JsonObject source;
        source.Set("help", info.help);
        source.Set("callback", info.callback);
        sources.Set(info.name, source);
    }
    return sources;
}

/**
 * @param tid a class
 * @return its parent, its own attributes and trace sources, and the library that these are from
 */
JsonObject
DescribeClass(TypeId tid)
{
    JsonObject description;
    JsonObject attributes;
    std::string library;
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        if (const auto info = tid.GetAttribute(i); IsSettable(info))
        {
            // The accessor is of a class made for this one, hence in the same library.
            library = GetLibrary(PeekPointer(info.accessor));
            const std::string initial = WriteAttributeValue(*info.initialValue, info.checker);
            attributes.Set(info.name, DescribeValue(*info.checker, info.help, initial));
        }
    }
    if (library.empty() && tid.GetTraceSourceN() > 0)
    {
        library = GetLibrary(PeekPointer(tid.GetTraceSource(0).accessor)); // likewise
    }
    if (tid.HasParent() && tid.GetParent() != tid)
    {
        description.Set("parent", tid.GetParent().GetName());
    }
    description.Set("library", library);
    description.Set("attributes", attributes);
    description.Set("traces", DescribeTraceSources(tid));
    return description;
}

} // namespace

std::string
GetLibrary(const void* object)
{
    // The first thing in an object with virtual functions points to their table.
    Dl_info info{};
    if (!object || !dladdr(*static_cast<const void* const*>(object), &info) || !info.dli_fname)
    {
        return "";
    }
    const std::string path = info.dli_fname;
    return path.substr(path.rfind('/') + 1);
}

JsonObject
DescribeValue(const AttributeChecker& checker, const std::string& help, const std::string& initial)
{
    const AttributeForm form = GetAttributeForm(checker);
    JsonObject description;
    description.Set("kind", form.kind);
    description.Set("allowed", form.allowed);
    description.Set("help", help);
    description.Set("default", initial);
    if (!form.choices.empty())
    {
        description.Set("choices", form.choices);
    }
    if (!form.base.empty())
    {
        description.Set("base", form.base);
    }
    if (form.several)
    {
        description.Set("several", true);
    }
    if (form.least)
    {
        description.Set("least", *form.least);
    }
    if (form.most)
    {
        description.Set("most", *form.most);
    }
    return description;
}

JsonObject
DescribeClasses()
{
    std::map<std::string, TypeId> classes;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        classes.emplace(tid.GetName(), tid);
    }
    JsonObject descriptions;
    for (const auto& [name, tid] : classes)
    {
        descriptions.Set(name, DescribeClass(tid));
    }
    return descriptions;
}

std::vector<TypeId>
ListSpecBases()
{
    std::map<std::string, TypeId> bases;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        for (std::size_t k = 0; k < tid.GetAttributeN(); ++k)
        {
            const auto form = GetAttributeForm(*tid.GetAttribute(k).checker);
            if (form.kind == "spec")
            {
                bases.emplace(form.base, TypeId::LookupByName(form.base));
            }
        }
    }
    std::vector<TypeId> list;
    std::ranges::transform(bases, std::back_inserter(list), [](const auto& b) { return b.second; });
    return list;
}

JsonObject
DescribeRegisteredNames(TypeId base,
                        const std::function<std::string(const std::string&)>& summarize)
{
    JsonObject names;
    for (const std::string& name : ListRegisteredNames(base))
    {
        const TypeId tid = LookupRegisteredName("", name, base);
        ObjectFactory factory;
        factory.SetTypeId(tid);
        const auto object = factory.Create<Object>();
        JsonObject description;
        description.Set("class", tid.GetName());
        description.Set("library", GetLibrary(dynamic_cast<const void*>(PeekPointer(object))));
        const SpecRows* rows = nullptr;
        if (const SpecRow* row = SpecRows::Find(base, name, &rows))
        {
            description.Set("spec", row->spec);
            const void* where = rows;
            description.Set("library", GetLibrary(&where));
        }
        if (summarize)
        {
            description.Set("summary", summarize(name));
        }
        names.Set(name, description);
    }
    return names;
}

} // namespace ns3
