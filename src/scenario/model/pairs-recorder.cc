/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Rates of VM pairs.

#include "arrival-recorder.h"

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The rates at which each VM pair receives: pairs.csv.
 */
class PairsRecorder : public ArrivalRecorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::PairsRecorder")
                                .SetParent<ArrivalRecorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<PairsRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "rates at which each VM pair receives: pairs.csv";
    }

  protected:
    std::unique_ptr<CsvWriter> Open(const std::string& folder) const override
    {
        using Columns = std::initializer_list<std::string_view>;
        return std::make_unique<CsvWriter>(
            folder + "/pairs.csv",
            Columns{"time_s", "tenant", "pair", "source", "destination", "measure", "rate_bps"});
    }

    uint32_t GetIndex(const TenantTable& /* tenants */, PairId pair) const override
    {
        return pair;
    }

    void WriteRate(CsvWriter& csv,
                   const std::string& time,
                   const TenantTable& tenants,
                   uint32_t index,
                   const std::string& measure,
                   double rate) const override
    {
        csv.Row(time,
                tenants.GetTenant(tenants.GetTenantOf(index)).name,
                index,
                tenants.GetSource(index),
                tenants.GetDestination(index),
                measure,
                rate);
    }
};

NS_OBJECT_ENSURE_REGISTERED(PairsRecorder);

} // namespace ns3
