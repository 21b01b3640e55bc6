/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-prime-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MufabPrimeScheme);

TypeId
MufabPrimeScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MufabPrimeScheme")
                            .SetParent<MufabScheme>()
                            .SetGroupName("Mufab")
                            .AddConstructor<MufabPrimeScheme>();
    return tid;
}

std::string
MufabPrimeScheme::GetSummary() const
{
    return "uFAB': uFAB without the stage of admission that bounds the latency";
}

std::map<std::string, std::string>
MufabPrimeScheme::GetControllerDefaults() const
{
    // Windows are those of Eq. 3 from the start, and so is what is told of them.
    return {{"TwoStage", "false"}, {"Advertisement", "Eq3"}};
}

} // namespace ns3
