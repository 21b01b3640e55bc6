/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPEN_PAIR_CONTROLLER_H
#define OPEN_PAIR_CONTROLLER_H

#include "pair-controller.h"

namespace ns3
{

/**
 * @ingroup edge
 * @brief Channels that let everything go: hosts with weighted fair queueing and nothing else.
 */
class OpenPairController : public PairController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;
};

} // namespace ns3

#endif /* OPEN_PAIR_CONTROLLER_H */
