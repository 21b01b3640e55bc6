/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_SCHEME_H
#define MUFAB_SCHEME_H

#include "mufab-port-stage.h"

#include "ns3/pair-scheme.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief uFAB (SIGCOMM 2022): the edge shares links by tokens, with windows and paths by what
 * switches tell in probes.
 */
class MufabScheme : public PairScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void ConfigureFabric(Network& network) override;
    void ConfigureNodes(Network& network) override;
    void ReportResults(const Network& network, Results& results) const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    std::string m_core;                        //!< attribute Core
    std::string m_without;                     //!< attribute Without
    std::vector<Ptr<MufabPortStage>> m_stages; //!< those that may draw
};

} // namespace ns3

#endif /* MUFAB_SCHEME_H */
