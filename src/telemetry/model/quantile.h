/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUANTILE_H
#define QUANTILE_H

#include <vector>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief Quantile of a sample, with linear interpolation between order statistics.
 *
 * Hyndman and Fan's definition 7, the default of NumPy, pandas and R, so that a figure's numbers
 * and a run's own summary agree.
 *
 * @param values the sample, in any order
 * @param q which quantile, 0 (minimum) to 1 (maximum)
 * @return the quantile; NaN if the sample is empty
 */
double Quantile(std::vector<double> values, double q);

} // namespace ns3

#endif /* QUANTILE_H */
