/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPORT_CARRIER_H
#define REPORT_CARRIER_H

#include "pair-report.h"

#include "ns3/direct-timer.h"
#include "ns3/fabric-item.h"
#include "ns3/nstime.h"
#include "ns3/port-stage.h"

#include <cstdint>
#include <deque>
#include <unordered_map>

namespace ns3
{

class PairEdge;

/**
 * @ingroup edge
 * @brief A report that rides on a packet.
 */
class RidingReport : public ItemExtension
{
  public:
    /// @param riding the report
    explicit RidingReport(const PairReport& riding)
        : report(riding)
    {
    }

    PairReport report; //!< the report
};

/**
 * @ingroup edge
 * @brief Lets the reports of a host ride on packets that go back to the sending VM anyway, as an IP
 * option (Trinity Section 4.1 names it; the prototype does not do it).
 *
 * A report waits for the next packet of the reverse pair that has room for it. One that has waited
 * too long goes as a packet of its own. A newer one takes its place: counters run from the start of
 * the pair.
 */
class ReportCarrier : public PortStage
{
  public:
    /**
     * @brief Make the carrier of a host.
     * @param edge the edge of the network; outlives the carrier's use
     * @param patience most that a report waits for a packet
     * @param size of the option in bytes, a multiple of 4
     */
    ReportCarrier(PairEdge& edge, Time patience, uint16_t size);

    /**
     * @brief Take a report that is to go.
     * @param report of a pair that this host receives
     */
    void Take(const PairReport& report);

    void Depart(FabricItem* item, const FabricPort& port) override;

    /**
     * @brief Take a report off a packet that arrived.
     * @param item the packet; without the option again, if it had one
     * @param size of the option in bytes
     * @return the report; one of sequence 0 if none rode on it
     */
    static PairReport Unload(FabricItem& item, uint16_t size);

  private:
    /// @brief A report that waits, and until when.
    struct Waiting
    {
        PairReport report; //!< the newest of its pair
        int64_t deadline;  //!< in time steps
    };

    /// @brief The time to look for a pair's report that still waits.
    struct Look
    {
        uint32_t pair; //!< number of the pair
        int64_t time;  //!< a deadline, in time steps
    };

    void HandleTimer();

    PairEdge& m_edge;                                //!< the edge of the network
    int64_t m_patience;                              //!< most that a report waits, in time steps
    uint16_t m_size;                                 //!< of the option
    std::unordered_map<uint32_t, Waiting> m_waiting; //!< by pair
    std::deque<Look> m_looks;                        //!< by time
    DirectTimer m_timer;                             //!< the next look
};

} // namespace ns3

#endif /* REPORT_CARRIER_H */
