/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DRB_SCHEME_H
#define DRB_SCHEME_H

#include "bouncing-scheme.h"

namespace ns3
{

/**
 * @ingroup drb
 * @brief Digit-Reversal Bouncing: the paper's own (Section 3.1.2)
 */
class DrbScheme : public BouncingScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  protected:
    Ptr<BouncingSelector> CreateSelector() const override;
};

} // namespace ns3

#endif /* DRB_SCHEME_H */
