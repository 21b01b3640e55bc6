/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STATEMENT_H
#define STATEMENT_H

#include "ns3/data-rate.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief A line in which a user says something: a kind, a name and settings, such as
 * `tenant A hosts=0-3 hose=1Gbps`.
 *
 * Blanks separate the words, but for those in brackets or quotes. Every complaint is an InputError
 * that names the statement.
 */
class Statement
{
  public:
    /// @brief The keys that each kind of statement takes.
    using Grammar = std::map<std::string, std::vector<std::string>>;

    /// @brief Largest number in a list, and largest count: a slip of the hand is more.
    static constexpr uint64_t MOST = 1'000'000;

    /**
     * @brief Cut a statement into its parts.
     * @param grammar the kinds and keys allowed; outlives the statement
     * @param where names the statement, for errors
     * @param text the statement
     * @param repeated the key that may be set several times; empty: none
     */
    Statement(const Grammar& grammar,
              const std::string& where,
              const std::string& text,
              const std::string& repeated = "");

    /**
     * @brief The kind of the statement.
     * @return one of the grammar's kinds
     */
    const std::string& GetKind() const;

    /// @brief Of what it is said.
    const std::string& GetName() const;

    /**
     * @brief Name a part of the statement, for errors.
     * @param key its key
     * @return the statement and the key, as errors name them
     */
    std::string Where(const std::string& key) const;

    /**
     * @brief All values of a key.
     * @param key the key
     * @return the values, in order
     */
    std::vector<std::string> GetAll(const std::string& key) const;

    /**
     * @brief Value of a key.
     * @param key the key
     * @return the value; nothing if it is not there
     */
    std::optional<std::string> Get(const std::string& key) const;

    /**
     * @brief Value of a key that must be there.
     * @param key the key
     * @return the value
     */
    std::string Need(const std::string& key) const;

    /**
     * @brief A rate.
     * @param key its key
     * @param otherwise the rate if the key is not there
     * @return the rate
     */
    DataRate GetRate(const std::string& key, DataRate otherwise = DataRate(0)) const;

    /**
     * @brief A count.
     * @param key its key
     * @param otherwise the count if the key is not there
     * @return the count
     */
    uint32_t GetCount(const std::string& key, uint64_t otherwise) const;

    /**
     * @brief A list of numbers and ranges, such as 0-3,8.
     * @param key its key, which must be there
     * @return the numbers, at least one
     */
    std::vector<uint32_t> GetNumbers(const std::string& key) const;

  private:
    /**
     * @brief Take in a word.
     * @param word such as hosts=0-3
     * @param keys the keys allowed
     * @param repeated the key that may be set several times
     */
    void AddSetting(const std::string& word,
                    const std::vector<std::string>& keys,
                    const std::string& repeated);

    /**
     * @brief Read a count.
     * @param key its key
     * @param text the count
     * @return the count, not above MOST
     */
    uint64_t ParseMost(const std::string& key, const std::string& text) const;

    std::string m_where;                                         //!< names the statement
    std::string m_kind;                                          //!< kind of the statement
    std::string m_name;                                          //!< of what
    std::vector<std::pair<std::string, std::string>> m_settings; //!< key and value, in order
};

/// @ingroup workload
/// @brief The place of a statement, for errors, and the statement.
using LocatedStatement = std::pair<std::string, std::string>;

/**
 * @ingroup workload
 * @brief Cut statements at their semicolons.
 * @param argument the setting that errors name
 * @param text the statements, perhaps in braces
 * @return those that are not blank
 */
std::vector<LocatedStatement> CutStatements(const std::string& argument, std::string text);

/**
 * @ingroup workload
 * @brief Read a file with a statement per line; `#` begins a comment.
 * @param argument the setting that errors name
 * @param path the file
 * @return those that are not blank
 */
std::vector<LocatedStatement> ReadStatements(const std::string& argument, const std::string& path);

} // namespace ns3

#endif /* STATEMENT_H */
