/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INPUT_FILE_H
#define INPUT_FILE_H

#include <fstream>
#include <map>
#include <string>

/**
 * @file
 * @ingroup support
 * Files that a user names. A run that is repeated elsewhere reads the files of the run before: each
 * run tells where those are that it was given by a relative path.
 */

namespace ns3
{

/**
 * @ingroup support
 * @brief Open a text file. A byte order mark before the text is passed over.
 * @param argument the setting that the error names
 * @param path names the file
 * @return the text, in UTF-8
 * @throws InputError if the file cannot be read as a whole, or is UTF-16
 */
std::ifstream OpenTextFile(const std::string& argument, const std::string& path);

/**
 * @ingroup support
 * @brief Tell whether there is something of a name.
 * @param name its path as the user wrote it
 * @return true if it is here, or was in an earlier run
 */
bool HasInputFile(const std::string& name);

/**
 * @ingroup support
 * @brief Find a file.
 * @param argument the setting that the error names
 * @param name its path as the user wrote it
 * @return its path
 * @throws InputError if there is none, or an earlier run had another one of that name
 */
std::string FindInputFile(const std::string& argument, const std::string& name);

/**
 * @ingroup support
 * @brief Say where a file was in an earlier run.
 * @param name its path as the user wrote it
 * @param path its path in that run
 */
void SetInputFile(const std::string& name, const std::string& path);

/**
 * @ingroup support
 * @brief The files that FindInputFile() has found by relative paths.
 * @return their paths, by name
 */
const std::map<std::string, std::string>& GetInputFiles();

} // namespace ns3

#endif /* INPUT_FILE_H */
