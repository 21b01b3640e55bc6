/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPTCP_TRANSPORT_H
#define MPTCP_TRANSPORT_H

#include "lean-transport.h"
#include "mptcp-connection.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup mptcp
 * @brief Multipath TCP: each flow has several lean TCP connections, whose windows are coupled.
 *
 * All attributes of LeanTransport hold for each subflow, except that windows (RcvBufSize,
 * MaxWindow) are those of a flow. See mptcp.rst for the model.
 */
class MptcpTransport : public LeanTransport
{
  public:
    static constexpr uint32_t MAX_SUBFLOWS = 32; //!< of a flow

    /// @brief Coupling of the increase of subflows' windows.
    enum Coupling
    {
        LIA,  //!< linked increases, RFC 6356
        NONE, //!< each for itself
    };

    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    void StopFlow(FlowId flow) override;
    std::vector<FlowState> GetStates(FlowId flow) const override;

    /**
     * @brief Gives a flow's subflows ways of their own.
     * @param request the flow
     * @param subflows number of its subflows
     * @return a path per subflow
     */
    using PathChooser =
        std::function<std::vector<MptcpPath>(const FlowRequest& request, uint32_t subflows)>;

    /**
     * @brief Say which ways subflows go; without this call, routing decides by their 5-tuples.
     * @param chooser called once per flow
     */
    void SetPathChooser(PathChooser chooser);

    /// @brief Leave all subflows, present and future, to routing.
    void ForgetPaths();

    /**
     * @brief The connection of a flow.
     * @param flow the flow
     * @return the connection, or nullptr if the flow is over
     */
    MptcpConnection* GetMultipathConnection(FlowId flow) const;

    /// @brief Data sent by another subflow because the one that had sent it timed out (bytes).
    uint64_t GetReinjectedBytes() const
    {
        return m_reinjected;
    }

    void ReportResults(Results& results) const override;

    // ---- For connections ----

    using LeanTransport::Adopt;

    /**
     * @brief True if subflows are coupled.
     * @return true if their congestion control is TcpLia
     */
    bool IsCoupled() const
    {
        return m_coupling == LIA;
    }

    /**
     * @brief True if data of a subflow that timed out goes to the others, too.
     * @return attribute Reinject
     */
    bool Reinjects() const
    {
        return m_reinject;
    }

    /**
     * @brief Data was sent by another subflow.
     * @param bytes of it
     */
    void CountReinjected(uint32_t bytes)
    {
        m_reinjected += bytes;
    }

    /**
     * @brief All data of a connection was acknowledged, or it is to stop.
     * @param connection the connection; closed when this returns
     */
    void Finish(MptcpConnection& connection);

  protected:
    void DoAttach() override;
    void DoStartFlow(const FlowRecord& record) override;
    void DoDispose() override;
    std::string GetCongestionOps() const override;

  private:
    uint32_t m_subflows;                              //!< attribute Subflows
    Coupling m_coupling;                              //!< attribute Coupling
    bool m_reinject;                                  //!< attribute Reinject
    uint32_t m_joinOption;                            //!< attribute JoinOption
    uint32_t m_dssOption;                             //!< attribute DssOption
    uint32_t m_dataAckOption;                         //!< attribute DataAckOption
    uint64_t m_reinjected{0};                         //!< bytes
    PathChooser m_choosePaths;                        //!< ways of subflows; empty: routing's
    std::map<FlowId, MptcpConnection*> m_connections; //!< by flow, those under way
};

} // namespace ns3

#endif /* MPTCP_TRANSPORT_H */
