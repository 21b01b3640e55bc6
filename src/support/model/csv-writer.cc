/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csv-writer.h"

namespace ns3
{

CsvWriter::CsvWriter(const std::string& path, std::initializer_list<std::string_view> columns)
    : m_file(path),
      m_columns(columns.size())
{
    for (const auto& column : columns)
    {
        Append(column);
    }
    EndRow();
}

void
CsvWriter::Append(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    {
        AppendRaw(text);
        return;
    }
    // RFC 4180, section 2, rules 6 and 7
    m_row.push_back('"');
    for (const char c : text)
    {
        if (c == '"')
        {
            m_row.push_back('"');
        }
        m_row.push_back(c);
    }
    m_row.append("\",");
}

void
CsvWriter::EndRow()
{
    m_row.back() = '\n';
    m_file.Write(m_row);
}

void
CsvWriter::Close()
{
    m_file.Close();
}

} // namespace ns3
