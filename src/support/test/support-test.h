/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

#include "ns3/input-error.h"

#include <fstream>
#include <iterator>
#include <string>

/**
 * @file
 * @ingroup support-tests
 * What tests of several modules share.
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

#endif /* SUPPORT_TEST_H */
