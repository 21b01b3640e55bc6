/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CDF_FLOW_SIZE_DISTRIBUTION_H
#define CDF_FLOW_SIZE_DISTRIBUTION_H

#include "flow-size-distribution.h"

#include <compare>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Flow sizes from the knots of a cumulative distribution in a CSV file.
 *
 * The file has the columns `bytes,probability`. Sizes are uniform between two knots; if the first
 * knot has a probability above 0, that is the probability of its size. The highest probability is
 * 1, or 100 if they are in percent; rows rise, or all fall.
 */
class CdfFlowSizeDistribution : public FlowSizeDistribution
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Choose the file. It is read at the first use of the distribution.
     * @param file name of a published distribution, or path of a CSV file
     */
    void SetFile(const std::string& file);

    /**
     * @brief The file chosen.
     * @return the argument of SetFile()
     */
    std::string GetFile() const;

    /**
     * @brief Published distributions, in the folder named by the environment variable
     * NS_FLOW_SIZES_PATH, else in this module's data/.
     * @return their names, sorted
     */
    static std::vector<std::string> ListPublished();

    /**
     * @brief Find the file of a distribution.
     * @param name name of a published distribution, or a path
     * @return path of the file; empty if there is none
     */
    static std::string Locate(const std::string& name);

  private:
    /// @brief One point of the curve.
    struct Knot
    {
        double bytes;       //!< size in bytes
        double probability; //!< that a flow has at most so many bytes

        /**
         * @brief Compare by size, then by probability.
         * @return the order
         */
        auto operator<=>(const Knot&) const = default;
    };

    double DoQuantile(double probability) const override;
    double DoCdf(double bytes) const override;
    double DoLimitedMean(double limit) const override;

    /**
     * @brief The knots.
     * @return at least one
     * @throw InputError if they cannot be read
     */
    const std::vector<Knot>& Knots() const;

    /**
     * @brief Read the file.
     * @return the knots: neither size nor probability ever falls, the last probability is 1
     * @throw InputError if there is no such file or if it holds no distribution
     */
    std::vector<Knot> ReadKnots() const;

    /**
     * @brief Have the last probability be exactly 1.
     * @param knots in order
     * @param file their file, for the error
     * @throw InputError if it is neither 1 nor 100, but for rounding
     */
    static void Normalize(std::vector<Knot>& knots, const std::string& file);

    std::string m_file;                //!< argument of SetFile()
    mutable std::vector<Knot> m_knots; //!< empty until first needed
};

} // namespace ns3

#endif /* CDF_FLOW_SIZE_DISTRIBUTION_H */
