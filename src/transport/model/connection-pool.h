/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_POOL_H
#define CONNECTION_POOL_H

#include "flow.h"

#include "ns3/enum.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Assignment of flows to connections.
 */
enum class Persistence
{
    PER_FLOW,   //!< each flow has a connection of its own
    REUSE_IDLE, //!< a flow takes an idle connection of its host pair, or opens another one
    SHARED,     //!< all flows of a host pair are messages on one connection, one after another
};

/**
 * @ingroup transport
 * @brief The texts of Persistence.
 * @return checker of an attribute
 */
inline Ptr<const AttributeChecker>
MakePersistenceChecker()
{
    return MakeEnumChecker(Persistence::PER_FLOW,
                           "PerFlow",
                           Persistence::REUSE_IDLE,
                           "ReuseIdle",
                           Persistence::SHARED,
                           "Shared");
}

/**
 * @ingroup transport
 * @brief Persistent connections by host pair (and VM pair), and which of them a flow takes: the
 * same for all transports.
 * @tparam Connection has IsIdle(); not owned
 */
template <typename Connection>
class ConnectionPool
{
  public:
    /**
     * @brief Choose a connection for a flow.
     * @param request of the flow
     * @param most connections that a pair may have; 0: no limit
     * @param open opens another one
     * @return an idle one, else a new one, else the busy one that was chosen longest ago
     */
    template <typename Open>
    Connection& Choose(const FlowRequest& request, uint32_t most, Open open)
    {
        auto& connections = GetConnections(request);
        const auto idle = std::find_if(connections.begin(), connections.end(), IsIdle);
        if (idle != connections.end())
        {
            return **idle;
        }
        if (most > 0 && connections.size() >= most)
        {
            std::rotate(connections.begin(), connections.begin() + 1, connections.end());
            return *connections.back();
        }
        connections.push_back(&open());
        return *connections.back();
    }

    /**
     * @brief True if Choose() would open a connection.
     * @param request of a flow
     * @param most connections that a pair may have; 0: no limit
     * @return true if so
     */
    bool WouldOpen(const FlowRequest& request, uint32_t most) const
    {
        const auto found = m_connections.find(GetKey(request));
        if (found == m_connections.end())
        {
            return true;
        }
        const auto& connections = found->second;
        return (most == 0 || connections.size() < most) &&
               std::none_of(connections.begin(), connections.end(), IsIdle);
    }

    /**
     * @brief The connections of a pair.
     * @param request of a flow of the pair
     * @return them, for others to be added
     */
    std::vector<Connection*>& GetConnections(const FlowRequest& request)
    {
        return m_connections[GetKey(request)];
    }

  private:
    /// @brief Key of flows that share connections: source, destination, VM pair.
    using Key = std::array<uint32_t, 3>;

    /**
     * @param request of a flow
     * @return key of the connections that it may take
     */
    static Key GetKey(const FlowRequest& request)
    {
        return {request.source, request.destination, request.pair};
    }

    /**
     * @param connection one
     * @return true if nothing is under way on it
     */
    static bool IsIdle(const Connection* connection)
    {
        return connection->IsIdle();
    }

    std::map<Key, std::vector<Connection*>> m_connections; //!< by pair
};

} // namespace ns3

#endif /* CONNECTION_POOL_H */
