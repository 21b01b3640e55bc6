/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPEC_H
#define SPEC_H

#include "ns3/attribute-helper.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup object-spec
 * @brief A name with attributes, or several such: what a user asks for, before it is an object.
 *
 * One that is read from JSON is a tree: the values of attributes are specifications again. One from
 * the command line is a text, which is read when its settings are asked for; its values are texts
 * then. A value that is no object, such as `10us`, is a text, too.
 */
class Spec
{
  public:
    /// An attribute and the value it is given.
    using Setting = std::pair<std::string, Spec>;

    Spec() = default;

    /**
     * @param text as on the command line: `name:Attribute=Value,...`, or any value
     */
    Spec(std::string text);

    /**
     * @param text as above
     */
    Spec(const char* text);

    /**
     * @param name of a class or row
     * @param settings its attributes
     */
    Spec(std::string name, std::vector<Setting> settings);

    /**
     * @param several specifications
     */
    explicit Spec(std::vector<Spec> several);

    /**
     * @return true if nothing is specified
     */
    bool IsEmpty() const;

    /**
     * @return the name of the class or row
     */
    std::string GetName() const;

    /**
     * @return the path after the name in a text that sets no attribute by its name: `name:path`
     */
    std::optional<std::string> GetPath() const;

    /**
     * @param argument the setting that the error names
     * @return its attributes, in order
     * @throws InputError if the text cannot be read
     */
    std::vector<Setting> GetSettings(const std::string& argument) const;

    /**
     * @param argument the setting that the error names
     * @return each of several specifications; one that stands alone is the only one, none if empty
     * @throws InputError if the text cannot be read
     */
    std::vector<Spec> GetItems(const std::string& argument) const;

    /**
     * @return it as on the command line, several with semicolons between them
     */
    std::string ToString() const;

    /**
     * @brief Compare two.
     * @param other another one
     * @return true if they are written alike
     */
    bool operator==(const Spec& other) const;

  private:
    std::string m_text;                             //!< the name, or the text
    std::optional<std::vector<Setting>> m_settings; //!< of a tree
    std::vector<Spec> m_items;                      //!< several
};

/**
 * @brief Write a specification as on the command line.
 * @param stream takes it
 * @param spec the specification
 * @return the stream
 */
std::ostream& operator<<(std::ostream& stream, const Spec& spec);

ATTRIBUTE_VALUE_DEFINE(Spec);
ATTRIBUTE_ACCESSOR_DEFINE(Spec);

/// @ingroup object-spec
/// @brief One of several specifications, and what the user calls it.
struct NamedSpec
{
    std::string name; //!< unique in its list
    Spec spec;        //!< the specification
};

/**
 * @ingroup object-spec
 * @brief Name several specifications: `lean;udp:Rate=1Gbps`.
 *
 * Each may have a name in front: `web=lean;bulk=udp:Rate=1Gbps`. One without is called as its class
 * is, the second of the same name `lean-2`.
 *
 * @param argument the setting that the error names
 * @param several the specifications
 * @return the specifications with their names, in order
 * @throws InputError if they cannot be read, or two have the same name
 */
std::vector<NamedSpec> NameSpecs(const std::string& argument, const Spec& several);

/**
 * @ingroup object-spec
 * @param argument the setting that the error names
 * @param spec a specification
 * @param attribute an attribute
 * @return true if the specification sets the attribute
 * @throws InputError if the specification cannot be read
 */
bool SetsAttribute(const std::string& argument, const Spec& spec, const std::string& attribute);

} // namespace ns3

#endif /* SPEC_H */
