/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "output-file.h"

#include "json-input.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* MANIFEST =
    "run.json"; //!< without it, nobody takes a folder for a finished run

/**
 * @param error the system's error
 * @return the reason as the user reads it
 */
std::string
Reason(const std::error_code& error)
{
    return "must be a writable folder (" + error.message() + ")";
}

} // namespace

InputError
MakeWriteError(const std::string& path)
{
    return {"--out", path, Reason({errno, std::generic_category()})};
}

OutputFile::OutputFile(const std::string& path)
    : m_path(path),
      m_stream(path, std::ios::binary | std::ios::trunc)
{
    if (!m_stream)
    {
        throw MakeWriteError(path);
    }
}

void
OutputFile::Close()
{
    m_stream.close();
    if (m_stream.fail())
    {
        throw MakeWriteError(m_path);
    }
}

OutputFolder::OutputFolder(const std::string& argument, const std::string& path)
    : m_argument(argument),
      m_path(path),
      m_unfinished(fs::path(path) / "unfinished.tmp")
{
    std::error_code error;
    for (fs::path folder = path; !folder.empty() && !fs::exists(folder, error);
         folder = folder.parent_path())
    {
        m_made = folder;
    }
    fs::create_directories(path, error);
    if (!error)
    {
        m_lock = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (m_lock >= 0 && flock(m_lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        {
            close(m_lock);
            throw InputError(argument,
                             path,
                             "another run writes there; wait for its end or name another folder");
        }
        fs::remove_all(m_unfinished, error); // of a run that was killed
    }
    if (!error)
    {
        fs::create_directory(m_unfinished, error);
    }
    if (error)
    {
        Release();
        throw InputError(argument, path, Reason(error));
    }
}

OutputFolder::~OutputFolder()
{
    Release();
}

void
OutputFolder::Release()
{
    std::error_code ignored;
    fs::remove_all(m_unfinished, ignored);
    const fs::path end = fs::path(m_made).parent_path();
    for (fs::path folder = m_path; !m_made.empty() && folder != end && !ignored;
         folder = folder.parent_path())
    {
        fs::remove(folder, ignored); // but for one that is not empty
    }
    if (m_lock >= 0)
    {
        close(std::exchange(m_lock, -1));
    }
}

std::map<std::string, std::uint64_t>
OutputFolder::GetFiles() const
{
    std::map<std::string, std::uint64_t> sizes;
    for (const auto& entry : fs::directory_iterator(m_unfinished))
    {
        sizes.emplace(entry.path().filename(), entry.file_size());
    }
    return sizes;
}

void
OutputFolder::Finish()
{
    const fs::path folder = m_path;
    const fs::path from = m_unfinished;
    std::error_code error;
    const auto check = [&] {
        if (error)
        {
            throw InputError(m_argument, m_path, Reason(error));
        }
    };
    const auto old = ReadJsonNames(folder / MANIFEST, "output");
    fs::remove(folder / MANIFEST, error);
    check();
    for (const std::string& name : old)
    {
        if (fs::path(name).filename() == name && fs::is_regular_file(folder / name, error))
        {
            fs::remove(folder / name, error);
            check();
        }
    }
    auto files = GetFiles();
    const auto manifest = files.extract(MANIFEST);
    for (const auto& [name, size] : files)
    {
        fs::rename(from / name, folder / name, error);
        check();
    }
    if (manifest)
    {
        fs::rename(from / MANIFEST, folder / MANIFEST, error);
        check();
    }
    Release();
}

} // namespace ns3
