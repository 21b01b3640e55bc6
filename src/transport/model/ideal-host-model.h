/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEAL_HOST_MODEL_H
#define IDEAL_HOST_MODEL_H

#include "host-model.h"

namespace ns3
{

/**
 * @ingroup transport
 * @brief Hosts that cost nothing: what a transport may send is in the port at once, what arrives is
 * seen at once. Transports stay as their own attributes say.
 */
class IdealHostModel : public HostModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    void Configure(Ptr<Transport> transport) const override;
};

} // namespace ns3

#endif /* IDEAL_HOST_MODEL_H */
