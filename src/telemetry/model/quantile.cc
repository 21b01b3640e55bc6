/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "quantile.h"

#include "ns3/assert.h"

#include <algorithm>
#include <limits>

namespace ns3
{

double
Quantile(std::vector<double> values, double q)
{
    NS_ASSERT_MSG(q >= 0 && q <= 1, "a quantile lies between 0 and 1");
    if (values.empty())
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double position = q * static_cast<double>(values.size() - 1);
    const auto below = values.begin() + static_cast<std::ptrdiff_t>(position);
    std::nth_element(values.begin(), below, values.end());
    const double low = *below;
    if (below + 1 == values.end())
    {
        return low;
    }
    const double high = *std::min_element(below + 1, values.end());
    return low + (position - static_cast<double>(below - values.begin())) * (high - low);
}

} // namespace ns3
