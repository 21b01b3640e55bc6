/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-limit.h"

#include "ns3/input-error.h"

#include <sstream>

namespace ns3
{

std::vector<QueueLimit>
QueueLimit::ParseList(const std::string& argument, const std::string& text)
{
    std::vector<QueueLimit> limits;
    std::istringstream list(text);
    for (std::string entry; std::getline(list, entry, ',');)
    {
        std::istringstream stream(entry);
        QueueSize size;
        // QueueSize would read a negative number as a huge one.
        if (entry.find('-') != std::string::npos || !(stream >> size) || !(stream >> std::ws).eof())
        {
            throw InputError(argument,
                             text,
                             "a list of sizes, each with a unit (B, kB, KiB, MB, p, ...), "
                             "separated by commas");
        }
        limits.emplace_back(size);
    }
    return limits;
}

} // namespace ns3
