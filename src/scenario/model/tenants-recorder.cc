/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Rates of tenants.

#include "arrival-recorder.h"

namespace ns3
{

/**
 * @ingroup scenario
 * @brief The rates at which the VMs of each tenant receive together: tenants.csv.
 */
class TenantsRecorder : public ArrivalRecorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::TenantsRecorder")
                                .SetParent<ArrivalRecorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<TenantsRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "rates at which the VMs of each tenant receive together: tenants.csv";
    }

  protected:
    std::unique_ptr<CsvWriter> Open(const std::string& folder) const override
    {
        using Columns = std::initializer_list<std::string_view>;
        return std::make_unique<CsvWriter>(folder + "/tenants.csv",
                                           Columns{"time_s", "tenant", "measure", "rate_bps"});
    }

    uint32_t GetIndex(const TenantTable& tenants, PairId pair) const override
    {
        return tenants.GetTenantOf(pair);
    }

    void WriteRate(CsvWriter& csv,
                   const std::string& time,
                   const TenantTable& tenants,
                   uint32_t index,
                   const std::string& measure,
                   double rate) const override
    {
        csv.Row(time, tenants.GetTenant(index).name, measure, rate);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TenantsRecorder);

} // namespace ns3
