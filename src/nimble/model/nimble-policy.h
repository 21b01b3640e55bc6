/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NIMBLE_POLICY_H
#define NIMBLE_POLICY_H

#include "tuple-classifier.h"

#include "ns3/data-rate.h"
#include "ns3/metered-queue-disc.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class JsonObject;

/**
 * @ingroup nimble
 * @brief A rate limit RL = (rate, burst, type) (Nimble, SOSR 2021, Section 3.2).
 */
struct NimbleRateLimit
{
    DataRate rate{};   //!< per port; 0: there is no limit
    uint32_t burst{0}; //!< yellow threshold of its limiters in bytes; 0: as for all
    bool hard{false};  //!< configured as it is; else the class may be given less
};

/**
 * @ingroup nimble
 * @brief Mechanisms that hold a class to its rate (Table 1).
 */
enum class NimbleQueue : uint8_t
{
    VQ, //!< a virtual queue: a queue of its own that drains at the rate
    NM, //!< a native meter
    LM  //!< a logical meter
};

/**
 * @ingroup nimble
 * @brief Treatments of what exceeds a class's rate (Table 1).
 */
enum class NimbleEnforcement : uint8_t
{
    SHAPING,    //!< excess packets wait
    POLICING,   //!< excess packets are dropped
    ECN_SHAPING //!< excess packets are marked, and dropped if that does not help
};

/**
 * @ingroup nimble
 * @brief Treatment of yellow packets by the congestion manager; red ones are dropped always
 * (Section 4.1).
 */
enum class NimbleProfile : uint8_t
{
    MARK_ALL,   //!< mark each: DCTCP, TCP with ECN
    MARK_RED,   //!< mark with a probability: DCQCN
    DROP_RED,   //!< drop with a probability: TCP without ECN
    POLICE_ONLY //!< let them pass
};

/**
 * @ingroup nimble
 * @brief Policy of a class, in the whole network (GBL_Policy) or in one place (LCL_Policy).
 */
struct NimbleRule
{
    double weight{1};                                              //!< against equal priorities
    uint32_t priority{0};                                          //!< the larger goes first
    NimbleRateLimit limit{};                                       //!< RL
    NimbleQueue queue{NimbleQueue::LM};                            //!< QTYPE
    NimbleEnforcement enforcement{NimbleEnforcement::ECN_SHAPING}; //!< ETYPE
    NimbleProfile profile{NimbleProfile::MARK_ALL};                //!< of the congestion manager
};

/**
 * @ingroup nimble
 * @brief A traffic class.
 */
struct NimbleClass
{
    std::string name{};             //!< unique
    NimbleRule rule{};              //!< its global policy
    std::vector<uint32_t> groups{}; //!< of senders (FlowRequest::group) that belong to it
    std::string within{};           //!< class whose virtual queue it shares; empty: none
};

/**
 * @ingroup nimble
 * @brief A local policy: it replaces the global one at a port.
 */
struct NimbleLocalRule
{
    uint32_t trafficClass; //!< index of the class
    std::string output;    //!< name of the output port, such as leaf0:3; empty: all of the switch
    std::string input;     //!< only what came in by this port; empty: any
    NimbleRule rule;       //!< instead of the global one
    std::string where;     //!< the statement, for errors
};

/**
 * @ingroup nimble
 * @brief A network policy: classes, how packets belong to them, what they are to get.
 *
 * Statements say it, separated by semicolons or a line each in a file:
 * @verbatim
     class web groups=0,2-5 weight=2 priority=1 rate=20Gbps burst=16384 type=soft queue=LM
           enforcement=ecn-shaping profile=mark-all within=tenant1
     local web at=leaf0:3 in=leaf0:1 weight=3 rate=10Gbps type=hard
     match web sip=10.0.0.0/24 dip=10.0.1.1 proto=6 sport=80 dport=80 smac=... dmac=... order=1
   @endverbatim
 */
class NimblePolicy
{
  public:
    NimblePolicy() = default;

    /**
     * @brief Read a policy.
     * @param argument the option that the user set, for errors
     * @param text statements in braces, or the path of a file
     * @param defaults policy of a class unless its statement says otherwise
     * @throws InputError if it makes no sense
     */
    NimblePolicy(const std::string& argument, const std::string& text, const NimbleRule& defaults);

    /**
     * @brief Refuse what cannot be enforced (Table 1): shaping needs a queue.
     * @param where names the statement
     * @param rule the policy
     * @throws InputError if it cannot be enforced
     */
    static void CheckEnforceable(const std::string& where, const NimbleRule& rule);

    /**
     * @brief Classes.
     * @return them; packets of class i carry number i + 1
     */
    const std::vector<NimbleClass>& GetClasses() const
    {
        return m_classes;
    }

    /// @brief Local policies.
    const std::vector<NimbleLocalRule>& GetLocalRules() const
    {
        return m_local;
    }

    /// @brief Rules by header fields.
    const std::vector<TupleRule>& GetTupleRules() const
    {
        return m_matches;
    }

    /**
     * @brief Say what holds of classes, and what replaces it at ports, for run.json.
     * @param settings takes it as `policy`; a class or port without a rate has no `rate_bps`
     */
    void ReportSettings(JsonObject& settings) const;

    /**
     * @brief Find a class.
     * @param name its name, or its number counted from 1
     * @return its index; nothing if there is none
     */
    std::optional<uint32_t> Find(const std::string& name) const;

  private:
    void AddStatement(const std::string& where, const std::string& text);
    void CheckComplete(const std::string& argument) const;
    void CheckOverlaps() const;

    NimbleRule m_defaults;                   //!< of classes
    std::vector<NimbleClass> m_classes;      //!< by index
    std::vector<NimbleLocalRule> m_local;    //!< in the order of statements
    std::vector<TupleRule> m_matches;        //!< in the order of statements
    std::vector<std::string> m_matchesWhere; //!< their statements, for errors
};

/**
 * @ingroup nimble
 * @brief Actions of the congestion manager by colour.
 * @param rule of the class
 * @return the actions
 */
MeteredQueueDisc::Actions GetActions(const NimbleRule& rule);

} // namespace ns3

#endif /* NIMBLE_POLICY_H */
