/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWIFT_TRANSPORT_H
#define SWIFT_TRANSPORT_H

#include "reliable-transport.h"
#include "swift-window.h"

#include <optional>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Swift (Kumar et al., SIGCOMM 2020): windows that keep delay at a target.
 *
 * A flow has two windows of Algorithm 1 (SwiftWindow): one for the delay in the fabric, one for
 * that in the receiving host; the smaller holds. Below one packet it paces. Each packet is
 * acknowledged and losses are repaired selectively.
 */
class SwiftTransport : public ReliableTransport
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    SwiftTransport();

    std::string GetSummary() const override;

    /// @brief The windows of a flow, in packets.
    struct Windows
    {
        double fabric;   //!< fcwnd
        double endpoint; //!< ecwnd
    };

    /**
     * @brief The windows of a flow under way, for tests and recorders.
     * @param flow the flow
     * @return nothing if it is over
     */
    std::optional<Windows> GetWindows(FlowId flow) const;

    /**
     * @brief The base target of a flow: the attribute BaseTarget, or by its own path.
     * @param baseRtt unloaded round-trip time of its path
     * @return target delay without hops and flow scaling
     */
    Time GetBaseTarget(Time baseRtt) const;

    /**
     * @brief The constants of a window.
     * @param baseTarget of a flow, on which flow scaling depends by default
     * @return those of the fabric's window
     */
    SwiftWindow::Parameters GetParameters(Time baseTarget) const;

  protected:
    void DoAttach() override;
    std::unique_ptr<ReliableFlow> CreateFlow(const FlowRecord& record) override;

  private:
    class Flow;

    double m_increase;         //!< attribute AdditiveIncrease
    double m_decrease;         //!< attribute DecreaseGain
    double m_maxDecrease;      //!< attribute MaxDecrease
    double m_initialWindow;    //!< attribute InitialWindow
    double m_minWindow;        //!< attribute MinWindow
    double m_maxWindow;        //!< attribute MaxWindow
    Time m_baseTarget;         //!< attribute BaseTarget
    double m_baseTargetFactor; //!< attribute BaseTargetFactor
    Time m_hopDelay;           //!< attribute HopDelay
    Time m_scalingRange;       //!< attribute ScalingRange
    double m_scalingFactor;    //!< attribute ScalingFactor
    double m_scalingMinWindow; //!< attribute ScalingMinWindow
    double m_scalingMaxWindow; //!< attribute ScalingMaxWindow
    Time m_endpointTarget;     //!< attribute EndpointTarget
    double m_endpointGain;     //!< attribute EndpointGain
    uint32_t m_resetAfter;     //!< attribute ResetAfter
    bool m_validation;         //!< attribute WindowValidation
    double m_weight;           //!< attribute Weight
};

} // namespace ns3

#endif /* SWIFT_TRANSPORT_H */
