/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-object.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

namespace
{

/**
 * @param text some bytes, at least one
 * @return number of leading bytes that form a UTF-8 character (RFC 3629); 0 if they form none
 */
std::size_t
Utf8Length(std::string_view text)
{
    const auto lead = static_cast<uint8_t>(text[0]);
    const auto second = text.size() > 1 ? static_cast<uint8_t>(text[1]) : 0;
    std::size_t length = 0;
    if (lead < 0x80)
    {
        return 1;
    }
    else if (lead >= 0xc2 && lead < 0xe0)
    {
        length = 2;
    }
    else if (lead >= 0xe0 && lead < 0xf0)
    {
        // neither overlong forms nor surrogates
        const bool valid = (lead != 0xe0 || second >= 0xa0) && (lead != 0xed || second < 0xa0);
        length = valid ? 3 : 0;
    }
    else if (lead >= 0xf0 && lead < 0xf5)
    {
        const bool valid = (lead != 0xf0 || second >= 0x90) && (lead != 0xf4 || second < 0x90);
        length = valid ? 4 : 0;
    }
    const auto isTail = [](char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; };
    const bool whole = length > 0 && length <= text.size() &&
                       std::all_of(text.begin() + 1, text.begin() + length, isTail);
    return whole ? length : 0;
}

/**
 * @param byte a code up to 255
 * @return its escape sequence
 */
std::string
Escape(uint8_t byte)
{
    const char* digits = "0123456789abcdef";
    return std::string("\\u00") + digits[byte >> 4] + digits[byte & 15];
}

/**
 * @param text lines
 * @return the lines, all but the first moved to the right
 */
std::string
Indented(const std::string& text)
{
    std::string result;
    for (const char c : text)
    {
        result.push_back(c);
        if (c == '\n')
        {
            result.append("  ");
        }
    }
    return result;
}

} // namespace

std::string
JsonObject::Quoted(std::string_view text)
{
    std::string result = "\"";
    while (!text.empty())
    {
        const auto first = static_cast<uint8_t>(text[0]);
        const std::size_t length = Utf8Length(text);
        if (first == '"' || first == '\\')
        {
            result.append({'\\', text[0]});
        }
        else if (first < 0x20 || length == 0)
        {
            result.append(Escape(first));
        }
        else
        {
            result.append(text.substr(0, length));
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result + '"';
}

void
JsonObject::Set(std::string_view key, const JsonObject& value)
{
    SetText(key, Indented(value.GetText()));
}

void
JsonObject::Set(std::string_view key, const std::vector<std::string>& values)
{
    std::string json;
    for (const auto& value : values)
    {
        json += (json.empty() ? "[" : ", ") + Quoted(value);
    }
    SetText(key, json.empty() ? "[]" : json + "]");
}

void
JsonObject::Set(std::string_view key, const std::vector<JsonObject>& values)
{
    std::string json;
    for (const auto& value : values)
    {
        json += (json.empty() ? "[" : ", ") + Indented(value.GetText());
    }
    SetText(key, json.empty() ? "[]" : json + "]");
}

void
JsonObject::SetText(std::string_view key, std::string json)
{
    std::string quoted = Quoted(key);
    const auto place = std::find_if(m_members.begin(), m_members.end(), [&](const auto& member) {
        return member.first == quoted;
    });
    if (place != m_members.end())
    {
        place->second = std::move(json);
    }
    else
    {
        m_members.emplace_back(std::move(quoted), std::move(json));
    }
}

std::string
JsonObject::GetText() const
{
    std::string result;
    for (const auto& [key, json] : m_members)
    {
        result += (result.empty() ? "{\n  " : ",\n  ") + key + ": " + json;
    }
    return result.empty() ? "{}" : result + "\n}";
}

} // namespace ns3
