/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scratch-file.h"

#include "input-error.h"

#include <cstdlib>
#include <unistd.h>

namespace ns3
{

ScratchFile::~ScratchFile()
{
    if (m_file >= 0)
    {
        close(m_file);
    }
}

bool
ScratchFile::Write(uint64_t offset, const void* data, std::size_t size)
{
    if (m_file < 0 && !m_isFull)
    {
        const char* folder = std::getenv("TMPDIR");
        m_folder = folder && *folder ? folder : "/tmp";
        std::string name = m_folder + "/flows-XXXXXX";
        m_file = mkstemp(name.data());
        if (m_file >= 0)
        {
            unlink(name.c_str());
        }
    }
    m_isFull = m_isFull || m_file < 0 ||
               pwrite(m_file, data, size, static_cast<off_t>(offset)) != static_cast<ssize_t>(size);
    return !m_isFull;
}

void
ScratchFile::Read(uint64_t offset, void* data, std::size_t size) const
{
    if (pread(m_file, data, size, static_cast<off_t>(offset)) != static_cast<ssize_t>(size))
    {
        throw InputError("TMPDIR", m_folder, "what was written to a file there cannot be read");
    }
}

} // namespace ns3
