/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RB_SCHEME_H
#define RB_SCHEME_H

#include "bouncing-scheme.h"

namespace ns3
{

/**
 * @ingroup drb
 * @brief Random Bouncing, DRB's comparator (Section 3.1.2)
 */
class RbScheme : public BouncingScheme
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

#endif /* RB_SCHEME_H */
