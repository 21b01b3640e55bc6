/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EDGE_LIMITERS_H
#define EDGE_LIMITERS_H

#include "nimble-classes.h"
#include "traffic-classifier.h"
#include "update-delay.h"

#include "ns3/event-id.h"
#include "ns3/flow.h"
#include "ns3/shaped-queue-disc.h"

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{

class Results;

/**
 * @ingroup nimble
 * @brief Finds the limiter of an item at its sender, by destination and class.
 */
class DestinationTable : public ItemClassifier
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Set what finds classes.
     * @param classifier finds them
     */
    void SetTrafficClassifier(Ptr<ItemClassifier> classifier);

    /**
     * @brief The limiter of a destination and a class; from now on there is one.
     * @param destination receiving host
     * @param trafficClass the class
     * @return its number
     */
    uint32_t Add(uint32_t destination, uint32_t trafficClass);

    uint32_t Classify(const FabricItem& item) const override;
    void Install(const Fabric* fabric, bool headersOnly) override;

  private:
    static uint64_t MakeKey(uint32_t destination, uint32_t trafficClass)
    {
        return static_cast<uint64_t>(destination) << 32 | trafficClass;
    }

    Ptr<ItemClassifier> m_classes;                    //!< finds classes
    std::unordered_map<uint64_t, uint32_t> m_numbers; //!< of limiters, by destination and class
};

/**
 * @ingroup nimble
 * @brief Rate limits at hosts, what Nimble is compared with (SOSR 2021, Section 6.3.3): a limiter
 * for each destination and class at each sender.
 *
 * A class's share of a host's link is divided evenly over the hosts that it sends to, and is no
 * more than the receiver's link has for each of those that send to it. Rates are computed anew at
 * each start and end of a flow; limiters that change are programmed one by one.
 */
class EdgeLimiters : public FlowObserver
{
  public:
    /// @brief The part of a host that holds its packets.
    struct HostPort
    {
        Ptr<ShapedQueueDisc> shaped; //!< the host's discipline
        Ptr<DestinationTable> table; //!< finds its limiters
        DataRate rate;               //!< of its link
    };

    using Pair = std::tuple<uint32_t, uint32_t, uint32_t>; //!< source, destination, class

    /**
     * @brief Find the rates of limiters.
     * @param flows number of flows of each pair that sends
     * @param links rates of the hosts' links in bit/s
     * @param classes classes that are limited
     * @return rates in bit/s
     */
    static std::map<Pair, double> GetRates(const std::map<Pair, uint32_t>& flows,
                                           const std::vector<double>& links,
                                           const NimbleClasses& classes);

    /**
     * @param hosts discipline, table and link rate of each host
     * @param classifier finds classes
     * @param classes the classes that limits are for
     * @param delay time that updates take; nullptr: none
     */
    EdgeLimiters(std::vector<HostPort> hosts,
                 Ptr<TrafficClassifier> classifier,
                 NimbleClasses classes,
                 Ptr<UpdateDelay> delay);
    ~EdgeLimiters() override;

    void FlowStarted(const FlowRecord& record) override;
    void FlowFinished(const FlowRecord& record) override;

    /**
     * @brief Change the limit of a class at each host's link.
     * @param number of the class
     * @param limit the limit; 0: none
     */
    void SetLimit(uint32_t number, DataRate limit);

    /// @brief Classes that are limited.
    const NimbleClasses& GetClasses() const
    {
        return m_classes;
    }

    /**
     * @brief Limiters that appeared, disappeared or changed.
     * @return number of updates
     */
    uint64_t GetNUpdates() const
    {
        return m_updates;
    }

    /**
     * @brief Limit of what a class sends from a host to another.
     * @param trafficClass number of the class
     * @param source sending host
     * @param destination receiving host
     * @return the limit that the host has been told; 0: none
     */
    double GetRate(uint32_t trafficClass, uint32_t source, uint32_t destination) const;

    /**
     * @brief Say what happened.
     * @param results takes it
     */
    void ReportResults(Results& results) const;

  private:
    Pair GetPair(const FlowRecord& record) const;
    void Trigger();
    void Compute();
    void SetRates(const std::map<Pair, double>& rates);
    void Program(const Pair& pair, double rate, uint64_t order);

    std::vector<HostPort> m_hosts;       //!< by host
    std::vector<double> m_links;         //!< rates of their links in bit/s
    Ptr<TrafficClassifier> m_classifier; //!< finds classes
    NimbleClasses m_classes;             //!< classes that are limited
    Ptr<UpdateDelay> m_delay;            //!< nullptr: updates take no time
    std::map<Pair, uint32_t> m_flows;    //!< number of flows
    std::map<Pair, double> m_rates;      //!< that hosts were told
    std::map<Pair, uint64_t> m_orders;   //!< of the latest update that is in effect
    EventId m_compute;                   //!< rates will be computed
    uint64_t m_updates{0};               //!< limiters programmed
};

} // namespace ns3

#endif /* EDGE_LIMITERS_H */
