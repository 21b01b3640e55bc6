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

/**
 * @brief Refuse what cannot be read as a whole, such as a folder, a pipe or a device.
 * @param argument the setting that the error names
 * @param path names a file
 */
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

} // namespace

std::ifstream
OpenTextFile(const std::string& argument, const std::string& path)
{
    CheckInputFile(argument, path);
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        throw InputError(argument, path, "cannot be read");
    }
    std::string mark(3, '\0');
    file.read(mark.data(), static_cast<std::streamsize>(mark.size()));
    if (mark.starts_with("\xff\xfe") || mark.starts_with("\xfe\xff"))
    {
        throw InputError(argument, path, "is UTF-16; save it as UTF-8");
    }
    file.clear(); // it may have less than three bytes
    file.seekg(mark == "\xef\xbb\xbf" ? static_cast<std::streamoff>(mark.size()) : 0);
    return file;
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
