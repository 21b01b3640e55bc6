/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ITEM_CLASSIFIER_H
#define ITEM_CLASSIFIER_H

#include "fabric.h"

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Says which class an item belongs to, for disciplines that treat classes apart
 * (MeteredQueueDisc, ShapedQueueDisc).
 *
 * Any number of disciplines may share one classifier. A scheme that classifies in its own way
 * derives a class of its own.
 */
class ItemClassifier : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    static constexpr uint32_t NO_CLASS = 0; //!< the item belongs to no class

    /**
     * @brief Find the class of an item.
     * @param item the item
     * @return number of the class, counted from 1; or NO_CLASS
     */
    virtual uint32_t Classify(const FabricItem& item) const = 0;

    /**
     * @brief A discipline that uses the classifier is installed.
     * @param fabric that the discipline is part of; nullptr: none
     * @param headersOnly true if an item knows no more than its headers say, as on a net device of
     * a stock ns-3 program without packet filters
     * @throws InputError if the classifier asks for more than is known there
     */
    virtual void Install(const Fabric* fabric, bool headersOnly)
    {
        (void)fabric;
        (void)headersOnly;
    }

    /**
     * @brief Tell whether the classifier heeds FabricItem::priority, which packet filters say in a
     * stock ns-3 program.
     * @return false unless a subclass says so
     */
    virtual bool UsesPriority() const
    {
        return false;
    }

    /// @brief The last class that an item may belong to, as far as it is known from the beginning;
    /// NO_CLASS if it is not known.
    virtual uint32_t GetLastClass() const
    {
        return NO_CLASS;
    }
};

/**
 * @ingroup fabric
 * @brief Looks the class up in a table, by one small number that an item carries.
 */
class TableItemClassifier : public ItemClassifier
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /// @brief The number that is looked up.
    enum Key
    {
        PRIORITY, //!< FabricItem::priority, set at the edge or by packet filters
        DSCP,     //!< the DSCP
        PAIR,     //!< FlowTag::pair: number of the VM pair, plus 1
        GROUP,    //!< FlowTag::group, as the workload said
        FLOW,     //!< FlowTag::flow: the flow's name
    };

    uint32_t Classify(const FabricItem& item) const override
    {
        const uint32_t key = GetKey(item);
        return key < m_classes.size() ? m_classes[key] : m_otherwise;
    }

    void Install(const Fabric* fabric, bool headersOnly) override;

    bool UsesPriority() const override
    {
        return m_key == PRIORITY;
    }

    uint32_t GetLastClass() const override;

    /**
     * @brief Set the class of a key, at any time.
     * @param key the key
     * @param number of the class; NO_CLASS: none
     */
    void SetClass(uint32_t key, uint32_t number);

  private:
    /**
     * @brief The key that is looked up.
     * @param item the item
     * @return the key
     */
    uint32_t GetKey(const FabricItem& item) const
    {
        switch (m_key)
        {
        case PRIORITY:
            return item.priority;
        case DSCP:
            return item.tos >> 2;
        case PAIR:
            return m_fabric->GetFlowTag(item).pair;
        case GROUP:
            return m_fabric->GetFlowTag(item).group;
        default:
            return m_fabric->GetFlowTag(item).flow;
        }
    }

    /// @brief Fill the table as the attribute says, the first time. Not its setter: what is thrown
    /// there leaves ns-3 with an object that nobody deletes.
    void ReadMap();

    Key m_key;                       //!< attribute Key
    const Fabric* m_fabric{nullptr}; //!< knows the tags of flows
    std::string m_map;               //!< attribute Map
    bool m_isRead{false};            //!< true once it is in the table
    std::vector<uint32_t> m_classes; //!< by key
    uint32_t m_otherwise{NO_CLASS};  //!< class of the keys behind
};

} // namespace ns3

#endif /* ITEM_CLASSIFIER_H */
