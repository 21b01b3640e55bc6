/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RRB_SCHEME_H
#define RRB_SCHEME_H

#include "bouncing-scheme.h"

namespace ns3
{

/**
 * @ingroup drb
 * @brief Round-Robin Bouncing, DRB's comparator (Section 3.1.2)
 */
class RrbScheme : public BouncingScheme
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

#endif /* RRB_SCHEME_H */
