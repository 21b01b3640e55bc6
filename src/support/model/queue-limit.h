/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_LIMIT_H
#define QUEUE_LIMIT_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup support
 * @brief A length of a queue to hold queues against: the most that may wait, or a threshold.
 *
 * It is written in bytes (`60kB`), in packets of any size (`40p`, as ns3::QueueSize counts them),
 * as a time (`24us`: the bytes that the link sends meanwhile), or as `never`, a length that no
 * queue reaches. A time has a length in bytes from Resolve() on; until then it is 0.
 */
class QueueLimit
{
  public:
    /// @brief Never reached.
    QueueLimit() = default;

    /**
     * @brief In bytes or packets.
     * @param size the length; 2^32 - 1 of either is never reached
     */
    QueueLimit(QueueSize size);

    /**
     * @brief As a text in a program.
     * @param text a length as Parse() takes it, such as "24us"
     */
    explicit QueueLimit(const std::string& text);

    /**
     * @brief Read a length.
     * @param argument the setting that the error names
     * @param text the length with its unit
     * @return the length
     * @throws InputError if the text is anything else
     */
    static QueueLimit Parse(const std::string& argument, const std::string& text);

    /**
     * @brief Read a list such as "100p,30kB".
     * @param argument the setting that the error names
     * @param text lengths separated by commas; may be empty
     * @return the lengths
     * @throws InputError if the text is anything else
     */
    static std::vector<QueueLimit> ParseList(const std::string& argument, const std::string& text);

    /**
     * @brief The length at a link.
     * @param argument the setting that the error names
     * @param rate of the link that the queue feeds; 0: there is none
     * @return in bytes, rounded to the nearest, where it was written as a time; else the same
     * @throws InputError if a time has no link, or comes to 4 GiB or more there
     */
    QueueLimit Resolve(const std::string& argument, DataRate rate) const;

    /**
     * @brief The length the way ns-3 says it.
     * @return in bytes or packets; never is 2^32 - 1 packets
     */
    QueueSize ToQueueSize() const;

    /**
     * @brief The length as it was written, in the plainest unit.
     * @return a text that Parse() reads as the same length
     */
    std::string ToString() const;

    /**
     * @brief Tell whether a packet may join a queue.
     * @param bytes waiting in the queue
     * @param packets waiting in the queue
     * @param size of the packet, in bytes
     * @return true if the queue is within the limit with the packet
     */
    bool Admits(uint32_t bytes, uint32_t packets, uint32_t size) const
    {
        return bytes + size <= m_bytes && packets < m_packets;
    }

    /**
     * @brief Tell whether a queue is longer than the limit.
     * @param bytes waiting in the queue
     * @param packets waiting in the queue
     * @return true if it is
     */
    bool IsExceededBy(uint32_t bytes, uint32_t packets) const
    {
        return bytes > m_bytes || packets > m_packets;
    }

    /// @brief The same with a queue that counts its bytes and packets.
    template <class Queue>
    bool Admits(const Queue& queue, uint32_t size) const
    {
        return Admits(queue.GetBytes(), queue.GetPackets(), size);
    }

    /// @brief The same with a queue that counts its bytes and packets.
    template <class Queue>
    bool IsExceededBy(const Queue& queue) const
    {
        return IsExceededBy(queue.GetBytes(), queue.GetPackets());
    }

    /**
     * @brief Tell whether a queue within a buffer can be longer than this threshold.
     * @param buffer most that may wait
     * @return false only if both are bytes or both packets and the buffer ends first
     */
    bool IsWithin(const QueueLimit& buffer) const
    {
        return IsInBytes() != buffer.IsInBytes() || buffer.IsNever() || m_bytes < buffer.m_bytes ||
               m_packets < buffer.m_packets;
    }

    /**
     * @brief Tell whether bytes alone decide.
     * @return false if the length is in packets
     */
    bool IsInBytes() const
    {
        return m_packets == UINT32_MAX;
    }

    /**
     * @brief The length in bytes.
     * @return 2^32 - 1 if it is in packets, or never reached
     */
    uint32_t GetBytes() const
    {
        return m_bytes;
    }

    /**
     * @brief Tell whether no queue ever reaches the length.
     * @return true for `never`
     */
    bool IsNever() const
    {
        return m_bytes == UINT32_MAX && m_packets == UINT32_MAX;
    }

    /**
     * @brief The time as which the length was written.
     * @return 0 if it was written in bytes or packets
     */
    Time GetTime() const
    {
        return m_time;
    }

    /// @brief Equal lengths are written alike.
    bool operator==(const QueueLimit& other) const = default;

  private:
    uint32_t m_bytes{UINT32_MAX};   //!< most bytes
    uint32_t m_packets{UINT32_MAX}; //!< most packets
    Time m_time;                    //!< as which it was written; 0: in bytes or packets
};

/**
 * @ingroup support
 * @brief Write a length for a person.
 * @param stream takes it
 * @param limit the length
 * @return the stream
 */
std::ostream& operator<<(std::ostream& stream, const QueueLimit& limit);

/**
 * @ingroup support
 * @brief The value of an attribute that is a QueueLimit. Such an attribute takes an
 * ns3::QueueSizeValue as well, as stock programs set queues' MaxSize.
 */
class QueueLimitValue : public AttributeValue
{
  public:
    QueueLimitValue() = default;

    /**
     * @brief A value.
     * @param limit the length
     */
    explicit QueueLimitValue(QueueLimit limit);

    /// @brief The length.
    QueueLimit Get() const
    {
        return m_limit;
    }

    Ptr<AttributeValue> Copy() const override;
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override;
    bool DeserializeFromString(std::string value, Ptr<const AttributeChecker> checker) override;

    /**
     * @brief Read what an attribute of this kind is set to.
     * @param value a QueueLimitValue or QueueSizeValue
     * @param [out] limit the length
     * @return false if the value is of another kind
     */
    static bool Read(const AttributeValue& value, QueueLimit& limit);

    /**
     * @brief Write what an attribute of this kind is.
     * @param limit the length
     * @param [out] value a QueueLimitValue or QueueSizeValue
     * @return false if the value is of another kind
     */
    static bool Write(const QueueLimit& limit, AttributeValue& value);

  private:
    QueueLimit m_limit; //!< the length
};

/// @ingroup support
/// @brief Units in which an attribute that is a QueueLimit can be written.
enum class LengthUnits
{
    ANY,           //!< all that QueueLimit::Parse() takes
    BYTES_OR_TIME, //!< not in packets
    BYTES          //!< nothing else
};

/**
 * @ingroup support
 * @param units in which the length can be written
 * @return the checker of an attribute that is a QueueLimit
 */
Ptr<const AttributeChecker> MakeQueueLimitChecker(LengthUnits units = LengthUnits::ANY);

/**
 * @ingroup support
 * @tparam T a class with an attribute that is a QueueLimit
 * @param member holds it
 * @return reads and writes the attribute
 */
template <class T>
Ptr<const AttributeAccessor>
MakeQueueLimitAccessor(QueueLimit T::* member)
{
    /// Takes both kinds of value.
    class Accessor : public AttributeAccessor
    {
      public:
        explicit Accessor(QueueLimit T::* which)
            : m_member(which)
        {
        }

        bool Set(ObjectBase* object, const AttributeValue& value) const override
        {
            auto* owner = dynamic_cast<T*>(object);
            return owner && QueueLimitValue::Read(value, owner->*m_member);
        }

        bool Get(const ObjectBase* object, AttributeValue& value) const override
        {
            const auto* owner = dynamic_cast<const T*>(object);
            return owner && QueueLimitValue::Write(owner->*m_member, value);
        }

        bool HasGetter() const override
        {
            return true;
        }

        bool HasSetter() const override
        {
            return true;
        }

      private:
        QueueLimit T::* m_member; //!< of the object
    };

    return Create<Accessor>(member);
}

} // namespace ns3

#endif /* QUEUE_LIMIT_H */
