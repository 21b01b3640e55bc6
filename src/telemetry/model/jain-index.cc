/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "jain-index.h"

namespace ns3
{

double
JainIndex(const std::vector<double>& values)
{
    double sum = 0;
    double squares = 0;
    for (const double value : values)
    {
        sum += value;
        squares += value * value;
    }
    return squares == 0 ? 1 : sum * sum / (static_cast<double>(values.size()) * squares);
}

} // namespace ns3
