/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TELEMETRY_TEST_H
#define TELEMETRY_TEST_H

#include "ns3/input-error.h"

#include <fstream>
#include <iterator>
#include <string>

/**
 * @file
 * @ingroup telemetry-tests
 * What the tests of the telemetry module share.
 */

/**
 * @ingroup telemetry-tests
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
 * @ingroup telemetry-tests
 * @param action what to do
 * @return what the user would read; empty if nothing is thrown
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

#endif /* TELEMETRY_TEST_H */
