/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOGGED_ITEM_H
#define LOGGED_ITEM_H

#include "flow-tag.h"

#include <ostream>

namespace ns3
{

struct FabricItem;
class Fabric;
class FabricPort;

/**
 * @ingroup fabric
 * @brief Names an item in lines of the log, and the port that it is at: "leaf0:3: flow 17, data
 * 43800+1460 from host 2 to host 9" has 1460 bytes of payload that begin 43800 bytes into the flow.
 */
class LoggedItem
{
  public:
    /**
     * @brief Name an item at a port.
     * @param item the item
     * @param port the port; nullptr in a stock ns-3 program, where a flow is a hash
     */
    LoggedItem(const FabricItem& item, const FabricPort* port);

    /**
     * @brief Name an item that is at no port.
     * @param item the item
     * @param fabric knows its flow
     */
    LoggedItem(const FabricItem& item, const Fabric& fabric);

  private:
    friend std::ostream& operator<<(std::ostream& os, const LoggedItem& logged);

    const FabricItem& m_item; //!< the item
    const FabricPort* m_port; //!< the port it is at, or nullptr
    const Fabric* m_fabric;   //!< knows its flow, or nullptr
};

/**
 * @brief Write an item's name.
 * @param os the log
 * @param logged the item
 * @return the log
 */
std::ostream& operator<<(std::ostream& os, const LoggedItem& logged);

/**
 * @brief Write a flow's name: "flow 17", or "flow 17 of pair 3".
 * @param os the log
 * @param tag the flow
 * @return the log
 */
std::ostream& operator<<(std::ostream& os, const FlowTag& tag);

} // namespace ns3

#endif /* LOGGED_ITEM_H */
