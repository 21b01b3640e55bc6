/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RESEQUENCING_BUFFER_H
#define RESEQUENCING_BUFFER_H

#include "ns3/direct-timer.h"
#include "ns3/edge-agent.h"
#include "ns3/huge-pages.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Restores the order of each flow's data below the receiver's TCP (DRB, CoNEXT 2013,
 * Section 3.1.3).
 *
 * Data behind a gap waits until the gap is filled or a time has passed since the first of it came.
 * Then all up to the next gap is delivered, and what was missing passes at once when it comes. So
 * a loss shows to TCP only after that time. Acknowledgments, datagrams and what opens a connection
 * never wait.
 *
 * The paper leaves the details open. Here the first data of a connection is expected right behind
 * its SYN; the time counts per gap, and anew for the next gap when one is closed.
 *
 * With WaitingDscp only data of one class waits: it overtook others in switches with priorities. Of
 * the others a gap tells a loss, since they keep their order among themselves. With GiveUpAll the
 * time counts from what has waited longest, gap or no gap, and all that waits passes when it is
 * over (both: Trinity, TCC 2018, Section 3.3, Problem 3).
 *
 * A flow with nothing waiting may be forgotten when it is over or has been idle for IdleTimeout.
 * The next data of it passes.
 */
class ResequencingBuffer : public EdgeAgent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    ResequencingBuffer();
    ~ResequencingBuffer() override;

    void Incoming(FabricItem* item) override;
    void ReportResults(Results& results) const override;

    /// @brief Counters since the beginning.
    struct Statistics
    {
        uint64_t data{0};    //!< packets with payload delivered
        uint64_t held{0};    //!< of these: those that had to wait
        uint64_t expired{0}; //!< gaps that were given up
        int64_t delay{0};    //!< sum of the waiting times, in time steps
        uint32_t peak{0};    //!< most packets that waited at a time
    };

    /**
     * @brief Counters since the beginning.
     * @return the statistics
     */
    const Statistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// @brief Flows that are remembered.
    size_t GetNFlows() const
    {
        return m_flows.size();
    }

    /**
     * @brief TracedCallback signature: a packet with payload is delivered.
     * @param delay time that it waited
     */
    typedef void (*DelayTracedCallback)(Time delay);

  protected:
    void DoDispose() override;

    static constexpr uint8_t ANY_DSCP = 64; //!< all data waits

  private:
    /// @brief One direction of a connection.
    struct Key
    {
        uint32_t source; //!< sending host
        uint32_t flow;   //!< FabricItem::flow
        uint32_t hash;   //!< of the 5-tuple

        bool operator==(const Key&) const = default;
    };

    /// @brief The hash of a 5-tuple is one of the key as well.
    struct KeyHash
    {
        std::size_t operator()(const Key& key) const
        {
            return key.hash;
        }
    };

    /// @brief A packet that waits.
    struct Held
    {
        uint64_t begin;   //!< first byte of payload
        uint64_t end;     //!< first byte behind
        FabricItem* item; //!< the packet
        int64_t arrival;  //!< in time steps
    };

    class Flow;

    /// @brief A flow with its key.
    using Entry = std::pair<const Key, Flow>;

    Flow& FindFlow(const FabricItem& item);
    void Deliver(FabricItem* item, int64_t arrival);
    void Forget();

    Time m_timeout;        //!< attribute Timeout
    Time m_idleTimeout;    //!< attribute IdleTimeout
    uint32_t m_maxPackets; //!< attribute MaxPackets
    uint8_t m_waitingDscp; //!< attribute WaitingDscp
    bool m_giveUpAll;      //!< attribute GiveUpAll
    std::unordered_map<Key, Flow, KeyHash, std::equal_to<>, PooledAllocator<Entry>>
        m_flows;                       //!< those remembered
    Entry* m_latest{nullptr};          //!< of m_flows: looked for last, if any
    size_t m_forgetAt{64};             //!< so many flows are worth a search
    uint32_t m_waiting{0};             //!< packets that wait
    Statistics m_statistics;           //!< so far
    TracedCallback<Time> m_delayTrace; //!< trace source Delay
};

} // namespace ns3

#endif /* RESEQUENCING_BUFFER_H */
