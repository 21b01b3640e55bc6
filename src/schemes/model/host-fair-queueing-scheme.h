/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_FAIR_QUEUEING_SCHEME_H
#define HOST_FAIR_QUEUEING_SCHEME_H

#include "pair-scheme.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief Tenants share the link of each host by what they are guaranteed, and nothing holds a VM
 * pair: the part that schemes with VM pairs have in common, by itself.
 */
class HostFairQueueingScheme : public PairScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  protected:
    std::string GetDefaultController() const override;
    std::string GetDefaultTenants() const override;
};

} // namespace ns3

#endif /* HOST_FAIR_QUEUEING_SCHEME_H */
