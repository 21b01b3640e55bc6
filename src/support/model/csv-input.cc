/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csv-input.h"

#include "ns3/input-error.h"
#include "ns3/input-file.h"
#include "ns3/input-parse.h"

#include <algorithm>
#include <cctype>

namespace ns3
{

namespace
{

/**
 * @brief Join names as a header row has them.
 * @param names the names
 * @return the row
 */
std::string
Join(const std::vector<std::string>& names)
{
    std::string row;
    for (const auto& name : names)
    {
        row += (row.empty() ? "" : ",") + name;
    }
    return row;
}

} // namespace

CsvInput::CsvInput(const std::string& file,
                   const std::vector<std::string>& columns,
                   std::size_t optional)
    : m_file(file),
      m_stream(FindInputFile("file", file)),
      m_reader(m_stream),
      m_columns(columns)
{
    if (!m_stream)
    {
        throw InputError("file", file, "cannot be read");
    }
    if (!Fetch())
    {
        throw InputError(m_file, "", "is empty; must begin with the row " + Join(columns));
    }
    std::vector<std::string> found;
    for (std::size_t i = 0; i < m_reader.ColumnCount(); ++i)
    {
        found.push_back(Text(i));
    }
    m_columns.resize(std::min(std::max(found.size(), columns.size() - optional), columns.size()));
    if (found != m_columns)
    {
        throw InputError(Where(), Join(found), "must be the column names " + Join(columns));
    }
}

bool
CsvInput::Fetch()
{
    while (m_reader.FetchNextRow())
    {
        if (m_reader.ColumnCount() > 1 || !Text(0).empty())
        {
            return true;
        }
    }
    return false;
}

bool
CsvInput::Next()
{
    if (!Fetch())
    {
        return false;
    }
    if (m_reader.ColumnCount() > m_columns.size())
    {
        throw InputError(Where(),
                         std::to_string(m_reader.ColumnCount()) + " cells",
                         "a row has the columns " + Join(m_columns));
    }
    return true;
}

std::string
CsvInput::Text(std::size_t column) const
{
    std::string text;
    m_reader.GetValue(column, text);
    // The reader leaves blanks, and the CR of a CRLF, at the end of a line.
    text.erase(text.find_last_not_of(" \t\r") + 1);
    return text;
}

double
CsvInput::Number(std::size_t column) const
{
    const double value = ParseNumber(Where(column), Text(column));
    if (value < 0)
    {
        Reject(column, "must be at least 0");
    }
    return value;
}

uint64_t
CsvInput::Count(std::size_t column, uint64_t max) const
{
    const uint64_t value = ParseCount(Where(column), Text(column));
    if (value > max)
    {
        Reject(column, "must be at most " + std::to_string(max));
    }
    return value;
}

Time
CsvInput::Duration(std::size_t column) const
{
    const std::string text = Text(column);
    const bool hasUnit = !text.empty() && std::isalpha(static_cast<unsigned char>(text.back()));
    return hasUnit ? ParseTime(Where(column), text)
                   : CheckedSeconds(Where(column), text, Number(column));
}

DataRate
CsvInput::Rate(std::size_t column) const
{
    return ParseRate(Where(column), Text(column));
}

std::string
CsvInput::Where() const
{
    return m_file + " line " + std::to_string(m_reader.RowNumber());
}

std::string
CsvInput::Where(std::size_t column) const
{
    return Where() + ' ' + m_columns.at(column);
}

void
CsvInput::Reject(std::size_t column, const std::string& allowed) const
{
    throw InputError(Where(column), Text(column), allowed);
}

} // namespace ns3
