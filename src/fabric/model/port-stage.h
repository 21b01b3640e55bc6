/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_STAGE_H
#define PORT_STAGE_H

#include "ns3/object.h"

#include <functional>

namespace ns3
{

class Fabric;
class FabricPort;
struct FabricItem;
class Results;

/**
 * @ingroup fabric
 * @brief Looks at the items of a port on their way in and out: counts, meters, stamps, captures.
 *
 * A stage may stand at several ports. Ports without stages pay nothing for them.
 */
class PortStage : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief An item was forwarded to the port and has not yet come to its discipline, even if the
     * link has failed.
     * @param item the item; fields may be changed, its size only through FabricItem::size
     * @param port the port
     * @return false if the stage took the item (kept, answered or released it): nothing behind the
     * stage sees it
     */
    virtual bool Admit(FabricItem* item, FabricPort& port);

    /**
     * @brief An item's first bit goes out now.
     * @param item the item; fields may be changed, its size only through FabricItem::size: the link
     * is charged for what the item is then
     * @param port the port
     */
    virtual void Depart(FabricItem* item, const FabricPort& port);

    /**
     * @brief Called when a scheme whose attribute Stages names the stage is about to install it.
     * @param fabric the network, built
     */
    virtual void OnBuilt(Fabric& fabric);

    /**
     * @brief Assign fixed random variable stream numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * @brief Say after a run what only the stage knows. Called once, wherever it stands.
     * @param results takes it, as of the first port where the stage stands
     */
    virtual void ReportResults(Results& results) const;
};

/**
 * @ingroup fabric
 * @brief A stage that calls a function for each item that departs, for programs that only look.
 */
class DepartureStage : public PortStage
{
  public:
    /// @brief As PortStage::Depart().
    using Function = std::function<void(FabricItem* item, const FabricPort& port)>;

    /// @param function called for each item; what it refers to outlives the traffic
    explicit DepartureStage(Function function);

    void Depart(FabricItem* item, const FabricPort& port) override;

  private:
    Function m_function; //!< called for each item
};

} // namespace ns3

#endif /* PORT_STAGE_H */
