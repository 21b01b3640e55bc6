/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TENANT_WORKLOADS_H
#define TENANT_WORKLOADS_H

#include "workload.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief The traffic of all tenants: the workloads of each, between its VMs, from when it joins
 * until it leaves.
 *
 * A tenant that leaves starts no flow any more, and its flows under way are stopped. Its workloads
 * count time from when it joins. If it joins again, they begin anew, with other draws.
 */
class TenantWorkloads : public Workload, private FlowObserver
{
  public:
    /// @brief Finds the number of a transport by its name, or throws InputError.
    using FindTransport = std::function<uint8_t(const std::string& name)>;

    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

    /**
     * @brief Say whose workloads they are, before anything else.
     * @param tenants the tenants
     * @param find finds the transport of a tenant that names one
     * @throws InputError if a tenant's workload or transport cannot be used
     */
    void SetTenants(Ptr<TenantTable> tenants, const FindTransport& find);

    /**
     * @brief A tenant joins now, whenever it was to join.
     * @param tenant the tenant; nothing happens if it is there
     */
    void Join(TenantId tenant);

    /**
     * @brief A tenant leaves now.
     * @param tenant the tenant
     */
    void Leave(TenantId tenant);

    void Halt() override;
    void ShareTaskNumbers(std::shared_ptr<uint32_t> numbers) override;
    bool IsOver() const override;
    uint64_t GetStarted() const override;
    UnstartedFlows GetUnstarted() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// @brief The presence of a tenant.
    enum class Presence : uint8_t
    {
        AWAITED, //!< it has not joined
        PRESENT, //!< it sends
        GONE     //!< it has left
    };

    /// @brief A tenant's part.
    struct Part
    {
        std::vector<Ptr<Workload>> workloads; //!< workloads now, or before it left
        std::vector<Ptr<Workload>> earlier;   //!< workloads before it joined again
        uint8_t transport{0};                 //!< number of its transport
        EventId join;                         //!< pending until it has joined
        Presence presence{Presence::AWAITED}; //!< presence of the tenant
        std::set<FlowId> flows;               //!< under way
    };

    /**
     * @brief Make the workloads of a tenant.
     * @param id the tenant
     */
    void CreateWorkloads(TenantId id);

    /**
     * @brief Make them anew, for a tenant that joins again.
     * @param id the tenant
     */
    void RenewWorkloads(TenantId id);

    /**
     * @brief Do something with a workload of a tenant; an error then says whose it is.
     * @tparam Action a function without arguments
     * @param id the tenant
     * @param workload one of its workloads
     * @param action the function
     */
    template <typename Action>
    void ForTenant(TenantId id, const Workload& workload, const Action& action) const;

    void DoDispose() override;
    void DoPrepare() override;
    void DoStart() override;
    void FlowStarted(const FlowRecord& record) override;
    void FlowFinished(const FlowRecord& record) override;

    Ptr<TenantTable> m_table;            //!< the tenants
    std::vector<Part> m_parts;           //!< by tenant
    std::optional<int64_t> m_nextStream; //!< for workloads to come; nothing: ns-3 numbers streams
};

} // namespace ns3

#endif /* TENANT_WORKLOADS_H */
