/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BID_AUDIT_H
#define BID_AUDIT_H

#include "ns3/max-update-sketch.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup afq
 * @brief Exact bids of all flows at a port, and what sketches get wrong beside them (AFQ Appendix
 * E).
 *
 * A packet is mis-estimated if its round by the sketch is later than by its exact bid. Collisions
 * can only raise bids, so it is never earlier. For measuring: costs a table row per flow.
 */
class BidAudit
{
  public:
    /// @brief Errors of one sketch.
    struct Errors
    {
        uint32_t rows{0};         //!< of the sketch; 0: the one that the port uses
        uint32_t columns{0};      //!< of the sketch
        uint64_t misestimated{0}; //!< packets put into too late a round
        double expectedAtMost{0}; //!< sum of the bound over all packets
    };

    /**
     * @param argument name of the attribute, for the error
     * @param shadows sizes of sketches that only count, such as "2x1024+3x512"; may be empty
     * @throws InputError if the text is anything else
     */
    BidAudit(const std::string& argument, const std::string& shadows);

    /**
     * @brief A flow's exact bid.
     * @param flow hash of the flow's 5-tuple
     * @return the bid in bytes; 0 for a flow not seen for long
     */
    uint64_t GetBid(uint32_t flow) const
    {
        const auto known = m_flows.find(flow);
        return known == m_flows.end() ? 0 : known->second.bid;
    }

    /**
     * @brief A packet was accepted.
     * @param flow hash of its flow's 5-tuple
     * @param size of the packet in bytes
     * @param reached bytes each flow may have sent by now, R * BpR
     * @param round that the port put the packet into
     * @param getRound the round of a packet, from the bids before and behind it
     */
    template <class GetRound>
    void Accept(uint32_t flow,
                uint32_t size,
                uint64_t reached,
                uint64_t round,
                const GetRound& getRound)
    {
        const uint32_t others = CountOthers(flow, reached);
        Flow& known = m_flows[flow];
        const uint64_t start = std::max(known.bid, reached);
        const uint64_t exact = getRound(start, start + size);
        known.bid = start + size;
        m_flowsAtPort += known.waiting++ == 0 ? 1 : 0;
        Count(m_port, round > exact, others);
        for (Shadow& shadow : m_shadows)
        {
            MaxUpdateSketch::Cells cells = shadow.sketch.Find(flow);
            const uint64_t guess = std::max(cells.Read(), reached);
            Count(shadow.errors, getRound(guess, guess + size) > exact, others);
            cells.Raise(guess + size);
        }
        ++m_accepted;
    }

    /**
     * @brief A packet left the port.
     * @param flow hash of its flow's 5-tuple
     * @param round that it belonged to
     */
    void Leave(uint32_t flow, uint64_t round);

    /// @brief Packets accepted.
    uint64_t GetAccepted() const
    {
        return m_accepted;
    }

    /**
     * @brief Errors of each sketch: that of the port first, then the shadows.
     * @return a row per sketch
     */
    std::vector<Errors> GetErrors() const;

    /**
     * @brief Probability that a packet reads too large a bid if all flows have larger bids and rows
     * hash independently: (1 - (1 - 1/nB)^others)^nH.
     * @param others flows whose cells matter
     * @param rows of the sketch, nH
     * @param columns of the sketch, nB
     * @return an upper bound of the share of packets mis-estimated
     */
    static double GetCollisionProbability(uint32_t others, uint32_t rows, uint32_t columns);

  private:
    /// @brief A flow.
    struct Flow
    {
        uint64_t bid{0};     //!< its last packet's, in bytes
        uint32_t waiting{0}; //!< its packets at the port
    };

    /// @brief A sketch that only counts.
    struct Shadow
    {
        MaxUpdateSketch sketch; //!< holds bids of its own
        Errors errors;          //!< of this sketch
    };

    uint32_t CountOthers(uint32_t flow, uint64_t reached);
    static void Count(Errors& errors, bool wrong, uint32_t others);
    void ForgetFlows(uint64_t reached);

    std::unordered_map<uint32_t, Flow> m_flows; //!< by hash of the 5-tuple
    std::size_t m_forgetAt{1024};               //!< look for flows to forget at this many
    std::vector<Shadow> m_shadows;              //!< sketches that only count
    Errors m_port;                              //!< errors of the port's own sketch
    uint64_t m_accepted{0};                     //!< packets
    uint32_t m_flowsAtPort{0};                  //!< flows with packets waiting now
    uint32_t m_leftThisRound{0}; //!< flows whose last packet left, but whose bid is not yet reached
    uint64_t m_lastLeft{0};      //!< round of the packet that left last
};

} // namespace ns3

#endif /* BID_AUDIT_H */
