/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flow sizes by formulas.

#include "flow-size-distribution.h"

#include "ns3/double.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Flows of one size.
 */
class FixedFlowSizeDistribution : public FlowSizeDistribution
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::FixedFlowSizeDistribution")
                .SetParent<FlowSizeDistribution>()
                .SetGroupName("Workload")
                .AddConstructor<FixedFlowSizeDistribution>()
                .AddAttribute("Bytes",
                              "Size of every flow in bytes.",
                              DoubleValue(100000),
                              MakeDoubleAccessor(&FixedFlowSizeDistribution::m_bytes),
                              MakeDoubleChecker<double>(1, MAX_FLOW_SIZE));
        return tid;
    }

  private:
    double DoQuantile(double /* probability */) const override
    {
        return m_bytes;
    }

    double DoCdf(double bytes) const override
    {
        return bytes < m_bytes ? 0.0 : 1.0;
    }

    double DoLimitedMean(double limit) const override
    {
        return std::min(m_bytes, limit);
    }

    double m_bytes; //!< the size in bytes
};

NS_OBJECT_ENSURE_REGISTERED(FixedFlowSizeDistribution);

/**
 * @ingroup workload
 * @brief Exponential flow sizes: a light tail, for comparison with queueing theory.
 */
class ExponentialFlowSizeDistribution : public FlowSizeDistribution
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ExponentialFlowSizeDistribution")
                .SetParent<FlowSizeDistribution>()
                .SetGroupName("Workload")
                .AddConstructor<ExponentialFlowSizeDistribution>()
                .AddAttribute("Mean",
                              "Mean without clipping, in bytes.",
                              DoubleValue(100000),
                              MakeDoubleAccessor(&ExponentialFlowSizeDistribution::m_mean),
                              MakeDoubleChecker<double>(1, MAX_FLOW_SIZE));
        return tid;
    }

  private:
    double DoQuantile(double probability) const override
    {
        return -m_mean * std::log1p(-probability);
    }

    double DoCdf(double bytes) const override
    {
        return -std::expm1(-bytes / m_mean);
    }

    double DoLimitedMean(double limit) const override
    {
        return -m_mean * std::expm1(-limit / m_mean);
    }

    double m_mean; //!< mean without clipping in bytes
};

NS_OBJECT_ENSURE_REGISTERED(ExponentialFlowSizeDistribution);

/**
 * @ingroup workload
 * @brief Pareto flow sizes. The defaults are AFQ's synthetic workload (Section 6.2.1).
 */
class ParetoFlowSizeDistribution : public FlowSizeDistribution
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ParetoFlowSizeDistribution")
                .SetParent<FlowSizeDistribution>()
                .SetGroupName("Workload")
                .AddConstructor<ParetoFlowSizeDistribution>()
                .AddAttribute(
                    "Shape",
                    "Tail exponent; near 1 the mean grows without bound (AFQ, Section 6.2.1).",
                    DoubleValue(1.1),
                    MakeDoubleAccessor(&ParetoFlowSizeDistribution::m_shape),
                    MakeDoubleChecker<double>(1.01, 1000))
                .AddAttribute("Mean",
                              "Mean without clipping, in bytes (AFQ, Section 6.2.1).",
                              DoubleValue(30000),
                              MakeDoubleAccessor(&ParetoFlowSizeDistribution::m_mean),
                              MakeDoubleChecker<double>(1, MAX_FLOW_SIZE));
        return tid;
    }

  private:
    double DoQuantile(double probability) const override
    {
        return Scale() * std::pow(1 - probability, -1 / m_shape);
    }

    double DoCdf(double bytes) const override
    {
        return bytes <= Scale() ? 0.0 : 1 - std::pow(Scale() / bytes, m_shape);
    }

    double DoLimitedMean(double limit) const override
    {
        if (limit <= Scale())
        {
            return limit;
        }
        // The mean less what lies beyond the limit: the integral of 1 - CDF from there on.
        return m_mean - Scale() / (m_shape - 1) * std::pow(Scale() / limit, m_shape - 1);
    }

    /// @brief Smallest size, the law's scale, in bytes.
    double Scale() const
    {
        return m_mean * (m_shape - 1) / m_shape;
    }

    double m_shape; //!< tail exponent
    double m_mean;  //!< mean without clipping in bytes
};

NS_OBJECT_ENSURE_REGISTERED(ParetoFlowSizeDistribution);

/**
 * @ingroup workload
 * @brief Generalized Pareto flow sizes from 0 on, as those of values in a key-value cache (Atikoglu
 * et al., SIGMETRICS 2012, Section 5.2).
 */
class GeneralizedParetoFlowSizeDistribution : public FlowSizeDistribution
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::GeneralizedParetoFlowSizeDistribution")
                .SetParent<FlowSizeDistribution>()
                .SetGroupName("Workload")
                .AddConstructor<GeneralizedParetoFlowSizeDistribution>()
                .AddAttribute(
                    "Shape",
                    "Shape of the tail, the inverse of Pareto's exponent (Atikoglu et al., "
                    "SIGMETRICS 2012, Section 5.2).",
                    DoubleValue(0.348238),
                    MakeDoubleAccessor(&GeneralizedParetoFlowSizeDistribution::m_shape),
                    MakeDoubleChecker<double>(0.001, 0.99))
                .AddAttribute(
                    "Mean",
                    "Mean without clipping, in bytes; 329 in the same paper (scale 214.476).",
                    DoubleValue(329.072),
                    MakeDoubleAccessor(&GeneralizedParetoFlowSizeDistribution::m_mean),
                    MakeDoubleChecker<double>(1, MAX_FLOW_SIZE));
        return tid;
    }

  private:
    double DoQuantile(double probability) const override
    {
        return Scale() / m_shape * (std::pow(1 - probability, -m_shape) - 1);
    }

    double DoCdf(double bytes) const override
    {
        return 1 - std::pow(1 + m_shape * bytes / Scale(), -1 / m_shape);
    }

    double DoLimitedMean(double limit) const override
    {
        // The integral of 1 - CDF up to the limit.
        return m_mean * (1 - std::pow(1 + m_shape * limit / Scale(), 1 - 1 / m_shape));
    }

    /// @brief The law's scale, in bytes.
    double Scale() const
    {
        return m_mean * (1 - m_shape);
    }

    double m_shape; //!< attribute Shape
    double m_mean;  //!< attribute Mean
};

NS_OBJECT_ENSURE_REGISTERED(GeneralizedParetoFlowSizeDistribution);

} // namespace ns3
