/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include <fstream>
#include <string>
#include <string_view>

namespace ns3
{

/**
 * @ingroup support
 * @brief A text file that is complete or absent.
 *
 * What is written goes to `PATH.tmp`; Close() renames it to `PATH`. A run that is killed or fails
 * leaves at most a `.tmp` file behind, which nobody reads, so whatever bears the final name is
 * whole.
 */
class OutputFile
{
  public:
    /**
     * @brief Opens `path.tmp`.
     * @param path the final name
     * @throws InputError naming --out if the file cannot be written
     */
    explicit OutputFile(const std::string& path);

    /// Not closed: the temporary file is removed, an older file of the final name stays.
    ~OutputFile();

    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /**
     * @brief Appends text as it is.
     * @param text bytes to write
     */
    void Write(std::string_view text)
    {
        m_stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    }

    /**
     * @brief Gives the file its final name; nothing may be written afterwards.
     * @throws InputError naming --out if writing or renaming failed (a full disk, for example)
     */
    void Close();

    /// @return true until Close()
    bool IsOpen() const
    {
        return m_stream.is_open();
    }

  private:
    std::string m_path;      //!< final name
    std::string m_temporary; //!< name while it is written
    std::ofstream m_stream;  //!< the temporary file
};

/**
 * @ingroup support
 * @brief Makes a folder ready for a run's output, before anything is simulated.
 *
 * Creates the folder with its parents, makes sure that files can be created in it, and removes the
 * run.json of an earlier run: without one, no reader takes the folder's files for a finished run.
 *
 * @param argument how the user spells the option ("--out")
 * @param path the folder
 * @return the first folder on the path that was created; empty: all were there
 * @throws InputError naming the argument if the folder cannot be created or written; folders
 * created so far are removed
 */
std::string PrepareOutputDirectory(const std::string& argument, const std::string& path);

} // namespace ns3

#endif /* OUTPUT_FILE_H */
