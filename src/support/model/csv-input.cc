/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csv-input.h"

#include "ns3/input-error.h"
#include "ns3/input-file.h"
#include "ns3/input-parse.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>
#include <utility>

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

/**
 * @param line of the file
 * @return its cells, between semicolons, else commas, else blanks; without empty ones at its end
 */
std::vector<std::string>
CutRow(std::string line)
{
    line.resize(std::min(line.find('#'), line.size()));
    std::vector<std::string> cells;
    if (line.find_first_of(",;") != std::string::npos)
    {
        cells = CutList(line, line.find(';') == std::string::npos ? ',' : ';');
    }
    else
    {
        std::istringstream words(line);
        cells.assign(std::istream_iterator<std::string>(words), {});
    }
    for (std::string& cell : cells)
    {
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
        {
            cell = cell.substr(1, cell.size() - 2);
        }
    }
    while (!cells.empty() && cells.back().empty()) // as spreadsheets write them
    {
        cells.pop_back();
    }
    return cells;
}

} // namespace

CsvInput::CsvInput(const std::string& file,
                   const std::vector<std::string>& columns,
                   std::size_t optional)
    : m_file(file),
      m_stream(OpenTextFile("file", FindInputFile("file", file))),
      m_columns(columns),
      m_header(columns)
{
    if (!Fetch())
    {
        throw InputError(m_file, "", "is empty; must begin with the row " + Join(columns));
    }
    const bool hasDigits = std::ranges::any_of(m_cells, [](const std::string& cell) {
        return cell.find_first_of("0123456789") != std::string::npos;
    });
    m_isFirst = hasDigits;
    if (!hasDigits)
    {
        ReadHeader(optional);
    }
}

void
CsvInput::ReadHeader(std::size_t optional)
{
    m_header = m_cells;
    for (std::string& name : m_header)
    {
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    }
    std::ptrdiff_t known = 0;
    bool isWhole = true;
    for (std::size_t i = 0; i < m_columns.size(); ++i)
    {
        const auto times = std::ranges::count(m_header, m_columns[i]);
        isWhole &= times == 1 || (times == 0 && i + optional >= m_columns.size());
        known += times;
    }
    if (!isWhole || known < std::ssize(m_header))
    {
        throw InputError(Where(), Join(m_cells), "must be the column names " + Join(m_columns));
    }
}

bool
CsvInput::Fetch()
{
    for (std::string line; std::getline(m_stream, line);)
    {
        ++m_line;
        m_cells = CutRow(line);
        if (!m_cells.empty())
        {
            return true;
        }
    }
    return false;
}

bool
CsvInput::Next()
{
    if (!std::exchange(m_isFirst, false) && !Fetch())
    {
        return false;
    }
    if (m_cells.size() > m_header.size())
    {
        throw InputError(Where(),
                         std::to_string(m_cells.size()) + " cells",
                         "a row has the columns " + Join(m_header));
    }
    return true;
}

std::string
CsvInput::Text(std::size_t column) const
{
    const auto place = std::ranges::find(m_header, m_columns.at(column)) - m_header.begin();
    return place < std::ssize(m_cells) ? m_cells[place] : "";
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
    return m_file + " line " + std::to_string(m_line);
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
