/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "object-settings.h"

#include "attribute-form.h"
#include "input-error.h"
#include "number-text.h"
#include "object-spec.h"
#include "queue-limit.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @param time a time
 * @return in seconds: the number nearest to it
 */
double
ToSeconds(Time time)
{
    return std::strtod(SecondsText(time).c_str(), nullptr);
}

/**
 * @param settings takes the time, with its unit behind its name
 * @param name of the attribute
 * @param time the time
 */
void
AddTime(JsonObject& settings, const std::string& name, Time time)
{
    if (time == Time::Max())
    {
        settings.Set(name, "none");
    }
    else
    {
        settings.Set(name + "_s", ToSeconds(time));
    }
}

/**
 * @param settings takes the length, with its unit behind its name
 * @param name of the attribute
 * @param limit the length
 */
void
AddLength(JsonObject& settings, const std::string& name, const QueueLimit& limit)
{
    if (limit.IsNever())
    {
        settings.Set(name, "never");
    }
    else if (!limit.GetTime().IsZero())
    {
        settings.Set(name + "_s", ToSeconds(limit.GetTime()));
    }
    else
    {
        settings.Set(name + (limit.IsInBytes() ? "_bytes" : "_packets"),
                     limit.ToQueueSize().GetValue());
    }
}

/**
 * @param settings takes what an attribute names
 * @param name of the attribute
 * @param specs one or several specifications; empty: none
 * @param form says of what
 */
void
AddSpecs(JsonObject& settings,
         const std::string& name,
         const Spec& specs,
         const AttributeForm& form)
{
    try
    {
        const TypeId base = TypeId::LookupByName(form.base);
        std::vector<JsonObject> described;
        for (const NamedSpec& one : NameSpecs(name, specs))
        {
            described.push_back(DescribeSpec(one.spec, base));
        }
        if (form.several)
        {
            settings.Set(name, described);
        }
        else if (described.size() == 1)
        {
            settings.Set(name, described.front());
        }
        else
        {
            settings.Set(name, specs.ToString());
        }
    }
    catch (const InputError&)
    {
        settings.Set(
            name,
            specs.ToString()); // in a grammar of its own, such as the name of a file of sizes
    }
}

} // namespace

void
AddSetting(JsonObject& settings,
           const std::string& name,
           const AttributeValue& value,
           const Ptr<const AttributeChecker>& checker)
{
    if (const auto truth = dynamic_cast<const BooleanValue*>(&value))
    {
        settings.Set(name, truth->Get());
    }
    else if (const auto natural = dynamic_cast<const UintegerValue*>(&value))
    {
        settings.Set(name, natural->Get());
    }
    else if (const auto integer = dynamic_cast<const IntegerValue*>(&value))
    {
        settings.Set(name, integer->Get());
    }
    else if (const auto number = dynamic_cast<const DoubleValue*>(&value))
    {
        settings.Set(name, number->Get());
    }
    else if (const auto time = dynamic_cast<const TimeValue*>(&value))
    {
        AddTime(settings, name, time->Get());
    }
    else if (const auto rate = dynamic_cast<const DataRateValue*>(&value))
    {
        settings.Set(name + "_bps", rate->Get().GetBitRate());
    }
    else if (const auto limit = dynamic_cast<const QueueLimitValue*>(&value))
    {
        AddLength(settings, name, limit->Get());
    }
    else if (const auto size = dynamic_cast<const QueueSizeValue*>(&value))
    {
        AddLength(settings, name, QueueLimit(size->Get()));
    }
    else if (const auto pointer = dynamic_cast<const PointerValue*>(&value))
    {
        if (const Ptr<Object> object = pointer->GetObject())
        {
            JsonObject inner;
            inner.Set("name", object->GetInstanceTypeId().GetName());
            AddSettings(inner, *object);
            settings.Set(name, inner);
        }
    }
    else if (const AttributeForm form = GetAttributeForm(*checker); form.kind == "spec")
    {
        AddSpecs(settings, name, dynamic_cast<const SpecValue&>(value).Get(), form);
    }
    else
    {
        settings.Set(name, value.SerializeToString(checker));
    }
}

void
AddSettings(JsonObject& settings, const Object& object)
{
    std::vector<TypeId> line{object.GetInstanceTypeId()};
    while (line.back().HasParent() && line.back().GetParent() != line.back())
    {
        line.push_back(line.back().GetParent());
    }
    for (auto tid = line.rbegin(); tid != line.rend(); ++tid)
    {
        for (std::size_t i = 0; i < tid->GetAttributeN(); ++i)
        {
            const auto info = tid->GetAttribute(i);
            if (!IsSettable(info) || !info.accessor->HasGetter())
            {
                continue;
            }
            const Ptr<AttributeValue> value = info.checker->Create();
            if (info.accessor->Get(&object, *value))
            {
                AddSetting(settings, info.name, *value, info.checker);
            }
        }
    }
}

JsonObject
DescribeSpec(const Spec& spec, TypeId base)
{
    JsonObject settings;
    settings.Set("name", spec.GetName());
    AddSettings(settings, *CreateFromSpec("settings", spec, base));
    return settings;
}

} // namespace ns3
