/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ATTRIBUTE_FORM_H
#define ATTRIBUTE_FORM_H

#include "ns3/attribute.h"
#include "ns3/spec.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup object-spec
 * @brief The texts that an attribute can be set to.
 */
struct AttributeForm
{
    std::string kind; //!< bool, integer, number, time, rate, length, size, choice, spec, class or
                      //!< text;
                      //!< else ns-3's name
    std::string allowed;                //!< in words, such as "a whole number from 1 to 64"
    std::vector<std::string> choices{}; //!< of a choice: its names
    std::optional<double> least{};      //!< of a number, or of a time in seconds: its bound, if any
    std::optional<double> most{};       //!< as above
    std::string base{}; //!< of a spec or a class: what the object's class or the class derives from
    bool several{false}; //!< of a spec: whether there may be several, with semicolons between them
};

/**
 * @ingroup object-spec
 * @param attribute an attribute
 * @return true if it can be set when an object is created
 */
bool IsSettable(const TypeId::AttributeInformation& attribute);

/**
 * @ingroup object-spec
 * @param checker an attribute's checker
 * @return the form of its values
 */
AttributeForm GetAttributeForm(const AttributeChecker& checker);

/**
 * @ingroup object-spec
 * @brief Write the value of an attribute as people write it, where ns-3 prints +5e+09ps.
 * @param value the value
 * @param checker the attribute's checker
 * @return for example "5ms", "10Gbps" or "512kB"; "none" for the longest time that there is
 */
std::string WriteAttributeValue(const AttributeValue& value,
                                const Ptr<const AttributeChecker>& checker);

/**
 * @ingroup object-spec
 * @brief Read the value of an attribute, also where ns-3 itself would end the program.
 * @param argument the setting that the error names
 * @param checker the attribute's checker
 * @param value the text it was set to
 * @return the value
 * @throws InputError if the attribute cannot take it
 */
Ptr<const AttributeValue> ParseAttributeValue(const std::string& argument,
                                              const AttributeChecker& checker,
                                              const Spec& value);

/**
 * @ingroup object-spec
 * @return the checker of a rate that must be above 0
 */
Ptr<const AttributeChecker> MakePositiveRateChecker();

/**
 * @ingroup object-spec
 * @param base the class that the object's is to be derived from
 * @param several true if it may be several, with semicolons between them
 * @return the checker of an attribute that is an object's specification: it says of what
 */
Ptr<const AttributeChecker> MakeSpecChecker(TypeId base, bool several = false);

/**
 * @ingroup object-spec
 * @tparam T the class that the object's is to be derived from
 * @param several as above
 * @return as above
 */
template <class T>
Ptr<const AttributeChecker>
MakeSpecChecker(bool several = false)
{
    return MakeSpecChecker(T::GetTypeId(), several);
}

/**
 * @ingroup object-spec
 * @brief Refuse a default that the user has changed and that would be overwritten.
 * @param tid a class with the attribute, its own or its parent's
 * @param attribute an attribute that the program sets itself
 * @param option the option that sets it
 * @throws InputError if the attribute's default is not what its class declares
 */
void CheckDefault(TypeId tid, const std::string& attribute, const std::string& option);

/**
 * @ingroup object-spec
 * @param base a class
 * @return the checker of a string attribute that names a class derived from it, "ns3::Name"
 */
Ptr<const AttributeChecker> MakeClassNameChecker(TypeId base);

/**
 * @ingroup object-spec
 * @tparam T a class
 * @return as above
 */
template <class T>
Ptr<const AttributeChecker>
MakeClassNameChecker()
{
    return MakeClassNameChecker(T::GetTypeId());
}

} // namespace ns3

#endif /* ATTRIBUTE_FORM_H */
