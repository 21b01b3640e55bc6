/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPTCP_SCHEME_H
#define MPTCP_SCHEME_H

#include "bouncing-routes.h"
#include "decapsulator.h"

#include "ns3/mptcp-transport.h"
#include "ns3/random-variable-stream.h"
#include "ns3/scheme.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief Multipath TCP (RFC 8684) whose subflows take different paths, the comparator of DRB's
 * Fig. 8.
 *
 * The paths are those of BouncingRoutes: each subflow of a flow keeps to a switch of the highest
 * layer of its own, in both directions, without an outer header. Where there is no such layer, and
 * after a failure, routing decides by the subflows' 5-tuples, which is said on standard error.
 */
class MptcpScheme : public Scheme
{
  public:
    /// @brief Choice of the way of a subflow.
    enum SubflowPaths
    {
        DISTINCT, //!< each has another switch of the highest layer, drawn at random
        ECMP,     //!< routing, by its 5-tuple
    };

    /// @brief Get the type ID.
    static TypeId GetTypeId();

    MptcpScheme();

    void ConfigureFabric(Network& network) override;
    void ConfigureNodes(Network& network) override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /**
     * @brief Find the switches of the highest layer.
     * @param fabric the fabric
     * @return true if there is a layer that subflows can be told to go by
     */
    bool FindPoints(const Fabric& fabric);
    void InstallDecapsulators(Fabric& fabric);
    void SetPathChoosers(Network& network);
    std::vector<MptcpPath> ChoosePaths(const Fabric& fabric,
                                       const FlowRequest& request,
                                       uint32_t subflows);

    /**
     * @brief A link has failed: leave subflows to routing.
     * @param network the network
     */
    void ForgetPaths(const Network& network);

    SubflowPaths m_subflowPaths;                    //!< attribute SubflowPaths
    Ptr<UniformRandomVariable> m_random;            //!< draws points
    std::shared_ptr<const BouncingRoutes> m_routes; //!< ways up; nullptr: routing decides
    std::vector<uint32_t> m_points;                 //!< all of them, in the order of latest draws
    std::vector<std::unique_ptr<Decapsulator>> m_decapsulators; //!< at the points
    bool m_failed{false};                                       //!< true if a link has failed
};

} // namespace ns3

#endif /* MPTCP_SCHEME_H */
