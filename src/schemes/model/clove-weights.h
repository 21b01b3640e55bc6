/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLOVE_WEIGHTS_H
#define CLOVE_WEIGHTS_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief Clove-ECN's shares of paths in flowlets (Katta et al., CoNEXT 2017, Section 3.2): by
 * weights, in turn. A mark moves a third of a path's weight to the paths without marks.
 */
class CloveWeights
{
  public:
    /**
     * @brief Start with equal weights of 1.
     * @param paths their number, at least 1
     * @param patience a path counts as marked for so long after a mark, in time steps
     */
    CloveWeights(uint32_t paths, int64_t patience);

    /**
     * @brief A path was marked.
     * @param path its number
     * @param now the current time, in time steps
     */
    void HandleMark(uint32_t path, int64_t now);

    /// @brief Take the next path in turn.
    uint32_t Choose();

    /**
     * @brief Weight of a path.
     * @param path its number
     * @return the weight; all together are as many as there are paths
     */
    double Get(uint32_t path) const
    {
        return m_paths[path].weight;
    }

    static constexpr double CUT = 1.0 / 3; //!< share of its weight that a marked path loses

  private:
    /// @brief A path.
    struct Path
    {
        double weight{1};   //!< share of the flowlets
        double credit{0};   //!< of smooth weighted round robin
        int64_t marked{-1}; //!< time of the last mark, in time steps; below 0: none
    };

    bool IsMarked(const Path& path, int64_t now) const
    {
        return path.marked >= 0 && now - path.marked < m_patience;
    }

    std::vector<Path> m_paths; //!< by number
    int64_t m_patience;        //!< in time steps
};

} // namespace ns3

#endif /* CLOVE_WEIGHTS_H */
