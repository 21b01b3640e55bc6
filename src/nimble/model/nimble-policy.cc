/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nimble-policy.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/json-object.h"
#include "ns3/statement.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

namespace
{

/// @brief Grammar of policies. The rule's keys are those of both policies.
const Statement::Grammar POLICY_GRAMMAR{
    {"class",
     {"groups",
      "within",
      "weight",
      "priority",
      "rate",
      "burst",
      "type",
      "queue",
      "enforcement",
      "profile"}},
    {"local",
     {"at",
      "in",
      "weight",
      "priority",
      "rate",
      "burst",
      "type",
      "queue",
      "enforcement",
      "profile"}},
    {"match", {"smac", "dmac", "sip", "dip", "proto", "sport", "dport", "order"}}};

constexpr uint32_t LARGEST_PACKET = 1500; //!< bytes; a burst must have room for it

/**
 * @brief Read one of several words.
 * @tparam T type of the values
 * @param statement has the word
 * @param key of the word
 * @param otherwise value if it is not there
 * @param words values of the words
 * @return the value of the word
 */
template <class T>
T
GetWord(const Statement& statement,
        const std::string& key,
        T otherwise,
        const std::vector<std::pair<std::string, T>>& words)
{
    const auto word = statement.Get(key);
    if (!word)
    {
        return otherwise;
    }
    std::string allowed;
    for (const auto& [name, value] : words)
    {
        if (name == *word)
        {
            return value;
        }
        allowed += (allowed.empty() ? "" : ", ") + name;
    }
    throw InputError(statement.Where(key), *word, "must be one of " + allowed);
}

/**
 * @brief Read the settings that both policies have.
 * @param statement the statement
 * @param rule values of settings that it does not name
 * @return the policy
 */
NimbleRule
ReadRule(const Statement& statement, NimbleRule rule)
{
    if (const auto weight = statement.Get("weight"))
    {
        rule.weight = ParseNumber(statement.Where("weight"), *weight);
        if (rule.weight < 0)
        {
            throw InputError(statement.Where("weight"), *weight, "must not be negative");
        }
    }
    rule.priority = statement.GetCount("priority", rule.priority);
    rule.limit.rate = statement.GetRate("rate", rule.limit.rate); // refuses 0
    rule.limit.burst = statement.GetCount("burst", rule.limit.burst);
    if (statement.Get("burst") && rule.limit.burst < LARGEST_PACKET)
    {
        throw InputError(statement.Where("burst"),
                         *statement.Get("burst"),
                         "must be at least one packet, " + std::to_string(LARGEST_PACKET));
    }
    const bool typed = statement.Get("type").has_value();
    rule.limit.hard =
        GetWord<bool>(statement, "type", rule.limit.hard, {{"soft", false}, {"hard", true}});
    if (typed && rule.limit.rate.GetBitRate() == 0)
    {
        throw InputError(statement.Where("type"), *statement.Get("type"), "needs a rate");
    }
    rule.queue = GetWord<NimbleQueue>(
        statement,
        "queue",
        rule.queue,
        {{"VQ", NimbleQueue::VQ}, {"NM", NimbleQueue::NM}, {"LM", NimbleQueue::LM}});
    rule.enforcement =
        GetWord<NimbleEnforcement>(statement,
                                   "enforcement",
                                   rule.enforcement,
                                   {{"shaping", NimbleEnforcement::SHAPING},
                                    {"policing", NimbleEnforcement::POLICING},
                                    {"ecn-shaping", NimbleEnforcement::ECN_SHAPING}});
    rule.profile = GetWord<NimbleProfile>(statement,
                                          "profile",
                                          rule.profile,
                                          {{"mark-all", NimbleProfile::MARK_ALL},
                                           {"mark-red", NimbleProfile::MARK_RED},
                                           {"drop-red", NimbleProfile::DROP_RED},
                                           {"police-only", NimbleProfile::POLICE_ONLY}});
    return rule;
}

/**
 * @brief Read an IPv4 address or prefix.
 * @param statement has it
 * @param key of it
 * @return the match
 */
TupleRule::Match
ReadPrefix(const Statement& statement, const std::string& key)
{
    const std::string text = *statement.Get(key);
    const auto slash = text.find('/');
    const std::string address = text.substr(0, slash);
    const uint64_t bits =
        slash == std::string::npos ? 32 : ParseCount(statement.Where(key), text.substr(slash + 1));
    if (std::ranges::count(address, '.') != 3 || bits < 1 || bits > 32)
    {
        throw InputError(statement.Where(key),
                         text,
                         "must be an address, or a prefix of 1 to 32 bits");
    }
    uint64_t value = 0;
    for (const std::string& byte : CutList(address, '.'))
    {
        const uint64_t number = ParseCount(statement.Where(key), byte);
        if (number > 255)
        {
            throw InputError(statement.Where(key), text, "must be an IPv4 address");
        }
        value = value << 8 | number;
    }
    return {value, static_cast<uint8_t>(bits)};
}

/**
 * @brief Read a number of so many bits.
 * @param statement has it
 * @param key of it
 * @param width bits
 * @return the match
 */
TupleRule::Match
ReadField(const Statement& statement, const std::string& key, uint8_t width)
{
    const uint64_t value = ParseCount(statement.Where(key), *statement.Get(key));
    if (value >> width != 0)
    {
        throw InputError(statement.Where(key),
                         *statement.Get(key),
                         "must be less than " + std::to_string(1 << width));
    }
    return {value, width};
}

/**
 * @brief Read a rule by header fields.
 * @param statement the statement
 * @return the rule, without its class
 */
TupleRule
ReadMatch(const Statement& statement)
{
    for (const auto* key : {"smac", "dmac"})
    {
        if (statement.Get(key))
        {
            throw InputError(statement.Where(key),
                             *statement.Get(key),
                             "links of the fabric are point-to-point: packets have no MAC address");
        }
    }
    TupleRule rule;
    const auto read = [&](const std::string& key, SevenTuple::Field field, const auto& reader) {
        if (statement.Get(key))
        {
            rule.fields[field] = reader();
        }
    };
    read("sip", SevenTuple::SOURCE_ADDRESS, [&] { return ReadPrefix(statement, "sip"); });
    read("dip", SevenTuple::DESTINATION_ADDRESS, [&] { return ReadPrefix(statement, "dip"); });
    read("proto", SevenTuple::PROTOCOL, [&] { return ReadField(statement, "proto", 8); });
    read("sport", SevenTuple::SOURCE_PORT, [&] { return ReadField(statement, "sport", 16); });
    read("dport", SevenTuple::DESTINATION_PORT, [&] { return ReadField(statement, "dport", 16); });
    rule.priority = statement.GetCount("order", 0);
    return rule;
}

/**
 * @brief Say what a class is to get.
 * @param settings takes it
 * @param rule the policy
 */
void
AddRule(JsonObject& settings, const NimbleRule& rule)
{
    settings.Set("weight", rule.weight);
    settings.Set("priority", rule.priority);
    if (const uint64_t rate = rule.limit.rate.GetBitRate(); rate > 0)
    {
        settings.Set("rate_bps", rate);
        settings.Set("hard", rule.limit.hard);
    }
}

} // namespace

NimblePolicy::NimblePolicy(const std::string& argument,
                           const std::string& text,
                           const NimbleRule& defaults)
    : m_defaults(defaults)
{
    const auto statements =
        text.starts_with('{') ? CutStatements(argument, text) : ReadStatements(argument, text);
    for (const auto& [where, statement] : statements)
    {
        AddStatement(where, statement);
    }
    CheckComplete(argument);
    CheckOverlaps();
}

void
NimblePolicy::AddStatement(const std::string& where, const std::string& text)
{
    const Statement statement(POLICY_GRAMMAR, where, text);
    const auto known = Find(statement.GetName());
    if (statement.GetKind() == "class")
    {
        if (known)
        {
            throw InputError(statement.Where("class"), statement.GetName(), "is named twice");
        }
        NimbleClass added{statement.GetName(), ReadRule(statement, m_defaults)};
        added.groups =
            statement.Get("groups") ? statement.GetNumbers("groups") : std::vector<uint32_t>();
        added.within = statement.Get("within").value_or("");
        CheckEnforceable(where, added.rule);
        m_classes.push_back(added);
        return;
    }
    if (!known)
    {
        throw InputError(statement.Where(statement.GetKind()),
                         statement.GetName(),
                         "must be a class that was named before");
    }
    if (statement.GetKind() == "match")
    {
        m_matches.push_back(ReadMatch(statement));
        m_matches.back().trafficClass = *known + 1;
        m_matchesWhere.push_back(where);
        return;
    }
    const NimbleRule rule = ReadRule(statement, m_classes[*known].rule);
    CheckEnforceable(where, rule);
    const std::string input = statement.Get("in").value_or("");
    const std::string output =
        input.empty() ? statement.Need("at") : statement.Get("at").value_or("");
    if (output.empty() && rule.queue == NimbleQueue::VQ)
    {
        throw InputError(
            where,
            "queue VQ",
            "in= without at= is one limiter for all outputs, which only a meter can be: "
            "LM or NM");
    }
    m_local.push_back({*known, output, input, rule, where});
}

void
NimblePolicy::CheckEnforceable(const std::string& where, const NimbleRule& rule)
{
    if (rule.queue != NimbleQueue::VQ && rule.enforcement == NimbleEnforcement::SHAPING)
    {
        throw InputError(
            where,
            rule.queue == NimbleQueue::LM ? "queue LM with shaping" : "queue NM with shaping",
            "a meter has no buffer to delay packets in: VQ, or enforcement policing or "
            "ecn-shaping");
    }
}

void
NimblePolicy::CheckComplete(const std::string& argument) const
{
    if (m_classes.empty())
    {
        throw InputError(argument, "", "must name a class");
    }
    std::map<uint32_t, double> weights; // by priority
    std::set<uint32_t> groups;
    for (uint32_t i = 0; i < m_classes.size(); ++i)
    {
        const NimbleClass& named = m_classes[i];
        weights[named.rule.priority] += named.rule.weight;
        for (const uint32_t group : named.groups)
        {
            if (!groups.insert(group).second)
            {
                throw InputError(argument + " class " + named.name,
                                 std::to_string(group),
                                 "a group belongs to one class");
            }
        }
        const bool matched = std::ranges::any_of(m_matches, [i](const TupleRule& rule) {
            return rule.trafficClass == i + 1;
        });
        const bool holdsOthers = std::ranges::any_of(m_classes, [&named](const NimbleClass& other) {
            return other.within == named.name;
        });
        if (named.groups.empty() && !matched && !holdsOthers)
        {
            throw InputError(argument,
                             "class " + named.name,
                             "matches nothing: it needs groups= or a match statement");
        }
        if (named.within.empty())
        {
            continue;
        }
        const auto outer = Find(named.within);
        if (!outer || m_classes[*outer].rule.queue != NimbleQueue::VQ ||
            named.rule.queue == NimbleQueue::VQ)
        {
            throw InputError(argument + " class " + named.name + " within",
                             named.within,
                             "must be a class with queue=VQ, of a class with a meter");
        }
    }
    for (const auto& [priority, sum] : weights)
    {
        if (sum <= 0)
        {
            throw InputError(argument,
                             "weights of priority " + std::to_string(priority),
                             "sum to nothing: one must be above 0");
        }
    }
}

void
NimblePolicy::CheckOverlaps() const
{
    for (std::size_t i = 0; i < m_matches.size(); ++i)
    {
        for (std::size_t j = 0; j < i; ++j)
        {
            const TupleRule& a = m_matches[i];
            const TupleRule& b = m_matches[j];
            if (a.trafficClass != b.trafficClass && a.priority == b.priority &&
                a.CountFields() == b.CountFields() && a.Overlaps(b))
            {
                throw InputError(
                    m_matchesWhere[i],
                    "match " + m_classes[a.trafficClass - 1].name,
                    "overlaps " + m_matchesWhere[j] +
                        ", which has as many fields: say which goes first with order=");
            }
        }
    }
}

void
NimblePolicy::ReportSettings(JsonObject& settings) const
{
    std::vector<JsonObject> classes;
    for (const NimbleClass& one : m_classes)
    {
        JsonObject& said = classes.emplace_back();
        said.Set("name", one.name);
        said.Set("groups", one.groups);
        AddRule(said, one.rule);
    }
    std::vector<JsonObject> local;
    for (const NimbleLocalRule& one : m_local)
    {
        JsonObject& said = local.emplace_back();
        said.Set("class", m_classes[one.trafficClass].name);
        said.Set("at", one.output);
        said.Set("in", one.input);
        AddRule(said, one.rule);
    }
    JsonObject policy;
    policy.Set("classes", classes);
    policy.Set("local", local);
    settings.Set("policy", policy);
}

std::optional<uint32_t>
NimblePolicy::Find(const std::string& name) const
{
    const auto found = std::ranges::find(m_classes, name, &NimbleClass::name);
    if (found == m_classes.end())
    {
        return std::nullopt;
    }
    return static_cast<uint32_t>(found - m_classes.begin());
}

MeteredQueueDisc::Actions
GetActions(const NimbleRule& rule)
{
    using Disc = MeteredQueueDisc;
    if (rule.enforcement == NimbleEnforcement::POLICING)
    {
        return {Disc::PASS, Disc::DROP};
    }
    switch (rule.profile)
    {
    case NimbleProfile::MARK_RED:
        return {Disc::RANDOM_MARK, Disc::DROP};
    case NimbleProfile::DROP_RED:
        return {Disc::RANDOM_DROP, Disc::DROP};
    case NimbleProfile::POLICE_ONLY:
        return {Disc::PASS, Disc::DROP};
    default:
        return {Disc::MARK, Disc::DROP};
    }
}

} // namespace ns3
