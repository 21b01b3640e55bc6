/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_MODEL_H
#define HOST_MODEL_H

#include "transport.h"

#include "ns3/object.h"

#include <string>

namespace ns3
{

/**
 * @ingroup transport
 * @brief What stands between a host's transport and its link, below what a transport's paper says:
 * segmentation offload, small queues, coalescing.
 *
 * The same for all schemes that are compared. Any class derived from HostModel that is registered
 * with a TypeId has a name: ns3::FooHostModel is `--hosts=foo`.
 */
class HostModel : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief What the model is, for `--hosts=help`.
     * @return one line
     */
    virtual std::string GetSummary() const = 0;

    /**
     * @brief Give a transport what hosts of this model have. What the model does not say stays as
     * it is.
     * @param transport is not yet attached
     * @throws InputError if the transport cannot have it
     */
    virtual void Configure(Ptr<Transport> transport) const = 0;
};

} // namespace ns3

#endif /* HOST_MODEL_H */
