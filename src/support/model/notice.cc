/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "notice.h"

#include <iostream>
#include <optional>

namespace ns3
{

namespace
{

std::optional<std::vector<std::string>> g_held; //!< notices that are kept; nothing: none are

} // namespace

void
PrintNotice(const std::string& text)
{
    if (g_held)
    {
        g_held->push_back(text);
        return;
    }
    std::cerr << text << std::endl;
}

void
HoldNotices()
{
    g_held.emplace();
}

std::vector<std::string>
GetHeldNotices()
{
    return g_held.value_or(std::vector<std::string>());
}

void
PrintHeldNotices()
{
    const auto held = GetHeldNotices();
    g_held.reset();
    for (const std::string& text : held)
    {
        PrintNotice(text);
    }
}

} // namespace ns3
