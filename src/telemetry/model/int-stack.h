/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INT_STACK_H
#define INT_STACK_H

#include "ns3/assert.h"
#include "ns3/data-rate.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief The link state that one hop records: 64 bits (uFAB, SIGCOMM 2022, Appendix G), in the
 * units of IntUnits.
 */
struct IntRecord
{
    static constexpr uint16_t MAX_QUEUE = (1 << 12) - 1; //!< greatest number of units queued

    uint16_t window{0};        //!< W: of the sender on the way in, of the link on the way out
    uint16_t tokens{0};        //!< phi: sum of the tokens of active pairs
    uint16_t rate{0};          //!< tx: transmit rate
    uint16_t queueAndSpeed{0}; //!< q in the upper 12 bits, the code of C in the lower 4

    /**
     * @brief Units queued.
     * @return q
     */
    uint16_t GetQueue() const
    {
        return queueAndSpeed >> 4;
    }

    /**
     * @brief Code of the link's capacity.
     * @return C, see IntUnits::GetSpeedCode()
     */
    uint8_t GetSpeedCode() const
    {
        return queueAndSpeed & 15;
    }

    bool operator==(const IntRecord&) const = default; //!< @return true if all fields are the same
};

/**
 * @ingroup telemetry
 * @brief The same in bytes and bit/s.
 */
struct IntValues
{
    uint64_t window{0};   //!< bytes
    uint64_t tokens{0};   //!< tokens
    uint64_t rate{0};     //!< bit/s
    uint64_t queue{0};    //!< bytes
    uint64_t capacity{0}; //!< bit/s; 0: not one that has a code
};

/**
 * @ingroup telemetry
 * @brief The units of the fields of an IntRecord. The paper names none; these span links of 1 to
 * 400 Gbps. What does not fit saturates.
 */
struct IntUnits
{
    uint32_t window{64};       //!< bytes; rounded up, so that no window becomes 0
    uint32_t tokens{1};        //!< tokens; rounded up
    uint64_t rate{10'000'000}; //!< bit/s; rounded to the nearest
    uint32_t queue{1024};      //!< bytes, 80 (a cell) on links of 10 Gbps; rounded to the nearest

    /**
     * @brief Write values into a record.
     * @param values the values
     * @return the record
     */
    IntRecord Encode(const IntValues& values) const;

    /**
     * @brief Read a record.
     * @param record the record
     * @return the values, as far as it holds them
     */
    IntValues Decode(const IntRecord& record) const;

    /**
     * @brief The code of a capacity: 1, 10, 25, 40, 50, 100, 200, 400 Gbps are 1 to 8.
     * @param bitsPerSecond the capacity
     * @return the code; 0 for any other
     */
    static uint8_t GetSpeedCode(uint64_t bitsPerSecond);

    /**
     * @brief The capacity of a code.
     * @param code the code
     * @return bit/s; 0 if it is none
     */
    static uint64_t GetSpeed(uint8_t code);
};

/**
 * @ingroup telemetry
 * @brief A probe on its way, as it stands in an item: plain, and small enough for the second line
 * of a FabricItem with 16 bytes left for its owner. ProbeHeader is the same on the wire.
 */
struct IntStack
{
    static constexpr uint32_t MAX_HOPS = 5; //!< switches of the longest path (three tiers)

    uint32_t tokens{0}; //!< phi of the pair: the sender's in a probe, the receiver's in a response
    uint8_t type{0};    //!< ProbeHeader::Type
    uint8_t hops{0};    //!< records that are valid: switches passed
    uint8_t room{0};    //!< records there are: a probe does not grow on its way
    std::array<IntRecord, MAX_HOPS> records{}; //!< by hop

    /**
     * @brief A switch writes its record.
     * @param record the record
     * @return false if there is no room for it
     */
    bool Push(const IntRecord& record)
    {
        if (hops >= room)
        {
            return false;
        }
        records[hops++] = record;
        return true;
    }

    bool operator==(const IntStack&) const = default; //!< @return true if all fields are the same
};

static_assert(sizeof(IntRecord) == 8 && sizeof(IntStack) == 48);

} // namespace ns3

#endif /* INT_STACK_H */
