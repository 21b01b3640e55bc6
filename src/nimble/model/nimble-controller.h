/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NIMBLE_CONTROLLER_H
#define NIMBLE_CONTROLLER_H

#include "limiter-switch.h"
#include "nimble-classes.h"
#include "rate-allocation.h"
#include "rate-write.h"
#include "update-delay.h"

#include "ns3/fabric.h"
#include "ns3/flow.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/spec.h"
#include "ns3/tenant-table.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class Results;

/**
 * @ingroup nimble
 * @brief Nimble's controller: knows the policy, the network and the paths in use, and configures
 * the limiters of switches (SOSR 2021, Sections 3.3 and 4.2).
 *
 * Steps 3 to 6 of "From a policy to a mark" in src/nimble/doc/nimble.rst, which is the page to read
 * first: the paths in use, rates of classes, settings of limiters, updates of switches. How rates
 * are found is up to the derived classes (allocation-controllers.cc).
 */
class NimbleController : public Object, public FlowObserver
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    NimbleController();
    ~NimbleController() override;

    /**
     * @brief Begin. The fabric is built.
     * @param fabric the network; outlives this
     * @param ports the limiters of switch ports, by port
     * @param classes classes of the policy
     * @throws InputError if the policy names a port that does not exist
     */
    void Start(Fabric& fabric,
               const std::map<const FabricPort*, LimiterPort>& ports,
               NimbleClasses classes);

    /**
     * @brief Change the limit of a class; those of its local policies, too.
     * @param number of the class, counted from 1
     * @param limit most that it may have at a port; 0: there is no limit
     */
    void SetLimit(uint32_t number, DataRate limit);

    /// @brief Classes of the policy.
    const NimbleClasses& GetClasses() const
    {
        return m_classes;
    }

    /**
     * @brief The limiters of a switch.
     * @param index number of the switch
     * @return its limiters
     */
    LimiterSwitch& GetSwitch(uint32_t index) const
    {
        return *m_switches.at(index);
    }

    /// @brief Times that rates were computed.
    uint32_t GetNRuns() const
    {
        return m_runs;
    }

    /**
     * @brief Limiters that were added, removed or modified.
     * @return number of updates
     */
    uint64_t GetNUpdates() const
    {
        return m_updates;
    }

    /**
     * @brief Complaints: ports whose limits exceed their links. The controller does not refuse.
     * @return a line each
     */
    const std::vector<std::string>& GetWarnings() const
    {
        return m_warnings;
    }

    /**
     * @brief Say what happened.
     * @param results takes it
     */
    void ReportResults(Results& results) const;

    /**
     * @brief Assign fixed random variable stream numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    void FlowFinished(const FlowRecord& record) override;

  protected:
    /**
     * @brief Find rates.
     * @param problem ports, classes and paths
     * @return limits of classes at ports
     */
    virtual AllocationResult Allocate(const AllocationProblem& problem) const = 0;

    /**
     * @brief True if the paths in use matter.
     * @return false if they need not be watched
     */
    virtual bool NeedsPaths() const
    {
        return true;
    }

    void DoDispose() override;

  private:
    /// @brief A flow whose packets were seen.
    struct ActiveFlow
    {
        uint32_t item{0};            //!< FabricItem::flow
        uint32_t trafficClass{0};    //!< number of its class
        std::vector<uint32_t> ports; //!< that it uses, by index in m_ports
    };

    void ListPorts(const std::map<const FabricPort*, LimiterPort>& ports);
    void ResolveLocalRules();
    void WatchPorts();
    void HandleItem(uint32_t port, const FabricItem& item, uint32_t trafficClass);
    void HandleLinkState(uint32_t link, bool up);
    void HandleTenantChange(TenantId tenant);
    void Trigger();
    void Review();
    void Configure();
    NimbleRule GetRuleAt(uint32_t port, uint32_t number) const;
    uint32_t CountClasses() const;
    AllocationProblem MakeProblem() const;
    LimiterSettings MakeSettings(const AllocationResult& result);
    LimiterSetting MakeSetting(const NimbleRule& rule, double rate, double part) const;
    void Warn(const std::map<uint32_t, double>& sums);
    void SendUpdates(const LimiterSettings& settings);
    void Program(uint32_t index, const LimiterUpdates& updates, uint64_t order);

    Time m_detectionDelay;    //!< attribute DetectionDelay
    uint32_t m_yellowBurst;   //!< attribute YellowBurst
    uint32_t m_policingBurst; //!< attribute PolicingBurst
    double m_yellowShare;     //!< attribute YellowShare
    uint32_t m_largestPacket; //!< attribute LargestPacket
    Spec m_delaySpec;         //!< attribute UpdateDelay
    bool m_dataPlaneWrites;   //!< attribute DataPlaneWrites
    Spec m_nativeMeter;       //!< attribute NativeMeter
    Spec m_logicalMeter;      //!< attribute LogicalMeter

    Fabric* m_fabric{nullptr};                                   //!< the network
    NimbleClasses m_classes;                                     //!< classes of the policy
    std::map<std::pair<uint32_t, uint32_t>, NimbleRule> m_local; //!< by port and number of class
    std::vector<std::pair<LimiterKey, NimbleRule>> m_byInput;    //!< local, with an input port
    std::vector<const FabricPort*> m_ports;                    //!< switches' in order, then hosts'
    std::vector<Ptr<LimiterTable>> m_tables;                   //!< by port; of switches only
    std::vector<uint32_t> m_buffers;                           //!< that classes share, likewise
    std::map<const FabricPort*, uint32_t> m_indices;           //!< of ports
    std::unique_ptr<MeterSource> m_meters;                     //!< makes meters
    std::vector<std::unique_ptr<LimiterSwitch>> m_switches;    //!< by index
    std::vector<std::unique_ptr<RateWriteStage>> m_rateWrites; //!< by index of the switch
    Ptr<UpdateDelay> m_delay;                                  //!< nullptr: none
    std::unordered_map<FlowId, ActiveFlow> m_flows;            //!< flows whose packets were seen
    std::vector<bool> m_over;                                  //!< by flow: whether it has ended
    std::set<RoutingPath> m_paths;                             //!< that the rates are for
    std::map<std::pair<uint32_t, LimiterKey>, uint64_t> m_orders; //!< of updates that are written
    LimiterSettings m_configured; //!< settings sent to switches; LimiterKey::port as in m_ports
    EventId m_review;             //!< the paths in use will be looked at
    uint32_t m_runs{0};           //!< times that rates were computed
    uint64_t m_updates{0};        //!< limiters written
    std::vector<std::string> m_warnings; //!< limits that exceed links
};

} // namespace ns3

#endif /* NIMBLE_CONTROLLER_H */
