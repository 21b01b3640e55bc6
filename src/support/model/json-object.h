/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_OBJECT_H
#define JSON_OBJECT_H

#include "number-text.h"

#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup support
 * @brief A JSON object (RFC 8259) that is only ever written: keys in the order of their first
 * Set().
 *
 * A key that is set again keeps its place and takes the new value. Numbers that JSON cannot express
 * (NaN, infinities) become null. Text may be any bytes: those that are not UTF-8 are written as the
 * Latin-1 characters of the same codes, so that the result is always valid JSON.
 */
class JsonObject
{
  public:
    /**
     * @param key the key
     * @param value an integer or a truth value
     */
    template <std::integral Integer>
    void Set(std::string_view key, Integer value)
    {
        if constexpr (std::same_as<Integer, bool>)
        {
            SetText(key, value ? "true" : "false");
        }
        else
        {
            SetText(key, std::to_string(value));
        }
    }

    /**
     * @param key the key
     * @param value a number
     */
    void Set(std::string_view key, double value)
    {
        SetText(key, std::isfinite(value) ? NumberText(value) : "null");
    }

    /**
     * @param key the key
     * @param value text
     */
    void Set(std::string_view key, std::string_view value)
    {
        SetText(key, Quoted(value));
    }

    /**
     * @param key the key
     * @param value an object, as it is now
     */
    void Set(std::string_view key, const JsonObject& value);

    /**
     * @param key the key
     * @param values a list of whole numbers
     */
    template <std::integral Integer>
    void Set(std::string_view key, const std::vector<Integer>& values)
    {
        std::string json;
        for (const Integer value : values)
        {
            json += (json.empty() ? "[" : ", ") + std::to_string(value);
        }
        SetText(key, json.empty() ? "[]" : json + "]");
    }

    /**
     * @param key the key
     * @param values a list of texts
     */
    void Set(std::string_view key, const std::vector<std::string>& values);

    /**
     * @param key the key
     * @param values a list of objects, as they are now
     */
    void Set(std::string_view key, const std::vector<JsonObject>& values);

    /// @return the object as indented text, without a newline at its end
    std::string GetText() const;

    /**
     * @param text any bytes
     * @return a JSON string with its quotes
     */
    static std::string Quoted(std::string_view text);

  private:
    /**
     * @param key the key
     * @param json the value, as JSON
     */
    void SetText(std::string_view key, std::string json);

    std::vector<std::pair<std::string, std::string>> m_members; //!< quoted key, value as JSON
};

} // namespace ns3

#endif /* JSON_OBJECT_H */
