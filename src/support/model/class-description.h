/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLASS_DESCRIPTION_H
#define CLASS_DESCRIPTION_H

#include "ns3/attribute.h"
#include "ns3/json-object.h"
#include "ns3/type-id.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup object-spec
 * @defgroup class-description Descriptions of classes
 * @brief JSON of what is linked into a program: registered classes, their attributes and trace
 * sources, and the library that each is from.
 *
 * Whoever prepares command lines checks them against it, and can tell which libraries a run with
 * these names uses.
 */

/**
 * @ingroup class-description
 * @param object something of a class with virtual functions
 * @return file name of the library or program that the class is from; empty if that is not known
 */
std::string GetLibrary(const void* object);

/**
 * @ingroup class-description
 * @param checker of an attribute, a global value or an option
 * @param help its purpose
 * @param initial its value if nobody sets it
 * @return these, with what it can be set to
 */
JsonObject DescribeValue(const AttributeChecker& checker,
                         const std::string& help,
                         const std::string& initial);

/**
 * @ingroup class-description
 * @return all registered classes by name, each with its parent, its own attributes that can be set
 * and trace sources, and the library that these are from
 */
JsonObject DescribeClasses();

/**
 * @ingroup class-description
 * @return the bases of all specifications that attributes of registered classes hold
 */
std::vector<TypeId> ListSpecBases();

/**
 * @ingroup class-description
 * @param base a base class
 * @param summarize says what a class of a name is; may be empty
 * @return an object with, by name, the class, its library and its summary
 */
JsonObject DescribeRegisteredNames(
    TypeId base,
    const std::function<std::string(const std::string&)>& summarize = {});

} // namespace ns3

#endif /* CLASS_DESCRIPTION_H */
