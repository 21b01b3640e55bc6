/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATES_RECORDER_H
#define RATES_RECORDER_H

#include "recorder.h"

#include "ns3/rate-bins.h"
#include "ns3/transport.h"

#include <optional>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The rate at which each group of flows is delivered, over the whole run: rates.csv.
 *
 * Payload is delivered in order: what has come behind a packet that is missing is delivered all at
 * once when that one comes. A bin takes no more for a host than the host's link carries in it; the
 * rest goes to the last bins before that have room, as it did arrive earlier.
 */
class RatesRecorder : public Recorder, public FlowObserver
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief The rates recorded.
     * @return rates by group and bin
     */
    const RateBins& GetRates() const
    {
        return *m_rates;
    }

    /**
     * @brief Time over which rates are averaged.
     * @return attribute Bin
     */
    Time GetBin() const
    {
        return m_bin;
    }

    // Inherited.
    std::string GetSummary() const override;
    void Attach(Network& network, const TimeWindow& measured) override;
    void Write(const std::string& folder) override;
    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override;

  private:
    /// @brief Bytes that a host's link has carried.
    struct Link
    {
        uint64_t room{0};              //!< bytes that it carries in a bin
        std::vector<uint64_t> bytes{}; //!< delivered, by bin
    };

    Time m_bin;                      //!< attribute Bin
    std::optional<RateBins> m_rates; //!< rates.csv; nothing before Attach()
    std::vector<Link> m_links;       //!< by host
};

} // namespace ns3

#endif /* RATES_RECORDER_H */
