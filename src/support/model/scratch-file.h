/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCRATCH_FILE_H
#define SCRATCH_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup support
 * @brief A file without a name, for what need not be in memory until a run is over.
 *
 * It is in the folder that TMPDIR names, else in /tmp, and gone when the program is, however that
 * ends. Made when something is written first. Where no file can be made, or no more fits into it,
 * Write() says so and the caller keeps what it has.
 */
class ScratchFile
{
  public:
    ScratchFile() = default;
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    /**
     * @brief Write bytes.
     * @param offset from the file's beginning
     * @param data the bytes
     * @param size number of bytes
     * @return true if all of them were written
     */
    bool Write(uint64_t offset, const void* data, std::size_t size);

    /**
     * @brief Read what was written.
     * @param offset from the file's beginning
     * @param data takes the bytes
     * @param size number of bytes
     * @throws InputError naming TMPDIR if they cannot be read
     */
    void Read(uint64_t offset, void* data, std::size_t size) const;

  private:
    int m_file{-1};       //!< descriptor; -1: there is none
    bool m_isFull{false}; //!< true if something could not be written
    std::string m_folder; //!< its folder, for the error
};

} // namespace ns3

#endif /* SCRATCH_FILE_H */
