/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef METER_H
#define METER_H

#include "token-bucket.h"

#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <ostream>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief The verdict of a meter on a packet.
 */
enum class Colour : uint8_t
{
    GREEN,  //!< conforms
    YELLOW, //!< exceeds what is committed
    RED     //!< exceeds all
};

/**
 * @ingroup telemetry
 * @brief Name a colour.
 * @param os stream to write to
 * @param colour the colour
 * @return os
 */
std::ostream& operator<<(std::ostream& os, Colour colour);

/**
 * @ingroup telemetry
 * @brief A meter: tells how packets keep to a rate, and neither holds nor drops them.
 *
 * The object is a profile, which any number of metered classes share; what is remembered of one
 * class is a plain State of 24 bytes. No timer runs: tokens are counted when a packet comes,
 * exactly (see TOKENS_PER_BYTE). A profile must not change while states depend on it: SwitchTo()
 * moves a state to another one.
 *
 * All times are in ns and never go back. Packets are counted as IP datagrams in bytes (RFC 2697,
 * Section 1).
 */
class Meter : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /// @brief The state of a meter for one class. The tokens are in the meter's own unit.
    struct State
    {
        int64_t last;      //!< time of the count of tokens, in ns
        int64_t committed; //!< tokens of the first bucket
        int64_t excess;    //!< tokens of the second bucket
    };

    /**
     * @brief Check the attributes. Start() does not: it may be called for 100,000 states.
     * @throws InputError if they do not fit together
     */
    virtual void Check() const = 0;

    /**
     * @brief The state of a class of which no packet has come.
     * @param now the time in ns
     * @return the state
     */
    virtual State Start(int64_t now) const = 0;

    /**
     * @brief A packet comes: bring the state to the present, colour the packet, charge it.
     * @param state of its class
     * @param now the time in ns
     * @param bytes the packet
     * @param before its colour so far; a colour-blind meter ignores it
     * @return its colour
     */
    virtual Colour Mark(State& state, int64_t now, uint32_t bytes, Colour before) const = 0;

    /// @overload
    Colour Mark(State& state, int64_t now, uint32_t bytes) const
    {
        return Mark(state, now, bytes, Colour::GREEN);
    }

    /**
     * @brief Bring a state to the present without a packet.
     * @param state of a class
     * @param now the time in ns
     */
    virtual void Settle(State& state, int64_t now) const = 0;

    /**
     * @brief A copy of a state that is brought to the present, for those who only look: what they
     * see has no part in what packets meet later, though a meter may round whenever it settles.
     * @param state of a class
     * @param now the time in ns
     * @return the copy
     */
    virtual State GetSettled(const State& state, int64_t now) const;

    /**
     * @brief Move a state to another profile, to change a rate or a burst. What happened until now
     * counts at the old rate; what does not fit smaller bursts is lost. Between kinds of meters,
     * the state starts anew.
     * @param next the other profile
     * @param state of a class
     * @param now the time in ns
     */
    void SwitchTo(const Meter& next, State& state, int64_t now) const;

    /**
     * @brief Take the last packet back: it was coloured, then dropped, and is not to be charged.
     * @param state of its class, as Mark() left it
     * @param before the state before the packet
     * @param now the time of the packet in ns
     */
    virtual void Refund(State& state, const State& before, int64_t now) const;

    /// @brief Takes the name of a quantity, with its unit, and its value.
    using Report = std::function<void(const char* name, double value)>;

    /**
     * @brief Tell what a state says, for recorders.
     * @param state of a class, settled
     * @param report takes bytes that are left in each bucket, or wait in each imagined queue
     */
    virtual void ReportState(const State& state, const Report& report) const;

    /**
     * @brief The place of a class between the point at which packets begin to be yellow and that at
     * which they are red, for marks and drops whose probability grows.
     * @param state of a class, as Mark() left it
     * @return 0 to 1
     */
    virtual double GetYellowFill(const State& state) const = 0;

  protected:
    /**
     * @brief Cut what does not fit the bursts.
     * @param state made by a profile of the same kind
     */
    virtual void Clip(State& state) const = 0;
};

static_assert(sizeof(Meter::State) == 24);

} // namespace ns3

#endif /* METER_H */
