/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAULTY_MUFAB_PORT_STAGE_H
#define FAULTY_MUFAB_PORT_STAGE_H

#include "mufab-port-stage.h"

#include "ns3/random-variable-stream.h"

#include <deque>
#include <utility>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief uFAB-C whose telemetry fails now and then, which the paper does not try: probes and
 * responses are lost, and probes get records that are no longer true.
 */
class FaultyMufabPortStage : public MufabPortStage
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FaultyMufabPortStage();

    bool Admit(FabricItem* item, FabricPort& port) override;
    void ReportResults(Results& results) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    LinkState Observe(const FabricPort& port, int64_t now) override;

  private:
    double m_lost;  //!< attribute Lost
    double m_stale; //!< attribute Stale
    Time m_staleBy; //!< attribute StaleBy
    std::deque<std::pair<int64_t, LinkState>>
        m_history;                       //!< true records and when; as old as StaleBy
    Ptr<UniformRandomVariable> m_random; //!< decides
    uint64_t m_lostProbes{0};            //!< probes and responses
    uint64_t m_staleRecords{0};          //!< records
};

} // namespace ns3

#endif /* FAULTY_MUFAB_PORT_STAGE_H */
