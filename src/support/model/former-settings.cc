/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "former-settings.h"

#include "input-error.h"
#include "input-parse.h"
#include "number-text.h"

#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param tid a class
 * @param name of a class
 * @return whether it is that class or derives from it
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

} // namespace

const std::vector<FormerSetting>&
GetFormerSettings()
{
    static const std::vector<FormerSetting> settings{
        // Buffers and thresholds were bytes or packets, at 1, 10 or 40 Gbit/s or any rate.
        {"ns3::PortQueueScheme", "BufferPerGbps", 8, "ns", 0, "", {"EdgeBuffer", "CoreBuffer"}},
        {"dctcp", "MarkThreshold", 1.2, "us"},
        {"clove", "MarkThreshold", 1, "B", -1},
        {"elastic-switch", "MarkThreshold", 1, "B", -1},
        {"elastic-switch-conservative", "MarkThreshold", 1, "B", -1},
        {"elastic-switch-aggressive", "MarkThreshold", 1, "B", -1},
        {"elastic-switch-sigcomm13", "MarkThreshold", 1, "B", -1},
        {"elastic-switch-clove", "MarkThreshold", 1, "B", -1},
        {"ns3::BouncingScheme", "MarkThreshold", 8, "ns", 0, "0"},
        {"ns3::NimbleScheme", "MarkThreshold", 1, "B"},
        {"ns3::NimbleScheme", "VirtualQueueBuffer", 1, "B"},
        {"ns3::EdgeLimitersScheme", "MarkThreshold", 1, "B"},
        {"ns3::RedMarkQueueDisc", "MinThreshold", 1, "B"},
        {"ns3::RedMarkQueueDisc", "MaxThreshold", 1, "B"},
        {"ns3::IdealFqQueueDisc", "MarkThreshold", 1, "B", 0, "4294967295"},
        // What a flow has in its host's port were bytes or packets; 0: no limit.
        {"ns3::LeanTransport", "SmallQueue", 1, "B", 0, "0", {"Backlog"}},
        {"ns3::ReliableTransport", "PortPackets", 1, "p", 0, "", {"Backlog"}},
        {"ns3::UdpTransport", "SendBuffer", 1, "B", 0, "0"},
        {"ns3::HostModel", "SmallQueue", 1, "B", 0, "0", {"Backlog"}},
        {"ns3::HostModel", "SendBuffer", 1, "B", 0, "0"},
        {"ns3::HostModel", "Autosizing", 0, "", 0, "", {"SmallQueueTime", "BurstTime"}},
        {"ns3::HostModel", "Kernel", 0, "", 0, "", {"linux-"}},
        // Attributes of schemes that are rows now.
        {"dcqcn", "MinThreshold", 0.2, "ns", 0, "", {"Queue=red-mark:MinThreshold"}},
        {"dcqcn", "MaxThreshold", 0.2, "ns", 0, "", {"Queue=red-mark:MaxThreshold"}},
        {"dcqcn", "MaxProbability", 0, "", 0, "", {"Queue=red-mark:MaxProbability"}},
        {"clove", "Clove", 0, "", 0, "", {"Agents"}},
        {"pwc", "Clove", 0, "", 0, "", {"Agents"}},
        {"elastic-switch-clove", "Clove", 0, "", 0, "", {"Agents"}},
        {"detail", "InputBuffer", 0, "", 0, "", {"FlowControl=priority:Buffer"}},
        {"detail", "MaxPacket", 0, "", 0, "", {"FlowControl=priority:MaxPacket"}},
        {"detail", "ShortQueue", 0, "", 0, "", {"Paths=adaptive:ShortQueue"}},
        {"detail", "LongQueue", 0, "", 0, "", {"Paths=adaptive:LongQueue"}},
    };
    return settings;
}

std::string
TranslateFormerSetting(const std::string& name,
                       TypeId tid,
                       const std::string& attribute,
                       const std::string& value)
{
    for (const FormerSetting& setting : GetFormerSettings())
    {
        if (setting.attribute != attribute || (setting.owner != name && !IsA(tid, setting.owner)))
        {
            continue;
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
