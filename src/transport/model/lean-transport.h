/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TRANSPORT_H
#define LEAN_TRANSPORT_H

#include "connection-pool.h"
#include "lean-tcp-settings.h"
#include "lean-tcp-stream.h"
#include "transport.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup lean-tcp
 * @brief TCP without bytes, sockets or an IP stack: ns-3's congestion control at fabric speed.
 *
 * Each connection is a sender and a receiver that exchange fabric items. The congestion control is
 * any of ns-3's TcpCongestionOps, by TypeId. See lean-tcp.rst for the model.
 */
class LeanTransport : public Transport, private LeanTcpSettings
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    LeanTransport();
    ~LeanTransport() override;

    std::string GetSummary() const override;
    void StopFlow(FlowId flow) override;
    PacketSizes GetPacketSizes() const override;
    std::optional<uint64_t> CountRetransmissions() const override;
    std::vector<FlowState> GetStates(FlowId flow) const override;

    /// @brief Counters of what all connections sent so far, those that are over included.
    LeanTcpStatistics GetStatistics() const;

    /**
     * @brief The connection of a flow.
     * @param flow the flow
     * @return the connection, or nullptr if the flow is over
     */
    LeanTcpStream* GetConnection(FlowId flow) const;

    // ---- For connections ----

    /**
     * @brief Settings.
     * @return settings that all connections share
     */
    const LeanTcpSettings& GetSettings() const
    {
        return *this;
    }

    /**
     * @brief The hosts.
     * @return the fabric
     */
    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /**
     * @brief Payload of a flow was delivered in order.
     * @param record of the flow
     * @param bytes payload
     */
    void HandleDelivered(FlowRecord& record, uint32_t bytes)
    {
        NotifyDelivered(record, bytes);
    }

    /**
     * @brief A flow is over.
     * @param connection of the flow, which has forgotten the flow
     * @param record of the flow
     */
    void HandleFinished(LeanTcpStream& connection, const FlowRecord& record);

    /**
     * @brief Take the next source port of a host, in the order in which ns-3's sockets do.
     * @param source the host
     * @return the port
     */
    uint16_t TakePort(uint32_t source);

  protected:
    uint32_t GetLeadingSize(const FlowRequest& request) const override;
    void DoAttach() override;
    void DoStartFlow(const FlowRecord& record) override;
    void DoDispose() override;

    /// @brief Settings that all connections share, for derived classes to add to.
    LeanTcpSettings& GetMutableSettings()
    {
        return *this;
    }

    /**
     * @brief The congestion control that connections get.
     * @return name of the TypeId
     */
    virtual std::string GetCongestionOps() const
    {
        return m_congestionOps;
    }

    /**
     * @brief Take over a connection.
     * @param connection it counts into GetStatistics() from now on
     */
    void Adopt(std::unique_ptr<LeanTcpConnection> connection);

    /**
     * @brief Close a connection and delete it as soon as it cannot be on the call stack any more.
     * @param connection was adopted
     */
    void Close(LeanTcpConnection& connection);

  private:
    /**
     * @brief Make an attribute of a setting.
     * @tparam T its type
     * @param setting the setting
     * @return the same as a member of this class
     */
    template <typename T>
    static T LeanTransport::* Setting(T LeanTcpSettings::* setting)
    {
        return setting;
    }

    void CheckSettings() const;
    void CreatePrototypes();
    uint32_t GetMostConnections() const;
    LeanTcpStream& ChooseConnection(const FlowRequest& request);
    LeanTcpStream& OpenConnection(const FlowRequest& request);
    void DeleteClosed();

    std::string m_congestionOps; //!< name of the TypeId
    std::string m_recoveryOps;   //!< name of the TypeId

    std::unordered_map<FlowId, LeanTcpStream*> m_flows; //!< connection of each flow under way
    std::unordered_map<const LeanTcpConnection*, std::unique_ptr<LeanTcpConnection>>
        m_open;                                               //!< connections
    std::vector<std::unique_ptr<LeanTcpConnection>> m_closed; //!< over, maybe on the call stack
    ConnectionPool<LeanTcpStream> m_persistent;               //!< those that stay open
    LeanTcpStatistics m_closedStatistics;                     //!< of connections that are over
    std::vector<uint32_t> m_opened; //!< connections opened so far, by source
    DirectTimer m_deletion;         //!< deletes m_closed when no connection is on the stack
};

} // namespace ns3

#endif /* LEAN_TRANSPORT_H */
