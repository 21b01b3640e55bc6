/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/input-error.h"
#include "ns3/nimble-classes.h"
#include "ns3/nimble-policy.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief The text of the InputError that something throws.
 * @param action the action to try
 * @return the text, empty if nothing is thrown
 */
std::string
ComplaintOf(const std::function<void()>& action)
{
    try
    {
        action();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * @brief Headers of a packet.
 * @param source address
 * @param destination address
 * @param protocol IP protocol
 * @param sourcePort port
 * @param destinationPort port
 * @return the tuple, without MAC addresses
 */
SevenTuple
MakeTuple(uint32_t source,
          uint32_t destination,
          uint8_t protocol,
          uint16_t sourcePort,
          uint16_t destinationPort)
{
    SevenTuple tuple;
    tuple.values =
        {std::nullopt, std::nullopt, source, destination, protocol, sourcePort, destinationPort};
    return tuple;
}

/// @brief The reference of TupleClassifier: a list of rules, the first that matches counts.
class RuleList
{
  public:
    void Add(const TupleRule& rule)
    {
        const auto rank = [](const TupleRule& r) {
            return std::tuple(r.priority, r.CountFields());
        };
        const auto behind = std::ranges::find_if(m_rules, [&](const TupleRule& other) {
            return rank(other) < rank(rule);
        });
        m_rules.insert(behind, rule);
    }

    uint32_t Find(const SevenTuple& tuple) const
    {
        const auto found = std::ranges::find_if(m_rules, [&tuple](const TupleRule& rule) {
            return Matches(rule, tuple);
        });
        return found == m_rules.end() ? 0 : found->trafficClass;
    }

  private:
    static bool Matches(const TupleRule& rule, const SevenTuple& tuple)
    {
        for (uint32_t i = 0; i < SevenTuple::FIELDS; ++i)
        {
            const auto& [value, bits] = rule.fields[i];
            const uint32_t rest = SevenTuple::WIDTHS[i] - bits;
            if (bits > 0 && (!tuple.values[i] || *tuple.values[i] >> rest != value >> rest))
            {
                return false;
            }
        }
        return true;
    }

    std::vector<TupleRule> m_rules; //!< those that count first stand first
};

} // namespace

/**
 * @ingroup nimble-tests
 * @brief Rules by header fields.
 */
class TupleClassifierTestCase : public TestCase
{
  public:
    TupleClassifierTestCase()
        : TestCase("classes by header fields")
    {
    }

  private:
    void DoRun() override
    {
        CheckExamples(RuleList());
        CheckExamples(TupleClassifier());
        CheckMany();
        CheckAlike();
    }

    template <class T>
    void CheckExamples(T classifier)
    {
        constexpr uint32_t TEN = 0x0a000001; // 10.0.0.1
        classifier.Add(TupleRule{{}, 6}.Set(SevenTuple::SOURCE_ADDRESS, TEN));
        classifier.Add(TupleRule{{}, 5}
                           .Set(SevenTuple::SOURCE_ADDRESS, TEN)
                           .Set(SevenTuple::PROTOCOL, 6)
                           .Set(SevenTuple::DESTINATION_PORT, 80));
        NS_TEST_EXPECT_MSG_EQ(classifier.Find(MakeTuple(TEN, 2, 6, 1000, 80)), 5, "TCP to 80");
        NS_TEST_EXPECT_MSG_EQ(classifier.Find(MakeTuple(TEN, 2, 17, 1000, 80)), 6, "UDP");
        NS_TEST_EXPECT_MSG_EQ(classifier.Find(MakeTuple(3, 2, 6, 1000, 80)), 0, "another source");
        // A larger priority goes before more fields; of equals the first counts.
        classifier.Add(TupleRule{{}, 7, 1}.Set(SevenTuple::PROTOCOL, 6));
        NS_TEST_EXPECT_MSG_EQ(classifier.Find(MakeTuple(TEN, 2, 6, 1000, 80)), 7, "priority");
        classifier.Add(TupleRule{{}, 8, 1}.Set(SevenTuple::DESTINATION_PORT, 80));
        NS_TEST_EXPECT_MSG_EQ(classifier.Find(MakeTuple(TEN, 2, 6, 1000, 80)), 7, "first");
        // A prefix; a field that the packet does not have.
        TupleRule prefix{{}, 9, 2};
        prefix.fields[SevenTuple::DESTINATION_ADDRESS] = {0x0b000000, 8};
        classifier.Add(prefix);
        NS_TEST_EXPECT_MSG_EQ(classifier.Find(MakeTuple(5, 0x0b010203, 6, 1, 1)), 9, "11/8");
        classifier.Add(TupleRule{{}, 10, 3}.Set(SevenTuple::SOURCE_MAC, 1));
        NS_TEST_EXPECT_MSG_EQ(classifier.Find(MakeTuple(5, 0x0b010203, 6, 1, 1)), 9, "no MAC");
        // Two fields match any protocol and ports.
        classifier.Add(TupleRule{{}, 11, 4}
                           .Set(SevenTuple::SOURCE_ADDRESS, 77)
                           .Set(SevenTuple::DESTINATION_ADDRESS, 78));
        for (const uint8_t protocol : {1, 6, 17})
        {
            NS_TEST_EXPECT_MSG_EQ(classifier.Find(MakeTuple(77, 78, protocol, protocol, 9)),
                                  11,
                                  "2-tuple");
        }
    }

    /// @brief 50,000 5-tuples.
    void CheckMany()
    {
        TupleClassifier classifier;
        constexpr uint32_t COUNT = 50'000;
        const auto tupleOf = [](uint32_t i) {
            return MakeTuple(i / 100, i % 100, 6, static_cast<uint16_t>(i), 80);
        };
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            TupleRule rule{{}, i + 1};
            for (uint8_t field = SevenTuple::SOURCE_ADDRESS; field < SevenTuple::FIELDS; ++field)
            {
                rule.Set(static_cast<SevenTuple::Field>(field), *tupleOf(i).values[field]);
            }
            classifier.Add(rule);
        }
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            wrong += classifier.Find(tupleOf(i)) != i + 1;
        }
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, "each rule has its own class");
    }

    /// @brief Both find the same.
    void CheckAlike()
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (uint32_t round = 0; round < 50; ++round)
        {
            RuleList list;
            TupleClassifier classifier;
            for (uint32_t i = 1; i <= 20; ++i)
            {
                TupleRule rule{{}, i, random->GetInteger(0, 2)};
                for (uint8_t field = 2; field < SevenTuple::FIELDS; ++field)
                {
                    const auto bits = static_cast<uint8_t>(random->GetInteger(0, 2) == 0
                                                               ? SevenTuple::WIDTHS[field] -
                                                                     random->GetInteger(0, 1)
                                                               : 0);
                    rule.fields[field] = {random->GetInteger(0, 3), bits};
                }
                list.Add(rule);
                classifier.Add(rule);
            }
            for (uint32_t i = 0; i < 100; ++i)
            {
                const auto draw = [&random] { return random->GetInteger(0, 3); };
                const SevenTuple tuple = MakeTuple(draw(),
                                                   draw(),
                                                   static_cast<uint8_t>(draw()),
                                                   static_cast<uint16_t>(draw()),
                                                   static_cast<uint16_t>(draw()));
                NS_TEST_ASSERT_MSG_EQ(classifier.Find(tuple), list.Find(tuple), "round " << round);
            }
        }
    }
};

/**
 * @ingroup nimble-tests
 * @brief Policies that are read, and those that are refused.
 */
class NimblePolicyTestCase : public TestCase
{
  public:
    NimblePolicyTestCase()
        : TestCase("policies: what is read and what is refused")
    {
    }

  private:
    /**
     * @brief Expect a complaint.
     * @param text statements
     * @param told part of the complaint
     */
    void Refuse(const std::string& text, const std::string& told)
    {
        const std::string complaint =
            ComplaintOf([&text] { NimblePolicy("--policy", "{" + text + "}", {}); });
        NS_TEST_EXPECT_MSG_NE(complaint.find(told), std::string::npos, text << ": " << complaint);
        NS_TEST_EXPECT_MSG_EQ(complaint.find('\n'), std::string::npos, "one line");
    }

    void DoRun() override
    {
        CheckReading();
        CheckEnforcement();
        Refuse("", "must name a class");
        Refuse("class A", "matches nothing");
        Refuse("class A groups=0 rate=0Gbps", "not a positive rate");
        Refuse("class A groups=0 burst=1499", "at least one packet, 1500");
        Refuse("class A groups=0 weight=-1", "must not be negative");
        Refuse("class A groups=0 weight=0; class B groups=1 weight=0", "sum to nothing");
        Refuse("class A groups=0; class A groups=1", "is named twice");
        Refuse("class A groups=0; class B groups=0", "belongs to one class");
        Refuse("class A groups=0 type=hard", "needs a rate");
        Refuse("class A groups=0 type=solid", "one of soft, hard");
        Refuse("class A groups=0; local B at=x", "named before");
        Refuse("class A groups=0; local A rate=1Gbps", "at= is missing");
        Refuse("class A groups=0; local A in=leaf0:1 rate=1Gbps queue=VQ", "LM or NM");
        Refuse("class A groups=0 within=B", "must be a class with queue=VQ");
        Refuse("class A groups=0; match A smac=1", "no MAC address");
        Refuse("class A groups=0; match A sip=10.0.0", "must be an address");
        Refuse("class A groups=0; match A dport=65536", "less than 65536");
        Refuse("class A groups=0; class B groups=1; match A sip=10.0.0.1; match B dport=80",
               "overlaps --policy statement 3");
        NimblePolicy("--policy",
                     "{class A groups=0; class B groups=1; match A sip=10.0.0.1 order=1;"
                     "match B dport=80}",
                     {});
        NS_TEST_EXPECT_MSG_NE(
            ComplaintOf([] { NimblePolicy("--policy", "nowhere.txt", {}); }).find("cannot be read"),
            std::string::npos,
            "a file that is not there");
    }

    void CheckReading()
    {
        const NimblePolicy policy("--policy",
                                  "{class web groups=0,2-4 weight=2 priority=1 rate=20Gbps "
                                  "burst=20000 queue=NM profile=drop-red;"
                                  "class bulk groups=1 within=all;"
                                  "class all queue=VQ enforcement=shaping rate=50Gbps type=hard;"
                                  "local web at=leaf0:3 in=leaf0:1 weight=3;"
                                  "match bulk sip=10.0.0.0/24 proto=6 dport=80 order=4}",
                                  {});
        const auto& classes = policy.GetClasses();
        NS_TEST_ASSERT_MSG_EQ(classes.size(), 3, "classes");
        NS_TEST_EXPECT_MSG_EQ(classes[0].groups.size(), 4, "groups");
        NS_TEST_EXPECT_MSG_EQ(classes[0].rule.limit.rate, DataRate("20Gbps"), "rate");
        NS_TEST_EXPECT_MSG_EQ(classes[0].rule.limit.hard, false, "soft unless said");
        NS_TEST_EXPECT_MSG_EQ(classes[2].rule.limit.hard, true, "hard");
        const NimbleLocalRule& local = policy.GetLocalRules().at(0);
        NS_TEST_EXPECT_MSG_EQ(local.rule.weight, 3, "local weight");
        NS_TEST_EXPECT_MSG_EQ(local.rule.priority, 1, "what it does not say is as in the global");
        NS_TEST_EXPECT_MSG_EQ(local.input, "leaf0:1", "input");
        NS_TEST_EXPECT_MSG_EQ(policy.GetTupleRules().at(0).CountFields(), 3, "fields");
        NS_TEST_EXPECT_MSG_EQ(policy.GetTupleRules().at(0).trafficClass, 2, "class");
        NimbleClasses named(policy);
        NS_TEST_EXPECT_MSG_EQ(named.Find("all").value_or(0), 3, "by name");
        named.SetLimit(1, DataRate("5Gbps"));
        NS_TEST_EXPECT_MSG_EQ(named.GetRule(1).limit.rate, DataRate("5Gbps"), "changed");
        const NimbleClasses groups(NimbleRule{}, nullptr);
        NS_TEST_EXPECT_MSG_EQ(groups.Find("12").value_or(0), 12, "by number");
        NS_TEST_EXPECT_MSG_EQ(groups.Find("0").has_value(), false, "they count from 1");
        NS_TEST_EXPECT_MSG_EQ(groups.Find("x").has_value(), false, "no number");
    }

    /// @brief Table 1: seven of the nine combinations.
    void CheckEnforcement()
    {
        uint32_t legal = 0;
        for (const std::string queue : {"VQ", "NM", "LM"})
        {
            for (const std::string enforcement : {"shaping", "policing", "ecn-shaping"})
            {
                const std::string text =
                    "class A groups=0 queue=" + queue + " enforcement=" + enforcement;
                const std::string complaint =
                    ComplaintOf([&text] { NimblePolicy("--policy", "{" + text + "}", {}); });
                legal += complaint.empty();
                NS_TEST_EXPECT_MSG_EQ((complaint.find("no buffer") != std::string::npos),
                                      (queue != "VQ" && enforcement == "shaping"),
                                      text);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(legal, 7, "combinations");
        using Disc = MeteredQueueDisc;
        NimbleRule rule;
        for (const auto& [profile, yellow] : {std::pair(NimbleProfile::MARK_ALL, Disc::MARK),
                                              std::pair(NimbleProfile::MARK_RED, Disc::RANDOM_MARK),
                                              std::pair(NimbleProfile::DROP_RED, Disc::RANDOM_DROP),
                                              std::pair(NimbleProfile::POLICE_ONLY, Disc::PASS)})
        {
            rule.profile = profile;
            NS_TEST_EXPECT_MSG_EQ(GetActions(rule).yellow, yellow, "yellow");
            NS_TEST_EXPECT_MSG_EQ(GetActions(rule).red, Disc::DROP, "red is dropped");
        }
    }
};

/**
 * @ingroup nimble-tests
 * @brief Policies and classifiers.
 */
class NimblePolicyTestSuite : public TestSuite
{
  public:
    NimblePolicyTestSuite()
        : TestSuite("nimble-policy", Type::UNIT)
    {
        AddTestCase(new TupleClassifierTestCase, Duration::QUICK);
        AddTestCase(new NimblePolicyTestCase, Duration::QUICK);
    }
};

static NimblePolicyTestSuite g_nimblePolicyTestSuite; //!< registers itself
