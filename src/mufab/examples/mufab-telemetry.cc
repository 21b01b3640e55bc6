/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long a probe is (uFAB, SIGCOMM 2022, Section 4.2 and Figure 22): the suite's probe header,
// written out. Simulates nothing.

#include "ns3/buffer.h"
#include "ns3/calculation.h"
#include "ns3/input-error.h"
#include "ns3/probe-header.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

/**
 * @brief Write a probe.
 * @param hops it has room for
 * @param bits of its tokens
 * @return bytes
 */
uint32_t
CountBytes(uint32_t hops, uint32_t bits)
{
    ProbeHeader header;
    header.SetTokenBits(bits);
    header.SetType(ProbeHeader::PROBE);
    header.SetRoom(hops, 446);
    Buffer buffer;
    buffer.AddAtStart(header.GetSerializedSize());
    Buffer::Iterator start = buffer.Begin();
    header.Serialize(start);
    return buffer.GetSize();
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t hops = 5;
    uint32_t tokenBits = 24;
    Calculation calculation("mufab-telemetry", "bytes of a probe");
    calculation.AddOption("hops",
                          "switches on the path",
                          hops,
                          MakeUintegerChecker<uint32_t>(1, ProbeHeader::MAX_HOPS - 1));
    calculation.AddOption("tokenBits", "width of the pair's tokens: 16 or 24", tokenBits);
    return calculation.Main(argc, argv, [&] {
        if (tokenBits != 16 && tokenBits != 24)
        {
            throw InputError("--tokenBits", std::to_string(tokenBits), "16 or 24");
        }
        calculation.Report("telemetry_bytes", CountBytes(hops, tokenBits));
        calculation.Report("record_bits",
                           8.0 * (CountBytes(hops + 1, tokenBits) - CountBytes(hops, tokenBits)));
    });
}
