/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_TAG_H
#define FLOW_TAG_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief A flow's identity in a fabric: read at the edge and at metered ports only, so that an item
 * need not carry it.
 */
struct FlowTag
{
    uint32_t pair{0};  //!< number of the VM pair, plus 1; 0: the flow belongs to none
    uint32_t group{0}; //!< as the workload said (FlowRequest::group)
    uint32_t flow{0};  //!< the flow's name (FlowId); 0: unknown, as with stock ns-3 sockets
};

} // namespace ns3

#endif /* FLOW_TAG_H */
