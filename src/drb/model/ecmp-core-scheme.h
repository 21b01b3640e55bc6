/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ECMP_CORE_SCHEME_H
#define ECMP_CORE_SCHEME_H

#include "bouncing-scheme.h"

namespace ns3
{

/**
 * @ingroup drb
 * @brief ECMP as in DRB's simulations: each connection keeps to one switch of the highest layer,
 * and all traffic between racks crosses it (Section 5.2)
 *
 * The scheme tcp, by contrast, takes the shortest ways, which within a pod do not go up to the
 * core.
 */
class EcmpCoreScheme : public BouncingScheme
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
    uint16_t GetDefaultOuterHeader() const override;
    Time GetDefaultResequencingTimeout() const override;
};

} // namespace ns3

#endif /* ECMP_CORE_SCHEME_H */
