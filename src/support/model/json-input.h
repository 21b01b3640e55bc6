/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_INPUT_H
#define JSON_INPUT_H

#include "ns3/spec.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup support
 * @defgroup json-input Input from JSON
 * @brief Options of a program as a JSON object.
 *
 * A member is an option with its value: a text, a number, a truth value, or an object that is a
 * specification, its only member being a name with the attributes. Several specifications are a
 * list.
 * @code
 *   {"load": 0.7, "duration": "20ms",
 *    "scheme": {"tcp": {"Queue": {"red-mark": {"MinThreshold": "30kB"}}}},
 *    "record": ["flows", {"queues": {"Interval": "10us"}}]}
 * @endcode
 * The file run.json of an earlier run is such input, too: that of its program.
 */

/**
 * @ingroup json-input
 * @brief Read the value of an option, which may be an object or a list in JSON.
 * @param argument the setting that the error names
 * @param value `{"NAME": {"Attribute": VALUE, ...}}`, a list of such, or anything else
 * @return the value; anything else as a text
 * @throws InputError if the JSON cannot be read
 */
Spec ReadJsonValue(const std::string& argument, const std::string& value);

/**
 * @ingroup json-input
 * @brief Read the names of an object's members.
 * @param path of a file with a JSON object
 * @param member of it, an object
 * @return the names; none if there is no such file or object
 */
std::vector<std::string> ReadJsonNames(const std::string& path, const std::string& member);

/**
 * @ingroup json-input
 * @brief Options and their values, in order.
 */
using InputOptions = std::vector<Spec::Setting>;

/**
 * @ingroup json-input
 * @param argument the setting that the error names
 * @param source the path of a file, or a JSON object itself, which begins with a brace
 * @param program the program that reads it: a run.json must be one of its own
 * @return the options
 * @throws InputError if the file cannot be read or holds anything else
 */
InputOptions ReadJsonInput(const std::string& argument,
                           const std::string& source,
                           const std::string& program);

} // namespace ns3

#endif /* JSON_INPUT_H */
