/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer-check.h"

#include "port-queue-scheme.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/number-text.h"
#include "ns3/uinteger.h"

namespace ns3
{

void
CheckSharedBuffer(const PortQueueScheme& scheme, uint32_t fullPacket, const std::string& what)
{
    UintegerValue memory;
    DoubleValue alpha;
    scheme.GetAttribute("SharedBuffer", memory);
    scheme.GetAttribute("SharedBufferAlpha", alpha);
    if (memory.Get() == 0)
    {
        return; // each port has a buffer of its own
    }
    const std::string size = std::to_string(memory.Get()) + "B";
    const std::string need = what + ", " + std::to_string(fullPacket) + "B";
    if (memory.Get() < fullPacket)
    {
        throw InputError("--scheme SharedBuffer", size, "must hold " + need);
    }
    const double most = alpha.Get() * static_cast<double>(memory.Get());
    if (most < fullPacket)
    {
        throw InputError("--scheme SharedBufferAlpha",
                         NumberText(alpha.Get()),
                         "leaves a port " + NumberText(most) + " of " + size +
                             ", which must hold " + need);
    }
}

} // namespace ns3
