/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-limit.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"

#include <cctype>
#include <sstream>

namespace ns3
{

std::vector<QueueLimit>
QueueLimit::ParseList(const std::string& argument, const std::string& text)
{
    std::vector<QueueLimit> limits;
    for (const std::string& entry : CutList(text))
    {
        std::istringstream stream(entry);
        QueueSize size;
        stream >> std::ws;
        // QueueSize itself takes a negative number, and a unit without a number.
        if (!std::isdigit(stream.peek()) || !(stream >> size) || !(stream >> std::ws).eof())
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
