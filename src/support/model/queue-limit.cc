/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-limit.h"

#include "input-error.h"
#include "input-parse.h"
#include "number-text.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace ns3
{

namespace
{

/**
 * @param units in which a length can be written
 * @return a description of such a length
 */
std::string
DescribeUnits(LengthUnits units)
{
    switch (units)
    {
    case LengthUnits::BYTES:
        return "a length in bytes, such as 512kB or 64KiB, below 4 GiB";
    case LengthUnits::BYTES_OR_TIME:
        return "a length in bytes or time at the link's rate, such as 512kB, 64KiB or 24us, below "
               "4 GiB";
    default:
        return "a length in bytes, packets or time at the link's rate, such as 512kB, 64KiB, 100p "
               "or 24us, below 4 GiB, or never";
    }
}

/**
 * @param text a text
 * @return true if its unit is that of a time
 */
bool
IsTime(const std::string& text)
{
    return text.ends_with('s');
}

} // namespace

QueueLimit::QueueLimit(QueueSize size)
    : m_bytes(size.GetUnit() == QueueSizeUnit::BYTES ? size.GetValue() : UINT32_MAX),
      m_packets(size.GetUnit() == QueueSizeUnit::PACKETS ? size.GetValue() : UINT32_MAX)
{
}

QueueLimit::QueueLimit(const std::string& text)
    : QueueLimit(Parse("queue limit", text))
{
}

QueueLimit
QueueLimit::Parse(const std::string& argument, const std::string& text)
{
    if (text == "never")
    {
        return {};
    }
    try
    {
        if (!IsTime(text))
        {
            return QueueLimit(ParseQueueSize(argument, text));
        }
        QueueLimit limit(QueueSize(QueueSizeUnit::BYTES, 0));
        limit.m_time = ParseTime(argument, text);
        return limit;
    }
    catch (const InputError&)
    {
        throw InputError(argument, text, "not " + DescribeUnits(LengthUnits::ANY));
    }
}

std::vector<QueueLimit>
QueueLimit::ParseList(const std::string& argument, const std::string& text)
{
    std::vector<QueueLimit> limits;
    for (const std::string& entry : CutList(text))
    {
        const auto first = entry.find_first_not_of(' ');
        try
        {
            limits.push_back(Parse(argument, entry.substr(std::min(first, entry.size()))));
        }
        catch (const InputError&)
        {
            throw InputError(argument,
                             text,
                             "a list of lengths, each with a unit (B, kB, KiB, MB, p, us, ...), "
                             "separated by commas");
        }
    }
    return limits;
}

QueueLimit
QueueLimit::Resolve(const std::string& argument, DataRate rate) const
{
    if (m_time.IsZero())
    {
        return *this;
    }
    if (rate.GetBitRate() == 0)
    {
        throw InputError(argument,
                         ToString(),
                         "bytes or packets: it is not known at which link's rate; or set LinkRate");
    }
    // Whole numbers as far as they go, so that a length comes out as one computed by hand.
    const auto picoseconds = static_cast<double>(m_time.ToInteger(Time::PS));
    const double bytes = picoseconds * static_cast<double>(rate.GetBitRate()) / 8e12;
    if (bytes >= 0x1p32 - 1)
    {
        throw InputError(argument,
                         ToString(),
                         "less than 4 GiB, which a link of " + std::to_string(rate.GetBitRate()) +
                             "bps sends in less");
    }
    QueueLimit resolved = *this;
    resolved.m_bytes = static_cast<uint32_t>(std::lround(bytes));
    resolved.m_packets = UINT32_MAX;
    return resolved;
}

QueueSize
QueueLimit::ToQueueSize() const
{
    return m_bytes != UINT32_MAX ? QueueSize(QueueSizeUnit::BYTES, m_bytes)
                                 : QueueSize(QueueSizeUnit::PACKETS, m_packets);
}

std::string
QueueLimit::ToString() const
{
    if (!m_time.IsZero())
    {
        return TimeText(m_time);
    }
    if (IsNever())
    {
        return "never";
    }
    return m_bytes != UINT32_MAX ? std::to_string(m_bytes) + "B" : std::to_string(m_packets) + "p";
}

std::ostream&
operator<<(std::ostream& stream, const QueueLimit& limit)
{
    return stream << limit.ToString();
}

QueueLimitValue::QueueLimitValue(QueueLimit limit)
    : m_limit(limit)
{
}

Ptr<AttributeValue>
QueueLimitValue::Copy() const
{
    return Create<QueueLimitValue>(*this);
}

std::string
QueueLimitValue::SerializeToString(Ptr<const AttributeChecker> /* checker */) const
{
    return m_limit.ToString();
}

bool
QueueLimitValue::DeserializeFromString(std::string value, Ptr<const AttributeChecker> /* checker */)
{
    try
    {
        m_limit = QueueLimit::Parse("", value);
        return true;
    }
    catch (const InputError&)
    {
        return false;
    }
}

bool
QueueLimitValue::Read(const AttributeValue& value, QueueLimit& limit)
{
    if (const auto* own = dynamic_cast<const QueueLimitValue*>(&value))
    {
        limit = own->Get();
        return true;
    }
    const auto* stock = dynamic_cast<const QueueSizeValue*>(&value);
    limit = stock ? QueueLimit(stock->Get()) : limit;
    return stock != nullptr;
}

bool
QueueLimitValue::Write(const QueueLimit& limit, AttributeValue& value)
{
    if (auto* own = dynamic_cast<QueueLimitValue*>(&value))
    {
        *own = QueueLimitValue(limit);
        return true;
    }
    auto* stock = dynamic_cast<QueueSizeValue*>(&value);
    if (stock)
    {
        stock->Set(limit.ToQueueSize());
    }
    return stock != nullptr;
}

Ptr<const AttributeChecker>
MakeQueueLimitChecker(LengthUnits units)
{
    /// Takes both kinds of value.
    class Checker : public AttributeChecker
    {
      public:
        explicit Checker(LengthUnits which)
            : m_units(which)
        {
        }

        bool Check(const AttributeValue& value) const override
        {
            QueueLimit limit;
            return QueueLimitValue::Read(value, limit) &&
                   (m_units == LengthUnits::ANY || limit.IsInBytes()) &&
                   (m_units != LengthUnits::BYTES ||
                    (limit.GetTime().IsZero() && !limit.IsNever()));
        }

        std::string GetValueTypeName() const override
        {
            return "ns3::QueueLimitValue";
        }

        bool HasUnderlyingTypeInformation() const override
        {
            return true;
        }

        std::string GetUnderlyingTypeInformation() const override
        {
            return DescribeUnits(m_units);
        }

        Ptr<AttributeValue> Create() const override
        {
            return ns3::Create<QueueLimitValue>();
        }

        bool Copy(const AttributeValue& source, AttributeValue& destination) const override
        {
            QueueLimit limit;
            return QueueLimitValue::Read(source, limit) &&
                   QueueLimitValue::Write(limit, destination);
        }

      private:
        LengthUnits m_units; //!< in which the length can be written
    };

    return ns3::Create<Checker>(units);
}

} // namespace ns3
