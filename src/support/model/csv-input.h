/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CSV_INPUT_H
#define CSV_INPUT_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup support
 * @brief Reads a CSV file that a user wrote, and says where it is wrong.
 *
 * The first row that is not blank names the columns, in any order. It may be missing if that row
 * has digits: columns are then in their own order. Cells stand between commas, semicolons or
 * blanks; `#` begins a comment. Every complaint is an InputError that names file and line.
 */
class CsvInput
{
  public:
    /**
     * @brief Open a file and find its columns.
     * @param file path
     * @param columns their names, in order, of small letters only
     * @param optional number of columns, the last ones, that the file may lack
     * @throws InputError if the file cannot be read, or it is not clear what the columns are
     */
    CsvInput(const std::string& file,
             const std::vector<std::string>& columns,
             std::size_t optional = 0);

    /**
     * @brief Go to the next row.
     * @return false at the end of the file
     */
    bool Next();

    /**
     * @brief Text of a cell of this row.
     * @param column index of the column
     * @return the text without surrounding blanks; empty if the row lacks it
     */
    std::string Text(std::size_t column) const;

    /**
     * @brief Number in a cell of this row.
     * @param column index of the column
     * @return the number, finite and at least 0
     */
    double Number(std::size_t column) const;

    /**
     * @brief Count in a cell of this row.
     * @param column index of the column
     * @param max largest count allowed
     * @return the count
     */
    uint64_t Count(std::size_t column, uint64_t max) const;

    /**
     * @brief Time in a cell of this row.
     * @param column index of the column
     * @return the time: a number of seconds, or a number with a unit
     */
    Time Duration(std::size_t column) const;

    /**
     * @brief Rate in a cell of this row.
     * @param column index of the column
     * @return the rate, above zero: a number with a unit
     */
    DataRate Rate(std::size_t column) const;

    /**
     * @brief Refuse a cell of this row.
     * @param column index of the column
     * @param allowed the values accepted
     * @throw InputError always
     */
    [[noreturn]] void Reject(std::size_t column, const std::string& allowed) const;

  private:
    /**
     * @brief Name this row.
     * @return file and line
     */
    std::string Where() const;

    /**
     * @brief Name a cell of this row.
     * @param column index of the column
     * @return file, line and name of the column
     */
    std::string Where(std::size_t column) const;

    /**
     * @brief Read on to a row that is not blank.
     * @return false at the end of the file
     */
    bool Fetch();

    /**
     * @brief Find the columns in this row, which is the first.
     * @param optional number of columns, the last ones, that it may lack
     */
    void ReadHeader(std::size_t optional);

    std::string m_file;                 //!< path, for messages
    std::ifstream m_stream;             //!< the file
    std::size_t m_line{0};              //!< number of this row's line
    std::vector<std::string> m_cells;   //!< of this row
    std::vector<std::string> m_columns; //!< names of the columns
    std::vector<std::string> m_header;  //!< the columns that rows have, in their order
    bool m_isFirst{false};              //!< true if this row is the first, not returned yet
};

} // namespace ns3

#endif /* CSV_INPUT_H */
