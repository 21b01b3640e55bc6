/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UNGUARANTEED_PAIRS_H
#define UNGUARANTEED_PAIRS_H

#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class PairEdge;

/**
 * @ingroup edge
 * @brief The pairs of a network that have no guarantee: how many are active at each host, and what
 * hoses and pipes leave them of its link.
 *
 * Something has to be set aside for such a pair, since with nothing it could not even open a
 * connection (HosePairController's LeastGuarantee). Admission cannot know how many there will be;
 * so all of a host share, in each direction, what is guaranteed to nobody, or LEAST_SHARE of the
 * link if that is more. Links between switches are not looked at.
 */
class UnguaranteedPairs : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    static constexpr double LEAST_SHARE = 0.01; //!< of a link whose whole rate is guaranteed

    /**
     * @brief Those of a network.
     * @param edge of the network
     * @return one for all hosts, part of the fabric
     */
    static Ptr<UnguaranteedPairs> Of(PairEdge& edge);

    /**
     * @brief Tell whether a pair has no guarantee at one of its ends.
     * @param pair number of the pair
     * @return true if it has no pipe, and one of its VMs no hose
     */
    bool Includes(uint32_t pair) const;

    /**
     * @brief A pair is active: it counts, if it has no guarantee.
     * @param pair number of the pair
     */
    void Join(uint32_t pair);

    /**
     * @brief A pair is active no more.
     * @param pair number of the pair
     */
    void Leave(uint32_t pair);

    /// @brief Have what guarantees leave computed anew, after a change of them.
    void Forget();

    /**
     * @brief An equal share of what is left at both ends of a pair.
     * @param pair number of a pair that has joined
     * @return bit/s
     */
    double GetShare(uint32_t pair);

  protected:
    void DoDispose() override;

  private:
    /// @brief One direction of a host's link.
    struct Direction
    {
        double room{0};    //!< capacity that guarantees leave, in bit/s
        uint32_t pairs{0}; //!< active pairs without guarantee
    };

    /// @brief Both directions of a host's link.
    struct Link
    {
        Direction send;    //!< to the network
        Direction receive; //!< from it
    };

    void ComputeRooms();
    void Count(uint32_t pair, int32_t more);

    PairEdge* m_edge{nullptr};     //!< knows hosts and tenants
    std::vector<Link> m_links;     //!< by host
    std::vector<bool> m_hasJoined; //!< by pair: true if it counts
    bool m_isUpToDate{false};      //!< true if the rooms are up to date
};

} // namespace ns3

#endif /* UNGUARANTEED_PAIRS_H */
