/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATES_RECORDER_H
#define RATES_RECORDER_H

#include "recorder.h"

#include "ns3/rate-recorder.h"
#include "ns3/transport.h"

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The rate at which each group of flows is delivered, over the whole run: rates.csv.
 */
class RatesRecorder : public Recorder, public FlowObserver
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RatesRecorder();

    /**
     * @brief What was recorded.
     * @return rates by group and bin
     */
    const RateRecorder& GetRates() const
    {
        return *m_rates;
    }

    /**
     * @brief Time over which rates are averaged.
     * @return attribute Bin
     */
    Time GetBin() const;

    // Inherited.
    std::string GetSummary() const override;
    void Attach(Network& network, const TimeWindow& measured) override;
    void Write(const std::string& folder) override;
    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override;

  private:
    void SetBin(Time bin);

    Ptr<RateRecorder> m_rates; //!< rates.csv
};

} // namespace ns3

#endif /* RATES_RECORDER_H */
