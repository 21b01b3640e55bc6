/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_TABLE_H
#define PATH_TABLE_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

class Fabric;
class FabricPort;

/**
 * @ingroup fabric
 * @brief All shortest paths between racks as source routes, there and back, for who chooses paths
 * at the edge.
 *
 * Paths are those of the network as wired: a failure takes none away and changes no number, see
 * Works(). The paths of two racks are found on first use and kept; those of all racks of a fat-tree
 * with k = 24 take 115 MB.
 */
class PathTable
{
  public:
    /// @brief A path from rack to rack. It ends at a switch, so it serves all hosts there.
    struct Path
    {
        uint16_t from;           //!< rack that it begins at
        uint16_t to;             //!< rack that it ends at
        const uint16_t* forward; //!< source route there (FabricItem::route); kept by the table
        const uint16_t* back;    //!< source route back over the same links; kept by the table
    };

    /// @param fabric is built; outlives the table
    explicit PathTable(const Fabric& fabric);

    /**
     * @brief Number of paths between two racks.
     * @param from rack
     * @param to rack; from itself it has one path to itself, without links
     * @return their number, the same there and back; 0 if there is no way
     * @throws InputError if there are more than MAX_PATHS
     */
    uint32_t GetNPaths(uint16_t from, uint16_t to);

    /**
     * @brief A path between two racks.
     * @param from rack
     * @param to rack
     * @param index number of the path, less than GetNPaths(); the same number means the same links
     * for (to, from)
     * @return the path
     */
    Path Get(uint16_t from, uint16_t to, uint32_t index);

    /**
     * @brief The ports that a path leaves switches by.
     * @param path the path
     * @return from the first rack's switch to the last but one
     */
    std::vector<FabricPort*> GetPorts(const Path& path) const;

    /**
     * @brief True if all links of a path work now.
     * @param path the path
     * @return true if they do
     */
    bool Works(const Path& path) const;

    /// @brief Memory of the routes found so far, in bytes.
    std::size_t GetBytes() const;

    static constexpr uint32_t MAX_PATHS = 65536; //!< between two racks

  private:
    /// @brief The routes between two racks, all of one length.
    struct Routes
    {
        uint32_t count{0};          //!< number of paths
        uint16_t length{0};         //!< links of each
        std::vector<uint16_t> hops; //!< by path: the route up, then the route down

        /**
         * @brief A route.
         * @param index number of the path
         * @param down from the higher rack to the lower
         * @return its length, then its ports
         */
        const uint16_t* Get(uint32_t index, bool down) const
        {
            return &hops[(2 * std::size_t{index} + down) * (length + 1U)];
        }
    };

    const Routes& Find(uint16_t from, uint16_t to);
    const std::vector<uint8_t>& GetDistances(uint16_t rack);

    /**
     * @brief Add all ways that go on from where one has come.
     * @param distances of the switches from the last rack's
     * @param node the switch that the way has come to
     * @param [in,out] ports that it left switches by
     * @param [out] routes take the ways
     */
    void Extend(const std::vector<uint8_t>& distances,
                uint32_t node,
                std::vector<const FabricPort*>& ports,
                Routes& routes) const;

    const Fabric& m_fabric;                        //!< the fabric
    std::vector<std::vector<uint8_t>> m_distances; //!< by rack, then switch; empty: not yet asked
    std::unordered_map<uint32_t, Routes> m_routes; //!< by lower and higher rack
};

} // namespace ns3

#endif /* PATH_TABLE_H */
