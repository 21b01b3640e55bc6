/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PWC_SCHEME_H
#define PWC_SCHEME_H

#include "pair-scheme.h"
#include "with-clove.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief What uFAB compares with at its own edge: the same tenants, host queues and answers, other
 * control.
 */
class PwcPairScheme : public PairScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    std::string GetDefaultController() const override;
    std::string GetDefaultTenants() const override;
    PairEdge::Answers GetDefaultAnswers() const override;
};

/**
 * @ingroup schemes
 * @brief PicNIC' + WCC + Clove: receivers grant rates, pairs have a weighted Swift, flowlets take
 * the least utilized path (uFAB Section 5.1).
 */
class PwcScheme : public WithClove<PwcPairScheme>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;
};

} // namespace ns3

#endif /* PWC_SCHEME_H */
