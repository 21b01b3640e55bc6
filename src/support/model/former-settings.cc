/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "former-settings.h"

#include "attribute-form.h"
#include "input-error.h"
#include "input-parse.h"
#include "number-text.h"
#include "object-spec.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param tid a class
 * @param name of a class
 * @return true if it is that class or derives from it
 */
bool
IsA(TypeId tid, const std::string& name)
{
    while (tid.GetName() != name && tid.HasParent())
    {
        tid = tid.GetParent();
    }
    return tid.GetName() == name;
}

/**
 * @param setting a setting of former times
 * @param value a number
 * @return the length that it meant
 */
std::string
GetMeaning(const FormerSetting& setting, const std::string& value)
{
    if (!value.empty() && value == setting.never)
    {
        return "never";
    }
    if (setting.one == 0)
    {
        return value;
    }
    const double number = (ParseNumber("", value) + setting.offset) * setting.one;
    // Products of decimal fractions are decimal fractions, but for the last digit.
    return NumberText(std::round(number * 1e6) / 1e6) + setting.unit;
}

/**
 * @return all tables
 */
std::vector<const FormerSettings*>&
AllTables()
{
    static std::vector<const FormerSettings*> tables;
    return tables;
}

} // namespace

FormerSettings::FormerSettings(std::initializer_list<FormerSetting> settings)
    : m_settings(settings)
{
    AllTables().push_back(this);
}

FormerSettings::~FormerSettings()
{
    std::erase(AllTables(), this);
}

std::vector<FormerSetting>
FormerSettings::GetAll()
{
    std::vector<FormerSetting> all;
    for (const FormerSettings* table : AllTables())
    {
        all.insert(all.end(), table->m_settings.begin(), table->m_settings.end());
    }
    return all;
}

std::string
TranslateFormerName(const std::string& name)
{
    for (const FormerSetting& setting : FormerSettings::GetAll())
    {
        if (setting.attribute.empty() && setting.owner == name)
        {
            return setting.now.front();
        }
    }
    return "";
}

namespace
{

/**
 * @param tid a class
 * @param attribute one of its attributes
 * @param value a value that another attribute has
 * @return true if this one could have meant it: any object that it names must exist
 */
bool
CouldMean(TypeId tid, const std::string& attribute, const std::string& value)
{
    TypeId::AttributeInformation info;
    if (!tid.LookupAttributeByName(attribute, &info))
    {
        return true;
    }
    const AttributeForm form = GetAttributeForm(*info.checker);
    return form.kind != "spec" ||
           std::ranges::count(ListRegisteredNames(TypeId::LookupByName(form.base)),
                              value.substr(0, value.find(':'))) > 0;
}

} // namespace

std::string
TranslateFormerSetting(const std::string& name,
                       TypeId tid,
                       const std::string& attribute,
                       const std::string& value)
{
    for (const FormerSetting& setting : FormerSettings::GetAll())
    {
        if (setting.attribute != attribute || (setting.owner != name && !IsA(tid, setting.owner)))
        {
            continue;
        }
        if (setting.now.size() == 1 && !CouldMean(tid, setting.now.front(), value))
        {
            return "";
        }
        try
        {
            const std::string meaning = GetMeaning(setting, value);
            std::string text = setting.now.empty() ? attribute + "=" + meaning : "";
            for (const std::string& successor : setting.now)
            {
                const bool isName = successor.ends_with('-');
                text += (text.empty() ? "" : ",") + successor + (isName ? "" : "=") + meaning;
            }
            return text;
        }
        catch (const InputError&)
        {
            return ""; // not even a number
        }
    }
    return "";
}

} // namespace ns3
