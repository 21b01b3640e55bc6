/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HPCC_WINDOW_H
#define HPCC_WINDOW_H

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Record that a switch writes into a packet about the link that it takes (HPCC, SIGCOMM
 * 2019, Section 3.2 and Fig. 7).
 */
struct HpccLink
{
    const void* port{nullptr}; //!< stands for the link; of another path, nothing can be compared
    uint64_t sentBytes{0};     //!< txBytes: all that the port has sent so far
    int64_t time{0};           //!< ts, in time steps
    double queue{0};           //!< qlen in bytes
    double rate{0};            //!< B in bytes per time step
};

/**
 * @ingroup transport
 * @brief Records that a packet has collected on its way.
 */
struct HpccPath
{
    static constexpr uint32_t MOST = 8; //!< links that can be told of

    std::array<HpccLink, MOST> links{}; //!< of switches, the first one first
    uint8_t hops{0};                    //!< number of links
};

/**
 * @ingroup transport
 * @brief HPCC's window (Algorithm 1): utilization of the busiest link of the path, from what
 * switches tell, decides by what the window is multiplied; a small constant makes windows fair.
 */
class HpccWindow
{
  public:
    /// @brief Constants. Bytes and time steps.
    struct Parameters
    {
        double utilization;   //!< eta: what links are to be used to
        uint32_t mostAdding;  //!< maxStage: rounds of mere addition after which it is multiplied
        double addition;      //!< W_AI
        double baseRtt;       //!< T
        double initialWindow; //!< of a sender at line rate: its link's rate times T
        double leastWindow;   //!< so that a flow goes on
    };

    /**
     * @param parameters the constants
     */
    explicit HpccWindow(const Parameters& parameters);

    /**
     * @brief An acknowledgment came.
     * @param path records that its packet has collected
     * @param isNewRound true if it is of a packet sent after the last update of the reference
     */
    void HandleAcknowledged(const HpccPath& path, bool isNewRound);

    /**
     * @brief The window.
     * @return W in bytes
     */
    double GetWindow() const
    {
        return m_window;
    }

    /**
     * @brief Sending rate.
     * @return R = W / T, in bytes per time step
     */
    double GetRate() const
    {
        return m_window / m_parameters.baseRtt;
    }

    /**
     * @brief Utilization of the busiest link, smoothed over a base RTT.
     * @return U
     */
    double GetUtilization() const
    {
        return m_utilization;
    }

  private:
    bool MeasureInflight(const HpccPath& path);
    void ComputeWindow(bool isNewRound);

    Parameters m_parameters; //!< the constants
    HpccPath m_last;         //!< L: as of the last acknowledgment
    double m_window;         //!< W
    double m_reference;      //!< Wc
    double m_utilization;    //!< U
    uint32_t m_stage{0};     //!< incStage
};

} // namespace ns3

#endif /* HPCC_WINDOW_H */
