/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "output-file.h"

#include "ns3/input-error.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace ns3
{

namespace
{

/**
 * @param error what the system reported
 * @return what the user reads
 */
std::string
Reason(const std::error_code& error)
{
    return "must be a writable folder (" + error.message() + ")";
}

/// @return the calling thread's errno as an error code
std::error_code
LastError()
{
    return {errno, std::generic_category()};
}

} // namespace

OutputFile::OutputFile(const std::string& path)
    : m_path(path),
      m_temporary(path + ".tmp"),
      m_stream(m_temporary, std::ios::binary | std::ios::trunc)
{
    if (!m_stream)
    {
        throw InputError("--out", path, Reason(LastError()));
    }
}

OutputFile::~OutputFile()
{
    if (IsOpen())
    {
        m_stream.close();
        std::error_code ignored;
        std::filesystem::remove(m_temporary, ignored);
    }
}

void
OutputFile::Close()
{
    m_stream.close();
    std::error_code error;
    if (m_stream.fail())
    {
        error = LastError();
    }
    else
    {
        std::filesystem::rename(m_temporary, m_path, error);
    }
    if (error)
    {
        std::error_code ignored;
        std::filesystem::remove(m_temporary, ignored);
        throw InputError("--out", m_path, Reason(error));
    }
}

std::string
PrepareOutputDirectory(const std::string& argument, const std::string& path)
{
    namespace fs = std::filesystem;
    std::error_code error;
    fs::path made;
    for (fs::path folder = path; !folder.empty() && !fs::exists(folder, error);
         folder = folder.parent_path())
    {
        made = folder;
    }
    fs::create_directories(path, error);
    if (!error)
    {
        fs::remove(fs::path(path) / "run.json", error);
    }
    if (!error)
    {
        const fs::path probe = fs::path(path) / "write-probe.tmp";
        if (!std::ofstream(probe))
        {
            error = LastError();
        }
        std::error_code ignored;
        fs::remove(probe, ignored);
    }
    if (error)
    {
        std::error_code ignored;
        if (!made.empty())
        {
            fs::remove_all(made, ignored);
        }
        throw InputError(argument, path, Reason(error));
    }
    return made.string();
}

} // namespace ns3
