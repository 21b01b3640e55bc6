/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STATIC_RESERVATION_SCHEME_H
#define STATIC_RESERVATION_SCHEME_H

#include "pair-scheme.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief Each VM pair is limited to its guarantee at its sender: guarantees without work
 * conservation (as in Oktopus, SIGCOMM 2011).
 */
class StaticReservationScheme : public PairScheme
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
    std::map<std::string, std::string> GetControllerDefaults() const override;
};

} // namespace ns3

#endif /* STATIC_RESERVATION_SCHEME_H */
