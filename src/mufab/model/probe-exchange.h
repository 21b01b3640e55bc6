/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROBE_EXCHANGE_H
#define PROBE_EXCHANGE_H

#include "mufab-probe.h"

#include "ns3/fabric.h"
#include "ns3/latency-histogram.h"
#include "ns3/object.h"
#include "ns3/path-table.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

class Results;

/**
 * @ingroup mufab
 * @brief Carries probes, responses and acknowledgments between the hosts of a network, and knows
 * its paths and base RTTs. Aggregated to the fabric.
 */
class ProbeExchange : public Object, private ItemSink
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @brief Counters since the beginning.
    struct Statistics
    {
        uint64_t probes{0};          //!< probes, finish probes, queries
        uint64_t probeBytes{0};      //!< their bytes
        uint64_t finishes{0};        //!< finish probes among them
        uint64_t queries{0};         //!< queries among them
        uint64_t responseBytes{0};   //!< bytes of responses
        uint64_t acknowledgments{0}; //!< acknowledgments of data
        uint64_t lostProbes{0};      //!< probes that were not answered in time
        uint64_t failures{0};        //!< failure responses
        uint64_t failedPaths{0};     //!< paths that were given up
        uint64_t migrations{0};      //!< pairs that went to another path
        uint64_t lostBytes{0};       //!< data that were not acknowledged in time
    };

    /**
     * @brief The exchange of a network, made on first use.
     * @param fabric the network
     * @return its exchange
     */
    static Ptr<ProbeExchange> Of(Fabric& fabric);

    /// @brief The edge of a host, which gets what arrives there.
    class Host
    {
      public:
        virtual ~Host() = default;

        /**
         * @brief A probe came. It goes back as its response.
         * @param probe the probe; gets what the receiver grants, and has received
         */
        virtual void OnProbe(MufabProbe& probe) = 0;

        /// @brief A response or a failure response to a pair of the host came.
        virtual void OnResponse(const MufabProbe& probe) = 0;

        /// @brief An acknowledgment for a pair of the host came.
        virtual void OnAcknowledgment(const PathAcknowledgment& acknowledgment) = 0;

        /// @brief Send an item of class CONTROL before all that waits at the host.
        virtual void SendControl(FabricItem* item) = 0;
    };

    /// @brief Have the edge of a host get what arrives there.
    void SetHost(uint32_t host, Host* edge);

    /**
     * @brief A probe leaves its host.
     * @param probe the probe; no longer the caller's
     * @param source sending host
     * @param destination receiving host
     * @param route source route
     * @param size datagram in bytes
     * @return the item to send
     */
    FabricItem* MakeItem(MufabProbe* probe,
                         uint32_t source,
                         uint32_t destination,
                         const uint16_t* route,
                         uint16_t size);

    /**
     * @brief Make an acknowledgment.
     * @param acknowledgment the acknowledgment
     * @param source host that received
     * @param destination host that sent
     * @param route source route; nullptr: none is known
     * @param size datagram in bytes
     * @return the item to send
     */
    FabricItem* MakeItem(const PathAcknowledgment& acknowledgment,
                         uint32_t source,
                         uint32_t destination,
                         const uint16_t* route,
                         uint16_t size);

    /**
     * @brief Tell the sender of data that a link has failed, as a switch does.
     * @param data at the switch; stays the caller's
     * @return the item to send from there; nullptr: what it is belongs to no path of a pair, or all
     * have the link
     */
    FabricItem* MakeFailureNotice(const FabricItem& data) const;

    /// @brief A path between two hosts.
    struct Route
    {
        PathTable::Path path;           //!< its source routes
        std::vector<FabricPort*> ports; //!< that data leave by, the sender's own first
    };

    /// @return number of paths between two hosts
    uint32_t GetNPaths(uint32_t source, uint32_t destination) const;

    /// @return the path between two hosts that has a number
    Route GetRoute(uint32_t source, uint32_t destination, uint16_t index) const;

    /// @brief A path and its number between its racks.
    struct NumberedPath
    {
        PathTable::Path path; //!< the routes
        uint16_t index;       //!< its number
    };

    /**
     * @brief The path that an item takes.
     * @param item on its way
     * @return the path, if its route is one
     */
    std::optional<NumberedPath> FindPath(const FabricItem& item) const;

    /**
     * @brief Base RTT of a path: a packet of data there and an acknowledgment back, with nothing
     * in the way.
     * @param ports of the path, from the sender's on
     * @return time steps
     */
    static int64_t GetBaseRtt(const std::vector<FabricPort*>& ports);

    /**
     * @brief T_max, unless SetLargestBaseRtt() says otherwise the largest base RTT between two
     * hosts on a shortest path.
     * @return time steps
     */
    int64_t GetLargestBaseRtt();

    /**
     * @brief Use another T_max from now on.
     * @param rtt in time steps
     */
    void SetLargestBaseRtt(int64_t rtt)
    {
        m_largestRtt = rtt;
    }

    /**
     * @brief The network.
     * @return the fabric
     */
    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /**
     * @brief Counters since the beginning.
     * @return the counters
     */
    Statistics& GetStatistics()
    {
        return m_statistics;
    }

    /**
     * @brief Round-trip times of data: from a packet's leaving its host's queue to its
     * acknowledgment.
     * @return the histogram
     */
    LatencyHistogram& GetRtts()
    {
        return m_rtts;
    }

    /**
     * @brief Say after a run what was exchanged.
     * @param results takes it
     */
    void ReportResults(Results& results) const;

    static constexpr uint32_t DATA_SIZE = 1500; //!< packet of data that base RTTs are those of
    static constexpr uint32_t ACKNOWLEDGMENT_SIZE = 46; //!< 64 bytes on the wire, 18 of Ethernet

  protected:
    void DoDispose() override;

  private:
    void ReceiveItem(FabricItem* item) override;
    void Respond(FabricItem* item, Host& edge);
    FabricItem* MakeControlItem(uint32_t source,
                                uint32_t destination,
                                const uint16_t* route,
                                uint16_t size) const;

    Fabric* m_fabric{nullptr};  //!< the network
    uint32_t m_flow{0};         //!< the fabric's name for what is exchanged
    int64_t m_largestRtt{0};    //!< T_max; 0: not yet known
    std::vector<Host*> m_hosts; //!< by number
    Statistics m_statistics;    //!< counters since the beginning
    LatencyHistogram m_rtts;    //!< of data
};

} // namespace ns3

#endif /* PROBE_EXCHANGE_H */
