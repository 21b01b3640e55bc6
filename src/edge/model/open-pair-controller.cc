/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "open-pair-controller.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(OpenPairController);

TypeId
OpenPairController::GetTypeId()
{
    static TypeId tid = TypeId("ns3::OpenPairController")
                            .SetParent<PairController>()
                            .SetGroupName("Edge")
                            .AddConstructor<OpenPairController>();
    return tid;
}

std::string
OpenPairController::GetSummary() const
{
    return "pairs are not held, tenants share the host's link by their weights";
}

} // namespace ns3
