/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_PRIME_SCHEME_H
#define MUFAB_PRIME_SCHEME_H

#include "mufab-scheme.h"

namespace ns3
{

/**
 * @ingroup mufab
 * @brief uFAB' (Sections 5.2 and 5.5): uFAB without the stage of admission that bounds the latency.
 */
class MufabPrimeScheme : public MufabScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  protected:
    std::map<std::string, std::string> GetControllerDefaults() const override;
};

} // namespace ns3

#endif /* MUFAB_PRIME_SCHEME_H */
