/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "statement.h"

#include "ns3/input-error.h"
#include "ns3/input-file.h"
#include "ns3/input-parse.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace ns3
{

namespace
{

constexpr std::string_view BLANKS = " \t\r\n"; //!< between words

/**
 * @brief Join words.
 * @param words the words
 * @return them, with commas
 */
std::string
Join(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : words)
    {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

/**
 * @brief Cut a statement at its blanks, but not within brackets or quotes.
 * @param where names the statement
 * @param statement the statement
 * @return its words
 */
std::vector<std::string>
CutWords(const std::string& where, const std::string& statement)
{
    static constexpr std::string_view OPENS = "[{(\"";
    static constexpr std::string_view CLOSES = "]})\"";
    const auto isHidden = [](char c) {
        return std::iscntrl(static_cast<unsigned char>(c)) && BLANKS.find(c) == BLANKS.npos;
    };
    if (std::ranges::any_of(statement, isHidden))
    {
        throw InputError(where, statement, "must have no control characters, such as NUL");
    }
    std::vector<std::string> words(1);
    std::string closing; // what is still open, by what closes it
    for (const char c : statement)
    {
        if (closing.empty() && BLANKS.find(c) != BLANKS.npos)
        {
            words.emplace_back();
            continue;
        }
        words.back() += c;
        const bool quoted = closing.ends_with('"');
        if (!closing.empty() && c == closing.back())
        {
            closing.pop_back();
        }
        else if (const auto i = OPENS.find(c); i != std::string_view::npos && !quoted)
        {
            closing += CLOSES[i];
        }
    }
    if (!closing.empty())
    {
        throw InputError(where, statement, std::string("a closing ") + closing + " is missing");
    }
    std::erase(words, "");
    return words;
}

/**
 * @brief True if there is something in a line.
 * @param line the line
 * @return false if it is blank
 */
bool
SaysSomething(const std::string& line)
{
    return line.find_first_not_of(BLANKS) != std::string::npos;
}

/**
 * @brief The end of a statement: the first semicolon that is in no braces and no quotes.
 * @param text statements
 * @return length of the first one
 */
std::size_t
FindEnd(std::string_view text)
{
    int depth = 0;
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        isQuoted ^= text[i] == '"';
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (text[i] == ';' && depth <= 0 && !isQuoted)
        {
            return i;
        }
    }
    return text.size();
}

} // namespace

Statement::Statement(const Grammar& grammar,
                     const std::string& where,
                     const std::string& text,
                     const std::string& repeated)
    : m_where(where)
{
    const auto words = CutWords(where, text);
    const auto kind = words.empty() ? grammar.end() : grammar.find(words[0]);
    if (kind == grammar.end() || words.size() < 2 || words[1].find('=') != std::string::npos)
    {
        std::vector<std::string> kinds;
        for (const auto& [known, keys] : grammar)
        {
            kinds.push_back(known);
        }
        throw InputError(where, text, "must begin with one of " + Join(kinds) + ", and a name");
    }
    m_kind = words[0];
    m_name = words[1];
    for (std::size_t i = 2; i < words.size(); ++i)
    {
        AddSetting(words[i], kind->second, repeated);
    }
}

void
Statement::AddSetting(const std::string& word,
                      const std::vector<std::string>& keys,
                      const std::string& repeated)
{
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (equals == std::string::npos || std::ranges::find(keys, key) == keys.end())
    {
        throw InputError(m_where, word, m_kind + " takes " + Join(keys) + ", each with =");
    }
    if (key != repeated && Get(key))
    {
        throw InputError(m_where, word, key + " is set twice");
    }
    std::string value = word.substr(equals + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    {
        value = value.substr(1, value.size() - 2);
    }
    m_settings.emplace_back(key, value);
}

const std::string&
Statement::GetKind() const
{
    return m_kind;
}

const std::string&
Statement::GetName() const
{
    return m_name;
}

std::string
Statement::Where(const std::string& key) const
{
    return m_where + ' ' + key;
}

std::vector<std::string>
Statement::GetAll(const std::string& key) const
{
    std::vector<std::string> values;
    for (const auto& [name, value] : m_settings)
    {
        if (name == key)
        {
            values.push_back(value);
        }
    }
    return values;
}

std::optional<std::string>
Statement::Get(const std::string& key) const
{
    const auto values = GetAll(key);
    return values.empty() ? std::nullopt : std::optional(values.front());
}

std::string
Statement::Need(const std::string& key) const
{
    const auto value = Get(key);
    if (!value)
    {
        throw InputError(m_where, m_kind + ' ' + m_name, key + "= is missing");
    }
    return *value;
}

DataRate
Statement::GetRate(const std::string& key, DataRate otherwise) const
{
    const auto value = Get(key);
    return value ? ParseRate(Where(key), *value) : otherwise;
}

uint32_t
Statement::GetCount(const std::string& key, uint64_t otherwise) const
{
    const auto value = Get(key);
    return static_cast<uint32_t>(value ? ParseMost(key, *value) : otherwise);
}

std::vector<uint32_t>
Statement::GetNumbers(const std::string& key) const
{
    std::vector<uint32_t> numbers;
    for (const auto& item : CutList(Need(key)))
    {
        const auto dash = item.find('-');
        const uint64_t first = ParseMost(key, item.substr(0, dash));
        const uint64_t last =
            dash == std::string::npos ? first : ParseMost(key, item.substr(dash + 1));
        if (last < first)
        {
            throw InputError(Where(key), item, "a range rises");
        }
        for (uint64_t number = first; number <= last; ++number)
        {
            numbers.push_back(static_cast<uint32_t>(number));
        }
    }
    if (numbers.empty())
    {
        throw InputError(Where(key), "", "must be a list, such as 0-3,8");
    }
    return numbers;
}

uint64_t
Statement::ParseMost(const std::string& key, const std::string& text) const
{
    const uint64_t count = ParseCount(Where(key), text);
    if (count > MOST)
    {
        throw InputError(Where(key), text, "must be at most " + std::to_string(MOST));
    }
    return count;
}

std::vector<LocatedStatement>
CutStatements(const std::string& argument, std::string text)
{
    if (text.starts_with('{') && text.ends_with('}'))
    {
        text = text.substr(1, text.size() - 2);
    }
    std::vector<LocatedStatement> statements;
    uint32_t number = 0;
    for (std::string_view left = text; !left.empty();)
    {
        ++number;
        const std::string statement(left.substr(0, FindEnd(left)));
        left.remove_prefix(std::min(left.size(), statement.size() + 1));
        if (SaysSomething(statement))
        {
            statements.emplace_back(argument + " statement " + std::to_string(number), statement);
        }
    }
    return statements;
}

std::vector<LocatedStatement>
ReadStatements(const std::string& argument, const std::string& path)
{
    std::ifstream stream = OpenTextFile(argument, FindInputFile(argument, path));
    std::vector<LocatedStatement> statements;
    uint32_t number = 0;
    for (std::string line; std::getline(stream, line);)
    {
        ++number;
        line = line.substr(0, line.find('#'));
        if (SaysSomething(line))
        {
            statements.emplace_back(path + " line " + std::to_string(number), line);
        }
    }
    if (statements.empty())
    {
        throw InputError(argument, path, "says nothing; a statement per line");
    }
    return statements;
}

} // namespace ns3
