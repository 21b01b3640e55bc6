/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_SELECTOR_H
#define PATH_SELECTOR_H

#include "fabric-item.h"

#include "ns3/object.h"

namespace ns3
{

class FabricSwitch;

/**
 * @ingroup fabric
 * @brief The choice of a switch among equal-cost next hops. Each switch has one of its own.
 */
class PathSelector : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Choose a next hop.
     * @param item the item to forward
     * @param group names the set of next hops within the switch
     * @param count number of next hops, at least 2
     * @return the choice, less than count
     */
    virtual uint32_t Choose(const FabricItem& item, uint32_t group, uint32_t count) = 0;

    /**
     * @brief Assign fixed random variable stream numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;

    /**
     * @brief Get to know the switch, for a choice that depends on its ports. Called once.
     * @param node the switch; outlives the selector's use
     */
    virtual void SetSwitch(FabricSwitch& node)
    {
        (void)node;
    }

    /**
     * @brief Have the choices of a selector logged, if NS_LOG asks for them.
     * @param selector the selector
     * @return the selector; if it is logged, one that chooses the same
     */
    static Ptr<PathSelector> Log(Ptr<PathSelector> selector);

  protected:
    static constexpr int64_t AUTOMATIC_STREAM = -1; //!< ns-3's own value for it

    /**
     * @brief Draw a seed from an ns-3 stream.
     * @param stream the stream number; AUTOMATIC_STREAM: the next that ns-3 gives
     * @return 64 random bits, the same for the same RngSeed, RngRun and stream
     */
    static uint64_t DrawSeed(int64_t stream);

    /**
     * @brief Draw a choice uniformly.
     * @param [in,out] state of the generator, from DrawSeed()
     * @param count number of choices
     * @return less than count
     */
    static uint32_t Draw(uint64_t& state, uint32_t count);
};

/**
 * @ingroup fabric
 * @brief Flow-level ECMP: all packets of a 5-tuple take the same next hop.
 *
 * Each switch mixes the packet's hash with a seed of its own, so that the choices of successive
 * tiers are independent (no hash polarisation).
 */
class FlowHashPathSelector : public PathSelector
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    FlowHashPathSelector();

    uint32_t Choose(const FabricItem& item, uint32_t group, uint32_t count) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    uint64_t m_seed; //!< of this switch
};

/**
 * @ingroup fabric
 * @brief Flow-level ECMP with the same hash in all switches, as in chips to which nobody has given
 * a seed.
 *
 * Flows that leave a switch by one port choose alike at the next (hash polarisation).
 */
class UnseededHashPathSelector : public PathSelector
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    uint32_t Choose(const FabricItem& item, uint32_t group, uint32_t count) override;
    int64_t AssignStreams(int64_t stream) override;
};

/**
 * @ingroup fabric
 * @brief Packet spray: each packet takes a next hop of its own.
 */
class SprayPathSelector : public PathSelector
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    SprayPathSelector();

    /// @brief The choice of a packet's next hop.
    enum Mode
    {
        RANDOM,      //!< uniformly at random
        ROUND_ROBIN, //!< in turn from a random start, one counter per set of next hops
    };

    uint32_t Choose(const FabricItem& item, uint32_t group, uint32_t count) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    static constexpr uint32_t NO_TURN = UINT32_MAX; //!< a set that no packet came for

    Mode m_mode;                   //!< random or in turn
    uint64_t m_state;              //!< of the generator, seeded from an ns-3 stream
    std::vector<uint32_t> m_turns; //!< last turn of each set of next hops
};

} // namespace ns3

#endif /* PATH_SELECTOR_H */
