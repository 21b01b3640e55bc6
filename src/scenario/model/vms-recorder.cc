/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// VMs and what they are guaranteed.

#include "recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/network.h"

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Records the hosts of tenants' VMs and their guarantees at the end: vms.csv.
 */
class VmsRecorder : public Recorder
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::VmsRecorder")
                                .SetParent<Recorder>()
                                .SetGroupName("Scenario")
                                .AddConstructor<VmsRecorder>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "where VMs are and what they are guaranteed: vms.csv";
    }

    void Attach(Network& network, const TimeWindow& /* measured */) override
    {
        m_tenants = network.GetTenants();
    }

    void Write(const std::string& folder) override
    {
        using Columns = std::initializer_list<std::string_view>;
        CsvWriter csv(folder + "/vms.csv",
                      Columns{"group", "tenant", "vm", "host", "send_bps", "receive_bps"});
        for (VmId number = 0; m_tenants && number < m_tenants->GetNVms(); ++number)
        {
            const Vm& vm = m_tenants->GetVm(number);
            csv.Row(vm.tenant,
                    m_tenants->GetTenant(vm.tenant).name,
                    number,
                    vm.host,
                    vm.send.GetBitRate(),
                    vm.receive.GetBitRate());
        }
        csv.Close();
    }

  private:
    Ptr<const TenantTable> m_tenants; //!< have the VMs; nullptr: there are none
};

NS_OBJECT_ENSURE_REGISTERED(VmsRecorder);

} // namespace ns3
