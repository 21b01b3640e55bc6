/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIMITER_SWITCH_H
#define LIMITER_SWITCH_H

#include "traffic-classifier.h"

#include "ns3/nanosecond-clock.h"
#include "ns3/shaped-queue-disc.h"
#include "ns3/shared-meter.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Names a limiter of a switch: the key by which a packet finds it, but for the epoch.
 */
struct LimiterKey
{
    uint32_t port{0};                        //!< index of the output port
    uint32_t trafficClass{0};                //!< number of the class, counted from 1
    uint16_t input{LimiterTable::ANY_INPUT}; //!< input port, or any
    bool anyOutput{false}; //!< true for one limiter for all output ports; port is any of them

    auto operator<=>(const LimiterKey&) const = default;
};

/**
 * @ingroup nimble
 * @brief Configuration of a limiter.
 */
struct LimiterSetting
{
    DataRate rate{};                                               //!< of IP packets
    uint32_t yellowBurst{0};                                       //!< bytes
    uint32_t redBurst{0};                                          //!< bytes
    NimbleQueue queue{NimbleQueue::LM};                            //!< mechanism of the limit
    NimbleEnforcement enforcement{NimbleEnforcement::ECN_SHAPING}; //!< treatment of the excess
    MeteredQueueDisc::Actions actions{};                           //!< by colour

    /**
     * @brief True if a switch need not be told of another setting.
     * @param other the other one
     * @param tolerance difference of rates, relative to this one, that does not count
     * @return true if they are as good as the same
     */
    bool IsCloseTo(const LimiterSetting& other, double tolerance) const;
};

/**
 * @ingroup nimble
 * @brief Limiters by name.
 */
using LimiterSettings = std::map<LimiterKey, LimiterSetting>;

/**
 * @ingroup nimble
 * @brief New settings of limiters, in the order of writing; nothing: no limiter.
 */
using LimiterUpdates = std::vector<std::pair<LimiterKey, std::optional<LimiterSetting>>>;

/**
 * @ingroup nimble
 * @brief Changes to tell switches: only what differs (Nimble, SOSR 2021, Section 4.2). A limiter
 * that is removed limits no more.
 */
struct LimiterDelta
{
    std::vector<LimiterKey> added;    //!< new limiters
    std::vector<LimiterKey> removed;  //!< limiters that are no more
    std::vector<LimiterKey> modified; //!< limiters with another setting

    /**
     * @brief Compare.
     * @param before settings that switches have
     * @param after settings that they are to have
     * @param tolerance relative difference of rates that does not count
     */
    LimiterDelta(const LimiterSettings& before, const LimiterSettings& after, double tolerance);

    /**
     * @brief Number of updates.
     * @return so many limiters are written
     */
    std::size_t Count() const
    {
        return added.size() + removed.size() + modified.size();
    }
};

/**
 * @ingroup nimble
 * @brief Makes meters of which many are alike.
 */
class MeterSource
{
  public:
    /**
     * @param nativeMeter specification of native meters, without rates and bursts
     * @param logicalMeter specification of logical meters, without rates and bursts
     */
    MeterSource(Spec nativeMeter, Spec logicalMeter);

    /**
     * @brief Make a meter, or give one that is the same.
     * @param setting its setting
     * @return the meter
     */
    Ptr<const Meter> Get(const LimiterSetting& setting);

  private:
    using Key = std::tuple<NimbleQueue, uint64_t, uint32_t, uint32_t>; //!< identity of a meter
    static constexpr std::size_t MOST = 4096; //!< meters that are remembered

    Spec m_nativeMeter;                      //!< specification
    Spec m_logicalMeter;                     //!< specification
    std::map<Key, Ptr<const Meter>> m_known; //!< made so far
};

/**
 * @ingroup nimble
 * @brief The limiters of an output port: meters before its queue, virtual queues as its queue.
 */
struct LimiterPort
{
    Ptr<MeteredQueueDisc> metered; //!< the port's discipline
    Ptr<ShapedQueueDisc> shaped;   //!< behind the meters; nullptr: there are no virtual queues
    Ptr<LimiterTable> meters;      //!< finds the meter of an item
    Ptr<LimiterTable> queues;      //!< finds the virtual queue of an item
    DataRate rate;                 //!< of the link
    uint32_t buffer{0};            //!< bytes that its classes share

    std::set<uint32_t> virtualQueues; //!< numbers of the classes that have one
};

/**
 * @ingroup nimble
 * @brief The configuration of a switch's limiters, in two versions (Nimble, SOSR 2021, Sections 3.3
 * and 4.1).
 *
 * Write() goes to the version that is not in use. Flip() changes the epoch, and so all that was
 * written, at once. What limiters remember of their classes is shared by the versions, so that no
 * class gains a burst by a change.
 */
class LimiterSwitch
{
  public:
    /**
     * @param ports of the switch, by their index; an index may be missing
     * @param meters makes meters; outlives this
     * @param nClasses classes that there are, if any limiter is told apart by its input port
     */
    LimiterSwitch(std::map<uint32_t, LimiterPort> ports,
                  MeterSource& meters,
                  uint32_t nClasses = 0);

    /**
     * @brief Write a setting to the version that is not in use.
     * @param key names the limiter
     * @param setting its new setting; nothing: no limiter
     */
    void Write(const LimiterKey& key, const std::optional<LimiterSetting>& setting);

    /// @brief Use what was written.
    void Flip();

    /**
     * @brief Register in which the rate of a limiter is kept. Limiters are numbered as they are
     * first written.
     * @param key names the limiter
     * @return index of the register
     */
    uint32_t GetIndex(const LimiterKey& key);

    /**
     * @brief Write a rate as the data plane does: to the version in use, from the next packet on
     * (Nimble, SOSR 2021, Section 4.1). Only logical meters have their rates in registers.
     * @param index of the register
     * @param rate the rate
     * @return false if there is no logical meter with that index, and nothing is written
     */
    bool WriteRate(uint32_t index, DataRate rate);

    /// @brief Limiters of the version in use.
    const LimiterSettings& GetActive() const
    {
        return m_banks[m_epoch % 2];
    }

  private:
    /**
     * @brief Have a port do what the version in use says of a limiter.
     * @param key names the limiter
     */
    void Apply(const LimiterKey& key);
    void ApplyToMeter(LimiterPort& port, const LimiterKey& key, const LimiterSetting* setting);
    void ApplyToQueue(LimiterPort& port, const LimiterKey& key, const LimiterSetting* setting);
    void ApplyToAllPorts(const LimiterKey& key, const LimiterSetting* setting);
    uint32_t GetNumber(const LimiterKey& key);

    std::map<uint32_t, LimiterPort> m_ports;  //!< by index
    MeterSource& m_meters;                    //!< makes meters
    uint32_t m_nClasses;                      //!< limiters by input port have numbers behind it
    std::array<LimiterSettings, 2> m_banks;   //!< both versions
    std::vector<LimiterKey> m_written;        //!< since the last flip
    uint32_t m_epoch{0};                      //!< number of flips
    std::map<LimiterKey, uint32_t> m_byInput; //!< numbers of limiters with an input port
    std::map<LimiterKey, uint32_t> m_indices; //!< registers of limiters
    std::vector<LimiterKey> m_registers;      //!< limiters by index
    std::map<LimiterKey, Ptr<SharedMeter>> m_shared; //!< limiters for all output ports
    NanosecondClock m_clock;                         //!< of the meters
};

} // namespace ns3

#endif /* LIMITER_SWITCH_H */
