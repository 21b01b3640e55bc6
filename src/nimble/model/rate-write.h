/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATE_WRITE_H
#define RATE_WRITE_H

#include "limiter-switch.h"

#include "ns3/fabric-item.h"
#include "ns3/fabric-switch.h"
#include "ns3/rate-write-header.h"

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Payload of a control packet on its way.
 */
class RateWrite : public ItemExtension
{
  public:
    /// @param fields the fields of the packet
    explicit RateWrite(const RateWriteFields& fields)
        : fields(fields)
    {
    }

    /**
     * @brief Make a control packet.
     * @param source host that sends it
     * @param destination host towards which it goes, by way of the switch
     * @param fields the fields of the packet
     * @return the packet
     */
    static FabricItem* Make(uint32_t source, uint32_t destination, const RateWriteFields& fields);

    RateWriteFields fields; //!< fields of the packet
};

/**
 * @ingroup nimble
 * @brief Takes control packets that are for a switch: its data plane writes the rate register, and
 * the packet goes no further (Nimble, SOSR 2021, Section 4.1, policy manager).
 */
class RateWriteStage : public IngressStage
{
  public:
    /**
     * @param node number of the switch
     * @param limiters its limiters; outlive this
     */
    RateWriteStage(uint32_t node, LimiterSwitch& limiters)
        : m_node(node),
          m_limiters(limiters)
    {
    }

    bool Process(FabricItem* item) override;

  private:
    uint32_t m_node;           //!< number of the switch
    LimiterSwitch& m_limiters; //!< its limiters
};

} // namespace ns3

#endif /* RATE_WRITE_H */
