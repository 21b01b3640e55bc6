/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ARRIVAL_RECORDER_H
#define ARRIVAL_RECORDER_H

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/tenant-table.h"
#include "ns3/transport.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Traffic that arrives for VM pairs over time, in bins that are written as they end: the
 * frame of the recorders `pairs` and `tenants`.
 *
 * Two measures, and a third if the user asks for it:
 *  - goodput: payload that reached the receiving application in order. A packet that comes late
 *    releases what came before it; as much of that as the host's link does not carry within the bin
 *    counts in the next.
 *  - throughput: IP datagrams that left the last switch for the host, acknowledgments and the like
 *    counted for the reverse pair, whose traffic they are
 *  - classN: of these, those of class N in the fabric (FabricItem::priority)
 *
 * Memory does not grow with time.
 */
class ArrivalRecorder : public WindowRecorder, public FlowObserver
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    void Attach(Network& network, const TimeWindow& measured) override;
    void Start(const std::string& folder) override;
    void Write(const std::string& folder) override;
    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override;

  protected:
    /**
     * @brief Open the file.
     * @param folder folder of the file
     * @return the file, with its columns
     */
    virtual std::unique_ptr<CsvWriter> Open(const std::string& folder) const = 0;

    /**
     * @brief For whom a pair's traffic counts.
     * @param tenants have the pair
     * @param pair number of the pair
     * @return a small number, of the pair itself for example
     */
    virtual uint32_t GetIndex(const TenantTable& tenants, PairId pair) const = 0;

    /**
     * @brief Write a rate.
     * @param csv the file
     * @param time start of the bin in seconds, as text
     * @param tenants have the pair
     * @param index number from GetIndex()
     * @param measure name of the measure
     * @param rate bits per second
     */
    virtual void WriteRate(CsvWriter& csv,
                           const std::string& time,
                           const TenantTable& tenants,
                           uint32_t index,
                           const std::string& measure,
                           double rate) const = 0;

    void DoDispose() override;

  private:
    /// @brief Arrivals within a bin.
    struct Arrivals
    {
        bool known{false};               //!< true if anything ever came
        double delivered{0};             //!< bytes of payload
        uint64_t arrived{0};             //!< bytes of IP datagrams
        std::vector<uint64_t> byClass{}; //!< these by class
    };

    /// @brief A host's link.
    struct Link
    {
        double room{0};  //!< bytes that it carries in a bin
        double bytes{0}; //!< payload that counts in the current bin
    };

    /// @brief Payload for which a bin had no room.
    struct Excess
    {
        uint32_t host;  //!< the receiving host
        uint32_t index; //!< number from GetIndex()
        double bytes;   //!< its size
    };

    /**
     * @brief Count payload in the current bin, as much as the link carries.
     * @param payload the payload; what is left of it waits for the next bin
     */
    void CountGoodput(Excess payload);

    /**
     * @brief The counters of a pair now.
     * @param pair number of the pair, plus 1
     * @return the counters of this bin; nullptr: nothing
     */
    Arrivals* Find(uint32_t pair);

    /**
     * @brief Write the bins that have ended.
     * @param now the current time, in time steps
     */
    void EndBins(int64_t now);

    /// @brief Write the current bin and begin the next.
    void WriteBin();

    Time m_width;                     //!< attribute Bin
    bool m_writesClasses;             //!< attribute Classes
    TimeWindow m_window;              //!< time in which arrivals count
    int64_t m_begin{0};               //!< of the current bin, in time steps
    Ptr<const TenantTable> m_tenants; //!< have the pairs; nullptr: there are none
    std::unique_ptr<CsvWriter> m_csv; //!< the file; nullptr: none
    std::vector<Arrivals> m_arrivals; //!< of the current bin, by index
    std::vector<Link> m_links;        //!< by host
    std::vector<Excess> m_excess;     //!< for the next bin
};

} // namespace ns3

#endif /* ARRIVAL_RECORDER_H */
