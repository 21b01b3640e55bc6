/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "input-file.h"

#include "input-error.h"

#include <filesystem>

namespace ns3
{

namespace
{

namespace fs = std::filesystem;

std::map<std::string, std::string> g_earlier; //!< files of an earlier run, by name
std::map<std::string, std::string> g_found;   //!< files of this run, by name

} // namespace

void
CheckInputFile(const std::string& argument, const std::string& path)
{
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored))
    {
        throw InputError(argument,
                         path,
                         fs::exists(path, ignored) ? "cannot be read: not a regular file"
                                                   : "cannot be read");
    }
}

bool
HasInputFile(const std::string& name)
{
    std::error_code ignored;
    return g_earlier.contains(name) || fs::exists(name, ignored);
}

std::string
FindInputFile(const std::string& argument, const std::string& name)
{
    std::string path = name;
    std::error_code ignored;
    if (const auto earlier = g_earlier.find(name); earlier != g_earlier.end())
    {
        if (fs::exists(name, ignored) && !fs::equivalent(name, earlier->second, ignored))
        {
            throw InputError(argument,
                             name,
                             "the whole path: the run that is repeated had " + earlier->second);
        }
        path = earlier->second;
    }
    CheckInputFile(argument, path);
    if (fs::path(name).is_relative())
    {
        g_found[name] = fs::absolute(path, ignored).lexically_normal();
    }
    return path;
}

void
SetInputFile(const std::string& name, const std::string& path)
{
    g_earlier[name] = path;
}

const std::map<std::string, std::string>&
GetInputFiles()
{
    return g_found;
}

} // namespace ns3
