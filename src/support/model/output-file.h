/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include "input-error.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

/**
 * @ingroup support
 * @brief Makes the error of a file of --out that the system has just refused to write.
 * @param path the file
 * @return the error, with the system's reason
 */
InputError MakeWriteError(const std::string& path);

/**
 * @ingroup support
 * @brief A text file of a run's output. It is complete once Close() has returned; a reader sees it
 * with the others of its run (OutputFolder).
 */
class OutputFile
{
  public:
    /**
     * @param path the file
     * @throws InputError naming --out if it cannot be written
     */
    explicit OutputFile(const std::string& path);

    /**
     * @brief Appends text as it is.
     * @param text bytes to write
     */
    void Write(std::string_view text)
    {
        m_stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    }

    /**
     * @brief Ends the file; nothing may be written afterwards.
     * @throws InputError naming --out if writing failed (a full disk, for example)
     */
    void Close();

  private:
    std::string m_path;     //!< the file
    std::ofstream m_stream; //!< the same
};

/**
 * @ingroup support
 * @brief The folder of a run's output, which takes an earlier run's place as a whole.
 *
 * What is written goes to a folder within it, `unfinished.tmp`. Finish() removes the files that the
 * earlier run has written, as its run.json lists them, and puts the new ones there, run.json last.
 * Files of nobody stay. A run that is killed or fails leaves the earlier one as it was. One run at
 * a time has the folder: it is locked while this object lives, where the file system can do so.
 */
class OutputFolder
{
  public:
    /**
     * @brief Makes the folder, with its parents.
     * @param argument the option as the user spells it ("--out")
     * @param path the folder
     * @throws InputError naming the argument if another run writes there, or the folder cannot be
     * created or written; folders created so far are removed
     */
    OutputFolder(const std::string& argument, const std::string& path);

    /// Not finished: what was written is removed, and the folder if it was made here.
    ~OutputFolder();

    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    /// @return the folder
    const std::string& GetFolder() const
    {
        return m_path;
    }

    /// @return the folder that takes files until Finish()
    const std::string& GetPath() const
    {
        return m_unfinished;
    }

    /// @return names of the files that were written, with their sizes in bytes
    std::map<std::string, std::uint64_t> GetFiles() const;

    /**
     * @brief Puts the files in place of the earlier run's. Nothing may be written afterwards.
     * @throws InputError if a file cannot be removed or renamed
     */
    void Finish();

  private:
    /// Remove what was made, and let another run have the folder.
    void Release();

    std::string m_argument;   //!< option
    std::string m_path;       //!< the folder
    std::string m_unfinished; //!< within it, where files go
    std::string m_made;       //!< first folder on the path that was created; empty: all were there
    int m_lock{-1};           //!< descriptor of the folder; -1: none
};

} // namespace ns3

#endif /* OUTPUT_FILE_H */
