/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_SIZE_DISTRIBUTION_H
#define FLOW_SIZE_DISTRIBUTION_H

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup workload
/// @brief No flow is larger, in bytes: a day at 100 Gbit/s, and a double counts up to there
/// exactly.
constexpr double MAX_FLOW_SIZE = 1e15;

/**
 * @ingroup workload
 * @brief The distribution of the bytes of flows: a random size and its exact mean.
 *
 * A law X is three functions: its quantile, its cumulative distribution and its limited mean. The
 * size drawn is min(X, MaxSize), rounded to whole bytes and at least 1. A heavy tail shows in no
 * short run, so a run that clips must compute its load from the clipped mean; Mean() is that one.
 */
class FlowSizeDistribution : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();
    FlowSizeDistribution();

    /**
     * @brief Draw the size of the next flow.
     * @return size in bytes, at least 1
     */
    uint64_t NextSize();

    /**
     * @brief Exact mean of min(X, MaxSize). Rounding moves that of the sizes drawn by less than 1
     * byte.
     * @return mean in bytes
     */
    double Mean() const;

    /**
     * @brief Cumulative distribution of min(X, MaxSize).
     * @param bytes size in bytes
     * @return probability that a flow has at most so many bytes
     */
    double Cdf(double bytes) const;

    /**
     * @brief Assign a fixed random variable stream number.
     * @param stream stream to use
     * @return number of streams used: 1
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /**
     * @brief Inverse of the cumulative distribution of X.
     * @param probability in [0, 1)
     * @return the size in bytes that X exceeds with probability 1 - probability
     */
    virtual double DoQuantile(double probability) const = 0;

    /**
     * @brief Cumulative distribution of X.
     * @param bytes size in bytes
     * @return probability that X is at most so many bytes
     */
    virtual double DoCdf(double bytes) const = 0;

    /**
     * @brief Mean of min(X, limit).
     * @param limit in bytes; infinity for the mean of X
     * @return mean in bytes
     */
    virtual double DoLimitedMean(double limit) const = 0;

    /**
     * @brief MaxSize as a number to compare with.
     * @return largest size in bytes; infinity if there is none
     */
    double Limit() const;

    double m_maxSize;                     //!< sizes are clipped to this many bytes; 0: not clipped
    Ptr<UniformRandomVariable> m_uniform; //!< one draw per size
};

/**
 * @ingroup workload
 * @brief Make a flow-size distribution from what a user typed.
 *
 * Accepts a published distribution (`enterprise`), a law (`pareto:Shape=1.1,Mean=30000`) or the
 * path of a CDF file (`./sizes.csv`), each with attributes behind a colon
 * (`enterprise:MaxSize=3e6`).
 *
 * @param argument the setting that the error names, as the user spells it ("--sizes")
 * @param spec the user's choice
 * @return the distribution
 * @throw InputError if there is no such distribution, file or attribute, or if the file is broken
 */
Ptr<FlowSizeDistribution> CreateFlowSizes(const std::string& argument, const Spec& spec);

/**
 * @ingroup workload
 * @brief The names that CreateFlowSizes() knows.
 * @return names of published distributions, then names of laws; each part sorted
 */
std::vector<std::string> ListFlowSizes();

} // namespace ns3

#endif /* FLOW_SIZE_DISTRIBUTION_H */
