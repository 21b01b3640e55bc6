/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A path selector: each packet goes to the shortest of a few queues, by DRILL(d, 1) (Ghorbani et
// al., SIGCOMM 2017). doc/writing-a-path-selector.md explains it.
//
//   ./repro sim fct -- --scheme=dctcp:Paths=drill --load=0.6

#include "ns3/fabric-switch.h"
#include "ns3/path-selector.h"
#include "ns3/scheme.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

using namespace ns3;

class DrillPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::DrillPathSelector")
                .SetParent<PathSelector>()
                .AddConstructor<DrillPathSelector>()
                .AddAttribute("Samples",
                              "Ports drawn for each packet (DRILL's d: 2), besides the one taken "
                              "last",
                              UintegerValue(2),
                              MakeUintegerAccessor(&DrillPathSelector::m_samples),
                              MakeUintegerChecker<uint32_t>(1, 64));
        return tid;
    }

    void SetSwitch(FabricSwitch& node) override
    {
        m_switch = &node;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_random = DrawSeed(stream);
        return 1;
    }

    uint32_t Choose(const FabricItem& /* item */, uint32_t group, uint32_t count) override
    {
        if (group >= m_last.size())
        {
            m_last.resize(group + 1, 0);
        }
        uint32_t& best = m_last[group];
        best = std::min(best, count - 1); // a failure may have left fewer ports
        for (uint32_t i = 0; i < m_samples; ++i)
        {
            const uint32_t other = Draw(m_random, count);
            if (GetQueue(group, other) < GetQueue(group, best))
            {
                best = other;
            }
        }
        return best;
    }

  private:
    // What waits at a port, in bytes.
    uint32_t GetQueue(uint32_t group, uint32_t choice) const
    {
        return m_switch->GetChoice(group, choice).GetWaitingBytes();
    }

    uint32_t m_samples;                            // DRILL's d
    FabricSwitch* m_switch{nullptr};               // whose ports are chosen among
    uint64_t m_random{DrawSeed(AUTOMATIC_STREAM)}; // state of the generator
    std::vector<uint32_t> m_last;                  // the port taken last, by set of ports
};

NS_OBJECT_ENSURE_REGISTERED(DrillPathSelector);

// A name for it in comparisons.
static const SchemeRows rows{
    {"my-drill", "dctcp:Paths=drill", "DCTCP whose packets take the shortest of three queues"},
};
