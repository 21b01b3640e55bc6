/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BYTE_COUNT_CLASSIFIER_H
#define BYTE_COUNT_CLASSIFIER_H

#include "ns3/fabric-item.h"

#include <cstdint>
#include <limits>
#include <map>

namespace ns3
{

class Fabric;

/**
 * @ingroup trinity
 * @brief A flow as a Trinity channel knows it.
 */
class TrinityFlow
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no point in time

    /**
     * @brief Time at which a packet of the flow may go green, if it is a long one. After a red
     * packet the change back is put off, so that the red one, which a switch may hold, gets ahead
     * (Section 3.3, Problem 3).
     * @param tokens time at which there will be tokens for it
     * @param now the current time
     * @param tau time by which the change is put off
     * @return the time, at least @p tokens
     */
    int64_t GetGreenTime(int64_t tokens, int64_t now, int64_t tau);

    /**
     * @brief A packet left.
     * @param isRed its colour
     */
    void Send(bool isRed);

  private:
    friend class ByteCountClassifier;

    int64_t m_last{0};            //!< arrival of its last packet
    int64_t m_greenSince{NEVER};  //!< since when it could have gone green, while it is red
    uint32_t m_bytes{0};          //!< sent since it began, or since it was idle
    uint32_t m_waiting : 31 {0};  //!< packets that wait as long ones
    uint32_t m_isRed : 1 {false}; //!< true if its last packet was red
};

/**
 * @ingroup trinity
 * @brief Tells short flows from long ones by the bytes they have sent (Section 3.2). Nothing is
 * known beforehand.
 *
 * Every flow begins as a short one. Payload alone counts, so acknowledgments and what opens or
 * closes a connection stay short for ever; so do bytes that are sent again count again.
 */
class ByteCountClassifier
{
  public:
    /// @brief Settings of the classification.
    struct Settings
    {
        uint64_t threshold{102400};    //!< bytes from which on a flow is long
        int64_t idleReset{0};          //!< idle time that makes a flow short again; 0: none does
        int64_t forget{0};             //!< idle time after which a flow is forgotten; 0: never
        const Fabric* fabric{nullptr}; //!< tells which flows are over, and forgotten; null: none
    };

    /**
     * @brief Count a packet.
     * @param settings of the classification
     * @param item the packet
     * @param payload its bytes of TCP's or UDP's payload
     * @param now the current time
     * @return true if it belongs to a long flow
     */
    bool Classify(const Settings& settings, const FabricItem& item, uint32_t payload, int64_t now);

    /**
     * @brief The flow of a packet.
     * @param item a packet that was classified and has not left
     * @return the flow
     */
    TrinityFlow& GetFlow(const FabricItem& item)
    {
        return m_flows.at(GetKey(item));
    }

    /**
     * @brief A long packet waits, so its flow is not forgotten.
     * @param item the packet
     */
    void Hold(const FabricItem& item)
    {
        ++GetFlow(item).m_waiting;
    }

    /**
     * @brief A long packet waits no more.
     * @param flow its flow
     */
    static void LetGo(TrinityFlow& flow)
    {
        --flow.m_waiting;
    }

    /**
     * @brief Bytes that a flow has sent.
     * @param item a packet of the flow
     * @return bytes of payload since the flow began or was idle
     */
    uint32_t GetBytes(const FabricItem& item) const
    {
        return m_flows.at(GetKey(item)).m_bytes;
    }

    /// @brief Flows that are remembered.
    size_t GetNFlows() const
    {
        return m_flows.size();
    }

  private:
    /**
     * @param item a packet
     * @return of its 5-tuple; the two directions of a connection differ in their hashes
     */
    static uint64_t GetKey(const FabricItem& item)
    {
        return uint64_t{item.flow} << 32 | item.hash;
    }

    /**
     * @brief Forget flows of which nothing waits that are over, or idle for too long.
     * @param settings of the classification
     * @param now the current time
     */
    void Forget(const Settings& settings, int64_t now);

    std::map<uint64_t, TrinityFlow> m_flows; //!< by 5-tuple; they never move
    size_t m_forgetAt{64};                   //!< so many flows are worth a search
};

} // namespace ns3

#endif /* BYTE_COUNT_CLASSIFIER_H */
