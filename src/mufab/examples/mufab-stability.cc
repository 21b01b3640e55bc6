/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The fluid model of uFAB's Appendix C.3 (SIGCOMM 2022) with delayed feedback:
//   dR_l/dt = kappa R_l / T_l (1 - y_l / C_l),  y_l(t) = sum over flows of x_f(t - T_f / 2),
// x_f(t) = (sum over its links of R_l(t - T_f)^-alpha)^(-1/alpha), T_l the mean
// RTT of a link's flows by rate. Starts a tenth off the equilibrium. Simulates no packets.

#include "ns3/calculation.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t STEPS = 1000; //!< per unit of time, which is the RTT of a flow of RTT 1

/// @brief A flow.
struct Flow
{
    std::vector<uint32_t> links; //!< that it crosses
    double rtt;                  //!< in units of time
};

/// @brief The links and flows of the model, and its past.
class Fluid
{
  public:
    /**
     * @param links number of links, all of capacity 1
     * @param flows the flows
     * @param alpha of fairness
     */
    Fluid(uint32_t links, std::vector<Flow> flows, double alpha)
        : m_flows(std::move(flows)),
          m_alpha(alpha),
          m_rates(links)
    {
    }

    /**
     * @brief Start near the equilibrium and go on.
     * @param kappa the gain
     * @param time duration, in units
     * @return largest deviation of a link's load from 1 in the last 20 units
     */
    double Run(double kappa, double time)
    {
        FindEquilibrium();
        std::vector<double> now = m_equilibrium;
        now[0] *= 1.1;
        const auto longest = std::ranges::max(m_flows, {}, &Flow::rtt).rtt;
        m_length = static_cast<std::size_t>(longest * STEPS) + 2;
        for (std::size_t link = 0; link < now.size(); ++link)
        {
            m_rates[link].assign(m_length, now[link]);
        }
        double deviation = 0;
        const auto steps = static_cast<uint64_t>(time * STEPS);
        for (m_step = 0; m_step < steps; ++m_step)
        {
            const double off = Advance(kappa);
            if (m_step + 20 * STEPS >= steps)
            {
                deviation = std::max(deviation, off);
            }
        }
        return deviation;
    }

    /**
     * @brief Rate of a flow at the equilibrium.
     * @param flow the flow
     * @return of a link's capacity
     */
    double GetEquilibrium(std::size_t flow) const
    {
        return GetRate(m_flows[flow], [this](uint32_t link) { return m_equilibrium[link]; });
    }

  private:
    template <class Known>
    double GetRate(const Flow& flow, const Known& known) const
    {
        double sum = 0;
        for (const uint32_t link : flow.links)
        {
            sum += std::pow(known(link), -m_alpha);
        }
        return std::pow(sum, -1 / m_alpha);
    }

    /// @brief Iterate R = R C / y (Eqs. 6 and 7), half way each time, until it stands.
    void FindEquilibrium()
    {
        m_equilibrium.assign(m_rates.size(), 1.0);
        for (int round = 0; round < 2000; ++round)
        {
            std::vector<double> load(m_equilibrium.size());
            for (std::size_t f = 0; f < m_flows.size(); ++f)
            {
                for (const uint32_t link : m_flows[f].links)
                {
                    load[link] += GetEquilibrium(f);
                }
            }
            for (std::size_t link = 0; link < load.size(); ++link)
            {
                m_equilibrium[link] *= std::sqrt(1 / load[link]);
            }
        }
    }

    double Past(uint32_t link, double delay) const
    {
        const auto back = static_cast<std::size_t>(std::lround(delay * STEPS));
        return m_rates[link][(m_step + m_length - back) % m_length];
    }

    double Advance(double kappa)
    {
        std::vector<double> load(m_rates.size());
        std::vector<double> weighted(m_rates.size());
        for (const Flow& flow : m_flows)
        {
            const double rate = GetRate(flow, [&](uint32_t link) { return Past(link, flow.rtt); });
            for (const uint32_t link : flow.links)
            {
                load[link] += rate;
                weighted[link] += rate * flow.rtt;
            }
        }
        double off = 0;
        for (uint32_t link = 0; link < m_rates.size(); ++link)
        {
            const double rate = Past(link, 0);
            const double change = kappa * rate * load[link] / weighted[link] * (1 - load[link]);
            m_rates[link][(m_step + 1) % m_length] = std::max(1e-6, rate + change / STEPS);
            off = std::max(off, std::abs(load[link] - 1));
        }
        return off;
    }

    std::vector<Flow> m_flows;                //!< the flows
    double m_alpha;                           //!< of fairness
    std::vector<double> m_equilibrium;        //!< R of each link
    std::vector<std::vector<double>> m_rates; //!< R of each link, in turn over the past
    std::size_t m_length{0};                  //!< of that past
    uint64_t m_step{0};                       //!< the present
};

} // namespace

int
main(int argc, char* argv[])
{
    double kappa = 1;
    double alpha = 1;
    double time = 200;
    std::string network = "link";
    Calculation calculation("mufab-stability", "delayed fair rates near their equilibrium");
    calculation.AddOption("kappa", "gain", kappa, MakeDoubleChecker<double>(0.01, 10));
    calculation.AddOption("alpha",
                          "of fairness: 1 proportional, many for max-min",
                          alpha,
                          MakeDoubleChecker<double>(0.1, 100));
    calculation.AddOption("time", "how long, in RTTs", time, MakeDoubleChecker<double>(21, 100000));
    calculation.AddOption(
        "network",
        "link (one flow), mix (RTTs of 0.5, 1 and 2 on a link), lot (two links, three flows)",
        network);
    return calculation.Main(argc, argv, [&] {
        std::vector<Flow> flows;
        if (network == "link")
        {
            flows = {{{0}, 1}};
        }
        else if (network == "mix")
        {
            flows = {{{0}, 0.5}, {{0}, 1}, {{0}, 2}};
        }
        else if (network == "lot")
        {
            flows = {{{0, 1}, 1}, {{0}, 1}, {{1}, 1}};
        }
        else
        {
            throw InputError("--network", network, "link, mix or lot");
        }
        Fluid fluid(network == "lot" ? 2 : 1, flows, alpha);
        calculation.Report("deviation", fluid.Run(kappa, time));
        calculation.Report("long_flow", fluid.GetEquilibrium(0));
        calculation.Report("alpha_fair", 1 / (1 + std::pow(2, 1 / alpha)));
    });
}
