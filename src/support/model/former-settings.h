/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORMER_SETTINGS_H
#define FORMER_SETTINGS_H

#include "ns3/type-id.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup object-spec
 * @brief A setting that is written otherwise than it once was: a number that has a unit now,
 * perhaps under another name.
 */
struct FormerSetting
{
    std::string owner;     //!< name of an object, or of a class that has or had the attribute or
                           //!< that the object's class derives from
    std::string attribute; //!< as it was called; empty: the owner itself has another name
    double one;            //!< value of the number 1 in the unit; 0: the value is as it was
    std::string unit;      //!< of the length that is meant
    double offset{0};      //!< added to the number first: -1 where "from K on" is now "above"
    std::string never{};   //!< the number that meant `never`; empty: none did
    std::vector<std::string> now{}; //!< attributes that take its place, or the beginning of a name
                                    //!< ("linux-") that ends with the value; empty: the same one
};

/**
 * @ingroup object-spec
 * @brief Settings of former times that stand beside what they were settings of. While such an
 * object exists, they are answered.
 */
class FormerSettings
{
  public:
    /**
     * @brief Add settings.
     * @param settings the settings
     */
    FormerSettings(std::initializer_list<FormerSetting> settings);
    ~FormerSettings();

    FormerSettings(const FormerSettings&) = delete;
    FormerSettings& operator=(const FormerSettings&) = delete;

    /**
     * @brief All that there are.
     * @return those of all such objects
     */
    static std::vector<FormerSetting> GetAll();

  private:
    std::vector<FormerSetting> m_settings; //!< the settings
};

/**
 * @ingroup object-spec
 * @brief Say what an object of former times is called now.
 * @param name of an object or a class
 * @return "dctcp"; empty unless it had another name
 */
std::string TranslateFormerName(const std::string& name);

/**
 * @ingroup object-spec
 * @brief Say how a setting of former times is written now.
 * @param name of an object, as a user writes it
 * @param tid its class
 * @param attribute an attribute, or what was one
 * @param value its value
 * @return "MarkThreshold=78us"; empty unless it is a setting of former times
 */
std::string TranslateFormerSetting(const std::string& name,
                                   TypeId tid,
                                   const std::string& attribute,
                                   const std::string& value);

} // namespace ns3

#endif /* FORMER_SETTINGS_H */
