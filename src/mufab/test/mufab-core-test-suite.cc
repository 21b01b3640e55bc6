/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/mufab-probe.h"
#include "ns3/mufab-registers.h"
#include "ns3/packet.h"
#include "ns3/port-rate-meter.h"
#include "ns3/test.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr int64_t SECOND_STEPS = 1'000'000'000;     //!< in time steps
constexpr int64_t PERIOD_STEPS = 10 * SECOND_STEPS; //!< cleaning period

/**
 * @ingroup mufab-tests
 * @brief The edge's side of what registers are told: what was confirmed, and what is under way.
 */
class ClaimSource
{
  public:
    /// @param key of the pair
    explicit ClaimSource(uint64_t key)
    {
        m_update.key = key;
    }

    /**
     * @brief The next probe. What was not confirmed is told again.
     * @param claim the claim to tell
     * @return the update that registers see
     */
    const ClaimUpdate& Next(const PairClaim& claim)
    {
        ++m_update.sequence;
        if (m_update.version == m_update.confirmedVersion)
        {
            ++m_update.version;
            m_update.claim = claim;
        }
        return m_update;
    }

    /**
     * @brief A finish probe.
     * @return the update that registers see
     */
    const ClaimUpdate& Finish()
    {
        ++m_update.sequence;
        return m_update;
    }

    /// @brief The response came.
    void Confirm()
    {
        m_update.confirmedVersion = m_update.version;
        m_update.confirmed = m_update.claim;
    }

    /// @return the last probe, such as one that comes late
    const ClaimUpdate& Last() const
    {
        return m_update;
    }

  private:
    ClaimUpdate m_update; //!< the last probe
};

} // namespace

/**
 * @ingroup mufab-tests
 * @brief Registers fold in what is new, forget who leaves, and never count twice.
 */
class MufabRegistersTestCase : public TestCase
{
  public:
    MufabRegistersTestCase()
        : TestCase("Phi and W")
    {
    }

  private:
    void ExpectSums(const MufabRegisters& registers,
                    double tokens,
                    double window,
                    const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(registers.GetSums().tokens, tokens, 1e-6, "Phi: " << what);
        NS_TEST_EXPECT_MSG_EQ_TOL(registers.GetSums().window, window, 1e-6, "W: " << what);
    }

    void DoRun() override
    {
        CheckSequence();
        CheckLateFinish();
        CheckLostResponse();
        CheckCleaning();
        CheckRandomPairs();
    }

    void CheckSequence()
    {
        ExactRegisters registers(PERIOD_STEPS, nullptr);
        ClaimSource a(1);
        ClaimSource b(2);
        registers.Fold(a.Next({100, 1500}), 0);
        ExpectSums(registers, 100, 1500, "its own part");
        a.Confirm();
        registers.Fold(b.Next({300, 4500}), 0);
        registers.Fold(a.Next({100, 3000}), 0);
        ExpectSums(registers, 400, 7500, "an update");
        registers.Remove(b.Finish(), 0);
        registers.Remove(b.Finish(), 0);
        ExpectSums(registers, 100, 3000, "left, and left again");
        NS_TEST_EXPECT_MSG_EQ(registers.GetUnderflows(), 0, "nothing below 0");
    }

    void CheckLateFinish()
    {
        ExactRegisters registers(PERIOD_STEPS, nullptr);
        ClaimSource a(1);
        registers.Fold(a.Next({50, 1500}), 0);
        a.Confirm();
        const ClaimUpdate late = a.Finish();
        registers.Fold(a.Next({50, 2000}), 0);
        registers.Remove(late, 0);
        ExpectSums(registers, 50, 2000, "joined again before an old finish came");
    }

    void CheckLostResponse()
    {
        DeltaRegisters delta(PERIOD_STEPS, nullptr);
        ExactRegisters exact(PERIOD_STEPS, nullptr);
        ClaimSource a(1);
        const auto tell = [&delta, &exact](const ClaimUpdate& update) {
            delta.Fold(update, 0);
            exact.Fold(update, 0);
        };
        tell(a.Next({100, 1500}));
        a.Confirm();
        tell(a.Next({120, 3000})); // the response is lost
        tell(a.Next({150, 9000})); // told again as it was
        ExpectSums(delta, 120, 3000, "not twice");
        a.Confirm();
        tell(a.Next({150, 9000}));
        ExpectSums(delta, 150, 9000, "the next exchange");
        ExpectSums(exact, 150, 9000, "the same");
        delta.Remove(a.Finish(), 0);
        delta.Remove(a.Finish(), 0);
        ExpectSums(delta, 0, 0, "left");
    }

    void CheckCleaning()
    {
        // The last probe, the time until which it counts, and the one from which it does not.
        const std::vector<std::vector<double>> cases{{3, 19.999, 20},
                                                     {9.999, 19.999, 20},
                                                     {10.001, 29.999, 30}};
        for (const auto& times : cases)
        {
            for (const double scale : {1.0, 0.001})
            {
                const auto at = [&times, scale](std::size_t i) {
                    return static_cast<int64_t>(times[i] * scale * SECOND_STEPS);
                };
                ExactRegisters registers(static_cast<int64_t>(scale * PERIOD_STEPS), nullptr);
                ClaimSource a(1);
                ClaimSource b(2);
                registers.Fold(a.Next({100, 3000}), at(0));
                registers.Fold(b.Next({10, 500}), at(1));
                registers.Advance(at(1));
                ExpectSums(registers, 110, 3500, "still there");
                registers.Advance(at(2));
                ExpectSums(registers, 10, 500, "silent for a period");
                registers.Fold(a.Next({100, 3000}), at(2));
                ExpectSums(registers, 110, 3500, "its next probe restores it");
            }
        }
    }

    void CheckRandomPairs()
    {
        // 500 pairs join, change and leave; responses are lost.
        DeltaRegisters delta(PERIOD_STEPS, nullptr);
        ExactRegisters exact(PERIOD_STEPS, nullptr);
        uint32_t state = 5;
        const auto draw = [&state](uint32_t below) {
            state = state * 1664525 + 1013904223;
            return (state >> 8) % below;
        };
        std::vector<ClaimSource> pairs;
        for (uint64_t key = 0; key < 500; ++key)
        {
            pairs.emplace_back(key);
        }
        std::map<std::size_t, PairClaim> active;
        for (int step = 0; step < 10000; ++step)
        {
            const std::size_t i = draw(500);
            if (draw(4) == 0)
            {
                const ClaimUpdate& finish = pairs[i].Finish();
                delta.Remove(finish, step);
                exact.Remove(finish, step);
                active.erase(i);
                continue;
            }
            const ClaimUpdate& update = pairs[i].Next({1.0 + draw(500), 1500.0 + draw(30000)});
            delta.Fold(update, step);
            exact.Fold(update, step);
            active[i] = update.claim;
            if (draw(10) > 0)
            {
                pairs[i].Confirm();
            }
        }
        PairClaim sums;
        for (const auto& [pair, claim] : active)
        {
            sums.tokens += claim.tokens;
            sums.window += claim.window;
        }
        ExpectSums(exact, sums.tokens, sums.window, "sums over active pairs");
        ExpectSums(delta, sums.tokens, sums.window, "the same by differences");
        for (ClaimSource& pair : pairs)
        {
            const ClaimUpdate& finish = pair.Finish();
            delta.Remove(finish, 10000);
            exact.Remove(finish, 10000);
        }
        ExpectSums(exact, 0, 0, "all have left");
        ExpectSums(delta, 0, 0, "all have left");
        NS_TEST_EXPECT_MSG_EQ(exact.GetPairs() + delta.GetPairs(), 0, "nobody is known");
    }
};

/**
 * @ingroup mufab-tests
 * @brief A Bloom filter in front overlooks as many pairs as theory says, and they leave as if they
 * had never been there.
 */
class BloomRegistersTestCase : public TestCase
{
  public:
    BloomRegistersTestCase()
        : TestCase("pairs that a Bloom filter overlooks")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t PAIRS = 20000;
        for (const auto& [bytes, bits] : {std::pair{20480U, 1U}, {81920U, 4U}})
        {
            ExactRegisters registers(PERIOD_STEPS, std::make_unique<BloomFilter>(bytes, 2, bits));
            std::vector<ClaimSource> pairs;
            for (uint64_t key = 0; key < PAIRS; ++key)
            {
                pairs.emplace_back(key << 32 | key % 97);
                registers.Fold(pairs.back().Next({1, 100}), 0);
            }
            // The sum of (1 - exp(-i / m))^2 over all pairs is 332.
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(registers.GetOmissions()),
                                      332,
                                      45,
                                      "overlooked");
            NS_TEST_EXPECT_MSG_EQ_TOL(registers.GetSums().tokens,
                                      static_cast<double>(PAIRS - registers.GetOmissions()),
                                      1e-6,
                                      "Phi lacks them");
            for (ClaimSource& pair : pairs)
            {
                registers.Remove(pair.Finish(), 0);
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(registers.GetSums().tokens, 0, 1e-6, "all have left");
            NS_TEST_EXPECT_MSG_EQ(registers.GetUnderflows(), 0, "nothing below 0");
        }
    }
};

/**
 * @ingroup mufab-tests
 * @brief The rate of a port.
 */
class PortRateMeterTestCase : public TestCase
{
  public:
    PortRateMeterTestCase()
        : TestCase("tx of a port")
    {
    }

  private:
    void DoRun() override
    {
        PortRateMeter meter(24000);
        for (int packet = 0; packet < 10; ++packet)
        {
            meter.Count(1500, 2400 * packet);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(meter.GetRate(23000), 5e9, 1, "ten packets in a window");
        NS_TEST_EXPECT_MSG_EQ_TOL(meter.GetRate(24000 + 2400), 4e9, 1, "two have left it");
        NS_TEST_EXPECT_MSG_EQ(meter.GetRate(60000), 0, "nothing for a window");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Probes on the wire (Appendix G, Fig. 22).
 */
class ProbeFormatTestCase : public TestCase
{
  public:
    ProbeFormatTestCase()
        : TestCase("what a probe has on the wire")
    {
    }

  private:
    void DoRun() override
    {
        MufabProbe probe;
        probe.room = 5;
        probe.tokens = 300;
        for (uint32_t hop = 0; hop < 5; ++hop)
        {
            probe.records[hop].window = 28500;
        }
        const IntUnits units;
        for (int hop = 0; hop < 3; ++hop)
        {
            NS_TEST_EXPECT_MSG_EQ(probe.Push({900, 57000, 9.5e9, 5120000, 1e10}), true, "room");
        }
        auto packet = Create<Packet>();
        packet->AddHeader(probe.MakeHeader(units));
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 44, "4 bytes, and 8 for each hop");
        ProbeHeader header;
        packet->RemoveHeader(header);
        NS_TEST_EXPECT_MSG_EQ(header.GetHops(), 3, "nHop");
        NS_TEST_EXPECT_MSG_EQ(header.GetTokens(), 300, "phi");
        NS_TEST_EXPECT_MSG_EQ(header.GetRecord(0).tokens, 900, "Phi");
        NS_TEST_EXPECT_MSG_EQ(header.GetRecord(0).rate, 950, "tx");
        NS_TEST_EXPECT_MSG_EQ(header.GetRecord(0).GetQueue(), 4095, "q saturates");
        NS_TEST_EXPECT_MSG_EQ(header.GetRecord(3).window, 446, "the sender's window, 64 B each");
        NS_TEST_EXPECT_MSG_EQ(header.GetRecord(4).tokens, 0, "and nothing else");
        ProbeHeader drawn = probe.MakeHeader(units);
        drawn.SetTokenBits(16);
        NS_TEST_EXPECT_MSG_EQ(drawn.GetSerializedSize(), 43, "16 bits of tokens");

        MufabProbe rounded;
        rounded.room = 1;
        rounded.units = &units;
        rounded.Push({70000, 28500, 9.504e9, 1500, 1e10});
        const LinkState& link = rounded.records[0].link;
        NS_TEST_EXPECT_MSG_EQ(link.tokens, 65535, "tokens saturate");
        NS_TEST_EXPECT_MSG_EQ(link.window, 28544, "W in 64 bytes, rounded up");
        NS_TEST_EXPECT_MSG_EQ(link.rate, 9.5e9, "tx in 10 Mbps");
        NS_TEST_EXPECT_MSG_EQ(link.queue, 1024, "q in KiB");
        NS_TEST_EXPECT_MSG_EQ(rounded.Push(link), false, "no room");
    }
};

/**
 * @ingroup mufab-tests
 * @brief uFAB-C.
 */
class MufabCoreTestSuite : public TestSuite
{
  public:
    MufabCoreTestSuite()
        : TestSuite("mufab-core", Type::UNIT)
    {
        AddTestCase(new MufabRegistersTestCase, Duration::QUICK);
        AddTestCase(new BloomRegistersTestCase, Duration::QUICK);
        AddTestCase(new PortRateMeterTestCase, Duration::QUICK);
        AddTestCase(new ProbeFormatTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static MufabCoreTestSuite g_mufabCoreTestSuite;
