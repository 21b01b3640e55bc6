/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_PORT_STAGE_H
#define MUFAB_PORT_STAGE_H

#include "mufab-probe.h"
#include "mufab-registers.h"
#include "port-rate-meter.h"

#include "ns3/nstime.h"
#include "ns3/port-stage.h"

#include <cstdint>
#include <memory>

namespace ns3
{

class ProbeExchange;

/**
 * @ingroup mufab
 * @brief uFAB-C at one output port of a switch (Sections 3.6 and 4.2): it folds what probes say of
 * their pairs into two registers and writes into each probe what it knows of its link.
 *
 * A probe is read when its turn to leave has come: what waits behind it is the queue. Responses
 * pass. A probe for a link that has failed goes back as a failure response (type 4), and data for
 * it are answered by one.
 */
class MufabPortStage : public PortStage
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MufabPortStage();
    ~MufabPortStage() override;

    /// @brief Way in which a switch learns of changes of a pair that it has seen.
    enum Semantics
    {
        EXACT, //!< ExactRegisters
        DELTA  //!< DeltaRegisters
    };

    bool Admit(FabricItem* item, FabricPort& port) override;
    void Depart(FabricItem* item, const FabricPort& port) override;
    void ReportResults(Results& results) const override;

    /**
     * @brief Take the network's largest base RTT as the window of the rate.
     * @param fabric the network, built
     */
    void OnBuilt(Fabric& fabric) override;

    /**
     * @brief The registers. As of now: what is periodic is brought up to date.
     * @return the registers
     */
    const MufabRegisters& GetRegisters();

  protected:
    /**
     * @brief Record of the link that a probe is told.
     * @param port that it leaves by
     * @param now the current time, in time steps
     * @return the record
     */
    virtual LinkState Observe(const FabricPort& port, int64_t now);

  private:
    MufabRegisters& FindRegisters();
    PortRateMeter& FindMeter();
    void Process(MufabProbe& probe, const FabricPort& port);
    static void TurnBack(FabricItem* item, MufabProbe& probe, const FabricPort& port);

    Semantics m_semantics;              //!< attribute Semantics
    bool m_bloom;                       //!< attribute BloomFilter
    uint32_t m_bloomBytes;              //!< attribute BloomBytes
    Time m_cleaningPeriod;              //!< attribute CleaningPeriod
    bool m_failureResponses;            //!< attribute FailureResponses
    ProbeExchange* m_exchange{nullptr}; //!< of the network; nullptr: it stands alone
    /// Window in which the port's rate is measured, in time steps: the network's largest base RTT,
    /// which the paper leaves open; where the stage stands alone, the testbed's. Above 1.3 base
    /// RTTs rates begin to swing.
    int64_t m_rateWindow{MicroSeconds(24).GetTimeStep()};
    std::unique_ptr<MufabRegisters> m_registers; //!< made on first use
    std::unique_ptr<PortRateMeter> m_meter;      //!< made on first use
    uint64_t m_probes{0};                        //!< probes read
    uint64_t m_noRoom{0};                        //!< probes without room for a record
    uint64_t m_overflows{0};                     //!< sums that did not fit their fields
};

} // namespace ns3

#endif /* MUFAB_PORT_STAGE_H */
