/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OBJECT_SETTINGS_H
#define OBJECT_SETTINGS_H

#include "json-object.h"
#include "spec.h"

#include "ns3/attribute.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3
{

/**
 * @ingroup object-spec
 * @defgroup object-settings Settings of objects
 * @brief Attributes and their values as JSON: typed, in SI units, by path.
 *
 * A key ends in the unit of its number: a time is `LinkDelay_s`, a rate `HostRate_bps`, a length of
 * a queue `MaxSize_bytes`, `MaxSize_packets` or, written as a time, `MaxSize_s`; one that is never
 * reached has no unit and is "never", a time without an end none and is "none". A specification is
 * an object: its name and the settings of what it makes.
 */

/**
 * @ingroup object-settings
 * @brief Add the value of an attribute or an option.
 * @param [in,out] settings takes it
 * @param name of the attribute or option, without a unit
 * @param value its value
 * @param checker says what kind of value that is
 */
void AddSetting(JsonObject& settings,
                const std::string& name,
                const AttributeValue& value,
                const Ptr<const AttributeChecker>& checker);

/**
 * @ingroup object-settings
 * @brief Add all attributes of an object that can be set when it is made.
 * @param [in,out] settings takes them, those of parents first
 * @param object the object
 */
void AddSettings(JsonObject& settings, const Object& object);

/**
 * @ingroup object-settings
 * @brief Describe what a specification makes.
 * @param spec names a class or row, with attributes
 * @param base the class that the object's is derived from
 * @return its name, and the settings of the object
 * @throws InputError if the specification cannot be used
 */
JsonObject DescribeSpec(const Spec& spec, TypeId base);

} // namespace ns3

#endif /* OBJECT_SETTINGS_H */
