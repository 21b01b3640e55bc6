/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "item-classifier.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ItemClassifier);
NS_OBJECT_ENSURE_REGISTERED(TableItemClassifier);

namespace
{

constexpr uint64_t MAX_NUMBER = 1'000'000; //!< of keys and classes: tables are dense

/// @brief What users call the keys.
constexpr std::array<const char*, 5> KEY_NAMES{"Priority", "Dscp", "Pair", "Group", "Flow"};

} // namespace

TypeId
ItemClassifier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ItemClassifier").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

TypeId
TableItemClassifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TableItemClassifier")
            .SetParent<ItemClassifier>()
            .SetGroupName("Fabric")
            .AddConstructor<TableItemClassifier>()
            .AddAttribute("Key",
                          "What is looked up: the priority within the fabric, the DSCP, or what "
                          "the workload said of the flow: its VM pair (the number, plus 1), its "
                          "group, its own number. In a stock ns-3 program it must be the DSCP, or "
                          "the priority where packet filters say it: what none of them matches "
                          "has no class unless Map lists 255",
                          EnumValue(TableItemClassifier::PRIORITY),
                          MakeEnumAccessor<Key>(&TableItemClassifier::m_key),
                          MakeEnumChecker(TableItemClassifier::PRIORITY,
                                          KEY_NAMES[PRIORITY],
                                          TableItemClassifier::DSCP,
                                          KEY_NAMES[DSCP],
                                          TableItemClassifier::PAIR,
                                          KEY_NAMES[PAIR],
                                          TableItemClassifier::GROUP,
                                          KEY_NAMES[GROUP],
                                          TableItemClassifier::FLOW,
                                          KEY_NAMES[FLOW]))
            .AddAttribute("Map",
                          "Class of each key, as a list such as '46=1,10=2,*=3'; *: of all that "
                          "are not listed, which have none otherwise. Classes count from 1; 0: "
                          "none",
                          StringValue("*=1"),
                          MakeStringAccessor(&TableItemClassifier::m_map),
                          MakeStringChecker());
    return tid;
}

void
TableItemClassifier::ReadMap()
{
    if (std::exchange(m_isRead, true))
    {
        return;
    }
    const char* argument = "ns3::TableItemClassifier::Map";
    std::vector<std::pair<uint32_t, uint32_t>> listed;
    for (const std::string& entry : CutList(m_map))
    {
        const auto sign = std::min(entry.find('='), entry.size());
        const std::string key = entry.substr(0, sign);
        const uint64_t number =
            ParseCount(argument, entry.substr(std::min(sign + 1, entry.size())));
        if (number > MAX_NUMBER || (key != "*" && ParseCount(argument, key) > MAX_NUMBER))
        {
            throw InputError(argument,
                             m_map,
                             "keys and classes are at most " + std::to_string(MAX_NUMBER));
        }
        if (key == "*")
        {
            m_otherwise = static_cast<uint32_t>(number);
        }
        else
        {
            listed.emplace_back(ParseCount(argument, key), number);
        }
    }
    for (const auto& [key, number] : listed)
    {
        SetClass(key, number);
    }
}

void
TableItemClassifier::Install(const Fabric* fabric, bool headersOnly)
{
    m_fabric = fabric;
    ReadMap();
    if (m_key != DSCP && (headersOnly || (m_key != PRIORITY && !fabric)))
    {
        throw InputError("ns3::TableItemClassifier::Key",
                         KEY_NAMES[m_key],
                         "Dscp in a stock ns-3 program, or Priority with packet filters: a "
                         "packet's headers tell no more");
    }
    if (m_key == PRIORITY && !fabric && m_classes.size() <= FabricItem::NO_PRIORITY)
    {
        SetClass(FabricItem::NO_PRIORITY, NO_CLASS); // '*' is what filters match
    }
}

void
TableItemClassifier::SetClass(uint32_t key, uint32_t number)
{
    ReadMap();
    if (key >= m_classes.size())
    {
        m_classes.resize(key + 1, m_otherwise);
    }
    m_classes[key] = number;
}

} // namespace ns3
