/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ELASTIC_SWITCH_SCHEME_H
#define ELASTIC_SWITCH_SCHEME_H

#include "pair-scheme.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief ElasticSwitch (Popa et al., SIGCOMM 2013) as Trinity's authors measured it: VM pairs probe
 * for more than their guarantee, and ports mark above a step. The other forms derive from it.
 */
class ElasticSwitchScheme : public PairScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    void ConfigurePackets(const Network& network, PacketMaker& packets) const override;

  protected:
    std::string GetDefaultController() const override;
    std::map<std::string, std::string> GetControllerDefaults() const override;
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override;

  private:
    QueueLimit m_markThreshold; //!< attribute MarkThreshold
};

} // namespace ns3

#endif /* ELASTIC_SWITCH_SCHEME_H */
