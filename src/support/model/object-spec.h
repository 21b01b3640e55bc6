/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OBJECT_SPEC_H
#define OBJECT_SPEC_H

#include "ns3/attribute-form.h"
#include "ns3/object.h"
#include "ns3/spec.h"
#include "ns3/type-id.h"

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup support
 * @defgroup object-spec Object specifications
 * @brief Texts by which a user names a registered class and sets its attributes.
 *
 * A specification is `name` or `name:Attribute=Value,Attribute=Value`. The name belongs to a class
 * derived from a base and registered with a TypeId: the class's name without "ns3::" and without
 * the base's name at its end (or that of a class the base derives from), in kebab-case. For the
 * base ns3::Topology, `leaf-spine:Leaves=4` is an ns3::LeafSpineTopology whose attribute Leaves is
 * 4. Attributes of parents count. A value may contain commas within brackets, braces, parentheses
 * or double quotes; quotes or parentheses around a whole value are taken off, so that a value can
 * be a specification with values that are specifications: `tcp:Queue="red:Inner=(fifo:A=1,B=2)"`.
 * Where a class has an attribute File, `name:path` is short for `name:File=path`.
 * Nothing is ever added to a list by hand: what is linked in is found.
 *
 * A *row* is a specification with a name of its own (SpecRows): its attributes are the defaults of
 * what is written behind the name, attribute by attribute, also within the objects that attributes
 * name. `Queue=red:B=2` behind a row with `Queue=red:A=1` is `red:A=1,B=2`; `Queue=fifo` is fifo.
 */

/// @ingroup object-spec
/// @brief A specification with a name of its own.
struct SpecRow
{
    std::string name; //!< name that a user writes
    std::string spec; //!< of a class (`ns3::Class`, which then has no other name), or another row
    std::string summary; //!< description in one line
};

/**
 * @ingroup object-spec
 * @brief Rows of one kind. While such an object exists, specifications may name its rows.
 */
class SpecRows
{
  public:
    /**
     * @brief Add rows.
     * @param base gives the class from which what the rows describe is derived
     * @param rows the rows
     */
    SpecRows(TypeId (*base)(), std::initializer_list<SpecRow> rows);
    ~SpecRows();

    SpecRows(const SpecRows&) = delete;
    SpecRows& operator=(const SpecRows&) = delete;

    /**
     * @brief Find a row.
     * @param base the class from which what it describes is derived
     * @param name its name
     * @param [out] rows the rows that it stands in, if it is not nullptr
     * @return the row; nullptr if there is none of that name
     */
    static const SpecRow* Find(TypeId base,
                               const std::string& name,
                               const SpecRows** rows = nullptr);

    /**
     * @brief Visit rows.
     * @param base the class from which what they describe is derived
     * @param visit called with each row and where it stands
     */
    static void ForEach(TypeId base,
                        const std::function<void(const SpecRow&, const SpecRows&)>& visit);

  private:
    TypeId (*m_base)();          //!< gives the base class
    std::vector<SpecRow> m_rows; //!< the rows
};

/**
 * @ingroup object-spec
 * @param tid a class
 * @param base a class it derives from
 * @return the name that a user writes
 */
std::string GetRegisteredName(TypeId tid, TypeId base);

/**
 * @ingroup object-spec
 * @param base a base class
 * @return the names of the rows and of the classes derived from it that can be created, sorted
 */
std::vector<std::string> ListRegisteredNames(TypeId base);

/**
 * @ingroup object-spec
 * @param argument the setting that the error names
 * @param name the name of a class or row
 * @param base the class it is to be derived from
 * @return the class, a row's too
 * @throws InputError if there is none of that name, with those there are
 */
TypeId LookupRegisteredName(const std::string& argument, const std::string& name, TypeId base);

/// @ingroup object-spec
/// @brief Values of attributes, by name.
using AttributeValues = std::map<std::string, Ptr<AttributeValue>>;

/**
 * @ingroup object-spec
 * @param argument the setting that the error names
 * @param spec a specification
 * @param base the class that the object's is to be derived from
 * @param defaults attributes of the class that the program sets where the specification does not
 * @return a new object, with the attributes set
 * @throws InputError if the specification cannot be read, or names a class or an attribute that
 *         does not exist, or a value that the attribute cannot take, or if its class lacks one of
 *         the defaults
 */
Ptr<Object> CreateFromSpec(const std::string& argument,
                           const Spec& spec,
                           TypeId base,
                           const AttributeValues& defaults = {});

/**
 * @ingroup object-spec
 * @tparam T the class that the object's is to be derived from
 * @param argument the setting that the error names
 * @param spec a specification
 * @param defaults as above
 * @return a new object, with the attributes set
 * @throws InputError as above
 */
template <class T>
Ptr<T>
CreateFromSpec(const std::string& argument, const Spec& spec, const AttributeValues& defaults = {})
{
    return StaticCast<T>(CreateFromSpec(argument, spec, T::GetTypeId(), defaults));
}

/**
 * @ingroup object-spec
 * @param texts values of attributes as a user writes them, by name
 * @return the values
 */
AttributeValues MakeAttributeValues(const std::map<std::string, std::string>& texts);

} // namespace ns3

#endif /* OBJECT_SPEC_H */
