/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "attribute-form.h"

#include "input-error.h"
#include "input-parse.h"
#include "number-text.h"
#include "queue-limit.h"

#include "ns3/attribute-helper.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/string.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>

namespace ns3
{

namespace
{

/// Words that stand before the name of a base class in what checkers say.
constexpr std::string_view SPEC_OF = "spec of ";
constexpr std::string_view SPECS_OF = "specs of "; ///< the same, where there may be several
constexpr std::string_view CLASS_OF = "class of "; ///< the same, of the name of a class
/// The name of the type of value of a specification.
constexpr const char* SPEC_TYPE = "ns3::SpecValue";
/// The text by which the checker of a rate demands one above 0.
constexpr std::string_view POSITIVE_RATE = "DataRate above 0";

/**
 * @tparam Integer an integral type
 * @param text a text
 * @return true if all of it is a number of that type
 */
template <class Integer>
bool
IsInteger(const std::string& text)
{
    Integer number;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end;
}

/**
 * @param text the name of a class, perhaps followed by attributes: ns3::Class[Name=Value|...]
 * @return true if ns-3 can create such objects
 */
bool
IsFactory(const std::string& text)
{
    const auto bracket = text.find('[');
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(text.substr(0, bracket), &tid) || !tid.HasConstructor())
    {
        return false;
    }
    return bracket == std::string::npos || text.find(']') == text.size() - 1;
}

/**
 * @param list names with bars between them
 * @return the names
 */
std::vector<std::string>
SplitChoices(const std::string& list)
{
    std::vector<std::string> names;
    std::istringstream text(list);
    for (std::string name; std::getline(text, name, '|');)
    {
        names.push_back(name);
    }
    return names;
}

/**
 * @param text a number, perhaps with a unit
 * @return true if the number is 0
 */
bool
IsZero(const std::string& text)
{
    return std::strtod(text.c_str(), nullptr) == 0;
}

/**
 * ns-3 ends the program on some values that it cannot read. They are sorted out here.
 * @param checker an attribute's checker
 * @param text a value
 * @throws InputError for such a value
 */
void
CheckReadable(const AttributeChecker& checker, const std::string& text)
{
    const std::string type = checker.GetValueTypeName();
    bool readable = true;
    if (type == "ns3::IntegerValue")
    {
        readable = IsInteger<int64_t>(text);
    }
    else if (type == "ns3::UintegerValue")
    {
        readable = IsInteger<uint64_t>(text);
    }
    else if (type == "ns3::DoubleValue")
    {
        ParseNumber("", text);
    }
    else if (type == "ns3::TimeValue")
    {
        ParseTime("", text.starts_with('-') ? text.substr(1) : text);
    }
    else if (type == "ns3::DataRateValue")
    {
        ParseRate("", IsZero(text) ? "1" + text : text); // an attribute may be 0bps
    }
    else if (type == "ns3::QueueSizeValue")
    {
        ParseQueueSize("", text);
    }
    else if (type.starts_with("ns3::EnumValue"))
    {
        const auto names = SplitChoices(checker.GetUnderlyingTypeInformation());
        readable = std::ranges::find(names, text) != names.end();
    }
    else if (type == "ns3::PointerValue" || type == "ns3::ObjectFactoryValue")
    {
        readable = IsFactory(text);
    }
    else if (type == "ns3::TypeIdValue")
    {
        TypeId unused;
        readable = TypeId::LookupByNameFailSafe(text, &unused);
    }
    if (!readable)
    {
        throw InputError("", text, "");
    }
}

/**
 * ns-3 does not read all numbers that we do, such as 1e3Mbps.
 * @param checker an attribute's checker
 * @param text a readable value
 * @return the same value as ns-3 reads it
 */
std::string
ToNs3Text(const AttributeChecker& checker, const std::string& text)
{
    const std::string type = checker.GetValueTypeName();
    if (type == "ns3::QueueSizeValue")
    {
        const QueueSize size = ParseQueueSize("", text);
        return std::to_string(size.GetValue()) +
               (size.GetUnit() == QueueSizeUnit::BYTES ? "B" : "p");
    }
    if (type == "ns3::DataRateValue")
    {
        return IsZero(text) ? "0bps" : std::to_string(ParseRate("", text).GetBitRate()) + "bps";
    }
    return text;
}

/**
 * @param range a range as ns-3 writes it: `uint32_t 1:65000`, `Time +1ns:+5ns`
 * @return least and most; nothing if it is no range
 */
std::optional<std::pair<std::string, std::string>>
CutRange(const std::string& range)
{
    const auto begin = range.find(' ');
    const auto middle = range.find(':');
    if (begin == std::string::npos || middle == std::string::npos)
    {
        return std::nullopt;
    }
    return std::pair(range.substr(begin + 1, middle - begin - 1), range.substr(middle + 1));
}

/**
 * @param words such as "at least"
 * @param bound of a range of times, as ns-3 writes it
 * @return the bound in words and in a unit that suits it; nothing if it is that of all times
 */
std::string
DescribeBound(const std::string& words, const std::string& bound)
{
    if (std::abs(std::strtod(bound.c_str(), nullptr)) > 9e18) // of about 2^63 steps
    {
        return "";
    }
    return ", " + words + " " + TimeText(Time(bound));
}

/**
 * @param least the smallest value
 * @param most the largest
 * @return the range of times in words
 */
std::string
DescribeTimes(const std::string& least, const std::string& most)
{
    const std::string bound = DescribeBound("at most", most);
    std::ostringstream longest;
    longest << ", at most " << GetLongestTime().GetSeconds() << "s";
    return DescribeBound("at least", least) + (bound.empty() ? longest.str() : bound);
}

/**
 * @param least the smallest value
 * @param most the largest
 * @return the range of numbers in words; nothing if it is that of all doubles
 */
std::string
DescribeNumbers(const std::string& least, const std::string& most)
{
    const bool bounded = most.find("e+308") == std::string::npos;
    if (!bounded && least.find("e+308") != std::string::npos)
    {
        return "";
    }
    const auto write = [](const std::string& bound) {
        // A whole number may have more digits than a double.
        return bound.find('e') == std::string::npos
                   ? bound
                   : NumberText(std::strtod(bound.c_str(), nullptr));
    };
    return bounded ? " from " + write(least) + " to " + write(most)
                   : " of at least " + write(least);
}

/**
 * @param bound of a number
 * @return the number; nothing if it is that of all doubles
 */
std::optional<double>
ReadNumber(const std::string& bound)
{
    const double number = std::strtod(bound.c_str(), nullptr);
    return std::abs(number) < 1e308 ? std::optional(number) : std::nullopt;
}

/**
 * @param bound of a time
 * @return the time in seconds; nothing if it is that of all times
 */
std::optional<double>
ReadTime(const std::string& bound)
{
    return DescribeBound("", bound).empty()
               ? std::nullopt
               : std::optional(static_cast<double>(Time(bound).GetPicoSeconds()) / 1e12);
}

/**
 * @param rate a rate
 * @return it in the largest unit in which it is 1 or more
 */
std::string
WriteRate(DataRate rate)
{
    const auto bits = static_cast<double>(rate.GetBitRate());
    for (const auto& [unit, size] : {std::pair("Gbps", 1e9), {"Mbps", 1e6}, {"kbps", 1e3}})
    {
        if (bits >= size)
        {
            return NumberText(bits / size) + unit;
        }
    }
    return NumberText(bits) + "bps";
}

/**
 * @param limit a length of a queue
 * @return it, bytes in the largest unit in which they are whole
 */
std::string
WriteLength(const QueueLimit& limit)
{
    const uint32_t bytes = limit.GetBytes();
    for (const auto& [unit, size] : {std::pair("MB", 1'000'000U), {"kB", 1000U}, {"KiB", 1024U}})
    {
        if (limit.ToString().ends_with('B') && bytes >= size && bytes % size == 0)
        {
            return std::to_string(bytes / size) + unit;
        }
    }
    return limit.ToString();
}

/**
 * @param meaning the text by which a checker describes a specification or a class name
 * @return the form of these values; a plain text if they are neither
 */
AttributeForm
GetNamingForm(const std::string& meaning)
{
    AttributeForm form{"text", "a text"};
    for (const auto prefix : {SPEC_OF, SPECS_OF, CLASS_OF})
    {
        if (meaning.starts_with(prefix))
        {
            form.base = meaning.substr(prefix.size());
            form.several = prefix == SPECS_OF;
            form.kind = prefix == CLASS_OF ? "class" : "spec";
            form.allowed = (prefix == CLASS_OF ? "a class derived from "
                            : form.several     ? "specifications of "
                                               : "a specification of ") +
                           form.base;
        }
    }
    return form;
}

} // namespace

bool
IsSettable(const TypeId::AttributeInformation& attribute)
{
    return attribute.flags & TypeId::ATTR_CONSTRUCT && attribute.accessor->HasSetter() &&
           attribute.supportLevel == TypeId::SupportLevel::SUPPORTED;
}

AttributeForm
GetAttributeForm(const AttributeChecker& checker)
{
    const std::string type = checker.GetValueTypeName();
    const std::string known =
        checker.HasUnderlyingTypeInformation() ? checker.GetUnderlyingTypeInformation() : "";
    const auto range = CutRange(known);
    if (type == "ns3::TimeValue")
    {
        AttributeForm form{"time", "a time with its unit, such as 100us"};
        if (range)
        {
            form.allowed += DescribeTimes(range->first, range->second);
            form.least = ReadTime(range->first);
            form.most = ReadTime(range->second);
        }
        return form;
    }
    if (type == "ns3::DataRateValue")
    {
        const std::string above = known == POSITIVE_RATE ? " above 0" : "";
        return {"rate", "a rate" + above + " with its unit, such as 10Gbps"};
    }
    if (type == "ns3::QueueSizeValue")
    {
        return {"length",
                "a length in bytes or packets, such as 512kB, 64KiB or 100p, below 4 GiB"};
    }
    if (type == "ns3::QueueLimitValue")
    {
        return {"size", known};
    }
    if (type == "ns3::BooleanValue")
    {
        return {"bool", "true or false"};
    }
    if (type.starts_with("ns3::EnumValue"))
    {
        return {"choice", "one of " + known, SplitChoices(known)};
    }
    if (type == "ns3::StringValue" || type == SPEC_TYPE)
    {
        return GetNamingForm(known);
    }
    if (type == "ns3::IntegerValue" || type == "ns3::UintegerValue" || type == "ns3::DoubleValue")
    {
        const bool whole = type != "ns3::DoubleValue";
        AttributeForm form{whole ? "integer" : "number", whole ? "a whole number" : "a number"};
        if (range)
        {
            form.allowed += DescribeNumbers(range->first, range->second);
            form.least = ReadNumber(range->first);
            form.most = ReadNumber(range->second);
        }
        return form;
    }
    return {type, "a value of type " + (known.empty() ? type : known)};
}

std::string
WriteAttributeValue(const AttributeValue& value, const Ptr<const AttributeChecker>& checker)
{
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        return time->Get() == Time::Max() ? "none" : TimeText(time->Get());
    }
    if (const auto* number = dynamic_cast<const DoubleValue*>(&value))
    {
        return NumberText(number->Get());
    }
    if (const auto* rate = dynamic_cast<const DataRateValue*>(&value))
    {
        return WriteRate(rate->Get());
    }
    if (const auto* size = dynamic_cast<const QueueSizeValue*>(&value))
    {
        return WriteLength(size->Get());
    }
    if (const auto* limit = dynamic_cast<const QueueLimitValue*>(&value))
    {
        return WriteLength(limit->Get());
    }
    return value.SerializeToString(checker);
}

Ptr<const AttributeValue>
ParseAttributeValue(const std::string& argument, const AttributeChecker& checker, const Spec& value)
{
    if (checker.GetValueTypeName() == SPEC_TYPE)
    {
        return Create<SpecValue>(value);
    }
    const std::string text = value.ToString();
    try
    {
        CheckReadable(checker, text);
    }
    catch (const InputError&)
    {
        throw InputError(argument, text, "not " + GetAttributeForm(checker).allowed);
    }
    auto parsed = checker.CreateValidValue(StringValue(ToNs3Text(checker, text)));
    if (!parsed)
    {
        throw InputError(argument, text, "not " + GetAttributeForm(checker).allowed);
    }
    return parsed;
}

Ptr<const AttributeChecker>
MakePositiveRateChecker()
{
    /// The bound is checked on top of the type.
    class Checker : public DataRateChecker
    {
      public:
        bool Check(const AttributeValue& value) const override
        {
            const auto rate = dynamic_cast<const DataRateValue*>(&value);
            return rate && rate->Get().GetBitRate() > 0;
        }

        std::string GetValueTypeName() const override
        {
            return "ns3::DataRateValue";
        }

        bool HasUnderlyingTypeInformation() const override
        {
            return true;
        }

        std::string GetUnderlyingTypeInformation() const override
        {
            return std::string(POSITIVE_RATE);
        }

        Ptr<AttributeValue> Create() const override
        {
            return ns3::Create<DataRateValue>();
        }

        bool Copy(const AttributeValue& source, AttributeValue& destination) const override
        {
            const auto from = dynamic_cast<const DataRateValue*>(&source);
            const auto to = dynamic_cast<DataRateValue*>(&destination);
            if (from && to)
            {
                *to = *from;
            }
            return from && to;
        }
    };

    return ns3::Create<Checker>();
}

Ptr<const AttributeChecker>
MakeSpecChecker(TypeId base, bool several)
{
    return MakeSimpleAttributeChecker<SpecValue, AttributeChecker>(
        SPEC_TYPE,
        std::string(several ? SPECS_OF : SPEC_OF) + base.GetName());
}

void
CheckDefault(TypeId tid, const std::string& attribute, const std::string& option)
{
    TypeId::AttributeInformation info;
    while (tid.HasParent() && tid.GetParent().LookupAttributeByName(attribute, &info))
    {
        tid = tid.GetParent(); // the class that declares it, whose name the user wrote
    }
    tid.LookupAttributeByName(attribute, &info);
    if (info.initialValue != info.originalInitialValue)
    {
        throw InputError("default of " + tid.GetName() + "::" + attribute,
                         WriteAttributeValue(*info.initialValue, info.checker),
                         "say " + option + ", which sets it here");
    }
}

Ptr<const AttributeChecker>
MakeClassNameChecker(TypeId base)
{
    return MakeSimpleAttributeChecker<StringValue, StringChecker>("StringValue",
                                                                  std::string(CLASS_OF) +
                                                                      base.GetName());
}

} // namespace ns3
