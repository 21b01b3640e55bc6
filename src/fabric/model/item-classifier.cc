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
#include <map>
#include <string>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ItemClassifier);
NS_OBJECT_ENSURE_REGISTERED(TableItemClassifier);

namespace
{

constexpr uint64_t MAX_NUMBER = 1'000'000; //!< of keys and classes: tables are dense

/// @brief The users' names of the keys.
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
    const uint64_t lastKey = m_key == DSCP ? 63 : m_key == PRIORITY ? UINT8_MAX : MAX_NUMBER;
    std::map<std::string, uint32_t> listed;
    for (const std::string& entry : CutList(m_map))
    {
        const auto sign = entry.find('=');
        const std::string key = entry.substr(0, sign);
        if (sign == std::string::npos || !listed.emplace(key, 0).second)
        {
            throw InputError(argument, entry, "KEY=CLASS, with each key once");
        }
        const uint64_t number = ParseCount(argument, entry.substr(sign + 1));
        if (number > MAX_NUMBER || (key != "*" && ParseCount(argument, key) > lastKey))
        {
            throw InputError(argument,
                             entry,
                             "keys are at most " + std::to_string(lastKey) +
                                 " and classes at most " + std::to_string(MAX_NUMBER));
        }
        listed[key] = static_cast<uint32_t>(number);
    }
    if (const auto otherwise = listed.extract("*"))
    {
        m_otherwise = otherwise.mapped();
    }
    for (const auto& [key, number] : listed)
    {
        SetClass(static_cast<uint32_t>(ParseCount(argument, key)), number);
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

uint32_t
TableItemClassifier::GetLastClass() const
{
    const auto last = std::ranges::max_element(m_classes);
    return std::max(m_otherwise, last == m_classes.end() ? NO_CLASS : *last);
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
