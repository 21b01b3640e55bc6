/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSPORTS_H
#define TRANSPORTS_H

#include "transport.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup transport
 * @brief The transports of a network, side by side on one fabric; one of them for most networks.
 *
 * A flow's request says which transport carries it (FlowRequest::transport). Flows have one
 * numbering, whichever transport they are of.
 */
class Transports : public Object
{
  public:
    static constexpr uint32_t MOST = 128; //!< transports of a network

    /// @brief Get the type ID.
    static TypeId GetTypeId();

    Transports() = default;

    /**
     * @brief A network's only transport.
     * @param transport the transport
     */
    explicit Transports(Ptr<Transport> transport);

    /**
     * @brief Add a transport, before any flow is started.
     * @param name for the user; not given before
     * @param transport the transport; its flows are numbered with those of the others from now on
     */
    void Add(const std::string& name, Ptr<Transport> transport);

    /**
     * @brief Say what the user set where transports are named.
     * @param argument such as "--transport", for errors
     */
    void SetArgument(const std::string& argument)
    {
        m_argument = argument;
    }

    /// @brief The argument that names the transports, for errors.
    const std::string& GetArgument() const
    {
        return m_argument;
    }

    /**
     * @brief Number of transports.
     * @return their number
     */
    uint32_t GetN() const;

    /**
     * @brief A transport.
     * @param index its place in the order of Add(); FlowRequest::transport
     * @return the transport
     */
    Ptr<Transport> Get(uint32_t index) const;

    /**
     * @brief The user's name for a transport.
     * @param index its place in the order of Add()
     * @return the name
     */
    const std::string& GetName(uint32_t index) const;

    /**
     * @brief Find a transport by what the user calls it.
     * @param name the name
     * @return its place, FlowRequest::transport; nothing if there is no such transport
     */
    std::optional<uint8_t> Find(const std::string& name) const;

    /**
     * @brief Find a transport that the user names.
     * @param argument the option that the user set, for the error
     * @param name the name
     * @return its place, FlowRequest::transport
     * @throws InputError if there is no such transport
     */
    uint8_t Require(const std::string& argument, const std::string& name) const;

    /**
     * @brief Bind all to the hosts of a built fabric, in order.
     * @param fabric the fabric; outlives the transports
     */
    void Attach(Ptr<Fabric> fabric);

    /// @brief The VM pair of a flow: its number + 1; 0 if it belongs to none.
    using PairFinder = std::function<uint32_t(const FlowRequest& request)>;

    /**
     * @brief Say to which VM pair a flow belongs whose request does not name one.
     * @param find asked when such a flow starts
     */
    void SetPairFinder(PairFinder find);

    /**
     * @brief Start a flow now, on the transport that the request names.
     * @param request the flow and its transport
     * @return the flow's name; no other flow of the network has it
     * @throws InputError if there is no such transport or host
     */
    FlowId StartFlow(const FlowRequest& request);

    /**
     * @brief Stop a flow: nothing more is sent; observers see it finished. No effect on a finished
     * flow.
     * @param flow the result of StartFlow()
     */
    void StopFlow(FlowId flow);

    /**
     * @brief Tell an observer about every flow of every transport from now on.
     * @param observer outlives the simulation
     */
    void AddObserver(FlowObserver* observer);

    /**
     * @brief Time that a flow would need alone in an idle fabric, with its own transport.
     * @param request the flow; bytes > 0
     * @return see Transport::GetIdealCompletionTime()
     */
    Time GetIdealCompletionTime(const FlowRequest& request) const;

    /**
     * @brief Have each transport say what only it knows, under its own name.
     * @param results takes it
     */
    void ReportResults(Results& results) const;

    /**
     * @brief Assign fixed random variable stream numbers, transport by transport.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /// @brief A transport and what the user calls it.
    struct Entry
    {
        std::string name;         //!< for the user
        Ptr<Transport> transport; //!< the transport
    };

    /**
     * @brief The transport that a request names.
     * @param request the flow
     * @return the transport
     * @throws InputError if there is none
     */
    Transport& Choose(const FlowRequest& request) const;

    std::string m_argument{"--transport"}; //!< the option that the user set
    std::vector<Entry> m_entries;          //!< in the order of Add()
    PairFinder m_findPair;                 //!< empty: flows belong to the pair that they name
};

} // namespace ns3

#endif /* TRANSPORTS_H */
