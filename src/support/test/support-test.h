/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

#include "ns3/input-error.h"
#include "ns3/results.h"

#include <fstream>
#include <iterator>
#include <map>
#include <string>

/**
 * @file
 * @ingroup support-tests
 * Helpers that tests of several modules share.
 */

/**
 * @ingroup support-tests
 * @param path a file
 * @return all it holds; "absent" if there is no such file
 */
inline std::string
FileText(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return file ? std::string(std::istreambuf_iterator<char>(file), {}) : "absent";
}

/**
 * @ingroup support-tests
 * @param action a function that may throw an InputError
 * @return the error's text; empty if nothing is thrown
 */
template <typename Action>
std::string
ErrorText(Action action)
{
    try
    {
        action();
    }
    catch (const ns3::InputError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * @ingroup support-tests
 * @param results reported results
 * @return its totals by name
 */
inline std::map<std::string, double>
TotalsByName(const ns3::Results& results)
{
    std::map<std::string, double> totals;
    for (const auto& total : results.GetTotals())
    {
        totals[total.name] = total.value;
    }
    return totals;
}

#endif /* SUPPORT_TEST_H */
