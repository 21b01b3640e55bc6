/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CSV_WRITER_H
#define CSV_WRITER_H

#include "number-text.h"
#include "output-file.h"

#include "ns3/assert.h"

#include <cmath>
#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace ns3
{

/**
 * @ingroup support
 * @brief Writes a tidy CSV file: a header, then one observation a row.
 *
 * Columns carry their unit in their name (`fct_ns`, `rate_bps`). Numbers are written independently
 * of the locale and so that they read back exactly; a number that does not exist (NaN, an empty
 * std::optional) is an empty cell; text is quoted by RFC 4180 where it must be.
 */
class CsvWriter
{
  public:
    /**
     * @param path the file
     * @param columns names of the columns
     * @throws InputError naming --out if the file cannot be written
     */
    CsvWriter(const std::string& path, std::initializer_list<std::string_view> columns);

    /**
     * @brief Writes one row.
     * @param cells one value per column: integer, bool (0 or 1), double, text, or std::optional of
     * these
     */
    template <typename... Cells>
    void Row(const Cells&... cells)
    {
        NS_ASSERT_MSG(sizeof...(cells) == m_columns, "a CSV row must have a cell for every column");
        m_row.clear();
        (Append(cells), ...);
        EndRow();
    }

    /**
     * @brief Ends the file.
     * @throws InputError naming --out if writing failed
     */
    void Close();

  private:
    /**
     * @brief Appends an integer.
     * @param value the cell
     */
    template <std::integral Integer>
    void Append(Integer value)
    {
        if constexpr (std::same_as<Integer, bool>)
        {
            AppendRaw(value ? "1" : "0");
        }
        else
        {
            AppendRaw(std::to_string(value));
        }
    }

    /**
     * @brief Appends a number.
     * @param value the cell; NaN leaves it empty
     */
    void Append(double value)
    {
        AppendRaw(std::isnan(value) ? std::string() : NumberText(value));
    }

    /**
     * @brief Appends text.
     * @param text the cell
     */
    void Append(std::string_view text);

    /**
     * @brief Appends a value that may be absent.
     * @param value the cell, or nothing for an empty one
     */
    template <typename T>
    void Append(const std::optional<T>& value)
    {
        if (value)
        {
            Append(*value);
        }
        else
        {
            AppendRaw("");
        }
    }

    /**
     * @brief Appends a cell that needs no quotes.
     * @param text the cell
     */
    void AppendRaw(std::string_view text)
    {
        m_row.append(text).push_back(',');
    }

    /// Ends the row and hands it to the file.
    void EndRow();

    OutputFile m_file;     //!< the file
    std::size_t m_columns; //!< number of columns
    std::string m_row;     //!< the row being built, each cell followed by a comma
};

} // namespace ns3

#endif /* CSV_WRITER_H */
