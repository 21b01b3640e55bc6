/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_PAIR_CONTROLLER_H
#define WINDOW_PAIR_CONTROLLER_H

#include "pair-controller.h"

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup edge
 * @brief Each pair has a window of fixed size: the frame of window-based controllers, which change
 * it.
 */
class WindowPairController : public PairController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    std::unique_ptr<PairChannel> CreateChannel(uint32_t pair) override;
    bool HasReceivers() const override;
    std::unique_ptr<PairReceiver> CreateReceiver(uint32_t pair) override;

  protected:
    /**
     * @brief Time after which what was not reported is lost.
     * @return attribute Timeout, or its default
     */
    Time GetTimeout() const;

    double m_window; //!< attribute Window
    Time m_baseRtt;  //!< attribute BaseRtt
    Time m_timeout;  //!< attribute Timeout
};

} // namespace ns3

#endif /* WINDOW_PAIR_CONTROLLER_H */
