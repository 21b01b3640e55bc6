/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JAIN_INDEX_H
#define JAIN_INDEX_H

#include <vector>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief Jain's fairness index, (sum x)^2 / (n sum x^2).
 *
 * 1 when all are equal, 1/n when one has everything. Its complement is called unfairness.
 * (R. Jain, D. Chiu, W. Hawe, DEC-TR-301, 1984.)
 *
 * @param values non-negative shares, in any unit
 * @return the index; 1 if there are no values or all are 0, for then nobody is worse off
 */
double JainIndex(const std::vector<double>& values);

} // namespace ns3

#endif /* JAIN_INDEX_H */
