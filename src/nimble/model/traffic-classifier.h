/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_CLASSIFIER_H
#define TRAFFIC_CLASSIFIER_H

#include "nimble-policy.h"

#include "ns3/item-classifier.h"

#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Finds the traffic class of an item; one for all switches (Nimble, SOSR 2021, Section 4.1:
 * routing and traffic classification).
 *
 * A class is found by header fields first, if the policy names any, then by the group that the
 * workload gave the flow. Without a policy, group g is class g + 1. What is known of headers are
 * the addresses, and protocol and ports of items with bytes (those of ns-3's own sockets).
 */
class TrafficClassifier : public ItemClassifier
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Classify by a policy.
     * @param policy the policy
     */
    void SetPolicy(const NimblePolicy& policy);

    /**
     * @brief Find the class of a group of senders.
     * @param group FlowRequest::group
     * @return the class; NO_CLASS: none, or one that header fields tell
     */
    uint32_t GetClassOfGroup(uint32_t group) const
    {
        if (!m_hasPolicy)
        {
            return group + 1;
        }
        return group < m_byGroup.size() ? m_byGroup[group] : NO_CLASS;
    }

    uint32_t Classify(const FabricItem& item) const override;
    void Install(const Fabric* fabric, bool headersOnly) override;

    /**
     * @brief True if items of a class of the policy have come.
     * @param trafficClass number of the class
     * @return false if none has
     */
    bool HasMet(uint32_t trafficClass) const
    {
        return m_met.at(trafficClass) > 0;
    }

  private:
    /**
     * @brief Find the class by header fields.
     * @param item the item
     * @return the class, or NO_CLASS
     */
    uint32_t FindByHeaders(const FabricItem& item) const;

    const Fabric* m_fabric{nullptr};    //!< knows the tags of flows
    bool m_hasPolicy{false};            //!< true if groups are those that a policy names
    std::vector<uint32_t> m_byGroup;    //!< class of each group
    TupleClassifier m_byHeaders;        //!< rules by header fields
    bool m_hasHeaderRules{false};       //!< true if there are any
    mutable std::vector<uint8_t> m_met; //!< 1 for each class of the policy of which items have come
};

/**
 * @ingroup nimble
 * @brief Finds the limiter of an item at one output port: by its class and by the port that it came
 * in by (the policy manager, Nimble, SOSR 2021, Section 4.1).
 *
 * Of (class, input) and (class, any input) here the more specific one counts, and before limiters
 * of the whole switch. What finds no limiter is not limited.
 */
class LimiterTable : public ItemClassifier
{
  public:
    static constexpr uint16_t ANY_INPUT = UINT16_MAX; //!< whatever port the item came in by

    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /// @brief Told of data that goes out by the port: the flow (FabricItem::flow) and its class.
    using Watcher = std::function<void(const FabricItem& item, uint32_t trafficClass)>;

    /**
     * @brief Set what finds classes.
     * @param classifier finds them
     */
    void SetTrafficClassifier(Ptr<ItemClassifier> classifier);

    /**
     * @brief Be told of the first data item of each flow.
     * @param watcher is told
     */
    void SetWatcher(Watcher watcher);

    /**
     * @brief Be told of a flow again when its next item comes.
     * @param flow FabricItem::flow
     */
    void ForgetFlow(uint32_t flow);

    /**
     * @brief Say which limiter a class uses.
     * @param trafficClass the class
     * @param input port that the items came in by, or ANY_INPUT
     * @param limiter number of the limiter; NO_CLASS: none
     */
    void Set(uint32_t trafficClass, uint16_t input, uint32_t limiter);

    /**
     * @brief Say which limiter a class uses, whatever port it goes out by: one of the whole switch.
     * @param trafficClass the class
     * @param input port that the items came in by
     * @param limiter number of the limiter; NO_CLASS: none
     */
    void SetForAnyOutput(uint32_t trafficClass, uint16_t input, uint32_t limiter);

    uint32_t Classify(const FabricItem& item) const override;
    void Install(const Fabric* fabric, bool headersOnly) override;

  private:
    using ByInput = std::unordered_map<uint64_t, uint32_t>; //!< limiters by class and input

    /**
     * @brief Find a limiter by class and input.
     * @param table has it
     * @param trafficClass the class
     * @param input the port
     * @return its number, or NO_CLASS
     */
    static uint32_t FindByInput(const ByInput& table, uint32_t trafficClass, uint16_t input);

    /**
     * @brief Key of the table by input.
     * @param trafficClass the class
     * @param input the port
     * @return both in one
     */
    static uint64_t MakeKey(uint32_t trafficClass, uint16_t input)
    {
        return static_cast<uint64_t>(trafficClass) << 16 | input;
    }

    /**
     * @brief Tell the watcher of an item's flow, the first time.
     * @param item the item
     * @param trafficClass its class
     */
    void Watch(const FabricItem& item, uint32_t trafficClass) const;

    Ptr<ItemClassifier> m_classes;    //!< finds classes
    std::vector<uint32_t> m_limiters; //!< by class, for any input
    ByInput m_byInput;                //!< of this port
    ByInput m_anyOutput;              //!< of the whole switch
    Watcher m_watcher;                //!< empty: nobody is told
    mutable std::vector<bool> m_seen; //!< by flow: whether the watcher knows it
};

} // namespace ns3

#endif /* TRAFFIC_CLASSIFIER_H */
